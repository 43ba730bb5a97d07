/* lud -- LU decomposition in place of a row-major n by n matrix in tiles of 16 x 16, without pivoting: the
 * diagonal of L is 1 and not stored.
 *
 * Three kernels for each tile of the diagonal, at (at, at): one CTA of 16 threads decomposes the tile; CTAs
 * of 32 threads take a tile of its row and one of its column each, 16 threads to either; CTAs of 16 x 16
 * threads subtract the product of their row's and their column's tile from each of the remaining ones. All
 * work is in shared memory; rows of a tile are 64 bytes, and the tiles of the row and the column are what the
 * CTAs of the last kernel share, each read by as many as there are in a column or a row. The matrix gets
 * smaller from launch to launch, and so does the grid, down to one CTA. */
#include "cuda_kernel.h"
#include "lud.h"
#include "../scratch.h"

#define T LUD_TILE

extern "C" __global__ void lud_diagonal(float *a, int n, int at SCRATCH_PARAMETER)
{
	SCRATCH(float, LUD_SCRATCH, tile);
	float *own = a + at * n + at;
	int t = threadIdx.x;

	for (int i = 0; i < T; i++)
		tile[T * i + t] = own[i * n + t];
	__syncthreads();
#pragma unroll 1
	for (int i = 0; i < T - 1; i++) {
		if (t > i) { /* column i of L, thread t its row t */
#pragma unroll 1
			for (int j = 0; j < i; j++)
				tile[T * t + i] -= tile[T * t + j] * tile[T * j + i];
			tile[T * t + i] /= tile[T * i + i];
		}
		__syncthreads();
		if (t > i) { /* row i + 1 of U, thread t its column t */
#pragma unroll 1
			for (int j = 0; j <= i; j++)
				tile[T * (i + 1) + t] -= tile[T * (i + 1) + j] * tile[T * j + t];
		}
		__syncthreads();
	}
	for (int i = 1; i < T; i++)
		own[i * n + t] = tile[T * i + t];
}

extern "C" __global__ void lud_perimeter(float *a, int n, int at SCRATCH_PARAMETER)
{
	SCRATCH(float, LUD_SCRATCH, tile);
	float *diagonal = tile, *row = tile + T * T, *column = tile + 2 * T * T;
	int away = at + T * (blockIdx.x + 1), t = threadIdx.x % T;
	bool first = threadIdx.x < T;
	float *corner = a + at * n + at, *in_row = a + at * n + away, *in_column = a + away * n + at;

	for (int i = first ? 0 : T / 2; i < (first ? T / 2 : T); i++)
		diagonal[T * i + t] = corner[i * n + t];
	for (int i = 0; i < T; i++) {
		if (first)
			row[T * i + t] = in_row[i * n + t];
		else
			column[T * i + t] = in_column[i * n + t];
	}
	__syncthreads();
	if (first) { /* column t of U's tile */
#pragma unroll 1
		for (int i = 1; i < T; i++)
			for (int j = 0; j < i; j++)
				row[T * i + t] -= diagonal[T * i + j] * row[T * j + t];
	} else { /* row t of L's tile */
#pragma unroll 1
		for (int i = 0; i < T; i++) {
			for (int j = 0; j < i; j++)
				column[T * t + i] -= column[T * t + j] * diagonal[T * j + i];
			column[T * t + i] /= diagonal[T * i + i];
		}
	}
	__syncthreads();
	for (int i = 0; i < T; i++) {
		if (!first)
			in_column[i * n + t] = column[T * i + t];
		else if (i > 0)
			in_row[i * n + t] = row[T * i + t];
	}
}

extern "C" __global__ void lud_internal(float *a, int n, int at SCRATCH_PARAMETER)
{
	SCRATCH(float, LUD_SCRATCH, tile);
	float *row = tile, *column = tile + T * T;
	int tx = threadIdx.x, ty = threadIdx.y;
	int i = at + T * (blockIdx.y + 1) + ty, j = at + T * (blockIdx.x + 1) + tx;
	float sum = 0.0f;

	row[T * ty + tx] = a[(at + ty) * n + j];
	column[T * ty + tx] = a[i * n + at + tx];
	__syncthreads();
	for (int k = 0; k < T; k++)
		sum += column[T * ty + k] * row[T * k + tx];
	a[i * n + j] -= sum;
}
