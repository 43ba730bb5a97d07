/* tests/ptx/conformance/suite/compare.c -- whether a result is right. */
#include <math.h>
#include "suite.h"

/* Digits behind the leading one, and the exponent of the smallest normal number. */
static void shape(enum type type, int *digits, int *least)
{
	*digits = type == F64 ? 52 : type == F32 ? 23 : type == BF16 ? 7 : 10;
	*least = type == F64 ? -1022 : type == F16 ? -14 : -126;
}

/* The unit in the last place of numbers as large as value. */
static double ulp(enum type type, double value)
{
	int digits, least, exponent = 0;

	shape(type, &digits, &least);
	frexp(value, &exponent);
	if (value == 0 || exponent - 1 < least)
		exponent = least + 1;
	return ldexp(1, exponent - 1 - digits);
}

/* Larger than every finite number of the type, even after rounding. */
static bool is_over(enum type type, double value)
{
	int digits, least;

	shape(type, &digits, &least);
	return fabs(value) >= ldexp(2 - ldexp(1, -digits - 1), 1 - least);
}

static bool is_within(const struct form *f, uint32_t k, uint64_t got_bits, double want)
{
	enum type type = f->out[k];
	double got = value_of(type, got_bits), off = fabs(got - want);

	if (isnan(want) || isnan(got))
		return isnan(want) && isnan(got);
	if (isinf(want))
		return got == want;
	if (isinf(got)) /* allowed where one step of the bound leads over the largest number */
		return signbit(got) == signbit(want) && is_over(type, fabs(want) + ulp(type, want) * 2);
	if (want == 0 && f->compare[k] != COMPARE_ABS)
		return got == 0 && signbit(got) == signbit(want);
	if (off <= ulp(type, want) / 2)
		return true;
	switch (f->compare[k]) {
	case COMPARE_ULP:
		return off <= f->bound[k] * ulp(type, want);
	case COMPARE_REL:
		return off <= f->bound[k] * fabs(want);
	default:
		return off <= f->bound[k];
	}
}

static bool is_packed(enum type type)
{
	return type == F16X2 || type == BF16X2 || type == F32X2;
}

static enum type element_of(enum type type)
{
	return type == F16X2 ? F16 : type == BF16X2 ? BF16 : type == F32X2 ? F32 : type;
}

/* The standard NaN of a type; all bits of the sign and exponent part but the sign, and the highest fraction
 * bits. */
static uint64_t standard_nan(enum type type)
{
	return type == F64 ? 0x7ff8000000000000 : type == F32 || type == TF32 ? 0x7fffffff : 0x7fff;
}

static uint64_t canonical_nan(enum type type, uint64_t bits)
{
	enum type element = element_of(type);
	unsigned width = type_bits(element);
	uint64_t result = 0;

	if (!is_packed(type))
		return is_nan(type, bits) ? standard_nan(type) : bits;
	for (unsigned at = 0; at < type_bits(type); at += width)
		result |= canonical_nan(element, zero_extend(bits >> at, width)) << at;
	return result;
}

uint64_t canonical(const struct form *f, uint32_t k, uint64_t bits)
{
	return f->compare[k] == COMPARE_BITS ? bits : canonical_nan(f->out[k], bits);
}

bool is_right(const struct form *f, uint32_t k, const struct tuples *t, uint32_t tuple)
{
	uint64_t got = t->got[k][tuple], want = t->want[k][tuple];

	switch (f->compare[k]) {
	case COMPARE_BITS:
		return got == want;
	case COMPARE_NAN:
		return canonical(f, k, got) == canonical(f, k, want);
	default:
		return is_within(f, k, got, f64_of(want));
	}
}
