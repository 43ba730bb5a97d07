/* sgemm -- C = alpha A B^T + beta C, all matrices column by column, tiled in registers and shared memory.
 *
 * A CTA of 16x8 threads makes a tile of 128 rows and 16 columns of C; each thread owns one row of it and
 * keeps its 16 sums in registers. For every 8 columns of A the CTA puts 8x16 elements of B into shared
 * memory, one a thread, and each thread reads 8 elements of its row of A straight from global memory:
 * coalesced (lanes are neighbouring rows), used 16 times each, and read again only by the CTAs of other
 * columns. All lanes read the same word of shared memory: broadcasts. */
#include "cuda_kernel.h"

#define COLUMNS 16
#define DEPTH   8

extern "C" __global__ void sgemm(
	const float *a, int lda, const float *b, int ldb, float *c, int ldc, int k, float alpha, float beta)
{
	__shared__ float tile[DEPTH][COLUMNS];
	int tx = threadIdx.x, ty = threadIdx.y, thread = ty * COLUMNS + tx;
	int row = blockIdx.x * COLUMNS * DEPTH + thread, column = blockIdx.y * COLUMNS;
	float sum[COLUMNS];

#pragma unroll
	for (int j = 0; j < COLUMNS; j++)
		sum[j] = 0.0f;
	for (int i = 0; i < k; i += DEPTH) {
		tile[ty][tx] = b[column + tx + (i + ty) * ldb];
		__syncthreads();
#pragma unroll
		for (int d = 0; d < DEPTH; d++) {
			float element = a[row + (i + d) * lda];
#pragma unroll
			for (int j = 0; j < COLUMNS; j++)
				sum[j] = fmaf(element, tile[d][j], sum[j]);
		}
		__syncthreads();
	}
#pragma unroll
	for (int j = 0; j < COLUMNS; j++) {
		int at = row + (column + j) * ldc;
		c[at] = fmaf(c[at], beta, alpha * sum[j]);
	}
}
