/* tests/ptx/random/halves.c -- see halves.h. */
#include "halves.h"
#include "../conformance/arithmetic/round.h"
#include <math.h>

static enum type type_of(enum half type)
{
	return type == HALF ? F16 : BF16;
}

static unsigned order_of(enum half_operation op, unsigned how)
{
	return (op == HALF_MAX ? MINMAX_MAX : 0) | (how & HALF_NAN ? MINMAX_NAN : 0) |
		(how & HALF_XORSIGN ? MINMAX_XORSIGN | MINMAX_ABS : 0);
}

static double exact(enum half_operation op, double a, double b, double c)
{
	switch (op) {
	case HALF_ADD:
		return odd_sum(a, b);
	case HALF_SUB:
		return odd_sum(a, -b);
	case HALF_MUL:
		return a * b;
	default:
		return odd_sum(a * b, c);
	}
}

uint16_t half_compute(
	enum half type, enum half_operation op, unsigned how, uint16_t a, uint16_t b, uint16_t c)
{
	enum type t = type_of(type);
	uint64_t d, x = how & HALF_FTZ ? flush(t, a) : a, y = how & HALF_FTZ ? flush(t, b) : b,
		    z = how & HALF_FTZ ? flush(t, c) : c;

	if (op >= HALF_MIN)
		return (uint16_t)min_max(t, x, y, order_of(op, how));
	double value = exact(op, value_of(t, x), value_of(t, y), value_of(t, z));

	d = encode(t, value, RN);
	if (how & HALF_FTZ && fabs(value) < (t == F16 ? 0x1p-14 : 0x1p-126))
		d &= sign_bit(t); /* by the exact value */
	return (uint16_t)(how & HALF_RELU ? relu(t, d) : d);
}

uint32_t pair_compute(
	enum half type, enum half_operation op, unsigned how, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t low = half_compute(type, op, how, (uint16_t)a, (uint16_t)b, (uint16_t)c);

	return low |
		(uint32_t)half_compute(
			type, op, how, (uint16_t)(a >> 16), (uint16_t)(b >> 16), (uint16_t)(c >> 16))
		<< 16;
}

double half_value(enum half type, uint16_t bits)
{
	return value_of(type_of(type), bits);
}

uint16_t half_round(enum half type, double value, int mode, unsigned how)
{
	uint64_t d = encode(type_of(type), value, mode ? RZ : RN);

	return (uint16_t)(how & HALF_RELU ? relu(type_of(type), d) : d);
}
