/* core/exec/memory/exec_store.c -- stores and atomics: those of device memory are recorded for the commit
 * phase; prefetches, which only form addresses. */
#include "core/exec/memory/address_check.h"
#include "core/exec/memory/regular.h"

/* The row of piece n of what is stored: an element, or half of one of 128 bits. */
static inline const void *stored_row(const struct exec *x, const struct uop *u, unsigned n)
{
	if (u->bytes > 8)
		return (const ROW_U64 *)source_row(x, u->src[1 + n / 2]) + n % 2 * WARP_SIZE;
	return source_row(x, n < 3 ? u->src[1 + n] : x->extra[u->extra + n - 3]);
}

static inline void copy_row(uint32_t *to, const void *from, bool from_wide, bool to_wide)
{
	const ROW_U64 *wide = from;

	if (from_wide && !to_wide)
		LANES to[l] = (uint32_t)wide[l];
	else
		memcpy(to, from, to_wide ? 8 * WARP_SIZE : 4 * WARP_SIZE);
}

/* Records everything that the commit phase needs. */
static void fill_write(struct exec_write *w, const struct exec *x, const struct uop *u, lane_mask mask)
{
	bool wide = piece_bytes(u) == 8, from_wide = u->code == UOP_ST ? u->reg_bytes >= 8 : wide;
	unsigned count =
		(u->code == UOP_ATOM && u->compare == ATOM_CAS ? 2u : u->vector) * (u->bytes > 8 ? 2 : 1);

	w->uop = u;
	w->mask = mask;
	w->registers = x->registers;
	w->extra = x->extra + u->extra;
	w->in_shared = x->space == SPACE_GENERIC ? x->space_mask[4] : 0;
	memcpy(w->address, x->address, sizeof(w->address));
	for (unsigned n = 0; n < count; n++)
		if (is_written(u, n))
			copy_row(w->data[wide ? 2 * n : n], stored_row(x, u, n), from_wide, wide);
}

static void record_store(struct exec *x, const struct uop *u, lane_mask mask)
{
	fill_write(new_write(x), x, u, mask);
}

static void store_lanes(struct exec *x, const struct uop *u, unsigned space, lane_mask mask)
{
	struct view view = view_of(x, space);

	bug_if(space == SPACE_CONST || space == SPACE_PARAM, "a store into a space that is only read");
	if (space == SPACE_GLOBAL) {
		record_store(x, u, mask);
		return;
	}
	for (unsigned n = 0; n < store_pieces(u); n++)
		if (is_written(u, n))
			store_element(view, x->address, mask, stored_row(x, u, n), u->reg_bytes >= 8,
				piece_bytes(u), n);
}

/* Without timing: words of a whole warp that lie side by side (regular.h). False: these are not such. */
static inline bool store_regular(struct exec *x, const struct uop *u)
{
	struct regular half[2];
	const uint8_t *row;

	if (!is_regular_uop(u) || !is_written(u, 0) || !find_regular(x, u, half) || !half[0].follows ||
		!half[1].follows)
		return false;
	row = source_row(x, u->src[1]);
	if (u->bytes == 4) {
		memcpy(half[0].words, row, 4 * HALF);
		memcpy(half[1].words, row + 4 * HALF, 4 * HALF);
	} else {
		memcpy(half[0].words, row, 8 * HALF);
		memcpy(half[1].words, row + 8 * HALF, 8 * HALF);
	}
	return true;
}

static __attribute__((noinline)) void store_usual(struct exec *x, const struct uop *u, lane_mask active)
{
	if (!access_memory(x, u, active, true))
		return;
	if (x->space != SPACE_GENERIC) {
		store_lanes(x, u, x->space, active);
		return;
	}
	for (unsigned n = 0; n < 4; n++)
		if (part_of(x, n))
			store_lanes(x, u, split_space[n], part_of(x, n));
}

static inline void store_part(
	const struct regular *part, lane_mask chosen, unsigned bytes, const uint8_t *row)
{
	for_each_lane (l, chosen) {
		if (bytes == 4)
			memcpy(part->words + 4 * l, row + 4 * l, 4);
		else
			memcpy(part->words + 8 * l, row + 8 * l, 8);
	}
}

/* The same with some lanes. */
static __attribute__((noinline)) bool store_regular_part(
	struct exec *x, const struct uop *u, lane_mask active)
{
	struct regular half[2] = { { NULL, false } };
	lane_mask low = active & 0xffff, high = active >> HALF;
	const uint8_t *row;

	if (!is_regular_uop(u) || !is_written(u, 0) || !find_parts(x, u, active, half) ||
		(low && !half[0].follows) || (high && !half[1].follows))
		return false;
	row = source_row(x, u->src[1]);
	store_part(&half[0], low, u->bytes, row);
	store_part(&half[1], high, u->bytes, row + HALF * u->bytes);
	return true;
}

/* Words anywhere, in the order of lanes. */
static __attribute__((noinline)) bool store_scattered(struct exec *x, const struct uop *u, lane_mask active)
{
	struct reach reach = reach_of(x, u);
	uint64_t offset[WARP_SIZE] ROW_ALIGNED;
	const uint8_t *row;

	if (!is_regular_uop(u) || !is_written(u, 0) ||
		!find_scattered(x, u, active, &reach, u->bytes, offset))
		return false;
	row = source_row(x, u->src[1]);
	for_each_lane (l, active) {
		if (u->bytes == 4)
			memcpy((void *)(reach.host + offset[l]), row + 4 * l, 4);
		else
			memcpy((void *)(reach.host + offset[l]), row + 8 * l, 8);
	}
	return true;
}

EXEC(ST)
{
	if (x->is_unobserved &&
		((active == ALL_LANES ? store_regular(x, u) : store_regular_part(x, u, active)) ||
			store_scattered(x, u, active)))
		return;
	store_usual(x, u, active);
}

static void record_atomic(struct exec *x, const struct uop *u, unsigned space, lane_mask mask)
{
	struct exec_write at_once;

	if (space == SPACE_GLOBAL) {
		record_store(x, u, mask);
		return;
	}
	fill_write(&at_once, x, u, mask);
	apply_atomic(&at_once, view_of(x, space), false);
}

/* Atomics work only in global and shared memory. */
static __attribute__((noinline)) bool is_local_atomic(struct exec *x, const struct uop *u, lane_mask active)
{
	lane_mask local = x->space == SPACE_LOCAL ? active : x->space == SPACE_GENERIC ? x->space_mask[2] : 0;

	if (!local)
		return false;
	report_fault(x, u, SPACE_LOCAL, first_lane(local), (unsigned)u->bytes * u->vector, true, false);
	x->fault->kind = FAULT_ADDRESS_SPACE;
	x->fault->address += LOCAL_WINDOW;
	return true;
}

EXEC(ATOM)
{
	if (!access_memory(x, u, active, true))
		return;
	if (u->space == SPACE_GENERIC && is_local_atomic(x, u, active))
		return;
	if (x->space != SPACE_GENERIC) {
		record_atomic(x, u, x->space, active);
		return;
	}
	for (unsigned n = 0; n < 4; n++)
		if (part_of(x, n))
			record_atomic(x, u, split_space[n], part_of(x, n));
}

EXEC(PREFETCH)
{
	if (active)
		resolve(x, u, active);
	x->follows = false;
}
