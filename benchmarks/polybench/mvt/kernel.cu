/* mvt -- x1 += A y1 and x2 += transpose(A) y2, A row-major n by n, in two kernels, naive as in PolyBench/GPU.
 *
 * Both accumulate in global memory: every step stores. In mvt1 a thread owns a row, and the lanes of a warp
 * read words n apart: 32 lines to a load, which with n a multiple of 1024 all fall into one set of a 16 KB
 * L1, and which the next 31 steps need again. In mvt2 a thread owns a column, and its loads of A coalesce. */
#include "cuda_kernel.h"

extern "C" __global__ void mvt1(const float *a, const float *y1, float *x1, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		for (int j = 0; j < n; j++)
			x1[i] = fmaf(a[i * n + j], y1[j], x1[i]);
}

extern "C" __global__ void mvt2(const float *a, const float *y2, float *x2, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		for (int j = 0; j < n; j++)
			x2[i] = fmaf(a[j * n + i], y2[j], x2[i]);
}
