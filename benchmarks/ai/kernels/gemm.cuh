/* gemm.cuh -- C = A * B' in tiles of 128 x 128 by a block of 256 threads: three stages of 64 bytes of K in
 * shared memory, filled by cp.async two stages ahead; eight warps of 64 x 32 (sm_80). */
#ifndef AI_GEMM_CUH
#define AI_GEMM_CUH

#include "mma.cuh"

enum { TILE = 128, STAGES = 3, ROW_BYTES = 64, STAGE_BYTES = 2 * TILE * ROW_BYTES };

/* Rows of a matrix whose rows are `pitch` bytes. */
struct plain_rows {
	const char *base;
	size_t pitch;
	int rows;
	__device__ inline const char *at(int row, int k, bool &there) const
	{
		there = row < rows;
		return base + (there ? row : 0) * pitch + k;
	}
};

/* One stage of one operand. `k`, the first byte, and `bytes`, those of a row, are multiples of 16. */
template <class Rows>
__device__ inline void load_tile(char *tile, const Rows &from, int first, int k, int bytes)
{
	for (int i = threadIdx.x; i < TILE * 4; i += 256) {
		int row = i / 4, chunk = i % 4;
		bool there;
		const char *p = from.at(first + row, k + 16 * chunk < bytes ? k + 16 * chunk : 0, there);

		copy_16(tile + tile_offset<ROW_BYTES>(row, chunk), p, there && k + 16 * chunk < bytes);
	}
}

template <class Mma>
__device__ inline void multiply_stage(
	typename Mma::sum (&d)[4][4][4], const char *a, const char *b, int m, int n)
{
	for (int chunk = 0; chunk < 4; chunk += 2) {
		u32 x[4][4], y[2][4];

		for (int i = 0; i < 4; i++)
			load_block<ROW_BYTES>(x[i], a, m + 16 * i, chunk);
		for (int j = 0; j < 2; j++)
			load_block<ROW_BYTES>(y[j], b, n + 16 * j, chunk);
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < 4; j++)
				Mma::multiply(d[i][j], x[i], y[j / 2][j % 2], y[j / 2][2 + j % 2]);
	}
}

/* Calls store(row, column, low, high) for pairs of columns of the tile at (m, n). */
template <class Mma, class A, class B, class Store>
__device__ inline void gemm_tile(const A &a, const B &b, int m, int n, int bytes, const Store &store)
{
	__shared__ __align__(128) char memory[STAGES * STAGE_BYTES];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, wm = warp / 4 * 64, wn = warp % 4 * 32;
	typename Mma::sum d[4][4][4] = {};

	for (int s = 0; s < STAGES - 1; s++) {
		load_tile(memory + s * STAGE_BYTES, a, m, s * ROW_BYTES, bytes);
		load_tile(memory + s * STAGE_BYTES + TILE * ROW_BYTES, b, n, s * ROW_BYTES, bytes);
		copies_commit();
	}
	for (int k = 0, s = 0; k < bytes; k += ROW_BYTES, s = s + 1 == STAGES ? 0 : s + 1) {
		char *here = memory + s * STAGE_BYTES, *next = memory + (s + 2) % STAGES * STAGE_BYTES;

		copies_wait<STAGES - 2>();
		__syncthreads();
		load_tile(next, a, m, k + 2 * ROW_BYTES, bytes);
		load_tile(next + TILE * ROW_BYTES, b, n, k + 2 * ROW_BYTES, bytes);
		copies_commit();
		multiply_stage<Mma>(d, here, here + TILE * ROW_BYTES, wm, wn);
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			for (int half = 0; half < 2; half++)
				store(m + wm + 16 * i + 8 * half + lane / 4, n + wn + 8 * j + lane % 4 * 2,
					d[i][j][2 * half], d[i][j][2 * half + 1]);
	copies_wait<0>();
}

/* Into a matrix of numbers of 32 bits; columns are even. */
template <class T> struct store_words {
	T *c;
	int rows, columns;
	__device__ inline void operator()(int row, int column, T low, T high) const
	{
		if (row < rows && column < columns) {
			T *at = c + (size_t)row * columns + column;

			at[0] = low;
			at[1] = high;
		}
	}
};

#endif
