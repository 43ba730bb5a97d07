/* gemm -- C = alpha A B + beta C, row-major, A m by k, B k by n; one thread per element of C.
 *
 * As in PolyBench/GPU the sum stays in global memory, two loads and a store a step: each thread walks a row of
 * A (one address for all lanes of a row of threads) and a column of B (neighbouring lanes read neighbouring
 * words), and leaves the reuse to the caches. */
#include "cuda_kernel.h"

extern "C" __global__ void gemm(
	float alpha, const float *a, const float *b, float beta, float *c, int m, int n, int k)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;

	if (row >= m || col >= n)
		return;
	c[row * n + col] *= beta;
	for (int i = 0; i < k; i++)
		c[row * n + col] = fmaf(alpha * a[row * k + i], b[i * n + col], c[row * n + col]);
}

/* The same with the sum in a register, so that only the loads are left. */
extern "C" __global__ void gemm_register(
	float alpha, const float *a, const float *b, float beta, float *c, int m, int n, int k)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;

	if (row >= m || col >= n)
		return;
	float sum = 0.0f;
	for (int i = 0; i < k; i++)
		sum = fmaf(a[row * k + i], b[i * n + col], sum);
	c[row * n + col] = fmaf(alpha, sum, beta * c[row * n + col]);
}
