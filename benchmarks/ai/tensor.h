/* tensor.h -- what the programs for sm_90a share: tensor maps, launches with much shared memory. */
#ifndef AI_TENSOR_H
#define AI_TENSOR_H

#include "ai.h"

/* A map of rows x columns elements of `size` bytes, in boxes whose rows are swizzled over 128 bytes. */
static inline CUtensorMap tensor_map(
	CUtensorMapDataType type, size_t size, CUdeviceptr at, size_t rows, size_t columns, unsigned box_rows)
{
	CUtensorMap map;

	CHECK(cuTensorMapEncodeTiled(&map, type, 2, (void *)at, (cuuint64_t[]){ columns, rows },
		(cuuint64_t[]){ columns * size }, (cuuint32_t[]){ 128 / (unsigned)size, box_rows },
		(cuuint32_t[]){ 1, 1 }, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
		CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
	return map;
}

/* Three warpgroups a block; 1024 bytes more than asked for, since the kernels align their part to them. */
static inline void tensor_launch(
	struct bench *b, const char *kernel, struct bench_dim grid, size_t shared, void **args)
{
	CUfunction function;

	CHECK(cuModuleGetFunction(&function, b->module, kernel));
	CHECK(cuFuncSetAttribute(
		function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)(shared + 1024)));
	bench_start(b);
	bench_launch_shared(b, kernel, grid, DIM(384), (unsigned)(shared + 1024), args);
	bench_stop(b);
}

static inline size_t tensor_sms(const struct bench *b)
{
	int sms;

	CHECK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, b->device));
	return (size_t)sms;
}

#endif
