/* tests/unit/core/matrix_rig.h -- elements of matrices: small numbers, and their bits in every type. */
#ifndef TESTS_CORE_MATRIX_RIG_H
#define TESTS_CORE_MATRIX_RIG_H

#include "tests/unit/core/exec_rig.h"

#include <math.h>

static inline unsigned element_bits(unsigned type)
{
	return type == PTX_B1 ? 1 : ptx_type_bits(type);
}

/* Bits of a small integer in some type. */
static inline uint64_t encode(unsigned type, double v)
{
	union {
		float f;
		uint32_t u;
	} single = { (float)v };
	union {
		double f;
		uint64_t u;
	} wide = { v };
	_Float16 half;
	uint16_t bits;
	int exponent;

	switch (type) {
	case PTX_F64:
		return wide.u;
	case PTX_F32:
	case PTX_TF32:
		return single.u;
	case PTX_BF16:
		return single.u >> 16;
	case PTX_F16:
		half = (_Float16)v;
		memcpy(&bits, &half, 2);
		return bits;
	case PTX_E5M2:
		half = (_Float16)v;
		memcpy(&bits, &half, 2);
		return bits >> 8;
	case PTX_E4M3:
		if (v == 0)
			return 0;
		frexp(v, &exponent);
		return (v < 0 ? 0x80u : 0) | (uint64_t)(exponent + 6) << 3 |
			(uint64_t)(ldexp(fabs(v), 4 - exponent) - 8);
	default:
		return (uint64_t)(int64_t)v & ((UINT64_C(1) << element_bits(type)) - 1);
	}
}

static inline int pick(uint64_t *state, int low, int high)
{
	return low + (int)(rig_random(state) % (uint64_t)(high - low + 1));
}

#endif
