/* frontend/optimise/constant_folding.c -- constant folding: operations on numbers that stand in the program
 * give a number: what is left when loops are unrolled, and conversions, which compilers to PTX leave to
 * ptxas. */
#include "frontend/optimise/optimise.h"

#include <string.h>

/* The number to which a 32-bit float is rounded; false: it has no place in 32 bits with sign. */
static bool truncated(uint64_t bits, uint32_t *result)
{
	uint32_t word = (uint32_t)bits;
	float value;

	memcpy(&value, &word, sizeof value);
	if (!(value > -2147483648.0f && value < 2147483648.0f))
		return false;
	*result = (uint32_t)(int32_t)value;
	return true;
}

static bool shifted(uint16_t code, uint32_t a, uint32_t by, uint32_t *result)
{
	switch (code) {
	case UOP_SHL_B32:
		*result = by < 32 ? a << by : 0;
		return true;
	case UOP_SHR_U32:
		*result = by < 32 ? a >> by : 0;
		return true;
	case UOP_SHR_S32:
		*result = (uint32_t)((int32_t)a >> (by < 31 ? by : 31));
		return true;
	default:
		return false;
	}
}

static bool computed(uint16_t code, uint32_t a, uint32_t b, uint32_t *result)
{
	switch (code) {
	case UOP_ADD_B32:
		*result = a + b;
		return true;
	case UOP_SUB_B32:
		*result = a - b;
		return true;
	case UOP_MUL_LO_B32:
	case UOP_MAD_LO_B32: /* its product */
		*result = a * b;
		return true;
	case UOP_AND_B32:
		*result = a & b;
		return true;
	case UOP_OR_B32:
		*result = a | b;
		return true;
	case UOP_XOR_B32:
		*result = a ^ b;
		return true;
	default:
		return shifted(code, a, b, result);
	}
}

ref folded_constant(struct lower *l, const struct draft *d, const ref src[2])
{
	uint64_t a, b;
	uint32_t result;

	if (d->uop.mods & ~MOD_FTZ || !immediate(l, src[0], false, &a) ||
		(d->uop.code == UOP_MAD_LO_B32 && !is_register(d->src[2])))
		return REF_NONE;
	if (d->uop.code == UOP_CVT_S32_F32_RZ)
		return truncated(a, &result) ? constant_ref(l, result, 32) : REF_NONE;
	if (!immediate(l, src[1], false, &b) || !computed(d->uop.code, (uint32_t)a, (uint32_t)b, &result))
		return REF_NONE;
	return constant_ref(l, result, 32);
}
