/* core/exec/arithmetic/exec_cvt.c -- conversions. */
#include "core/exec/arithmetic/floats.h"
#include "frontend/module.h"

/* Integer types, as the conversions need them. */
struct integer_type {
	unsigned bits;
	bool is_signed;
};

static inline struct integer_type integer_type(unsigned type)
{
	switch ((enum ptx_type)type) {
	case PTX_B8:
	case PTX_U8:
		return (struct integer_type){ 8, false };
	case PTX_S8:
		return (struct integer_type){ 8, true };
	case PTX_B16:
	case PTX_U16:
		return (struct integer_type){ 16, false };
	case PTX_S16:
		return (struct integer_type){ 16, true };
	case PTX_B32:
	case PTX_U32:
		return (struct integer_type){ 32, false };
	case PTX_S32:
		return (struct integer_type){ 32, true };
	case PTX_B64:
	case PTX_U64:
		return (struct integer_type){ 64, false };
	case PTX_S64:
		return (struct integer_type){ 64, true };
	default:
		bug("type %u is no integer", type);
	}
}

/* The low bits of a value, extended by sign or zeros. */
static inline uint64_t extended(uint64_t value, struct integer_type type)
{
	unsigned unused = 64 - type.bits;

	return type.is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

static inline uint64_t most(struct integer_type type)
{
	return UINT64_MAX >> (64 - type.bits + type.is_signed);
}

/* value, of an integer type as wide as it gets, to the nearest value of another. */
static inline uint64_t saturated(uint64_t value, bool is_signed, struct integer_type to)
{
	uint64_t high = most(to);
	int64_t low = to.is_signed ? -(int64_t)high - 1 : 0;

	if (is_signed && (int64_t)value < low)
		return (uint64_t)low;
	return (is_signed && (int64_t)value < 0) || value <= high ? value : high;
}

/* To a register reg_bytes wide: 8 and 4 as they are; 2 and 1, should they occur, with clear upper bits. */
static inline void put_integer(struct exec *x, const struct uop *u, lane_mask active, const uint64_t *values)
{
	uint32_t mask = u->reg_bytes == 1 ? 0xff : u->reg_bytes == 2 ? 0xffff : UINT32_MAX;
	uint32_t out[WARP_SIZE] ROW_ALIGNED;

	if (u->reg_bytes == 8) {
		PUT(destination_row(x, u->dst[0]), values);
		return;
	}
	LANES out[l] = (uint32_t)values[l] & mask;
	PUT(destination_row(x, u->dst[0]), out);
}

EXEC(CVT_INT)
{
	struct integer_type to = integer_type(u->type), from = integer_type(u->compare);
	uint64_t out[WARP_SIZE] ROW_ALIGNED;
	SOURCE(narrow, U32, 0);
	SOURCE(wide, U64, 0);

	if (from.bits == 64)
		LANES out[l] = wide_row[l];
	else
		LANES out[l] = extended(narrow_row[l], from);
	if (u->mods & MOD_SAT)
		LANES out[l] = saturated(out[l], from.is_signed, to);
	LANES out[l] = extended(out[l], to);
	put_integer(x, u, active, out);
}

EXEC1(CVT_B32_B64, U32, U64, a)
EXEC1(CVT_S64_S32, S64, S32, a)
EXEC1(CVT_U64_U32, U64, U32, a)

/* Integer to float, in the rounding mode of the operation. Unsigned words pass through double, where they are
 * exact; the magnitude is taken because 0 would come out as -0 when rounding down. */
static inline double double_u32(uint32_t value)
{
	return __builtin_fabs(f64_bits(value | UINT64_C(0x4330000000000000)) - 4503599627370496.0);
}

/* 64 bits: one rounding, of the value with a sticky lowest bit when it is too long to be taken as signed. */
#define FROM_U64(type, a) ((int64_t)(a) < 0 ? 2 * (type)(int64_t)((a) >> 1 | ((a)&1)) : (type)(int64_t)(a))

#define FROM_INTEGER(id, D, T, type, expression, finish) \
	EXEC(id) \
	{ \
		type out[WARP_SIZE] ROW_ALIGNED; \
		SOURCE(a, T, 0); \
		round_enter(u->round, a_row, NULL, NULL, out); \
		LANES \
		{ \
			OPERAND(a, T); \
			out[l] = (expression); \
		} \
		round_leave(u->round, out); \
		if (u->mods & MOD_SAT) \
			LANES out[l] = finish(out[l]); \
		PUT(destination_row(x, u->dst[0]), out); \
	}

FROM_INTEGER(CVT_F32_S32, F32, S32, float, (float)a, saturate_f32)
FROM_INTEGER(CVT_F32_U32, F32, U32, float, (float)double_u32(a), saturate_f32)
FROM_INTEGER(CVT_F32_S64, F32, S64, float, (float)a, saturate_f32)
FROM_INTEGER(CVT_F32_U64, F32, U64, float, FROM_U64(float, a), saturate_f32)
FROM_INTEGER(CVT_F64_S32, F64, S32, double, (double)a, saturate_f64)
FROM_INTEGER(CVT_F64_U32, F64, U32, double, double_u32(a), saturate_f64)
FROM_INTEGER(CVT_F64_S64, F64, S64, double, (double)a, saturate_f64)
FROM_INTEGER(CVT_F64_U64, F64, U64, double, FROM_U64(double, a), saturate_f64)

/* To an integral value of the same type. */
#define INTEGRAL_F32(a, round) \
	((round) == ROUND_RZ                  ? __builtin_truncf(a) \
			: (round) == ROUND_RM ? __builtin_floorf(a) \
			: (round) == ROUND_RP ? __builtin_ceilf(a) \
					      : __builtin_rintf(a))
#define INTEGRAL_F64(a, round) \
	((round) == ROUND_RZ                  ? __builtin_trunc(a) \
			: (round) == ROUND_RM ? __builtin_floor(a) \
			: (round) == ROUND_RP ? __builtin_ceil(a) \
					      : __builtin_rint(a))

/* An integral double to an integer type, with saturation. limit: the first value too large, exact in double.
 */
static inline uint64_t to_integer(double value, struct integer_type type, uint64_t not_a_number)
{
	double limit = (double)(UINT64_C(1) << (type.bits - 1)) * (type.is_signed ? 1 : 2);
	double low = type.is_signed ? -limit : 0;

	if (value != value)
		return not_a_number;
	if (value >= limit)
		return most(type);
	if (value <= low)
		return type.is_signed ? ~most(type) : 0;
	return value >= 0x1p63 ? (uint64_t)(int64_t)(value - 0x1p63) | UINT64_C(1) << 63
			       : (uint64_t)(int64_t)value;
}

static void integer_from_double(
	struct exec *x, const struct uop *u, lane_mask active, double *value, uint64_t not_a_number)
{
	struct integer_type type = integer_type(u->type);
	uint64_t out[WARP_SIZE] ROW_ALIGNED;

	switch ((enum uop_round)u->round) {
	case ROUND_RN:
		LANES value[l] = INTEGRAL_F64(value[l], ROUND_RN);
		break;
	case ROUND_RZ:
		LANES value[l] = INTEGRAL_F64(value[l], ROUND_RZ);
		break;
	case ROUND_RM:
		LANES value[l] = INTEGRAL_F64(value[l], ROUND_RM);
		break;
	case ROUND_RP:
		LANES value[l] = INTEGRAL_F64(value[l], ROUND_RP);
		break;
	}
	for (unsigned l = 0; l < WARP_SIZE; l++)
		out[l] = extended(to_integer(value[l], type, not_a_number), type);
	put_integer(x, u, active, out);
}

EXEC(CVT_INT_F32)
{
	float copy[WARP_SIZE] ROW_ALIGNED;
	double value[WARP_SIZE] ROW_ALIGNED;
	const ROW_F32 *a = ALIGNED(source_f32(x, u, 0, copy));

	LANES value[l] = a[l];
	integer_from_double(x, u, active, value, integer_type(u->type).bits == 64 ? UINT64_C(1) << 63 : 0);
}

EXEC(CVT_INT_F64)
{
	double value[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, F64, 0);

	LANES value[l] = a_row[l];
	integer_from_double(x, u, active, value, UINT64_C(1) << (integer_type(u->type).bits - 1));
}

/* The common cases, one row to one row; flushing changes nothing here. */
static inline int32_t s32_from_f32(float a)
{
	float inside = a > -0x1p31f ? (a < 0x1p31f ? a : 0) : 0;
	int32_t value = (int32_t)inside;

	return a >= 0x1p31f ? INT32_MAX : a <= -0x1p31f ? INT32_MIN : value;
}

static inline uint32_t u32_from_f32(float a)
{
	bool is_high = a >= 0x1p31f;
	float inside = a > 0 ? (a < 0x1p32f ? a : 0) : 0;
	uint32_t value = (uint32_t)(int32_t)(is_high ? (inside > 0 ? inside - 0x1p31f : 0) : inside);

	return a >= 0x1p32f ? UINT32_MAX : value ^ (is_high ? 0x80000000u : 0);
}

EXEC1(CVT_S32_F32_RZ, S32, F32, s32_from_f32(a))
EXEC1(CVT_U32_F32_RZ, U32, F32, u32_from_f32(a))

/* The f32 NaN that an f64 NaN becomes: quiet, with its sign and its leading bits. */
static inline float narrowed_nan(double value)
{
	uint64_t bits = bits_f64(value);

	return f32_bits((uint32_t)(bits >> 63) << 31 | 0x7fc00000 | ((uint32_t)(bits >> 29) & 0x007fffff));
}

EXEC(CVT_F32_F64)
{
	float out[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, F64, 0);

	round_enter(u->round, a_row, NULL, NULL, out);
	LANES out[l] = (float)a_row[l];
	round_leave(u->round, out);
	if (u->mods & MOD_FTZ) /* by the exact value, not the rounded one */
		LANES out[l] = __builtin_fabs(a_row[l]) < 0x1p-126 ? __builtin_copysignf(0, (float)a_row[l])
								   : out[l];
	finish_f32(out, u->mods);
	if (!(u->mods & MOD_SAT))
		LANES out[l] = a_row[l] != a_row[l] ? narrowed_nan(a_row[l]) : out[l];
	PUT(destination_row(x, u->dst[0]), out);
}

EXEC(CVT_F64_F32)
{
	float copy[WARP_SIZE] ROW_ALIGNED;
	double out[WARP_SIZE] ROW_ALIGNED;
	const ROW_F32 *a = ALIGNED(source_f32(x, u, 0, copy));

	LANES out[l] = a[l];
	if (u->mods & MOD_SAT)
		LANES out[l] = saturate_f64(out[l]);
	PUT(destination_row(x, u->dst[0]), out);
}

/* Same size: a move, or MOD_HI: to an integral value, -0 stays. */
#define CVT_SAME(id, F, type, take, finish) \
	EXEC(id) \
	{ \
		type out[WARP_SIZE] ROW_ALIGNED, copy[WARP_SIZE] ROW_ALIGNED __attribute__((unused)); \
		const ROW_##F *a = ALIGNED(take); \
		if (!(u->mods & MOD_HI)) \
			LANES out[l] = a[l]; \
		else if (u->round == ROUND_RZ) \
			LANES out[l] = INTEGRAL_##F(a[l], ROUND_RZ); \
		else if (u->round == ROUND_RM) \
			LANES out[l] = INTEGRAL_##F(a[l], ROUND_RM); \
		else if (u->round == ROUND_RP) \
			LANES out[l] = INTEGRAL_##F(a[l], ROUND_RP); \
		else \
			LANES out[l] = INTEGRAL_##F(a[l], ROUND_RN); \
		finish; \
		PUT(destination_row(x, u->dst[0]), out); \
	}

CVT_SAME(CVT_F32_F32, F32, float, source_f32(x, u, 0, copy), finish_f32(out, u->mods))
CVT_SAME(CVT_F64_F64, F64, double, source_row(x, u->src[0]), finish_f64(out, u->mods))

/* f32 to f16, by hand: 11 significant bits, from 2^-14 on; below, what is left of them above 2^-24. */
static inline uint32_t f16_from_f32(uint32_t a, enum uop_round round)
{
	uint32_t sign = a >> 31, magnitude = a & 0x7fffffff, exponent = magnitude >> 23, shift, kept, lost,
		 half;
	uint32_t mantissa = (magnitude & 0x007fffff) | (exponent ? 0x00800000 : 0), h, away;

	if (magnitude > 0x7f800000)
		return 0x7fff;
	if (magnitude == 0x7f800000)
		return sign << 15 | 0x7c00;
	shift = exponent >= 113 ? 13 : 126 - exponent < 25 ? 126 - exponent : 25;
	kept = mantissa >> shift, lost = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
	away = round == ROUND_RN    ? lost > half || (lost == half && (kept & 1))
		: round == ROUND_RZ ? 0
				    : lost && (round == ROUND_RM) == sign;
	h = (exponent >= 113 ? (exponent - 113) << 10 : 0) + kept + away;
	if (h >= 0x7c00)
		h = round == ROUND_RN || (round != ROUND_RZ && (round == ROUND_RM) == sign) ? 0x7c00 : 0x7bff;
	return sign << 15 | h;
}

static inline float f32_from_f16(uint32_t h)
{
	uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff;
	float subnormal = (float)mantissa * 0x1p-24f;

	if (exponent == 31)
		return f32_bits(mantissa ? NAN_F32 : sign | 0x7f800000);
	return f32_bits(sign | (exponent ? (exponent + 112) << 23 | mantissa << 13 : bits_f32(subnormal)));
}

EXEC(CVT_F16_F32)
{
	uint32_t out[WARP_SIZE] ROW_ALIGNED;
	const ROW_F32 *a = ALIGNED(source_row(x, u->src[0]));
	bool saturate = u->mods & MOD_SAT, relu = u->mods & MOD_RELU;

	for (unsigned l = 0; l < WARP_SIZE; l++) {
		float value = saturate ? saturate_f32(a[l]) : relu && a[l] <= 0 ? 0 : a[l];

		out[l] = f16_from_f32(bits_f32(value), u->round);
	}
	PUT(destination_row(x, u->dst[0]), out);
}

EXEC(CVT_F32_F16)
{
	float out[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, U32, 0);

	LANES out[l] = f32_from_f16(a_row[l] & 0xffff);
	finish_f32(out, u->mods);
	PUT(destination_row(x, u->dst[0]), out);
}
