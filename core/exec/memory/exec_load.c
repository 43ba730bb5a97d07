/* core/exec/memory/exec_load.c -- loads. */
#include "core/exec/memory/address_check.h"
#include "core/exec/memory/regular.h"

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
	row = destination_row(x, u->dst[0]);
	load_wide_b64(view, x->address, active, filled, row, 0);
	load_wide_b64(view, x->address, active, filled, row + WARP_SIZE, 8);
}

static void load_lanes(struct exec *x, const struct uop *u, unsigned space, lane_mask active)
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
			load_element(view, x->address, active, x->space != SPACE_GENERIC,
				destination_row(x, row), e * u->bytes);
	}
	if (u->reg_bytes < 4)
		clear_upper(x, u, active);
}

/* Whether the addresses of half a warp grow by `step` bytes from lane to lane. */
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

/* Nearly all loads are of words into registers of their size, from memory that is not laid out by lane. Two
 * cases are regular: all lanes read the same word, or (whole warps only) consecutive words. Otherwise each
 * half of the warp may be regular. */
static inline bool are_whole_words(const struct exec *x, const struct uop *u)
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
	void *row = destination_row(x, u->dst[0]);

	if (u->bytes == 4)
		load_words_32(x, base, active, row);
	else
		load_words_64(x, base, active, row);
}

/* From another CTA's shared memory, for the commit phase. */
static void record_load(struct exec *x, const struct uop *u, lane_mask mask)
{
	struct exec_write *w = new_write(x);

	w->uop = u;
	w->mask = mask;
	w->registers = x->registers;
	w->extra = x->extra + u->extra;
	memcpy(w->address, x->address, sizeof(w->address));
}

static void load_checked(struct exec *x, const struct uop *u, lane_mask active)
{
	lane_mask later;

	if (are_whole_words(x, u)) {
		load_words(x, u, active);
		return;
	}
	if (x->space != SPACE_GENERIC) {
		load_lanes(x, u, x->space, active);
		return;
	}
	later = x->space_mask[4] && cluster_seat(x).memory->is_timed ? x->space_mask[4] : 0;
	if (later)
		record_load(x, u, later);
	for (unsigned n = 0; n < 4; n++)
		if (part_of(x, n) & ~later)
			load_lanes(x, u, split_space[n], part_of(x, n) & ~later);
}

static inline __attribute__((always_inline)) void load_half(
	const struct regular *half, unsigned bytes, uint8_t *row)
{
	if (half->follows) {
		memcpy(row, half->words, HALF * bytes);
	} else if (bytes == 4) {
		uint32_t word = (uint32_t)fetch(half->words, 4);

		for (unsigned l = 0; l < HALF; l++)
			((ROW_U32 *)(void *)row)[l] = word;
	} else {
		uint64_t word = fetch(half->words, 8);

		for (unsigned l = 0; l < HALF; l++)
			((ROW_U64 *)(void *)row)[l] = word;
	}
}

/* Without timing: words that lie side by side, or are the same (regular.h). False: these are not such. */
static inline bool load_regular(struct exec *x, const struct uop *u)
{
	struct regular half[2];
	uint8_t *row;

	if (!is_regular_uop(u) || u->dst[0] == UOP_NONE || !find_regular(x, u, half))
		return false;
	row = destination_row(x, u->dst[0]);
	if (u->bytes == 4) {
		load_half(&half[0], 4, ALIGNED(row));
		load_half(&half[1], 4, ALIGNED(row + 4 * HALF));
	} else {
		load_half(&half[0], 8, ALIGNED(row));
		load_half(&half[1], 8, ALIGNED(row + 8 * HALF));
	}
	return true;
}

static __attribute__((noinline)) void load_usual(struct exec *x, const struct uop *u, lane_mask active)
{
	if (!access_memory(x, u, active, false))
		return;
	load_checked(x, u, active);
	if (__builtin_expect(x->pending != NULL, 0)) {
		lane_mask global = x->space == SPACE_GLOBAL ? active
			: x->space == SPACE_GENERIC         ? x->space_mask[0]
							    : 0;

		if (global)
			x->forward(x->pending, x, u, global);
	}
}

#define LOAD_PART(type) \
	({ \
		type *to_ = row, value_[HALF] ROW_ALIGNED; \
		if (part->follows) \
			memcpy(value_, part->words, sizeof(value_)); \
		else \
			_Pragma("GCC unroll 1") for (unsigned l = 0; l < HALF; l++) value_[l] = \
				(type)fetch(part->words, sizeof(type)); \
		_Pragma("GCC unroll 1") for (unsigned l = 0; l < HALF; l++) to_[l] = \
			chosen & lane_bit[l] ? value_[l] : to_[l]; \
	})

static inline void load_part(const struct regular *part, lane_mask chosen, unsigned bytes, void *row)
{
	if (!chosen)
		return;
	if (bytes == 4)
		LOAD_PART(ROW_U32);
	else
		LOAD_PART(ROW_U64);
}

/* The same with some lanes. */
static __attribute__((noinline)) bool load_regular_part(struct exec *x, const struct uop *u, lane_mask active)
{
	struct regular half[2] = { { NULL, false } };
	uint8_t *row;

	if (!is_regular_uop(u) || u->dst[0] == UOP_NONE || !find_parts(x, u, active, half))
		return false;
	row = destination_row(x, u->dst[0]);
	load_part(&half[0], active & 0xffff, u->bytes, row);
	load_part(&half[1], active >> HALF, u->bytes, row + HALF * u->bytes);
	return true;
}

/* The words of all lanes, or of some, wherever they are. */
#define GATHER(type) \
	({ \
		type *to_ = ALIGNED(row); \
		if (active == ALL_LANES) \
			_Pragma("GCC unroll 8") for (unsigned l = 0; l < WARP_SIZE; l++) to_[l] = \
				(type)fetch((const void *)(reach.host + offset[l]), sizeof(type)); \
		else \
			for_each_lane (l, active) \
				to_[l] = (type)fetch((const void *)(reach.host + offset[l]), sizeof(type)); \
	})

static __attribute__((noinline)) bool load_scattered(struct exec *x, const struct uop *u, lane_mask active)
{
	struct reach reach = reach_of(x, u);
	uint64_t offset[WARP_SIZE] ROW_ALIGNED;
	void *row;

	if (!is_regular_uop(u) || u->dst[0] == UOP_NONE ||
		!find_scattered(x, u, active, &reach, u->bytes, offset))
		return false;
	row = destination_row(x, u->dst[0]);
	if (u->bytes == 4)
		GATHER(ROW_U32);
	else
		GATHER(ROW_U64);
	return true;
}

EXEC(LD)
{
	if (x->is_unobserved &&
		((active == ALL_LANES ? load_regular(x, u) : load_regular_part(x, u, active)) ||
			load_scattered(x, u, active)))
		return;
	load_usual(x, u, active);
}

/* Without timing: a word at a fixed place. */
static inline bool load_fixed_parameter(struct exec *x, const struct uop *u)
{
	uint64_t offset = (uint64_t)u->imm;
	void *row;

	if (u->src[0] != UOP_NONE || u->vector != 1 || u->reg_bytes != u->bytes || u->dst[0] == UOP_NONE ||
		(u->bytes != 4 && u->bytes != 8) || (u->mods & MOD_FRAME) || (offset & (u->bytes - 1)) ||
		x->param_bytes < u->bytes || offset > x->param_bytes - u->bytes)
		return false;
	row = destination_row(x, u->dst[0]);
	if (u->bytes == 4)
		LANES((ROW_U32 *)row)[l] = (uint32_t)fetch(x->params + offset, 4);
	else
		LANES((ROW_U64 *)row)[l] = fetch(x->params + offset, 8);
	return true;
}

EXEC(LD_PARAM)
{
	if (!active)
		return;
	if (x->is_unobserved && active == ALL_LANES && load_fixed_parameter(x, u))
		return;
	form_addresses(x, u, active);
	x->follows = false;
	x->space = SPACE_PARAM;
	if (!check_space(x, u, SPACE_PARAM, active, (unsigned)u->bytes * u->vector, false))
		return;
	if (are_whole_words(x, u))
		load_words(x, u, active);
	else
		load_lanes(x, u, SPACE_PARAM, active);
}
