/* core/exec/memory/regular.h -- the short way of loads and stores that are executed without timing.
 *
 * Where nobody looks at the addresses (x->is_unobserved), a whole warp's access of words need not form them:
 * it is enough that in each half of the warp the base register is the same in all lanes, or grows by a word
 * from lane to lane, and that the first and the last word lie within the allocation that this instruction
 * used last, or within shared memory. Whatever is not so takes the usual way, which finds faults, too. */
#ifndef CORE_EXEC_MEMORY_REGULAR_H
#define CORE_EXEC_MEMORY_REGULAR_H

#include "core/exec/memory/address_check.h"

#define HALF (WARP_SIZE / 2)

/* Of half a warp: the words, and whether they are consecutive, or all the same one. */
struct regular {
	uint8_t *words;
	bool follows;
};

struct reach { /* what may be accessed: from `start` on, whose place in the host is `host` */
	uint64_t start, bytes;
	uintptr_t host;
};

static inline bool is_regular_uop(const struct uop *u)
{
	return u->vector == 1 && u->reg_bytes == u->bytes && (u->bytes == 4 || u->bytes == 8) &&
		(u->space == SPACE_GLOBAL || u->space == SPACE_SHARED) && u->src[0] != UOP_NONE &&
		!(u->mods & MOD_FRAME);
}

static inline struct reach reach_of(const struct exec *x, const struct uop *u)
{
	const struct memory_range *range = range_of(x, u);

	if (u->space == SPACE_SHARED)
		return (struct reach){ 0, x->shared_bytes, (uintptr_t)x->shared };
	return (struct reach){ range->start, range->end - range->start, (uintptr_t)range->start };
}

/* Finds the halves from their base registers (an array of ROW_U64 or ROW_U32), which grow by `step` or not at
 * all. One loop over both halves, not unrolled, so that it becomes a few instructions on vectors. */
#define FIND_HALVES(base, step) \
	({ \
		__typeof__((base)[0] + 0) first_ = (base)[0], second_ = (base)[HALF], differ_ = 0; \
		__typeof__(first_) apart_ = (base)[1] - first_, more_ = (base)[HALF + 1] - second_; \
		__typeof__(first_) grows_ = apart_ ? -1 : 0, also_ = more_ ? -1 : 0; \
		half[0].follows = apart_ != 0; \
		half[1].follows = more_ != 0; \
		_Pragma("GCC unroll 1") for (unsigned l = 0; l < HALF; l++) differ_ |= \
			((base)[l] ^ (first_ + (l * (step)&grows_))) | \
			((base)[HALF + l] ^ (second_ + (l * (step)&also_))); \
		!differ_; \
	})

static inline __attribute__((always_inline)) bool place(
	const struct reach *reach, uint64_t address, unsigned bytes, struct regular *half)
{
	uint64_t span = half->follows ? HALF * bytes : bytes, offset = address - reach->start;

	half->words = (uint8_t *)(reach->host + offset); /* NOLINT: a device address is a host address */
	return reach->bytes >= span && offset <= reach->bytes - span && !(address & (bytes - 1));
}

static inline __attribute__((always_inline)) bool find_halves(
	const struct exec *x, const struct uop *u, unsigned bytes, struct regular *half)
{
	struct reach reach = reach_of(x, u);
	const void *base = source_row(x, u->src[0]);

	if (!(u->mods & MOD_SAT)) {
		const ROW_U64 *wide = base;

		return FIND_HALVES(wide, (uint64_t)bytes) &&
			place(&reach, wide[0] + (uint64_t)u->imm, bytes, &half[0]) &&
			place(&reach, wide[HALF] + (uint64_t)u->imm, bytes, &half[1]);
	}
	if (u->space == SPACE_SHARED) {
		const ROW_U32 *narrow = base;
		uint32_t offset = (uint32_t)u->imm;

		return FIND_HALVES(narrow, bytes >> u->scale) &&
			place(&reach, (uint32_t)((narrow[0] << u->scale) + offset), bytes, &half[0]) &&
			place(&reach, (uint32_t)((narrow[HALF] << u->scale) + offset), bytes, &half[1]);
	}
	return false;
}

/* The same for half a warp of which only some lanes are active: the others' registers may hold anything. Lane
 * 0, if it is not active, has the address that it would have. */
#define FIND_PART(base, step, chosen, first) \
	({ \
		unsigned one_ = first_lane(chosen), last_ = 31 - (unsigned)__builtin_clz(chosen); \
		__typeof__((base)[0] + 0) apart_ = (base)[last_] - (base)[one_], differ_ = 0; \
		__typeof__(apart_) grows_ = apart_ ? -1 : 0; \
		(first) = (base)[one_] - (one_ * (step)&grows_); \
		_Pragma("GCC unroll 1") for (unsigned l = 0; l < HALF; l++) differ_ |= \
			(chosen)&lane_bit[l] ? (base)[l] ^ ((first) + (l * (step)&grows_)) : 0; \
		part->follows = apart_ != 0; \
		!differ_; \
	})

static inline __attribute__((always_inline)) bool find_part(const struct exec *x, const struct uop *u,
	const struct reach *reach, unsigned bytes, unsigned from, lane_mask chosen, struct regular *part)
{
	const void *base = source_row(x, u->src[0]);

	if (!chosen)
		return true;
	if (!(u->mods & MOD_SAT)) {
		const ROW_U64 *wide = (const ROW_U64 *)base + from;
		uint64_t first;

		return FIND_PART(wide, (uint64_t)bytes, chosen, first) &&
			place(reach, first + (uint64_t)u->imm, bytes, part);
	}
	if (u->space == SPACE_SHARED) {
		const ROW_U32 *narrow = (const ROW_U32 *)base + from;
		uint32_t first;

		return FIND_PART(narrow, bytes >> u->scale, chosen, first) &&
			place(reach, (uint32_t)((first << u->scale) + (uint32_t)u->imm), bytes, part);
	}
	return false;
}

/* Where the words of the two halves are; false: not regular, or an inactive lane's would lie outside. */
static inline __attribute__((always_inline)) bool find_regular(
	const struct exec *x, const struct uop *u, struct regular *half)
{
	return u->bytes == 4 ? find_halves(x, u, 4, half) : find_halves(x, u, 8, half);
}

static inline __attribute__((always_inline)) bool find_parts(
	const struct exec *x, const struct uop *u, lane_mask active, struct regular *half)
{
	struct reach reach = reach_of(x, u);
	lane_mask low = active & 0xffff, high = active >> HALF;

	return u->bytes == 4 ? find_part(x, u, &reach, 4, 0, low, &half[0]) &&
			find_part(x, u, &reach, 4, HALF, high, &half[1])
			     : find_part(x, u, &reach, 8, 0, low, &half[0]) &&
			find_part(x, u, &reach, 8, HALF, high, &half[1]);
}

/* Words anywhere within what may be accessed: their offsets from reach->host. False: some are not. */
static inline __attribute__((always_inline)) bool find_scattered(const struct exec *x, const struct uop *u,
	lane_mask active, const struct reach *reach, unsigned bytes, uint64_t *offset)
{
	uint64_t limit = reach->bytes - bytes, outside = 0, low = 0, add = (uint64_t)u->imm - reach->start;

	if (reach->bytes < bytes || (u->mods & MOD_SAT && u->space != SPACE_SHARED))
		return false;
	if (u->mods & MOD_SAT) {
		const ROW_U32 *base = source_row(x, u->src[0]);

		LANES offset[l] = (uint32_t)((base[l] << u->scale) + (uint32_t)u->imm);
	} else {
		const ROW_U64 *base = source_row(x, u->src[0]);

		LANES offset[l] = base[l] + add;
	}
	if (active == ALL_LANES) {
		LANES
		{
			outside |= offset[l] | (limit - offset[l]);
			low |= offset[l];
		}
	} else {
		LANES
		{
			uint64_t counts = active & lane_bit64[l] ? UINT64_MAX : 0;

			outside |= counts & (offset[l] | (limit - offset[l]));
			low |= counts & offset[l];
		}
	}
	return !(outside >> 63) && !((low | reach->start) & (bytes - 1));
}

#endif
