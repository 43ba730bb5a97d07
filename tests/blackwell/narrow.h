/* tests/blackwell/narrow.h -- the floats of 4, 6 and 8 bits by their definitions (OCP Microscaling
 * Formats 1.0, PTX ISA), beside those of tests/hopper/numbers.h, and what it takes to make a number one of
 * them. */
#ifndef TESTS_BLACKWELL_NARROW_H
#define TESTS_BLACKWELL_NARROW_H

#include "numbers.h"

struct narrow {
	const char *name;
	unsigned exponent, mantissa; /* bits */
	int bias;
	bool has_infinity, has_nan;
};

enum { N_E4M3, N_E5M2, N_E3M2, N_E2M3, N_E2M1, NARROWS };
static const struct narrow narrows[NARROWS] = {
	[N_E4M3] = { "e4m3", 4, 3, 7, false, true },
	[N_E5M2] = { "e5m2", 5, 2, 15, true, true },
	[N_E3M2] = { "e3m2", 3, 2, 3, false, false },
	[N_E2M3] = { "e2m3", 2, 3, 1, false, false },
	[N_E2M1] = { "e2m1", 2, 1, 1, false, false },
};

static inline unsigned narrow_bits(const struct narrow *n)
{
	return 1 + n->exponent + n->mantissa;
}

static inline double narrow_value(const struct narrow *n, uint32_t bits)
{
	uint32_t field = bits >> n->mantissa & ((1u << n->exponent) - 1);
	uint32_t fraction = bits & ((1u << n->mantissa) - 1), all = (1u << n->mantissa) - 1;
	double sign = bits >> (n->exponent + n->mantissa) & 1 ? -1 : 1;
	bool is_top = field == (1u << n->exponent) - 1;

	if (is_top && n->has_infinity)
		return fraction ? NAN : sign * INFINITY;
	if (is_top && n->has_nan && fraction == all)
		return NAN;
	if (!field)
		return sign * ldexp(fraction, 1 - n->bias - (int)n->mantissa);
	return sign * ldexp(fraction + all + 1, (int)field - n->bias - (int)n->mantissa);
}

static inline double ue8m0_value(uint32_t bits)
{
	return (bits & 0xff) == 0xff ? NAN : ldexp(1, (int)(bits & 0xff) - 127);
}

static inline double ue4m3_value(uint32_t bits)
{
	return narrow_value(&narrows[N_E4M3], bits & 0x7f);
}

/* The largest finite magnitude's bits. */
static inline uint32_t narrow_most(const struct narrow *n)
{
	uint32_t all = (1u << (n->exponent + n->mantissa)) - 1;

	return n->has_infinity ? all - (1u << n->mantissa) : n->has_nan ? all - 1 : all;
}

#endif
