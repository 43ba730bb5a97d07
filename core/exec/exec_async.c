/* core/exec/exec_async.c -- cp.async, whose data arrive at once, and mbarrier objects in shared memory. */
#include "core/exec/access.h"
#include "core/exec/mbarrier_update.h"
#include "core/exec/write.h"

/* One lane's copy. */
struct copy {
	uint8_t *to;
	addr from;
	unsigned bytes; /* read; the rest are zeros */
};

/* Checks both sides; false after a fault. Bytes that are not read need not exist. */
static bool find_copy(struct exec *x, const struct uop *u, unsigned lane, unsigned size, lane_mask ignored,
	struct copy *copy)
{
	addr to = lane_address(x, u->src[1], u->mods & MOD_HI, lane, (uint64_t)(int64_t)(int32_t)u->imm);
	uint32_t limit = u->src[2] == UOP_NONE ? size : ((const ROW_U32 *)source_row(x, u->src[2]))[lane];

	copy->from = lane_address(x, u->src[0], u->mods & MOD_SAT, lane, (uint64_t)(u->imm >> 32));
	copy->bytes = ignored >> lane & 1 ? 0 : limit < size ? limit : size;
	copy->to = shared_location(x, u, lane, to, false, size, size, true);
	x->second_address[lane] = to;
	x->address[lane] = copy->from;
	return copy->to && (!copy->bytes || global_holds(x, u, lane, copy->from, copy->bytes, size));
}

EXEC(CP_ASYNC)
{
	unsigned size = 4u * u->vector;
	lane_mask ignored = u->src[3] == UOP_NONE ? 0 : predicate_source(x, u, u->src[3]);
	struct copy copies[WARP_SIZE];

	x->space = SPACE_GLOBAL;
	x->space_mask[0] = 0;
	for_each_lane (l, active) {
		if (!find_copy(x, u, l, size, ignored, &copies[l]))
			return;
		x->space_mask[0] |= copies[l].bytes ? lane_bit[l] : 0;
	}
	for_each_lane (l, active) {
		memcpy(copies[l].to, (const void *)(uintptr_t)copies[l].from, copies[l].bytes);
		memset(copies[l].to + copies[l].bytes, 0, size - copies[l].bytes);
	}
}

/* ---- mbarrier ---- */

/* The object that a lane names; NULL after a fault. */
static uint8_t *find_object(struct exec *x, const struct uop *u, unsigned lane, bool is_store)
{
	addr address = lane_address(x, u->src[0], u->mods & MOD_SAT, lane, (uint64_t)u->imm);

	x->space = SPACE_SHARED;
	return shared_location(x, u, lane, address, u->space == SPACE_GENERIC, 8, 8, is_store);
}

/* The instruction's lanes are in the own CTA's shared memory, but for these, which are in that of others. */
static void note_others(struct exec *x, lane_mask active, lane_mask others)
{
	x->space = SPACE_SHARED;
	if (!others)
		return;
	memset(x->space_mask, 0, sizeof(x->space_mask));
	x->space = SPACE_GENERIC;
	x->space_mask[1] = active & ~others;
	x->space_mask[4] = others;
}

/* A write for the commit phase; the lanes' places are yet to be filled in. */
static struct exec_write *begin_write(struct exec *x, const struct uop *u, lane_mask mask)
{
	struct exec_write *w = new_write(x);

	w->uop = u;
	w->mask = mask;
	w->registers = x->registers;
	w->warp = x->warp;
	return w;
}

/* On objects of other CTAs; values: a row or NULL. With timing they wait for the commit phase. */
static void record_mbarriers(struct exec *x, const struct uop *u, lane_mask mask, const ROW_U32 *values)
{
	struct exec_write *w = begin_write(x, u, mask);

	memcpy(w->address, x->address, sizeof(w->address));
	if (values)
		memcpy(w->data[0], values, sizeof(w->data[0]));
}

EXEC(MBARRIER)
{
	const ROW_U32 *values = u->src[1] == UOP_NONE ? NULL : source_row(x, u->src[1]);
	ROW_U64 *d = u->dst[0] == UOP_NONE ? NULL : destination_row(x, u->dst[0]);
	lane_mask others = 0;

	for_each_lane (l, active) {
		uint8_t *location = find_object(x, u, l, true);
		uint32_t value = values ? values[l] : 0;
		const char *wrong;
		uint64_t before;

		if (!location)
			return;
		if (!is_own_shared(x, location)) {
			x->address[l] = (uintptr_t)location;
			others |= lane_bit[l];
			continue;
		}
		wrong = mbarrier_update(u, location, values ? &value : NULL, &before);
		if (wrong) {
			fault_because(x, u, l, wrong);
			return;
		}
		if (d)
			d[l] = before;
	}
	if (others)
		record_mbarriers(x, u, others, values);
	note_others(x, active, others);
}

/* What try_wait has found: of the lanes whose phase is not over the first, which asked for that parity there.
 */
static void note_answer(
	struct exec *x, const struct uop *u, lane_mask open, const uint8_t *object, bool parity)
{
	const ROW_U32 *times = u->src[2] == UOP_NONE ? NULL : source_row(x, u->src[2]);

	x->tried = open && is_own_shared(x, object) ? PHASE_OPEN : PHASE_OVER;
	x->question = (struct phase_question){ .object = object, .parity = parity, .has_time = times };
	for_each_lane (l, times ? open : 0)
		x->question.nanoseconds =
			times[l] > x->question.nanoseconds ? times[l] : x->question.nanoseconds;
}

/* A phase is over when its parity is no longer the current one. */
EXEC(MBARRIER_TEST)
{
	const void *state = source_row(x, u->src[1]);
	const uint8_t *first = NULL;
	bool of_first = false;
	lane_mask over = 0;

	for_each_lane (l, active) {
		const uint8_t *location = find_object(x, u, l, false);
		bool parity = u->compare ? ((const ROW_U32 *)state)[l] & 1
					 : mbarrier_unpack(((const ROW_U64 *)state)[l]).parity;
		uint64_t bits;

		if (!location)
			return;
		memcpy(&bits, location, 8);
		if (!mbarrier_unpack(bits).is_initialised) {
			fault_because(x, u, l, "the mbarrier has not been initialised");
			return;
		}
		if (mbarrier_unpack(bits).parity != parity) {
			over |= lane_bit[l];
		} else if (!first) {
			first = location;
			of_first = parity;
		}
	}
	put_predicate(x, u->dst[0], over, active);
	x->yields = x->gives_way && over != active;
	if (x->suspends && u->mods & MOD_SUSPENDS)
		note_answer(x, u, active & ~over, first, of_first);
}

/* ---- st.async, red.async ---- */

/* The lane's places of the data and of the mbarrier; false after a fault. */
static bool find_places(struct exec *x, const struct uop *u, unsigned lane, uint8_t **to, uint8_t **barrier)
{
	addr at = lane_address(x, u->src[0], u->mods & MOD_SAT, lane, (uint64_t)(int64_t)(int32_t)u->imm);
	addr object = lane_address(x, u->src[1], u->mods & MOD_HI, lane, (uint64_t)(u->imm >> 32));
	bool is_generic = u->space == SPACE_GENERIC;
	unsigned bytes = (unsigned)u->bytes * u->vector;

	*barrier = shared_location(x, u, lane, object, is_generic, 8, 8, true);
	*to = *barrier ? shared_location(x, u, lane, at, is_generic, bytes, bytes, true) : NULL;
	return *to != NULL;
}

/* The row of element n of the data. */
static const void *async_row(const struct exec *x, const struct uop *u, unsigned n)
{
	return source_row(x, n < 2 ? u->src[2 + n] : x->extra[u->extra + n - 2]);
}

/* Data and bytes arrive together in the commit phase. */
EXEC(ASYNC_WRITE)
{
	uint64_t barriers[WARP_SIZE] = { 0 };
	struct exec_write *w;
	lane_mask others = 0;

	for_each_lane (l, active) {
		uint8_t *to, *barrier;

		if (!find_places(x, u, l, &to, &barrier))
			return;
		barriers[l] = (uintptr_t)barrier;
		others |= is_own_shared(x, to) ? 0 : lane_bit[l];
		x->second_address[l] = (uintptr_t)to;
		x->address[l] = is_own_shared(x, to) ? x->address[l] : (uintptr_t)to;
	}
	w = begin_write(x, u, active);
	memcpy(w->address, x->second_address, sizeof(w->address));
	for (unsigned n = 0; n < u->vector; n++)
		memcpy(w->data[u->bytes == 8 ? 2 * n : n], async_row(x, u, n), (size_t)u->bytes * WARP_SIZE);
	memcpy(w->data[ASYNC_BARRIERS], barriers, sizeof(barriers));
	note_others(x, active, others);
}
