/* core/exec/exec_mem.c -- loads, stores, atomics.
 *
 * An access forms 32 addresses, resolves generic ones to a space and an offset, and checks alignment and
 * bounds of all lanes before it has any effect. The check of device memory is against the allocation that
 * this instruction used last; the table is asked only when that fails. Inactive lanes take the address of an
 * active one, so that nobody has to care about them (but in a generic access that is split over spaces each
 * part goes by its mask). */
#include "core/exec/lanes.h"
#include "core/diagnose/device_fault.h"
#include "core/exec/write.h"

/* Inactive lanes take an active one's address; in which bits do lanes differ? */
static inline void fill_inactive(struct exec *x, lane_mask active)
{
	addr *address = x->address, first = address[first_lane(active)], differ = 0;

	if (active == ALL_LANES) {
		LANES differ |= address[l] ^ first;
	} else {
		LANES
		{
			addr own = active & lane_bit64[l] ? address[l] : first;

			address[l] = own;
			differ |= own ^ first;
		}
	}
	x->differ = differ;
}

/* Addresses, for all lanes. active: not empty. */
static inline void form_addresses(struct exec *x, const struct uop *u, lane_mask active)
{
	addr *address = x->address;
	uint64_t offset = (uint64_t)u->imm + (u->mods & MOD_FRAME ? x->frame : 0);

	if (u->src[0] == UOP_NONE) {
		LANES address[l] = offset;
	} else if (u->mods & MOD_SAT) {
		const ROW_U32 *base = source(x, u->src[0]);

		LANES address[l] = base[l] + (uint32_t)offset; /* in 32 bits: a base may be "negative" */
	} else {
		const ROW_U64 *base = source(x, u->src[0]);

		LANES address[l] = base[l] + offset;
	}
	fill_inactive(x, active);
}

static lane_mask lanes_in_window(const struct exec *x, addr window)
{
	return COLLECT(uint64_t, lane_bit64, (x->address[l] - window) / WINDOW_SIZE == 0);
}

/* Some lanes are in a window: those become offsets. */
static __attribute__((noinline)) void split_windows(struct exec *x, lane_mask active)
{
	lane_mask shared = lanes_in_window(x, SHARED_WINDOW) & active,
		  local = lanes_in_window(x, LOCAL_WINDOW) & active;
	lane_mask param = lanes_in_window(x, PARAM_WINDOW) & active;

	x->space_mask[0] = active & ~shared & ~local & ~param;
	x->space_mask[1] = shared;
	x->space_mask[2] = local;
	x->space_mask[3] = param;
	if (shared == active)
		LANES x->address[l] -= SHARED_WINDOW;
	else if (local == active)
		LANES x->address[l] -= LOCAL_WINDOW;
	else if (param == active)
		LANES x->address[l] -= PARAM_WINDOW;
	else
		LANES x->address[l] -= shared & lane_bit64[l] ? SHARED_WINDOW
			: local & lane_bit64[l]               ? LOCAL_WINDOW
			: param & lane_bit64[l]               ? PARAM_WINDOW
							      : 0;
	x->space = shared == active      ? SPACE_SHARED
		: local == active        ? SPACE_LOCAL
		: param == active        ? SPACE_PARAM
		: shared | local | param ? SPACE_GENERIC
					 : SPACE_GLOBAL;
}

/* Generic addresses: what lies outside the windows, all of which are below the device's memory, is global. */
static inline void resolve_generic(struct exec *x, lane_mask active)
{
	uint64_t windows = DEVICE_BASE - SHARED_WINDOW;

	x->space = SPACE_GLOBAL;
	if (COLLECT(uint64_t, lane_bit64, x->address[l] - SHARED_WINDOW < windows) & active)
		split_windows(x, active);
}

static inline void resolve(struct exec *x, const struct uop *u, lane_mask active)
{
	form_addresses(x, u, active);
	x->space = u->space;
	if (u->space == SPACE_GENERIC)
		resolve_generic(x, active);
}

/* Are all active addresses aligned and within [start, start + span]? Both differences are non-negative
 * exactly then, so their signs, or-ed together over the warp, tell; span is negative if not even one access
 * has room. */
static inline bool is_inside(
	const addr *address, lane_mask active, addr start, int64_t span, uint64_t misaligned)
{
	addr last = start + (uint64_t)span, outside = 0, low = 0;

	if (active == ALL_LANES) {
		LANES
		{
			outside |= (address[l] - start) | (last - address[l]);
			low |= address[l];
		}
	} else {
		LANES
		{
			uint64_t counts = active & lane_bit64[l] ? UINT64_MAX : 0;

			outside |= counts & ((address[l] - start) | (last - address[l]));
			low |= counts & address[l];
		}
	}
	return !(outside >> 63) && !(low & misaligned);
}

/* The same, quickly, from the bits in which the lanes differ: these span a block that holds all of them. It
 * may be too large, so false says nothing. bytes: of an access, not more than there are. */
static inline bool is_block_inside(const struct exec *x, addr start, uint64_t span, unsigned bytes)
{
	addr block = x->differ ? UINT64_MAX >> __builtin_clzll(x->differ) : 0, first = x->address[0];
	addr low = first & ~block, last = (first | block) & ~(addr)(bytes - 1);

	return !((first | x->differ) & (bytes - 1)) && low - start <= span && last - start <= span;
}

struct limits {
	enum fault_kind beyond;
	addr start;
	uint64_t bytes;
};

static struct limits limits_of(const struct exec *x, unsigned space)
{
	switch ((enum uop_space)space) {
	case SPACE_SHARED:
		return (struct limits){ FAULT_SHARED_OUT_OF_BOUNDS, 0, x->shared_bytes };
	case SPACE_LOCAL:
		return (struct limits){ FAULT_LOCAL_OUT_OF_BOUNDS, 0, x->local_bytes };
	case SPACE_PARAM:
		return (struct limits){ FAULT_OUT_OF_BOUNDS, 0, x->param_bytes };
	case SPACE_GLOBAL:
	case SPACE_CONST:
	case SPACE_GENERIC:
		break;
	}
	return (struct limits){ FAULT_OUT_OF_BOUNDS, x->range->start, x->range->end - x->range->start };
}

static bool is_device(unsigned space)
{
	return space == SPACE_GLOBAL || space == SPACE_CONST;
}

static bool limits_hold(const struct exec *x, lane_mask mask, struct limits limits, unsigned bytes)
{
	return is_inside(x->address, mask, limits.start, (int64_t)(limits.bytes - bytes), bytes - 1);
}

/* Does one lane's access lie within some allocation, or within the bounds of its space? */
static bool lane_holds(struct exec *x, unsigned space, unsigned lane, unsigned bytes)
{
	addr address = x->address[lane];
	struct memory_range range;

	if (!is_device(space))
		return limits_hold(x, lane_bit[lane], limits_of(x, space), bytes);
	range = memory_find(x->memory, address);
	if (range.start == range.end || bytes > range.end - address)
		return false;
	*x->range = range;
	return true;
}

static void report_fault(struct exec *x, const struct uop *u, unsigned space, unsigned lane, unsigned bytes,
	bool is_store, bool misaligned)
{
	struct device_fault *fault = x->fault;

	x->faulted = true;
	fault->kind = misaligned ? FAULT_MISALIGNED : limits_of(x, space).beyond;
	fault->line = u->line;
	fault->lane = lane;
	fault->is_store = is_store;
	fault->address = x->address[lane];
	fault->bytes = bytes;
	if (space == SPACE_PARAM && u->code != UOP_LD_PARAM) { /* by its generic address */
		fault->address += PARAM_WINDOW;
		fault->nearest = (struct memory_range){ PARAM_WINDOW, PARAM_WINDOW + x->param_bytes };
	}
	if (is_device(space))
		fault->nearest = memory_nearest(x->memory, x->address[lane]);
}

/* The slow path: nothing is wrong after all, or the first lane at fault is reported. */
static __attribute__((noinline)) bool examine(
	struct exec *x, const struct uop *u, unsigned space, lane_mask mask, unsigned bytes, bool is_store)
{
	if (is_device(space)) {
		struct memory_range range = memory_find(x->memory, x->address[first_lane(mask)]);

		if (range.end - range.start >= bytes)
			*x->range = range;
		if (limits_hold(x, mask, limits_of(x, space), bytes))
			return true;
	}
	for_each_lane (l, mask) {
		bool misaligned = x->address[l] & (bytes - 1), is_legal = !(is_store && space == SPACE_PARAM);

		if (!misaligned && is_legal && lane_holds(x, space, l, bytes))
			continue;
		report_fault(x, u, space, l, bytes, is_store, misaligned);
		return false;
	}
	return true;
}

/* Within the last allocation, or the bounds of the space? Parameters are only read. */
static inline bool check_fast(
	const struct exec *x, unsigned space, lane_mask mask, unsigned bytes, bool is_store)
{
	struct limits limits = limits_of(x, space);

	if (is_store && space == SPACE_PARAM)
		return false;
	if (mask == ALL_LANES && limits.bytes >= bytes &&
		is_block_inside(x, limits.start, limits.bytes - bytes, bytes))
		return true;
	return __builtin_expect(limits_hold(x, mask, limits, bytes), 1);
}

static inline bool check_space(
	struct exec *x, const struct uop *u, unsigned space, lane_mask mask, unsigned bytes, bool is_store)
{
	lane_mask filled = x->space == SPACE_GENERIC ? mask : ALL_LANES;

	return check_fast(x, space, filled, bytes, is_store) || examine(x, u, space, mask, bytes, is_store);
}

/* Global addresses within the window of parameters become offsets. */
static __attribute__((noinline)) void find_parameters(struct exec *x, lane_mask active)
{
	lane_mask param = lanes_in_window(x, PARAM_WINDOW) & active;

	if (!param)
		return;
	memset(x->space_mask, 0, sizeof(x->space_mask));
	x->space_mask[0] = active & ~param;
	x->space_mask[3] = param;
	LANES x->address[l] -= param & lane_bit64[l] ? PARAM_WINDOW : 0;
	x->space = param == active ? SPACE_PARAM : SPACE_GENERIC;
	if (param == active && active != ALL_LANES)
		LANES x->address[l] = active & lane_bit64[l] ? x->address[l] : x->address[first_lane(active)];
}

/* The first lane is in another allocation than last time. */
static __attribute__((noinline)) bool check_other(struct exec *x, lane_mask active, unsigned bytes)
{
	addr first = x->address[first_lane(active)];

	if (first < DEVICE_BASE || (first >= x->range->start && first < x->range->end))
		return false;
	*x->range = memory_find(x->memory, first);
	return x->range->end - x->range->start >= bytes && check_fast(x, x->space, ALL_LANES, bytes, false);
}

static const uint8_t split_space[4] = { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM };

/* Where the allocation that the instruction used last is kept. */
static inline struct memory_range *range_of(const struct exec *x, const struct uop *u)
{
	return &x->range_cache[(uintptr_t)u / sizeof(*u) % RANGE_CACHE];
}

/* Resolves and checks; false after a fault. */
static inline __attribute__((always_inline)) bool access_memory(
	struct exec *x, const struct uop *u, lane_mask active, bool is_store)
{
	unsigned bytes = (unsigned)u->bytes * (u->vector ? u->vector : 1);

	if (!active)
		return false;
	x->range = range_of(x, u);
	resolve(x, u, active);
	x->follows = active == ALL_LANES && is_contiguous(x->address, bytes);
	if (x->space != SPACE_GENERIC) {
		if (check_fast(x, x->space, ALL_LANES, bytes, is_store))
			return true;
		if (is_device(x->space) && check_other(x, active, bytes))
			return true;
		if (u->space == SPACE_GLOBAL) /* the window of parameters counts as global */
			find_parameters(x, active);
	}
	if (x->space != SPACE_GENERIC)
		return check_space(x, u, x->space, active, bytes, is_store);
	for (unsigned n = 0; n < 4; n++)
		if (x->space_mask[n] && !check_space(x, u, split_space[n], x->space_mask[n], bytes, is_store))
			return false;
	return true;
}

static inline struct view view_of(const struct exec *x, unsigned space)
{
	switch ((enum uop_space)space) {
	case SPACE_SHARED:
		return (struct view){ (uintptr_t)x->shared, 0 };
	case SPACE_LOCAL:
		return (struct view){ (uintptr_t)x->local, x->local_bytes };
	case SPACE_PARAM:
		return (struct view){ (uintptr_t)x->params, 0 };
	default:
		return (struct view){ 0, 0 };
	}
}

/* Loads one element into its row(s): `type` in memory, extended to the row's. filled: all lanes have
 * addresses. A whole warp goes straight to the row, which no address depends on any more. */
#define LOADER(name, type, T) \
	static inline __attribute__((always_inline)) void name##_lanes( \
		uintptr_t base, size_t lane_bytes, const addr *address, ROW_##T *out) \
	{ \
		type value; \
		_Pragma("GCC unroll 8") for (unsigned l = 0; l < WARP_SIZE; l++) \
		{ \
			memcpy(&value, (const void *)(base + l * lane_bytes + (uintptr_t)address[l]), \
				sizeof(value)); \
			out[l] = (RESULT_##T)value; \
		} \
	} \
	static void name(struct view view, const addr *address, lane_mask active, bool filled, void *row, \
		unsigned offset) \
	{ \
		ROW_##T out[WARP_SIZE] ROW_ALIGNED; \
		type value; \
		if (!filled) { \
			for_each_lane (l, active) { \
				memcpy(&value, view_at(view, l, address[l] + offset), sizeof(value)); \
				((ROW_##T *)row)[l] = (RESULT_##T)value; \
			} \
		} else if (active == ALL_LANES && !view.lane_bytes) { \
			name##_lanes(view.base + offset, 0, address, row); \
		} else { \
			name##_lanes(view.base + offset, view.lane_bytes, address, out); \
			PUT(row, out); \
		} \
	}

LOADER(load_u8, uint8_t, U32)
LOADER(load_s8, int8_t, S32)
LOADER(load_u16, uint16_t, U32)
LOADER(load_s16, int16_t, S32)
LOADER(load_b32, uint32_t, U32)
LOADER(load_wide_u8, uint8_t, U64)
LOADER(load_wide_s8, int8_t, S64)
LOADER(load_wide_u16, uint16_t, U64)
LOADER(load_wide_s16, int16_t, S64)
LOADER(load_wide_u32, uint32_t, U64)
LOADER(load_wide_s32, int32_t, S64)
LOADER(load_wide_b64, uint64_t, U64)

typedef void (*loader)(
	struct view view, const addr *address, lane_mask active, bool filled, void *row, unsigned offset);

static inline loader loader_of(const struct uop *u)
{
	/* by the register's width, the logarithm of the bytes, the sign */
	static const loader table[2][4][2] = {
		{ { load_u8, load_s8 }, { load_u16, load_s16 }, { load_b32, load_b32 }, { NULL, NULL } },
		{ { load_wide_u8, load_wide_s8 }, { load_wide_u16, load_wide_s16 },
			{ load_wide_u32, load_wide_s32 }, { load_wide_b64, load_wide_b64 } },
	};

	return table[u->reg_bytes == 8][__builtin_ctz(u->bytes) & 3][!!(u->flags & UOP_SIGN_EXTEND)];
}

/* A register of 8 or 16 bits, should reg_bytes say so, has clear upper bits. */
static void clear_upper(struct exec *x, const struct uop *u, lane_mask active)
{
	for (unsigned e = 0; e < u->vector; e++)
		if (u->dst[e] != UOP_NONE)
			for_each_lane (l, active)
				x->registers[u->dst[e]][l] &= (UINT32_C(1) << 8 * u->reg_bytes) - 1;
}

/* The row of element e of a load. */
static inline uint16_t loaded_row(const struct exec *x, const struct uop *u, unsigned e)
{
	return e < 4 ? u->dst[e] : x->extra[u->extra + u->extra_sources + e - 4];
}

/* 128 bits: the low half, then the high one. */
static void load_b128(struct exec *x, const struct uop *u, struct view view, lane_mask active)
{
	bool filled = x->space != SPACE_GENERIC;
	ROW_U64 *row;

	if (u->dst[0] == UOP_NONE)
		return;
	row = destination(x, u->dst[0]);
	load_wide_b64(view, x->address, active, filled, row, 0);
	load_wide_b64(view, x->address, active, filled, row + WARP_SIZE, 8);
}

static void load(struct exec *x, const struct uop *u, unsigned space, lane_mask active)
{
	struct view view = view_of(x, space);
	loader load_element = loader_of(u);

	if (u->bytes > 8) {
		load_b128(x, u, view, active);
		return;
	}
	for (unsigned e = 0; e < u->vector; e++) {
		uint16_t row = loaded_row(x, u, e);

		if (row != UOP_NONE)
			load_element(view, x->address, active, x->space != SPACE_GENERIC, destination(x, row),
				e * u->bytes);
	}
	if (u->reg_bytes < 4)
		clear_upper(x, u, active);
}

#define HALF (WARP_SIZE / 2)

/* Do the addresses of half a warp grow by `step` bytes from lane to lane? */
static inline bool half_grows(const addr *address, unsigned step)
{
	uint64_t difference = 0;

	if (address[HALF - 1] - address[0] != (HALF - 1) * step)
		return false;
	for (unsigned l = 0; l < HALF; l++)
		difference |= address[l] ^ (address[0] + l * step);
	return !difference;
}

/* Words of half a warp: the same, consecutive (rows of a tile), or any. */
static inline void load_half_32(uintptr_t base, const addr *address, ROW_U32 *out)
{
	const void *location = (const void *)(base + (uintptr_t)address[0]);
	uint32_t word;

	if (half_grows(address, 4)) {
		memcpy(out, location, 4 * HALF);
	} else if (half_grows(address, 0)) {
		memcpy(&word, location, 4);
		for (unsigned l = 0; l < HALF; l++)
			out[l] = word;
	} else {
#pragma GCC unroll 16
		for (unsigned l = 0; l < HALF; l++) {
			memcpy(&word, (const void *)(base + (uintptr_t)address[l]), 4);
			out[l] = word;
		}
	}
}

/* Words into registers of their size, out of memory that is not laid out by lane: so much for nearly all
 * loads. Two cases are regular, all lanes the same word, and (whole warps only) consecutive words; others may
 * be in each half. */
static inline bool are_plain_words(const struct exec *x, const struct uop *u)
{
	return u->vector == 1 && u->reg_bytes == u->bytes && (u->bytes == 4 || u->bytes == 8) &&
		x->space != SPACE_GENERIC && x->space != SPACE_LOCAL && u->dst[0] != UOP_NONE;
}

static inline void load_words_32(const struct exec *x, uintptr_t base, lane_mask active, void *row)
{
	const addr *address = x->address;
	const void *location = (const void *)(base + (uintptr_t)address[0]);
	ROW_U32 word[WARP_SIZE] ROW_ALIGNED, *out = active == ALL_LANES ? row : word;

	if (!x->differ) {
		LANES word[l] = (uint32_t)fetch(location, 4);
		PUT(row, word);
	} else if (x->follows) {
		memcpy(row, location, 4 * WARP_SIZE);
	} else {
		load_half_32(base, address, out);
		load_half_32(base, address + HALF, out + HALF);
		if (active != ALL_LANES)
			PUT(row, word);
	}
}

static inline void load_words_64(const struct exec *x, uintptr_t base, lane_mask active, void *row)
{
	const addr *address = x->address;
	const void *location = (const void *)(base + (uintptr_t)address[0]);
	ROW_U64 wide[WARP_SIZE] ROW_ALIGNED;

	if (!x->differ) {
		LANES wide[l] = fetch(location, 8);
		PUT(row, wide);
	} else if (x->follows) {
		memcpy(row, location, 8 * WARP_SIZE);
	} else if (active == ALL_LANES) {
		load_wide_b64_lanes(base, 0, address, row);
	} else {
		load_wide_b64_lanes(base, 0, address, wide);
		PUT(row, wide);
	}
}

static inline void load_words(struct exec *x, const struct uop *u, lane_mask active)
{
	uintptr_t base = view_of(x, x->space).base;
	void *row = destination(x, u->dst[0]);

	if (u->bytes == 4)
		load_words_32(x, base, active, row);
	else
		load_words_64(x, base, active, row);
}

EXEC(LD)
{
	if (!access_memory(x, u, active, false))
		return;
	if (are_plain_words(x, u)) {
		load_words(x, u, active);
		return;
	}
	if (x->space != SPACE_GENERIC) {
		load(x, u, x->space, active);
		return;
	}
	for (unsigned n = 0; n < 4; n++)
		if (x->space_mask[n])
			load(x, u, split_space[n], x->space_mask[n]);
}

EXEC(LD_PARAM)
{
	if (!active)
		return;
	form_addresses(x, u, active);
	x->follows = false;
	x->space = SPACE_PARAM;
	if (!check_space(x, u, SPACE_PARAM, active, (unsigned)u->bytes * u->vector, false))
		return;
	if (are_plain_words(x, u))
		load_words(x, u, active);
	else
		load(x, u, SPACE_PARAM, active);
}

/* The row of piece n of what is stored: an element, or half of one of 128 bits. */
static inline const void *stored_row(const struct exec *x, const struct uop *u, unsigned n)
{
	if (u->bytes > 8)
		return (const ROW_U64 *)source(x, u->src[1 + n / 2]) + n % 2 * WARP_SIZE;
	return source(x, n < 3 ? u->src[1 + n] : x->extra[u->extra + n - 3]);
}

static inline void copy_row(uint32_t *to, const void *from, bool from_wide, bool to_wide)
{
	const ROW_U64 *wide = from;

	if (from_wide && !to_wide)
		LANES to[l] = (uint32_t)wide[l];
	else
		memcpy(to, from, to_wide ? 8 * WARP_SIZE : 4 * WARP_SIZE);
}

/* Fills in everything that must outlive the issue. */
static void fill_write(struct exec_write *w, const struct exec *x, const struct uop *u, lane_mask mask)
{
	bool wide = piece_bytes(u) == 8, from_wide = u->code == UOP_ST ? u->reg_bytes >= 8 : wide;
	unsigned count =
		(u->code == UOP_ATOM && u->compare == ATOM_CAS ? 2u : u->vector) * (u->bytes > 8 ? 2 : 1);

	w->uop = u;
	w->mask = mask;
	w->registers = x->registers;
	w->extra = x->extra + u->extra;
	memcpy(w->address, x->address, sizeof(w->address));
	for (unsigned n = 0; n < count; n++)
		if (is_written(u, n))
			copy_row(w->data[wide ? 2 * n : n], stored_row(x, u, n), from_wide, wide);
}

static void record(struct exec *x, const struct uop *u, lane_mask mask)
{
	bug_if(x->write_count >= EXEC_WRITES, "more than %d stores and atomics await commit", EXEC_WRITES);
	fill_write(&x->writes[x->write_count++], x, u, mask);
}

static void store(struct exec *x, const struct uop *u, unsigned space, lane_mask mask)
{
	struct view view = view_of(x, space);

	bug_if(space == SPACE_CONST || space == SPACE_PARAM, "a store into a space that is only read");
	if (space == SPACE_GLOBAL) {
		record(x, u, mask);
		return;
	}
	for (unsigned n = 0; n < store_pieces(u); n++)
		if (is_written(u, n))
			store_element(view, x->address, mask, stored_row(x, u, n), u->reg_bytes >= 8,
				piece_bytes(u), n);
}

EXEC(ST)
{
	if (!access_memory(x, u, active, true))
		return;
	if (x->space != SPACE_GENERIC) {
		store(x, u, x->space, active);
		return;
	}
	for (unsigned n = 0; n < 4; n++)
		if (x->space_mask[n])
			store(x, u, split_space[n], x->space_mask[n]);
}

static void atomic(struct exec *x, const struct uop *u, unsigned space, lane_mask mask)
{
	struct exec_write at_once;

	if (space == SPACE_GLOBAL) {
		record(x, u, mask);
		return;
	}
	fill_write(&at_once, x, u, mask);
	apply_atomic(&at_once, view_of(x, space), false);
}

/* Atomics work in global and shared memory alone. */
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
		atomic(x, u, x->space, active);
		return;
	}
	for (unsigned n = 0; n < 4; n++)
		if (x->space_mask[n])
			atomic(x, u, split_space[n], x->space_mask[n]);
}

EXEC(PREFETCH)
{
	if (active)
		resolve(x, u, active);
	x->follows = false;
}
