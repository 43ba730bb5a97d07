/* nw -- Needleman-Wunsch alignment: each cell of a table is the best of its north-west neighbour plus the
 * pair's score and of its north and west neighbours less a penalty. The table is worked on in tiles of 16 by
 * 16, all those of one anti-diagonal in a launch: nw_grow() while the anti-diagonals get longer, nw_shrink()
 * after.
 *
 * A CTA is 16 threads, half a warp, and has a tile: thread x reads column x of the pairs' scores, row by row
 * (64 bytes to a load, the 16 rows 4 (n + 1) bytes apart: one or two lines each), and the border, whose west
 * side is a column: 16 words in 16 lines. Within the tile the threads go along the anti-diagonals in shared
 * memory. No line is used again but for its other tiles, by other SMs or launches later: the L1 sees a
 * stream.
 *
 * With UNSHARED the tile stays in global memory, and the threads go along its anti-diagonals there: up to 16
 * rows, so up to 16 lines to an access, used again by the next steps of the same half warp. */
#include "cuda_kernel.h"

#define TILE 16

/* The tile's row y and column x of the scores, and of the table, which begins a row and a column before. */
#ifdef UNSHARED
#define SCORE(y, x) scores[inner + (y)*cols + (x)]
#define CELL(y, x)  table[outer + (y)*cols + (x)]
#else
#define SCORE(y, x) score[y][x]
#define CELL(y, x)  cell[y][x]
#endif

static __forceinline__ __device__ void step(
	int *to, int west_north, int north, int west, int score, int penalty)
{
	*to = max(west_north + score, max(north, west) - penalty);
}

/* The tile in row `down` and column `right` of tiles, by the 16 threads of the CTA. */
static __forceinline__ __device__ void tile(
	const int *scores, int *table, int cols, int penalty, int right, int down)
{
	int x = threadIdx.x, outer = cols * TILE * down + TILE * right, inner = outer + cols + 1;

#ifndef UNSHARED
	__shared__ int score[TILE][TILE], cell[TILE + 1][TILE + 1];
	for (int y = 0; y < TILE; y++)
		score[y][x] = scores[inner + y * cols + x];
	if (x == 0)
		cell[0][0] = table[outer];
	cell[x + 1][0] = table[outer + (x + 1) * cols];
	cell[0][x + 1] = table[outer + x + 1];
	__syncthreads();
#endif
	for (int d = 0; d < 2 * TILE - 1; d++) {
		int y = d - x;
		if (y >= 0 && y < TILE)
			step(&CELL(y + 1, x + 1), CELL(y, x), CELL(y, x + 1), CELL(y + 1, x), SCORE(y, x),
				penalty);
		__syncthreads();
	}
#ifndef UNSHARED
	for (int y = 0; y < TILE; y++)
		table[inner + y * cols + x] = cell[y + 1][x + 1];
#endif
}

/* Tiles with right + down = diagonal, as many as CTAs: all from the left to the top. */
extern "C" __global__ void nw_grow(const int *scores, int *table, int cols, int penalty, int diagonal)
{
	tile(scores, table, cols, penalty, blockIdx.x, diagonal - blockIdx.x);
}

/* The same from the bottom to the right; tiles: in a row of tiles. */
extern "C" __global__ void nw_shrink(
	const int *scores, int *table, int cols, int penalty, int diagonal, int tiles)
{
	int right = diagonal - (tiles - 1) + blockIdx.x;

	tile(scores, table, cols, penalty, right, diagonal - right);
}
