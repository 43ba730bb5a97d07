/* statistics.h -- means of columns and products of columns, as the kernels of corr and covar take them.
 *
 * data is n rows by m columns, counted from 1 as in PolyBench/GPU, so that a row is m + 1 words and no row
 * begins where a line does. */
#ifndef POLYBENCH_STATISTICS_H
#define POLYBENCH_STATISTICS_H

#include "cuda_kernel.h"

/* A thread per column: loads coalesce into a line or two, and each step stores. */
static __device__ __forceinline__ void column_mean(const float *data, float *mean, float count, int m, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x + 1;

	if (j > m)
		return;
	mean[j] = 0.0f;
	for (int i = 1; i <= n; i++)
		mean[j] += data[i * (m + 1) + j];
	mean[j] /= count;
}

/* Of columns j1 and j2, into both places of the symmetric matrix. The sum stays in memory. */
static __device__ __forceinline__ void column_product(
	const float *data, float *symmetric, int m, int n, int j1, int j2)
{
	symmetric[j1 * (m + 1) + j2] = 0.0f;
	for (int i = 1; i <= n; i++)
		symmetric[j1 * (m + 1) + j2] =
			fmaf(data[i * (m + 1) + j1], data[i * (m + 1) + j2], symmetric[j1 * (m + 1) + j2]);
	symmetric[j2 * (m + 1) + j1] = symmetric[j1 * (m + 1) + j2];
}

#endif
