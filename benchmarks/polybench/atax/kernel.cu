/* atax -- y = transpose(A) (A x), A row-major nx by ny, in two kernels, naive as in PolyBench/GPU.
 *
 * Both accumulate in global memory: every step stores. In atax1 a thread owns a row, so that the lanes of a
 * warp read words ny apart, 32 lines to a load, each line needed again for the next 31 steps: a cache that
 * cannot hold them for all its warps thrashes. In atax2 a thread owns a column, and its loads coalesce. */
#include "cuda_kernel.h"

extern "C" __global__ void atax1(const float *a, const float *x, float *tmp, int nx, int ny)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < nx)
		for (int j = 0; j < ny; j++)
			tmp[i] += a[i * ny + j] * x[j];
}

extern "C" __global__ void atax2(const float *a, const float *tmp, float *y, int nx, int ny)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j < ny)
		for (int i = 0; i < nx; i++)
			y[j] += a[i * ny + j] * tmp[i];
}
