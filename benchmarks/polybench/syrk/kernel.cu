/* syrk -- C = alpha A transpose(A) + beta C, A row-major n by m; a thread per element of C (of all of it, not
 * of a triangle), naive as in PolyBench/GPU.
 *
 * The sum stays in global memory: a store a step. The lanes of a warp are 32 neighbours in a row i of C: A's
 * row i is one address for all, its rows j are 32, m words apart, each line needed again for the next 31
 * steps, and by the CTA's other seven warps, which have the same columns. With m a multiple of 1024 (rows of
 * 4 KB) all 32 fall into one set of a 16 KB L1. */
#include "cuda_kernel.h"

extern "C" __global__ void syrk(const float *a, float *c, float alpha, float beta, int n, int m)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i >= n || j >= n)
		return;
	c[i * n + j] *= beta;
	for (int k = 0; k < m; k++)
		c[i * n + j] = fmaf(alpha * a[i * m + k], a[j * m + k], c[i * n + j]);
}
