/* tests/hopper/matrices.h -- matrices of small whole numbers, so that sums of products are exact in whatever
 * order they are added; and tensor maps of them. */
#ifndef TESTS_HOPPER_MATRICES_H
#define TESTS_HOPPER_MATRICES_H

#include "hopper.h"

/* Numbers from -most to most, the same in every run. */
static inline int matrices_random(uint32_t *state, int most)
{
	*state = *state * 1664525u + 1013904223u;
	return (int)((*state >> 8) % (uint32_t)(2 * most + 1)) - most;
}

/* A whole number of at most 8 bits as bf16, and of at most 11 as f16. */
static inline uint16_t matrices_bf16(int value)
{
	float f = (float)value;
	uint32_t bits;

	__builtin_memcpy(&bits, &f, 4);
	return (uint16_t)(bits >> 16);
}

static inline uint16_t matrices_f16(int value)
{
	unsigned sign = value < 0 ? 0x8000 : 0, size = (unsigned)(value < 0 ? -value : value), exponent = 25;

	if (!size)
		return (uint16_t)sign;
	for (; !(size & 0x400); size <<= 1)
		exponent--;
	return (uint16_t)(sign | exponent << 10 | (size & 0x3ff));
}

/* A map of rows x columns elements of 16 or 32 bits, row by row, in boxes whose rows are swizzled over 128
 * bytes (or not, with swizzle 0). */
static inline CUtensorMap matrices_map(CUtensorMapDataType type, CUdeviceptr at, unsigned rows,
	unsigned columns, unsigned box_rows, unsigned box_columns, CUtensorMapSwizzle swizzle)
{
	unsigned bytes = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 ? 4 : 2;
	CUtensorMap map;

	must(cuTensorMapEncodeTiled(&map, type, 2, (void *)at, (cuuint64_t[]){ columns, rows },
		     (cuuint64_t[]){ (cuuint64_t)columns * bytes }, (cuuint32_t[]){ box_columns, box_rows },
		     (cuuint32_t[]){ 1, 1 }, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
		     CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
		"cuTensorMapEncodeTiled");
	return map;
}

#endif
