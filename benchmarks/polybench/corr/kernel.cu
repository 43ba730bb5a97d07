/* corr -- correlations of the m columns of n rows of data, in four kernels, naive as in PolyBench/GPU: means,
 * standard deviations, data in these units, and products of columns.
 *
 * corr1 and corr2 have a thread per column, corr3 one per element: loads coalesce. In corr4 a thread has a
 * column j1 and walks over all columns j2 > j1, lanes side by side: both loads coalesce and the columns come
 * again and again, but the sums, which stay in memory, lie m + 2 words apart, so that every step stores 32
 * lines. The lanes of a warp, and the warps, have ever less to do the higher j1. */
#include "../statistics.h"

extern "C" __global__ void corr1(const float *data, float *mean, float count, int m, int n)
{
	column_mean(data, mean, count, m, n);
}

/* A column that hardly varies counts as one with deviation 1. */
extern "C" __global__ void corr2(
	const float *data, const float *mean, float *deviation, float count, float least, int m, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x + 1;

	if (j > m)
		return;
	deviation[j] = 0.0f;
	for (int i = 1; i <= n; i++) {
		float off = data[i * (m + 1) + j] - mean[j];
		deviation[j] = fmaf(off, off, deviation[j]);
	}
	deviation[j] /= count;
	deviation[j] = sqrtf(deviation[j]);
	if (deviation[j] <= least)
		deviation[j] = 1.0f;
}

extern "C" __global__ void corr3(
	float *data, const float *mean, const float *deviation, float count, int m, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
	int i = blockIdx.y * blockDim.y + threadIdx.y + 1;

	if (i > n || j > m)
		return;
	data[i * (m + 1) + j] -= mean[j];
	data[i * (m + 1) + j] /= sqrtf(count) * deviation[j];
}

/* The last column has none after it; the host writes its 1. */
extern "C" __global__ void corr4(const float *data, float *correlation, int m, int n)
{
	int j1 = blockIdx.x * blockDim.x + threadIdx.x + 1;

	if (j1 >= m)
		return;
	correlation[j1 * (m + 1) + j1] = 1.0f;
	for (int j2 = j1 + 1; j2 <= m; j2++)
		column_product(data, correlation, m, n, j1, j2);
}
