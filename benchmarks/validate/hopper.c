/* hopper.c -- see hopper.h. */
#include "hopper.h"

enum { MOST_SHARED = 200 << 10, PARAMETERS = 7 };

void hopper_launch(struct micro *m, const char *kernel, const struct grid *grid, void *const *more,
	unsigned long long out[MOST_CYCLES])
{
	CUlaunchAttribute attributes[] = { { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
		.value.clusterDim = { grid->cluster ? grid->cluster : 1, 1, 1 } } };
	CUlaunchConfig config = { .gridDimX = grid->ctas,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = grid->threads,
		.blockDimY = 1,
		.blockDimZ = 1,
		.sharedMemBytes = grid->shared,
		.attrs = attributes,
		.numAttrs = grid->cluster > 1 };
	CUdeviceptr to = bench_device_alloc(MOST_CYCLES, sizeof *out);
	void *parameters[PARAMETERS] = { &to };
	CUfunction function;

	for (int i = 0; more && more[i]; i++)
		parameters[i + 1] = more[i];
	bench_check(cuModuleGetFunction(&function, m->module, kernel), kernel, __FILE__, __LINE__);
	if (grid->shared > 48 << 10)
		CHECK(cuFuncSetAttribute(
			function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, MOST_SHARED));
	if (grid->cluster > 8)
		CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
	CHECK(cuMemsetD8(to, 0, MOST_CYCLES * sizeof *out));
	CHECK(cuLaunchKernelEx(&config, function, parameters, NULL));
	CHECK(cuMemcpyDtoH(out, to, MOST_CYCLES * sizeof *out));
	CHECK(cuMemFree(to));
}

void hopper_measure(struct micro *m, const char *kernel, const struct grid *grid, void *const *more,
	unsigned long long out[MOST_CYCLES])
{
	hopper_launch(m, kernel, grid, more, out);
	hopper_launch(m, kernel, grid, more, out);
}
