/* experts.cu -- a layer of experts: their rows are multiplied by their own weights in one launch (sm_80). */
#include "choice.cu"
#include "gemm.cuh"

/* Rows of tokens by their choices, of which each token has `per` (1: the rows lie in order). */
struct chosen_rows {
	const char *base;
	size_t pitch;
	const int *choice_of;
	int rows;
	__device__ inline const char *at(int row, int k, bool &there) const
	{
		there = row < rows;
		row = there ? row : 0;
		return base + (choice_of ? choice_of[row] / 2 : row) * pitch + k;
	}
};

/* Pairs of columns, gate and up, to silu(gate) * up in f16. */
struct store_gated {
	u16 *to;
	int rows, columns;
	__device__ inline void operator()(int row, int column, float gate, float up) const
	{
		if (row < rows && column < columns)
			to[(size_t)row * (columns / 2) + column / 2] =
				to_f16(gate / (1 + __expf(-gate)) * up);
	}
};

/* The expert and the rows of the tile that is the block's: each expert has whole tiles of its own. */
__device__ inline bool find_tile(const int *first, int experts, int &expert, int &row, int &rows)
{
	int tile = blockIdx.y;

	for (expert = 0; expert < experts; expert++) {
		int count = first[expert + 1] - first[expert], tiles = (count + TILE - 1) / TILE;

		if (tile < tiles) {
			row = first[expert] + tile * TILE;
			rows = first[expert + 1];
			return true;
		}
		tile -= tiles;
	}
	return false;
}

/* The first product: x (tokens x depth) by w (expert, columns, depth), gated. */
KERNEL __launch_bounds__(256) experts_gated(const char *x, const char *w, const int *first,
	const int *choice_of, u16 *out, int experts, int columns, int row_bytes)
{
	int expert, row, rows;

	if (!find_tile(first, experts, expert, row, rows))
		return;
	gemm_tile<mma_f16>(chosen_rows{ x, (size_t)row_bytes, choice_of, rows },
		plain_rows{ w + (size_t)expert * columns * row_bytes, (size_t)row_bytes, columns }, row,
		blockIdx.x * TILE, row_bytes, store_gated{ out, rows, columns });
}

/* The second one: rows in order, to numbers of 32 bits. */
KERNEL __launch_bounds__(256) experts_down(
	const char *x, const char *w, const int *first, float *out, int experts, int columns, int row_bytes)
{
	int expert, row, rows;

	if (!find_tile(first, experts, expert, row, rows))
		return;
	gemm_tile<mma_f16>(chosen_rows{ x, (size_t)row_bytes, nullptr, rows },
		plain_rows{ w + (size_t)expert * columns * row_bytes, (size_t)row_bytes, columns }, row,
		blockIdx.x * TILE, row_bytes, store_words<float>{ out, rows, columns });
}

/* The rows of each token, weighted. */
KERNEL experts_join(
	const float *rows, const int *row_of, const float *weight, u16 *out, int columns, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, token = i / columns, j = i % columns;

	if (i >= count)
		return;
	out[i] = to_f16(weight[2 * token] * rows[(size_t)row_of[2 * token] * columns + j] +
		weight[2 * token + 1] * rows[(size_t)row_of[2 * token + 1] * columns + j]);
}
