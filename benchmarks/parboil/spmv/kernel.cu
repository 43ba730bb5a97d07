/* spmv -- y = A x, A sparse, one thread per row.
 *
 * spmv_jds: rows sorted by length and stored column by column (jagged diagonals): element k of row i at
 * column_start[k] + i. The rows of a group of 32 are filled up with zeros to the longest, so that a warp does
 * not diverge and its loads of data and column numbers coalesce. x is gathered: the lanes of a warp want up
 * to 32 lines a load, which other warps and later elements want again as far as the cache still has them.
 * Starts of columns and lengths of groups lie in constant memory: one address a warp.
 *
 * spmv_csr: rows in their own order, one behind the other: data and column numbers are read in strides of a
 * row's length, a line serving its thread's next 31 elements if it stays that long; warps diverge where
 * lengths differ. */
#include "cuda_kernel.h"

#define MOST_COLUMNS 5000
#define MOST_GROUPS  5000

extern "C" {
__constant__ int column_start[MOST_COLUMNS];
__constant__ int group_length[MOST_GROUPS];
}

extern "C" __global__ void spmv_jds(
	const float *data, const int *column, const int *row_of, const float *x, float *y, int rows)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= rows)
		return;
	int length = group_length[i / 32];
	float sum = 0.0f;
	for (int k = 0; k < length; k++) {
		int at = column_start[k] + i;
		sum = fmaf(data[at], x[column[at]], sum);
	}
	y[row_of[i]] = sum;
}

extern "C" __global__ void spmv_csr(
	const float *data, const int *column, const int *row, const float *x, float *y, int rows)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= rows)
		return;
	int end = row[i + 1];
	float sum = 0.0f;
	for (int at = row[i]; at < end; at++)
		sum = fmaf(data[at], x[column[at]], sum);
	y[i] = sum;
}
