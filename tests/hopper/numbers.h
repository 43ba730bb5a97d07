/* tests/hopper/numbers.h -- the numbers that tensor cores multiply, by their definitions, and products of
 * matrices of them: exact, added in double in the order of rising k, rounded once
 * (docs/design/deviations-chip.md). */
#ifndef TESTS_HOPPER_NUMBERS_H
#define TESTS_HOPPER_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum number { F16, BF16, TF32, E4M3, E5M2, S8, U8, S4, U4, B1, F32, S32, NUMBERS };

static const struct number_type {
	const char *name;
	unsigned bits, exponent, mantissa; /* floats: of the exponent and behind it */
} number_types[NUMBERS] = {
	[F16] = { "f16", 16, 5, 10 },
	[BF16] = { "bf16", 16, 8, 7 },
	[TF32] = { "tf32", 32, 8, 23 },
	[E4M3] = { "e4m3", 8, 4, 3 },
	[E5M2] = { "e5m2", 8, 5, 2 },
	[S8] = { "s8", 8, 0, 0 },
	[U8] = { "u8", 8, 0, 0 },
	[S4] = { "s4", 4, 0, 0 },
	[U4] = { "u4", 4, 0, 0 },
	[B1] = { "b1", 1, 0, 0 },
	[F32] = { "f32", 32, 8, 23 },
	[S32] = { "s32", 32, 0, 0 },
};

static inline bool number_is_float(enum number type)
{
	return number_types[type].exponent != 0;
}

static inline double float_value(const struct number_type *t, uint32_t bits)
{
	uint32_t field = bits >> t->mantissa & ((1u << t->exponent) - 1),
		 fraction = bits & ((1u << t->mantissa) - 1);
	int bias = (1 << (t->exponent - 1)) - 1;
	bool is_e4m3 = t->exponent == 4, is_top = field == (1u << t->exponent) - 1;
	double sign = bits >> (t->bits - 1) & 1 ? -1 : 1;

	if (is_top && (!is_e4m3 || fraction == 7))
		return fraction ? NAN : sign * INFINITY;
	if (!field)
		return sign * ldexp(fraction, 1 - bias - (int)t->mantissa);
	return sign * ldexp((double)(fraction | 1u << t->mantissa), (int)field - bias - (int)t->mantissa);
}

static inline double number_value(enum number type, uint32_t bits)
{
	switch (type) {
	case S8:
		return (int8_t)bits;
	case S32:
		return (int32_t)bits;
	case S4:
		return (double)((bits & 15) ^ 8) - 8;
	case U8:
	case U4:
	case B1:
		return bits & ((1u << number_types[type].bits) - 1);
	case TF32: /* the low 13 bits do not count */
		return float_value(&number_types[TF32], bits & ~UINT32_C(0x1fff));
	default:
		return float_value(&number_types[type], bits);
	}
}

/* To nearest even; NaN as the tensor cores give it. */
static inline uint32_t number_round_f16(double v)
{
	uint32_t sign = signbit(v) ? 0x8000 : 0;
	double units;
	int e;

	if (isnan(v))
		return 0x7fff;
	v = fabs(v);
	frexp(v, &e);
	e = e < -13 || v == 0 ? -13 : e; /* v < 2^e */
	units = rint(ldexp(v, 11 - e));
	if (isinf(v) || ldexp(units, e - 11) > 65504)
		return sign | 0x7c00;
	return sign | (uint32_t)((e + 13) * 1024 + (int)units);
}

static inline uint32_t number_round_f32(double v)
{
	float f = (float)v;
	uint32_t bits;

	if (isnan(v))
		return 0x7fffffff;
	memcpy(&bits, &f, 4);
	return bits;
}

/* The bits of a sum in that type. */
static inline uint32_t number_result(enum number type, double sum, bool clamps)
{
	if (type == F16)
		return number_round_f16(sum);
	if (type == F32)
		return number_round_f32(sum);
	if (clamps)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	return (uint32_t)(int64_t)sum;
}

static inline uint64_t random_bits(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 24;
}

/* An element: mostly a number near 1, sometimes any bits; `wild`: also infinities and NaN. */
static inline uint32_t random_number(enum number type, bool wild, uint64_t *state)
{
	const struct number_type *t = &number_types[type];
	uint32_t bits = (uint32_t)random_bits(state), top;

	bits = t->bits < 32 ? bits & ((1u << t->bits) - 1) : bits;
	if (!t->exponent)
		return bits;
	if (random_bits(state) % 8) {
		top = (1u << (t->exponent - 1)) - 2 + (uint32_t)(random_bits(state) % 4);
		bits = (bits & ~(((1u << t->exponent) - 1) << t->mantissa)) | top << t->mantissa;
	}
	return !wild && !isfinite(float_value(t, bits)) ? 0 : bits;
}

#endif
