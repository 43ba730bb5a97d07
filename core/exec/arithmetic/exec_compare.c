/* core/exec/arithmetic/exec_compare.c -- setp, set, testp: comparisons become masks.
 *
 * Three questions are asked of the rows, equal, less, less or equal; all others follow by exchanging the
 * operands and by what is not a number. */
#include "core/exec/arithmetic/halves.h"

/* Defines compare_T(a, b, comparison): the mask of lanes in which it holds. */
#define COMPARE(T, bits, type, is_float) \
	static lane_mask equal_##T(const ROW_##T *a_row, const ROW_##T *b_row) \
	{ \
		return COLLECT(type, bits, (VALUE_##T)a_row[l] == (VALUE_##T)b_row[l]); \
	} \
	static lane_mask less_##T(const ROW_##T *a_row, const ROW_##T *b_row) \
	{ \
		return COLLECT(type, bits, (VALUE_##T)a_row[l] < (VALUE_##T)b_row[l]); \
	} \
	static lane_mask less_equal_##T(const ROW_##T *a_row, const ROW_##T *b_row) \
	{ \
		return COLLECT(type, bits, (VALUE_##T)a_row[l] <= (VALUE_##T)b_row[l]); \
	} \
	static lane_mask numbers_##T(const ROW_##T *a_row, const ROW_##T *b_row) \
	{ \
		return is_float ? COLLECT(type, bits, (a_row[l] == a_row[l]) & (b_row[l] == b_row[l])) \
				: ALL_LANES; \
	} \
	static inline lane_mask compare_##T(const void *p, const void *q, enum uop_compare comparison) \
	{ \
		const ROW_##T *a = ALIGNED(p), *b = ALIGNED(q); \
		switch (comparison) { \
		case CMP_EQ: \
			return equal_##T(a, b); \
		case CMP_NE: \
			return ~equal_##T(a, b) & numbers_##T(a, b); \
		case CMP_LT: \
			return less_##T(a, b); \
		case CMP_LE: \
			return less_equal_##T(a, b); \
		case CMP_GT: \
			return less_##T(b, a); \
		case CMP_GE: \
			return less_equal_##T(b, a); \
		case CMP_EQU: \
			return equal_##T(a, b) | ~numbers_##T(a, b); \
		case CMP_NEU: \
			return ~equal_##T(a, b); \
		case CMP_LTU: \
			return ~less_equal_##T(b, a); \
		case CMP_LEU: \
			return ~less_##T(b, a); \
		case CMP_GTU: \
			return ~less_equal_##T(a, b); \
		case CMP_GEU: \
			return ~less_##T(a, b); \
		case CMP_NUM: \
			return numbers_##T(a, b); \
		case CMP_NAN: \
			return ~numbers_##T(a, b); \
		} \
		bug("comparison %d", (int)comparison); \
	}

COMPARE(U16, lane_bit, uint32_t, false)
COMPARE(S16, lane_bit, uint32_t, false)
COMPARE(U32, lane_bit, uint32_t, false)
COMPARE(S32, lane_bit, uint32_t, false)
COMPARE(U64, lane_bit64, uint64_t, false)
COMPARE(S64, lane_bit64, uint64_t, false)
COMPARE(F32, lane_bit, uint32_t, true)
COMPARE(F64, lane_bit64, uint64_t, true)

/* (mask) combine c, with the third source. */
static inline lane_mask combine(const struct exec *x, const struct uop *u, lane_mask mask)
{
	switch ((enum uop_bool)u->combine) {
	case BOOL_AND:
		return mask & predicate_source(x, u, u->src[2]);
	case BOOL_OR:
		return mask | predicate_source(x, u, u->src[2]);
	case BOOL_XOR:
		return mask ^ predicate_source(x, u, u->src[2]);
	case BOOL_NONE:
		break;
	}
	return mask;
}

/* Both destinations are formed before either is written: one of them may be c. */
static inline void put_setp(struct exec *x, const struct uop *u, lane_mask active, lane_mask mask)
{
	lane_mask p = combine(x, u, mask), q = combine(x, u, ~mask);

	put_predicate(x, u->dst[0], p, active);
	put_predicate(x, u->dst[1], q, active);
}

static inline void put_set(struct exec *x, const struct uop *u, lane_mask active, lane_mask mask)
{
	uint32_t out[WARP_SIZE] ROW_ALIGNED;
	uint32_t yes = u->imm ? (uint32_t)u->imm : u->mods & MOD_HI ? 0x3f800000 : UINT32_MAX;

	mask = combine(x, u, mask);
	LANES out[l] = mask & lane_bit[l] ? yes : 0;
	PUT(destination_row(x, u->dst[0]), out);
}

#define SETP_SET(T) \
	EXEC(SETP_##T) \
	{ \
		put_setp(x, u, active, \
			compare_##T(source_row(x, u->src[0]), source_row(x, u->src[1]), u->compare)); \
	} \
	EXEC(SET_##T) \
	{ \
		put_set(x, u, active, \
			compare_##T(source_row(x, u->src[0]), source_row(x, u->src[1]), u->compare)); \
	}

SETP_SET(U16)
SETP_SET(S16)
SETP_SET(U32)
SETP_SET(S32)
SETP_SET(U64)
SETP_SET(S64)
SETP_SET(F64)

EXEC(SETP_AND_B32)
{
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	lane_mask none = COLLECT(uint32_t, lane_bit, !(a_row[l] & b_row[l]));

	put_setp(x, u, active, u->compare == CMP_EQ ? none : ~none);
}

EXEC(SETP_F32)
{
	float a[WARP_SIZE] ROW_ALIGNED, b[WARP_SIZE] ROW_ALIGNED;

	put_setp(x, u, active, compare_F32(source_f32(x, u, 0, a), source_f32(x, u, 1, b), u->compare));
}

EXEC(SET_F32)
{
	float a[WARP_SIZE] ROW_ALIGNED, b[WARP_SIZE] ROW_ALIGNED;

	put_set(x, u, active, compare_F32(source_f32(x, u, 0, a), source_f32(x, u, 1, b), u->compare));
}

/* Halves: the lanes in which number e of the sources compares so. */
static lane_mask compare_halves(const struct exec *x, const struct uop *u, unsigned e)
{
	double a[WARP_SIZE] ROW_ALIGNED, b[WARP_SIZE] ROW_ALIGNED;

	take_halves(x, u, 0, e, a);
	take_halves(x, u, 1, e, b);
	return compare_F64(a, b, u->compare);
}

EXEC(SETP_HALF)
{
	lane_mask low = compare_halves(x, u, 0);

	if (halves_of(u).count == 1) {
		put_setp(x, u, active, low);
	} else {
		lane_mask high = combine(x, u, compare_halves(x, u, 1));

		low = combine(x, u, low);
		put_predicate(x, u->dst[0], low, active);
		put_predicate(x, u->dst[1], high, active);
	}
}

EXEC(SET_HALF)
{
	uint32_t out[WARP_SIZE] ROW_ALIGNED, yes = (uint32_t)u->imm;
	bool is_packed = halves_of(u).count > 1;
	lane_mask low = combine(x, u, compare_halves(x, u, 0));
	lane_mask high = is_packed ? combine(x, u, compare_halves(x, u, 1)) : 0;

	LANES out[l] = (low & lane_bit[l] ? yes : 0) | (high & lane_bit[l] ? yes << 16 : 0);
	PUT(destination_row(x, u->dst[0]), out);
}

enum { TEST_FINITE, TEST_INFINITE, TEST_NUMBER, TEST_NOTANUMBER, TEST_NORMAL, TEST_SUBNORMAL };

/* m: the bits without sign; zero: counts as normal. */
#define TESTP(id, T, type, bits, infinity, least_normal) \
	EXEC(id) \
	{ \
		lane_mask mask; \
		SOURCE(a, T, 0); \
		const type magnitude = ~((type)1 << (sizeof(type) * 8 - 1)); \
		switch (u->imm) { \
		case TEST_FINITE: \
			mask = COLLECT(type, bits, (a_row[l] & magnitude) < infinity); \
			break; \
		case TEST_INFINITE: \
			mask = COLLECT(type, bits, (a_row[l] & magnitude) == infinity); \
			break; \
		case TEST_NUMBER: \
			mask = COLLECT(type, bits, (a_row[l] & magnitude) <= infinity); \
			break; \
		case TEST_NOTANUMBER: \
			mask = COLLECT(type, bits, (a_row[l] & magnitude) > infinity); \
			break; \
		case TEST_NORMAL: \
			mask = COLLECT(type, bits, \
				(a_row[l] & magnitude) == 0 || \
					((a_row[l] & magnitude) >= least_normal && \
						(a_row[l] & magnitude) < infinity)); \
			break; \
		case TEST_SUBNORMAL: \
			mask = COLLECT(type, bits, (a_row[l] & magnitude) - 1 < least_normal - 1); \
			break; \
		default: \
			bug("testp %d", (int)u->imm); \
		} \
		put_predicate(x, u->dst[0], mask, active); \
	}

TESTP(TESTP_F32, U32, uint32_t, lane_bit, 0x7f800000u, 0x00800000u)
TESTP(TESTP_F64, U64, uint64_t, lane_bit64, 0x7ff0000000000000ull, 0x0010000000000000ull)
