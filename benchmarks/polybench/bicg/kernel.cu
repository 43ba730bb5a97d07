/* bicg -- s = transpose(A) r and q = A p, A row-major nx by ny, in two kernels, naive as in PolyBench/GPU.
 *
 * Both accumulate in global memory: every step stores. In bicg1 a thread owns a column: its loads of A
 * coalesce. In bicg2 a thread owns a row, and the lanes of a warp read words ny apart: 32 lines to a load,
 * which with ny a multiple of 1024 all fall into one set of a 16 KB L1, and which the next 31 steps need
 * again. */
#include "cuda_kernel.h"

extern "C" __global__ void bicg1(const float *a, const float *r, float *s, int nx, int ny)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j >= ny)
		return;
	s[j] = 0.0f;
	for (int i = 0; i < nx; i++)
		s[j] = fmaf(a[i * ny + j], r[i], s[j]);
}

extern "C" __global__ void bicg2(const float *a, const float *p, float *q, int nx, int ny)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= nx)
		return;
	q[i] = 0.0f;
	for (int j = 0; j < ny; j++)
		q[i] = fmaf(a[i * ny + j], p[j], q[i]);
}
