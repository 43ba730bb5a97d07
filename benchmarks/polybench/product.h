/* product.h -- C += A B as the kernels of 2mm and 3mm do it: A m by k, B k by n, row-major, a thread per
 * element of C.
 *
 * The sum stays in global memory: two loads and a store a step. The lanes of a warp are 32 neighbours in a
 * row of C: A's word is the same for all, B's words lie in one line or two, which the other seven warps of
 * the CTA need too. With rows of 4 KB (1024 columns) the steps of a warp through B all fall into one set of a
 * 16 KB L1. */
#ifndef POLYBENCH_PRODUCT_H
#define POLYBENCH_PRODUCT_H

#include "cuda_kernel.h"

static __device__ __forceinline__ void add_product(
	const float *a, const float *b, float *c, int m, int n, int k)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;

	if (row < m && col < n)
		for (int i = 0; i < k; i++)
			c[row * n + col] = fmaf(a[row * k + i], b[i * n + col], c[row * n + col]);
}

#endif
