/* syr2k -- C = alpha (A transpose(B) + B transpose(A)) + beta C, A and B row-major n by m; a thread per
 * element of C (of all of it, not of a triangle), naive as in PolyBench/GPU.
 *
 * The sum stays in global memory: a store a step. The lanes of a warp are 32 neighbours in a row i of C: rows
 * i of A and B are one address for all, rows j of B and A are 32 each, m words apart, each line needed again
 * for the next 31 steps, and by the CTA's other seven warps, which have the same columns. With m a multiple
 * of 1024 all of a load fall into one set of a 16 KB L1. */
#include "cuda_kernel.h"

extern "C" __global__ void syr2k(
	const float *a, const float *b, float *c, float alpha, float beta, int n, int m)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i >= n || j >= n)
		return;
	c[i * n + j] *= beta;
	for (int k = 0; k < m; k++) {
		float sum = fmaf(alpha * a[i * m + k], b[j * m + k], c[i * n + j]);
		c[i * n + j] = fmaf(alpha * b[i * m + k], a[j * m + k], sum);
	}
}
