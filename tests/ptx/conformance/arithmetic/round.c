/* tests/ptx/conformance/arithmetic/round.c -- see round.h. */
#include "round.h"
#include <fenv.h>
#include <math.h>

const char *const rounding_name[ROUNDINGS] = { ".rn", ".rz", ".rm", ".rp" };

/* Digits with the leading one, and the exponent of the smallest subnormal. */
static void shape(enum type type, int *digits, int *least)
{
	*digits = type == F16 || type == TF32 ? 11 : type == BF16 ? 8 : type == F64 ? 53 : 24;
	*least = type == F16 ? -24 : type == F64 ? -1074 : type == BF16 ? -133 : type == TF32 ? -136 : -149;
}

uint64_t sign_bit(enum type type)
{
	return UINT64_C(1) << (type_bits(type) - 1);
}

uint64_t nan_bits(enum type type)
{
	return type == F64 ? UINT64_C(0x7ff8000000000000) : type_bits(type) == 32 ? 0x7fffffff : 0x7fff;
}

static uint64_t infinity_bits(enum type type)
{
	return type == F16     ? 0x7c00
		: type == BF16 ? 0x7f80
		: type == F64  ? UINT64_C(0x7ff0000000000000)
			       : 0x7f800000;
}

/* A non-negative number to a whole one. */
static double round_whole(double value, bool is_negative, enum rounding mode)
{
	double down = floor(value), rest = value - down;

	switch (mode) {
	case RZ:
		return down;
	case RM:
		return down + (is_negative && rest > 0);
	case RP:
		return down + (!is_negative && rest > 0);
	case RNA:
		return down + (rest >= 0.5);
	default:
		return down + (rest > 0.5 || (rest == 0.5 && fmod(down, 2) != 0));
	}
}

/* TF32 is an F32 whose low 13 bits are zero. */
static uint64_t widen(enum type type, uint64_t bits)
{
	return type == TF32 ? bits << 13 : bits;
}

uint64_t encode(enum type type, double value, enum rounding mode)
{
	uint64_t sign = signbit(value) ? sign_bit(type) : 0, bits;
	bool is_negative = signbit(value);
	int digits, least, exponent;

	if (isnan(value))
		return nan_bits(type);
	if (type == F64)
		return bits_of_f64(value);
	if (isinf(value))
		return sign | infinity_bits(type);
	if (value == 0)
		return sign;
	shape(type, &digits, &least);
	frexp(value, &exponent);
	exponent -= digits; /* of the last digit */
	if (exponent < least)
		exponent = least;
	bits = (uint64_t)round_whole(ldexp(fabs(value), -exponent), is_negative, mode);
	bits = widen(type, bits + ((uint64_t)(exponent - least) << (digits - 1)));
	if (bits < infinity_bits(type))
		return sign | bits;
	if (mode == RZ || (mode == RM && !is_negative) || (mode == RP && is_negative))
		return sign | (infinity_bits(type) - widen(type, 1));
	return sign | infinity_bits(type);
}

double odd_sum(double product, double c)
{
	double sum = product + c, back = sum - product, error = (product - (sum - back)) + (c - back);

	if (!isfinite(sum) || error == 0 || (bits_of_f64(sum) & 1))
		return sum;
	return nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

static const int host_mode[ROUNDINGS] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };

/* volatile: computed when and where it is written, in the mode set. */
#define COMPUTE(name, type, one, fused, root) \
	type name(enum operation op, enum rounding mode, type a_, type b_, type c_) \
	{ \
		volatile type a = a_, b = b_, c = c_, d = 0; \
\
		fesetround(host_mode[mode]); \
		switch (op) { \
		case OP_ADD: \
			d = a + b; \
			break; \
		case OP_SUB: \
			d = a - b; \
			break; \
		case OP_MUL: \
			d = a * b; \
			break; \
		case OP_FMA: \
			d = fused(a, b, c); \
			break; \
		case OP_DIV: \
			d = a / b; \
			break; \
		case OP_RCP: \
			d = one / a; \
			break; \
		case OP_SQRT: \
			d = root(a); \
			break; \
		} \
		fesetround(FE_TONEAREST); \
		return d; \
	}

COMPUTE(compute_f32, float, 1.0f, fmaf, sqrtf)
COMPUTE(compute_f64, double, 1.0, fma, sqrt)

uint64_t flush(enum type type, uint64_t bits)
{
	int digits, least;

	shape(type, &digits, &least);
	return fabs(value_of(type, bits)) < ldexp(1, least + digits - 1) ? bits & sign_bit(type) : bits;
}

uint64_t saturate(enum type type, uint64_t bits)
{
	double value = value_of(type, bits);

	return value > 1 ? encode(type, 1, RN) : value > 0 ? bits : 0;
}

uint64_t relu(enum type type, uint64_t bits)
{
	return is_nan(type, bits) ? nan_bits(type) : bits & sign_bit(type) ? 0 : bits;
}

uint64_t min_max(enum type type, uint64_t a, uint64_t b, unsigned what)
{
	uint64_t sign = sign_bit(type), both = (a ^ b) & sign, d;
	bool a_nan = is_nan(type, a), b_nan = is_nan(type, b), a_less;

	if ((a_nan && b_nan) || ((what & MINMAX_NAN) && (a_nan || b_nan)))
		return nan_bits(type);
	if (what & (MINMAX_XORSIGN | MINMAX_ABS)) {
		a &= ~sign;
		b &= ~sign;
	}
	if (a_nan || b_nan) {
		d = a_nan ? b : a;
	} else {
		a_less = value_of(type, a) < value_of(type, b) ||
			(value_of(type, a) == value_of(type, b) && (a & sign));
		d = a_less != !!(what & MINMAX_MAX) ? a : b;
	}
	return what & MINMAX_XORSIGN ? (d & ~sign) | both : d;
}
