/* core/exec/arithmetic/exec_int.c -- integer arithmetic. Signed overflow wraps: sums are formed unsigned.
 *
 * Division by zero, which PTX leaves open, gives all ones, and its remainder the dividend, as the hardware
 * does. */
#include "core/exec/lanes.h"

static inline int32_t clamp_s32(int64_t value)
{
	return (int32_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

static inline uint64_t mul_hi_u64(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline uint64_t mul_hi_s64(int64_t a, int64_t b)
{
	return (uint64_t)((__int128)a * b >> 64);
}

#define HI_U32(a, b) (uint32_t)((uint64_t)(a) * (b) >> 32)
#define HI_S32(a, b) (uint32_t)((int64_t)(a) * (b) >> 32)
#define HI_U16(a, b) ((uint32_t)(a) * (b) >> 16)
#define HI_S16(a, b) (uint32_t)((int32_t)(a) * (b) >> 16)

EXEC2(ADD_B16, U16, U16, a + b)
EXEC2(ADD_B32, U32, U32, a + b)
EXEC2(ADD_B64, U64, U64, a + b)
EXEC2(SUB_B16, U16, U16, a - b)
EXEC2(SUB_B32, U32, U32, a - b)
EXEC2(SUB_B64, U64, U64, a - b)
EXEC2(ADD_SAT_S32, S32, S32, clamp_s32((int64_t)a + b))
EXEC2(SUB_SAT_S32, S32, S32, clamp_s32((int64_t)a - b))

EXEC(ADD3_B32)
{
	uint32_t sign[3];
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	for (unsigned s = 0; s < 3; s++)
		sign[s] = u->imm >> s & 1 ? UINT32_MAX : 1;
	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32);
		OPERAND(c, U32), a * sign[0] + b * sign[1] + c * sign[2])
}

EXEC3(SHR_ADD_U32, U32, U32, (a >> (b & 31)) + c)
EXEC3(SHR_ADD_S32, U32, S32, (uint32_t)(a >> (b & 31)) + (uint32_t)c)

EXEC2(MUL_LO_B16, U16, U16, (uint32_t)a *b)
EXEC2(MUL_LO_B32, U32, U32, a *b)
EXEC2(MUL_LO_B64, U64, U64, a *b)
EXEC2(MUL_HI_U16, U16, U16, HI_U16(a, b))
EXEC2(MUL_HI_S16, S16, S16, HI_S16(a, b))
EXEC2(MUL_HI_U32, U32, U32, HI_U32(a, b))
EXEC2(MUL_HI_S32, U32, S32, HI_S32(a, b))
EXEC2(MUL_HI_U64, U64, U64, mul_hi_u64(a, b))
EXEC2(MUL_HI_S64, U64, S64, mul_hi_s64(a, b))
EXEC2(MUL_WIDE_U16, U32, U16, (uint32_t)a *b)
EXEC2(MUL_WIDE_S16, S32, S16, a *b)
EXEC2(MUL_WIDE_U32, U64, U32, (uint64_t)a *b)
EXEC2(MUL_WIDE_S32, S64, S32, (int64_t)a *b)

EXEC3(MAD_LO_B16, U16, U16, (uint32_t)a *b + c)
EXEC3(MAD_LO_B32, U32, U32, a *b + c)
EXEC3(MAD_LO_B64, U64, U64, a *b + c)
EXEC3(MAD_HI_U16, U16, U16, HI_U16(a, b) + c)
EXEC3(MAD_HI_S16, S16, S16, HI_S16(a, b) + (uint32_t)c)
EXEC3(MAD_HI_U32, U32, U32, HI_U32(a, b) + c)
EXEC3(MAD_HI_S32, U32, S32, HI_S32(a, b) + (uint32_t)c)
EXEC3(MAD_HI_U64, U64, U64, mul_hi_u64(a, b) + c)
EXEC3(MAD_HI_S64, U64, S64, mul_hi_s64(a, b) + (uint64_t)c)
EXEC3(MAD_HI_SAT_S32, S32, S32, clamp_s32(((int64_t)a * b >> 32) + c))
EXEC3_MIXED(MAD_WIDE_U16, U32, U16, U16, U32, (uint32_t)a *b + c)
EXEC3_MIXED(MAD_WIDE_S16, U32, S16, S16, U32, (uint32_t)(a *b) + c)
EXEC3_MIXED(MAD_WIDE_U32, U64, U32, U32, U64, (uint64_t)a *b + c)
EXEC3_MIXED(MAD_WIDE_S32, U64, S32, S32, U64, (uint64_t)((int64_t)a *b) + c)

/* the 48-bit product of the low 24 bits, as 64 */
#define LOW24_U(a) (uint64_t)((a)&0xffffff)
#define LOW24_S(a) (int64_t)((int32_t)((uint32_t)(a) << 8) >> 8)
#define MUL24_U    (LOW24_U(a) * LOW24_U(b))
#define MUL24_S    (LOW24_S(a) * LOW24_S(b))

EXEC2(MUL24_LO_U32, U32, U32, (uint32_t)MUL24_U)
EXEC2(MUL24_LO_S32, U32, S32, (uint32_t)MUL24_S)
EXEC2(MUL24_HI_U32, U32, U32, (uint32_t)(MUL24_U >> 16))
EXEC2(MUL24_HI_S32, U32, S32, (uint32_t)(MUL24_S >> 16))
EXEC3(MAD24_LO_U32, U32, U32, (uint32_t)MUL24_U + c)
EXEC3(MAD24_LO_S32, U32, S32, (uint32_t)MUL24_S + (uint32_t)c)
EXEC3(MAD24_HI_U32, U32, U32, (uint32_t)(MUL24_U >> 16) + c)

/* MOD_SAT: mad24.hi.sat.s32 clamps the sum. */
EXEC(MAD24_HI_S32)
{
	bool saturate = u->mods & MOD_SAT;
	SOURCE(a, S32, 0);
	SOURCE(b, S32, 1);
	SOURCE(c, S32, 2);

	COMPUTE(true, S32, OPERAND(a, S32); OPERAND(b, S32); OPERAND(c, S32),
		saturate ? clamp_s32((MUL24_S >> 16) + c)
			 : (int32_t)((uint32_t)(MUL24_S >> 16) + (uint32_t)c))
}

/* Carries. A subtraction adds the complement, and CC.CF is the carry out of that sum, as in the hardware. */
#define CARRY(id, T, bits, complement) \
	EXEC(id) \
	{ \
		lane_mask in = u->src[2] == UOP_NONE ? (complement ? ALL_LANES : 0) \
						     : predicate(x, u->src[2]), \
			  out_mask; \
		VALUE_##T out[WARP_SIZE] ROW_ALIGNED, carry[WARP_SIZE] ROW_ALIGNED; \
		SOURCE(a, T, 0); \
		SOURCE(b, T, 1); \
		LANES \
		{ \
			OPERAND(a, T); \
			VALUE_##T b = complement ? ~b_row[l] : b_row[l], sum = a + b; \
			out[l] = sum + (in & bits[l] ? 1 : 0); \
			carry[l] = (sum < a) | (out[l] < sum); \
		} \
		out_mask = COLLECT(VALUE_##T, bits, carry[l]); \
		PUT(destination_row(x, u->dst[0]), out); \
		put_predicate(x, u->dst[1], out_mask, active); \
	}

CARRY(ADD_CC_B32, U32, lane_bit, false)
CARRY(ADD_CC_B64, U64, lane_bit64, false)
CARRY(SUB_CC_B32, U32, lane_bit, true)
CARRY(SUB_CC_B64, U64, lane_bit64, true)

/* Quotients of 16 and 32 bits through double, where vectors can divide: the exact quotient of two 32-bit
 * integers is at least 2^-32 of itself away from the next integer above, so rounding to 53 bits cannot reach
 * it. */
static inline double double_u32(uint32_t value)
{
	return (double)(int32_t)(value ^ 0x80000000u) + 2147483648.0;
}

static inline uint32_t quotient_u32(uint32_t a, uint32_t b)
{
	double q = double_u32(a) / double_u32(b ? b : 1);
	uint32_t high = q >= 2147483648.0 ? 0x80000000u : 0;

	return b ? (uint32_t)(int32_t)(q - (high ? 2147483648.0 : 0.0)) ^ high : UINT32_MAX;
}

static inline uint32_t quotient_s32(int32_t a, int32_t b)
{
	uint32_t sign = (uint32_t)(a ^ b) >> 31;
	uint32_t q = quotient_u32(a < 0 ? -(uint32_t)a : (uint32_t)a, b < 0 ? -(uint32_t)b : (uint32_t)b);

	return b ? (q ^ -sign) + sign : UINT32_MAX;
}

static inline uint64_t quotient_s64(int64_t a, int64_t b)
{
	return b == 0 ? UINT64_MAX : b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

EXEC2(DIV_U16, U16, U16, quotient_u32(a, b))
EXEC2(DIV_S16, S16, S16, quotient_s32(a, b))
EXEC2(DIV_U32, U32, U32, quotient_u32(a, b))
EXEC2(DIV_S32, U32, S32, quotient_s32(a, b))
EXEC2(DIV_U64, U64, U64, b ? a / b : UINT64_MAX)
EXEC2(DIV_S64, U64, S64, quotient_s64(a, b))
EXEC2(REM_U16, U16, U16, a - quotient_u32(a, b) * b)
EXEC2(REM_S16, S16, S16, (uint32_t)a - quotient_s32(a, b) * (uint32_t)b)
EXEC2(REM_U32, U32, U32, a - quotient_u32(a, b) * b)
EXEC2(REM_S32, U32, S32, (uint32_t)a - quotient_s32(a, b) * (uint32_t)b)
EXEC2(REM_U64, U64, U64, b ? a % b : a)
EXEC2(REM_S64, U64, S64, (uint64_t)a - quotient_s64(a, b) * (uint64_t)b)

#define MINIMUM (a < b ? a : b)
#define MAXIMUM (a > b ? a : b)
#define DISTANCE(unsigned_type) \
	(a > b ? (unsigned_type)a - (unsigned_type)b : (unsigned_type)b - (unsigned_type)a)

EXEC2(MIN_U16, U16, U16, MINIMUM)
EXEC2(MIN_S16, S16, S16, MINIMUM)
EXEC2(MIN_U32, U32, U32, MINIMUM)
EXEC2(MIN_S32, S32, S32, MINIMUM)
EXEC2(MIN_U64, U64, U64, MINIMUM)
EXEC2(MIN_S64, S64, S64, MINIMUM)
EXEC2(MAX_U16, U16, U16, MAXIMUM)
EXEC2(MAX_S16, S16, S16, MAXIMUM)
EXEC2(MAX_U32, U32, U32, MAXIMUM)
EXEC2(MAX_S32, S32, S32, MAXIMUM)
EXEC2(MAX_U64, U64, U64, MAXIMUM)
EXEC2(MAX_S64, S64, S64, MAXIMUM)

EXEC1(ABS_S16, S16, S16, a < 0 ? -a : a)
EXEC1(ABS_S32, U32, S32, a < 0 ? -(uint32_t)a : (uint32_t)a)
EXEC1(ABS_S64, U64, S64, a < 0 ? -(uint64_t)a : (uint64_t)a)
EXEC1(NEG_S16, S16, S16, -a)
EXEC1(NEG_S32, U32, U32, -a)
EXEC1(NEG_S64, U64, U64, -a)

EXEC3_MIXED(SAD_U16, U16, U16, U16, U16, c + DISTANCE(uint32_t))
EXEC3_MIXED(SAD_S16, U16, S16, S16, U16, c + DISTANCE(uint32_t))
EXEC3_MIXED(SAD_U32, U32, U32, U32, U32, c + DISTANCE(uint32_t))
EXEC3_MIXED(SAD_S32, U32, S32, S32, U32, c + DISTANCE(uint32_t))
EXEC3_MIXED(SAD_U64, U64, U64, U64, U64, c + DISTANCE(uint64_t))
EXEC3_MIXED(SAD_S64, U64, S64, S64, U64, c + DISTANCE(uint64_t))

/* dp4a, dp2a: parts of a and b, each signed or not by the bits of imm, summed onto c. */
static inline uint32_t part(uint32_t word, unsigned index, unsigned bits, bool is_signed)
{
	uint32_t top = word << (32 - bits - index * bits);

	return is_signed ? (uint32_t)((int32_t)top >> (32 - bits)) : top >> (32 - bits);
}

EXEC(DP4A)
{
	bool a_signed = u->imm & 1, b_signed = u->imm & 2;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

#define PRODUCT(n) part(a, n, 8, a_signed) * part(b, n, 8, b_signed)
	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32);
		OPERAND(c, U32), c + PRODUCT(0) + PRODUCT(1) + PRODUCT(2) + PRODUCT(3))
#undef PRODUCT
}

EXEC(DP2A)
{
	bool a_signed = u->imm & 1, b_signed = u->imm & 2;
	unsigned first = u->mods & MOD_HI ? 2 : 0;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

#define PRODUCT(n) part(a, n, 16, a_signed) * part(b, first + (n), 8, b_signed)
	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32); OPERAND(c, U32), c + PRODUCT(0) + PRODUCT(1))
#undef PRODUCT
}
