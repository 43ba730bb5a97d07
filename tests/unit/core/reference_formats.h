/* tests/unit/core/reference_formats.h -- narrow floating-point formats, slowly: all values of a format in a
 * table, and rounding by looking for the two neighbours and comparing with the point halfway between them. */
#ifndef TESTS_CORE_REFERENCE_FORMATS_H
#define TESTS_CORE_REFERENCE_FORMATS_H

#include "frontend/module.h"
#include "frontend/uop.h"
#include <math.h>
#include <stdlib.h>

struct reference {
	int mantissa, bias;
	unsigned finite; /* codes 0 .. finite - 1 are the finite numbers that are not negative, in order */
	unsigned infinity, nan; /* their codes; the largest number's where there is none */
	int width;              /* sign bit included */
	double *values;         /* of the finite codes, and what would come next */
};

static inline double reference_value(const struct reference *r, unsigned code)
{
	int exponent = (int)(code >> r->mantissa), fraction = (int)(code & ((1u << r->mantissa) - 1));

	return exponent ? ldexp(fraction + (1 << r->mantissa), exponent - r->bias - r->mantissa)
			: ldexp(fraction, 1 - r->bias - r->mantissa);
}

static inline const struct reference *reference_of(unsigned type)
{
	static struct reference list[] = {
		{ 10, 15, 0x7c00, 0x7c00, 0x7fff, 16, NULL },
		{ 7, 127, 0x7f80, 0x7f80, 0x7fff, 16, NULL },
		{ 10, 127, 0x3fc00, 0x3fc00, 0x3ffff, 19, NULL },
		{ 3, 7, 0x7f, 0x7f, 0x7f, 8, NULL },
		{ 2, 15, 0x7c, 0x7c, 0x7f, 8, NULL },
		{ 1, 1, 8, 7, 7, 4, NULL },
		{ 3, 1, 32, 31, 31, 6, NULL },
		{ 2, 3, 32, 31, 31, 6, NULL },
	};
	unsigned n = type == PTX_F16 || type == PTX_F16X2 ? 0
		: type == PTX_BF16 || type == PTX_BF16X2  ? 1
		: type == PTX_TF32                        ? 2
		: type == PTX_E4M3X2                      ? 3
		: type == PTX_E5M2X2                      ? 4
		: type == PTX_E2M1X2                      ? 5
		: type == PTX_E2M3X2                      ? 6
							  : 7;
	struct reference *r = &list[n];

	if (!r->values) {
		r->values = malloc((r->finite + 1) * sizeof(double));
		for (unsigned code = 0; code <= r->finite; code++)
			r->values[code] = reference_value(r, code);
	}
	return r;
}

static inline double reference_decode(unsigned type, unsigned bits)
{
	const struct reference *r = reference_of(type);
	unsigned code = bits & ((1u << (r->width - 1)) - 1), negative = bits >> (r->width - 1) & 1;
	double value = code < r->finite                        ? r->values[code]
		: code == r->infinity && r->infinity != r->nan ? INFINITY
							       : NAN;

	return negative && !isnan(value) ? -value : value;
}

/* An exact number high + low, |low| at most half a unit of high. */
struct exact {
	double high, low;
};

static inline struct exact exact_sum(double a, double b)
{
	double s = a + b, bb = s - a;

	return (struct exact){ s, isfinite(s) ? (a - (s - bb)) + (b - bb) : 0 };
}

static inline struct exact exact_int(__int128 value)
{
	double high = (double)value;

	return (struct exact){ high, (double)(value - (__int128)high) };
}

/* Its sign relative to x. */
static inline int exact_compare(struct exact v, double x)
{
	return v.high != x ? (v.high > x ? 1 : -1) : v.low > 0 ? 1 : v.low < 0 ? -1 : 0;
}

static inline unsigned reference_round(unsigned type, struct exact v, unsigned round, bool satfinite)
{
	const struct reference *r = reference_of(type);
	bool negative = signbit(v.high), away;
	unsigned low = 0, high = r->finite, sign = (unsigned)negative << (r->width - 1);

	if (isnan(v.high))
		return r->nan;
	if (isinf(v.high))
		return sign | (satfinite ? r->finite - 1 : r->infinity);
	if (negative)
		v = (struct exact){ -v.high, -v.low };
	if (exact_compare(v, r->values[r->finite]) >= 0) {
		low = r->finite - 1,
		away = round == ROUND_RN || round == ROUND_RNA || (round == ROUND_RP && !negative) ||
			(round == ROUND_RM && negative);
	} else {
		while (high - low > 1) {
			unsigned middle = (low + high) / 2;

			if (exact_compare(v, r->values[middle]) >= 0)
				low = middle;
			else
				high = middle;
		}
		int half = exact_compare(v, (r->values[low] + r->values[low + 1]) / 2);
		bool inexact = exact_compare(v, r->values[low]) != 0;

		away = round == ROUND_RN     ? half > 0 || (half == 0 && (low & 1))
			: round == ROUND_RNA ? half >= 0
			: round == ROUND_RZ  ? false
					     : inexact && (round == ROUND_RP) == !negative;
	}
	low += away;
	return sign | (low < r->finite ? low : satfinite ? r->finite - 1 : r->infinity);
}

#endif
