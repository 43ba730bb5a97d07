/* core/exec/arithmetic/formats.h -- floating-point numbers as bits: the formats narrower than f64, to double
 * and back.
 *
 * Every value of such a format is exact in double. What goes the other way is rounded once, by integer
 * arithmetic on the double's bits, so that all vector levels agree. A double that stands for a longer result
 * must have been rounded to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008):
 * then rounding it once more is as good as rounding the exact value. Layouts: PTX ISA, "Fundamental Types"
 * and "Alternate Floating- Point Data Formats"; OCP Microscaling Formats 1.0 for e4m3, e5m2, e3m2, e2m3,
 * e2m1, e8m0. */
#ifndef CORE_EXEC_ARITHMETIC_FORMATS_H
#define CORE_EXEC_ARITHMETIC_FORMATS_H

#include "frontend/module.h"
#include "frontend/uop.h"
#include "sim/base/types.h"
#include <stdbool.h>
#include <stdint.h>

static inline uint32_t bits_f32(float value)
{
	return ((union {
		float f;
		uint32_t u;
	}){ .f = value })
		.u;
}

static inline float f32_bits(uint32_t bits)
{
	return ((union {
		uint32_t u;
		float f;
	}){ .u = bits })
		.f;
}

static inline uint64_t bits_f64(double value)
{
	return ((union {
		double f;
		uint64_t u;
	}){ .f = value })
		.u;
}

static inline double f64_bits(uint64_t bits)
{
	return ((union {
		uint64_t u;
		double f;
	}){ .u = bits })
		.f;
}

/* Numbers without their sign bit; above max lie infinity and the NaNs. Formats without infinity have it at
 * max. */
struct format {
	uint8_t mantissa; /* bits behind the point */
	uint8_t sign;     /* position of the sign bit */
	int16_t bias;
	uint32_t max, infinity, nan; /* the largest finite number; infinity; the canonical NaN */
	double unit;                 /* the least subnormal */
};

static inline struct format format_of(unsigned type)
{
	switch ((enum ptx_type)type) {
	case PTX_F16:
	case PTX_F16X2:
		return (struct format){ 10, 15, 15, 0x7bff, 0x7c00, 0x7fff, 0x1p-24 };
	case PTX_BF16:
	case PTX_BF16X2:
		return (struct format){ 7, 15, 127, 0x7f7f, 0x7f80, 0x7fff, 0x1p-133 };
	case PTX_TF32: /* the upper 19 bits of a word */
		return (struct format){ 10, 18, 127, 0x3fbff, 0x3fc00, 0x3ffff, 0x1p-136 };
	case PTX_F32:
		return (struct format){ 23, 31, 127, 0x7f7fffff, 0x7f800000, 0x7fffffff, 0x1p-149 };
	case PTX_E4M3X2:
		return (struct format){ 3, 7, 7, 0x7e, 0x7f, 0x7f, 0x1p-9 };
	case PTX_E5M2X2:
		return (struct format){ 2, 7, 15, 0x7b, 0x7c, 0x7f, 0x1p-16 };
	case PTX_E2M1X2:
		return (struct format){ 1, 3, 1, 0x7, 0x7, 0x7, 0x1p-1 };
	case PTX_E2M3X2:
		return (struct format){ 3, 5, 1, 0x1f, 0x1f, 0x1f, 0x1p-3 };
	case PTX_E3M2X2:
		return (struct format){ 2, 5, 3, 0x1f, 0x1f, 0x1f, 0x1p-4 };
	default:
		bug("type %u is no format", type);
	}
}

/* A number of format f, exactly; a NaN as the host's quiet one. */
static inline double format_decode(uint32_t bits, struct format f)
{
	uint64_t sign = (uint64_t)(bits >> f.sign & 1) << 63;
	uint32_t magnitude = bits & ((1u << f.sign) - 1);
	double subnormal = (double)(int32_t)magnitude * f.unit;
	uint64_t normal = ((uint64_t)magnitude << (52 - f.mantissa)) + ((uint64_t)(1023 - f.bias) << 52);
	bool is_infinite = magnitude == f.infinity && f.infinity != f.nan;
	uint64_t special = is_infinite ? sign | UINT64_C(0x7ff0000000000000) : UINT64_C(0x7ff8000000000000);
	uint64_t number = magnitude >> f.mantissa ? normal : bits_f64(subnormal);

	return f64_bits(magnitude > f.max ? special : sign | number);
}

/* Is a result to be rounded away from zero? kept: what remains, lost: what goes, of which half is half a
 * unit. */
static inline bool rounds_away(uint64_t kept, uint64_t lost, uint64_t half, bool is_negative, unsigned round)
{
	switch (round) {
	case ROUND_RN:
		return lost > half || (lost == half && (kept & 1));
	case ROUND_RNA:
		return lost >= half;
	case ROUND_RZ:
		return false;
	default:
		return lost && (round == ROUND_RM) == is_negative;
	}
}

/* The nearest numbers of a format: how far a double's significand must be shifted, and the exponent that
 * remains. */
struct cut {
	uint64_t kept, lost;
	unsigned shift;
	uint32_t exponent; /* to be added to `kept`, whose leading bit counts as 1 in the exponent field */
};

static inline struct cut format_cut(uint64_t magnitude, struct format f)
{
	int32_t field = (int32_t)(magnitude >> 52) - 1023 + f.bias;
	uint64_t hidden = magnitude >> 52 ? UINT64_C(1) << 52 : 0;
	uint64_t significand = (magnitude & UINT64_C(0x000fffffffffffff)) | hidden;
	int32_t shift = 52 - f.mantissa + (field > 0 ? 0 : 1 - field);
	unsigned by = (unsigned)(shift < 54 ? shift : 54);

	return (struct cut){ significand >> by, significand & ((UINT64_C(1) << by) - 1), by,
		field > 0 ? (uint32_t)(field - 1) << f.mantissa : 0 };
}

/* Beyond the largest finite number: that one, or infinity. */
static inline uint32_t format_overflow(struct format f, bool is_negative, unsigned round, bool satfinite)
{
	bool stays = satfinite || round == ROUND_RZ || (round == ROUND_RM && !is_negative) ||
		(round == ROUND_RP && is_negative);

	return stays ? f.max : f.infinity;
}

/* A double as the nearest number of format f, by `round` (enum uop_round, but for ROUND_RS); NaN: the
 * canonical one. satfinite: what is too large, infinity included, becomes the largest finite number. */
static inline uint32_t format_encode(double value, struct format f, unsigned round, bool satfinite)
{
	uint64_t bits = bits_f64(value), magnitude = bits & INT64_MAX;
	bool is_negative = bits >> 63;
	struct cut cut = format_cut(magnitude, f);
	uint32_t away = rounds_away(cut.kept, cut.lost, UINT64_C(1) << (cut.shift - 1), is_negative, round);
	bool is_infinite = magnitude == UINT64_C(0x7ff0000000000000),
	     is_large = magnitude >> 52 > 1023 + 200u;
	uint32_t number = cut.exponent + (uint32_t)cut.kept + away;

	if (is_infinite)
		number = satfinite ? f.max : f.infinity;
	else if (is_large || number > f.max)
		number = format_overflow(f, is_negative, round, satfinite);
	return magnitude > UINT64_C(0x7ff0000000000000) ? f.nan : (uint32_t)is_negative << f.sign | number;
}

/* The common case, in steps that every vector unit has. Adding and taking off 1.5 * 2^52 units in the last
 * place of the result leaves the nearest number (in the double's own rounding, ties to even); least: the
 * least normal number. What is infinite stays so. */
static inline double nearest_unit(double value, unsigned mantissa, double least)
{
	double scale = f64_bits(bits_f64(value) & UINT64_C(0x7ff0000000000000)), shift, rounded;

	scale = scale > least ? scale : least;
	scale = scale < 0x1p200 ? scale : 0x1p200;
	shift = scale * (0x1.8p52 / (double)(1u << mantissa));
	rounded = (value + shift) - shift;
	return f64_bits(bits_f64(rounded) & INT64_MAX);
}

static inline uint32_t nearest_bf16(double value)
{
	uint32_t magnitude = bits_f32((float)nearest_unit(value, 7, 0x1p-126)) >> 16;

	return value != value ? 0x7fff : magnitude | ((uint32_t)(bits_f64(value) >> 48) & 0x8000);
}

static inline uint32_t nearest_f16(double value)
{
	float rounded = (float)nearest_unit(value, 10, 0x1p-14);
	uint32_t normal = (bits_f32(rounded) - (112u << 23)) >> 13;
	uint32_t subnormal = (uint32_t)(int32_t)((rounded < 0x1p-14f ? rounded : 0) * 0x1p24f);
	uint32_t magnitude = rounded < 0x1p-14f ? subnormal : rounded < 0x1p16f ? normal : 0x7c00;

	return value != value ? 0x7fff : magnitude | ((uint32_t)(bits_f64(value) >> 48) & 0x8000);
}

static inline float value_of_bf16(uint32_t bits)
{
	return f32_bits(bits << 16);
}

static inline float value_of_f16(uint32_t bits)
{
	uint32_t magnitude = bits & 0x7fff, normal = (magnitude << 13) + (112u << 23);
	uint32_t subnormal = bits_f32((float)(int32_t)magnitude * 0x1p-24f);
	uint32_t number = magnitude < 0x400 ? subnormal : magnitude < 0x7c00 ? normal : normal + (112u << 23);

	return f32_bits((bits & 0x8000) << 16 | number);
}

/* The same by chance: `random` has `count` bits; the number grows if adding them to the leading bits that are
 * lost gives a carry. */
static inline uint32_t format_encode_random(
	double value, struct format f, uint32_t random, unsigned count, bool satfinite)
{
	uint64_t bits = bits_f64(value), magnitude = bits & INT64_MAX;
	struct cut cut = format_cut(magnitude, f);
	uint64_t top = cut.shift >= count ? cut.lost >> (cut.shift - count) : cut.lost << (count - cut.shift);
	uint32_t number = cut.exponent + (uint32_t)cut.kept + (uint32_t)((top + random) >> count);

	if (magnitude >= UINT64_C(0x7ff0000000000000) || number > f.max)
		return format_encode(value, f, ROUND_RN, satfinite);
	return (uint32_t)(bits >> 63) << f.sign | number;
}

/* ue8m0, a power of two: 2^(bits - 127), 0xff is NaN. */
static inline double power_decode(uint32_t bits)
{
	return bits == 0xff ? f64_bits(UINT64_C(0x7ff8000000000000))
			    : f64_bits((uint64_t)(bits + 1023 - 127) << 52);
}

/* The magnitude's power of two below (ROUND_RZ) or above (ROUND_RP); what is too large is NaN, or with
 * satfinite the largest. */
static inline uint32_t power_encode(double value, unsigned round, bool satfinite)
{
	uint64_t magnitude = bits_f64(value) & INT64_MAX;
	int32_t exponent = (int32_t)(magnitude >> 52) - 1023 + 127;

	if (magnitude > UINT64_C(0x7ff0000000000000))
		return 0xff;
	if (round == ROUND_RP && magnitude & UINT64_C(0x000fffffffffffff))
		exponent++;
	return exponent < 0 ? 0 : exponent < 0xff ? (uint32_t)exponent : satfinite ? 0xfe : 0xff;
}

/* p + c rounded to odd: the nearest double, moved to its neighbour with an odd last bit if it is inexact. */
static inline double add_to_odd(double p, double c)
{
	double s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
	uint64_t bits = bits_f64(s), even = ~bits & 1;
	bool inexact = (error > 0) | (error < 0), outward = (error > 0) == (s > 0);

	return f64_bits(inexact ? bits + (outward ? even : -even) : bits);
}

/* -0 < +0, so that equal operands differ at most in the sign bit. One NaN gives the other operand, or itself
 * if nan_wins; two give either. */
#define MIN_MAX(T, type, bits_type) \
	static inline type min_##T(type a, type b, bool nan_wins) \
	{ \
		bits_type i = bits_##T(a), j = bits_##T(b), least = a < b ? i : b < a ? j : i | j; \
		bits_type other = a != a ? (nan_wins ? i : j) : (nan_wins ? j : i); \
		return T##_bits((a != a) | (b != b) ? other : least); \
	} \
	static inline type max_##T(type a, type b, bool nan_wins) \
	{ \
		bits_type i = bits_##T(a), j = bits_##T(b), most = a > b ? i : b > a ? j : i & j; \
		bits_type other = a != a ? (nan_wins ? i : j) : (nan_wins ? j : i); \
		return T##_bits((a != a) | (b != b) ? other : most); \
	}

MIN_MAX(f32, float, uint32_t)
MIN_MAX(f64, double, uint64_t)
#undef MIN_MAX

#endif
