/* tensor.h -- what the programs for sm_90a and sm_100a share: tensor maps, launches with much shared memory.
 */
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

/* So many threads a block and blocks a cluster along x; 1024 bytes more than asked for, since the kernels
 * align their part to them. */
static inline void tensor_launch_blocks(struct bench *b, const char *kernel, struct bench_dim grid,
	unsigned threads, unsigned cluster, size_t shared, void **args)
{
	CUlaunchAttribute attribute = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION };
	CUlaunchConfig config = { .gridDimX = grid.x,
		.gridDimY = grid.y,
		.gridDimZ = grid.z,
		.blockDimX = threads,
		.blockDimY = 1,
		.blockDimZ = 1,
		.sharedMemBytes = (unsigned)(shared + 1024),
		.attrs = &attribute,
		.numAttrs = cluster > 1 };
	CUfunction function;

	attribute.value.clusterDim.x = cluster;
	attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
	CHECK(cuModuleGetFunction(&function, b->module, kernel));
	CHECK(cuFuncSetAttribute(
		function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)(shared + 1024)));
	bench_start(b);
	CHECK(cuLaunchKernelEx(&config, function, args, NULL));
	bench_stop(b);
}

/* Three warpgroups a block. */
static inline void tensor_launch_clusters(struct bench *b, const char *kernel, struct bench_dim grid,
	unsigned cluster, size_t shared, void **args)
{
	tensor_launch_blocks(b, kernel, grid, 384, cluster, shared, args);
}

static inline void tensor_launch(
	struct bench *b, const char *kernel, struct bench_dim grid, size_t shared, void **args)
{
	tensor_launch_clusters(b, kernel, grid, 1, shared, args);
}

static inline size_t tensor_sms(const struct bench *b)
{
	int sms;

	CHECK(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, b->device));
	return (size_t)sms;
}

#endif
