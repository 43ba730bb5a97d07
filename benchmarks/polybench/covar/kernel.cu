/* covar -- covariances (times n) of the m columns of n rows of data, in three kernels, naive as in
 * PolyBench/GPU: means, data less these, and products of columns.
 *
 * covar1 has a thread per column, covar2 one per element: loads coalesce. In covar3 a thread has a column j1
 * and walks over all columns j2 >= j1, lanes side by side: both loads coalesce and the columns come again and
 * again, but the sums, which stay in memory, lie m + 2 words apart, so that every step stores 32 lines. The
 * lanes of a warp, and the warps, have ever less to do the higher j1. */
#include "../statistics.h"

extern "C" __global__ void covar1(const float *data, float *mean, float count, int m, int n)
{
	column_mean(data, mean, count, m, n);
}

extern "C" __global__ void covar2(float *data, const float *mean, int m, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
	int i = blockIdx.y * blockDim.y + threadIdx.y + 1;

	if (i <= n && j <= m)
		data[i * (m + 1) + j] -= mean[j];
}

extern "C" __global__ void covar3(const float *data, float *covariance, int m, int n)
{
	int j1 = blockIdx.x * blockDim.x + threadIdx.x + 1;

	if (j1 <= m)
		for (int j2 = j1; j2 <= m; j2++)
			column_product(data, covariance, m, n, j1, j2);
}
