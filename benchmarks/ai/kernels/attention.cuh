/* attention.cuh -- attention over heads of 64 elements of f16 by mma.sync, as in FlashAttention-2 (sm_80):
 * four warps have 16 queries each and pass over the keys in blocks of 64, the next of which is on its way.
 * Tensors are [head][position][64]. */
#ifndef AI_ATTENTION_CUH
#define AI_ATTENTION_CUH

#include "mma.cuh"

enum { HEAD = 64, BLOCK = 64, HEAD_BYTES = 2 * HEAD, BLOCK_BYTES = BLOCK * HEAD_BYTES };

/* Rows `first` and following of a head of `length` rows; zeros behind them. */
__device__ inline void load_rows(char *tile, const char *head, int first, int length)
{
	for (int i = threadIdx.x; i < BLOCK * 8; i += 128) {
		int row = i / 8, chunk = i % 8;
		bool there = first + row < length;

		copy_16(tile + tile_offset<HEAD_BYTES>(row, chunk),
			head + (size_t)(there ? first + row : 0) * HEAD_BYTES + 16 * chunk, there);
	}
}

/* d (16 x 64) += a (16 x 64) b', with the rows of b in shared memory. */
__device__ inline void multiply_rows(float (&d)[8][4], const u32 (&a)[4][4], const char *b)
{
	for (int k = 0; k < 4; k++)
		for (int n = 0; n < 4; n++) {
			u32 x[4];

			load_block<HEAD_BYTES>(x, b, 16 * n, 2 * k);
			mma_f16::multiply(d[2 * n], a[k], x[0], x[2]);
			mma_f16::multiply(d[2 * n + 1], a[k], x[1], x[3]);
		}
}

/* d (16 x 64) += a (16 x 64) b. */
__device__ inline void multiply_columns(float (&d)[8][4], const u32 (&a)[4][4], const char *b)
{
	for (int k = 0; k < 4; k++)
		for (int n = 0; n < 4; n++) {
			u32 x[4];

			load_block_transposed<HEAD_BYTES>(x, b, 16 * k, 2 * n);
			mma_f16::multiply(d[2 * n], a[k], x[0], x[1]);
			mma_f16::multiply(d[2 * n + 1], a[k], x[2], x[3]);
		}
}

__device__ inline void load_operand(u32 (&a)[4][4], const char *tile, int row)
{
	for (int k = 0; k < 4; k++)
		load_block<HEAD_BYTES>(a[k], tile, row, 2 * k);
}

/* Sums as the first operand of the next product. */
__device__ inline void sums_to_operand(u32 (&a)[4][4], const float (&d)[8][4])
{
	for (int k = 0; k < 4; k++)
		for (int i = 0; i < 4; i++)
			a[k][i] = two_f16(d[2 * k + i / 2][i % 2 * 2], d[2 * k + i / 2][i % 2 * 2 + 1]);
}

/* What a thread keeps of its two rows: the largest score, and the sum relative to it. */
struct row_state {
	float most[2], total[2];
};

/* Scores (times log2 e) to weights relative to the largest one so far, to which the sums so far are scaled.
 */
__device__ inline void softmax_step(float (&p)[8][4], float (&sum)[8][4], row_state &s, float scale)
{
	for (int half = 0; half < 2; half++) {
		float most = s.most[half], part = 0, factor;

		for (int i = 0; i < 8; i++)
			most = fmaxf(most, fmaxf(p[i][2 * half], p[i][2 * half + 1]));
		most = lanes<max_op, 4>(most);
		factor = exp2f((s.most[half] - most) * scale);
		for (int i = 0; i < 8; i++)
			for (int j = 2 * half; j < 2 * half + 2; j++) {
				p[i][j] = exp2f((p[i][j] - most) * scale);
				part += p[i][j];
				sum[i][j] *= factor;
			}
		s.total[half] = s.total[half] * factor + part;
		s.most[half] = most;
	}
}

/* Keys that do not exist, or lie behind the query. */
template <bool CAUSAL> __device__ inline void hide(float (&p)[8][4], int row, int key, int length)
{
	if (key + BLOCK <= length && (!CAUSAL || key + BLOCK - 1 <= row))
		return;
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 4; j++) {
			int at = key + 8 * i + (int)threadIdx.x % 4 * 2 + j % 2;

			if (at >= length || (CAUSAL && at > row + j / 2 * 8))
				p[i][j] = -1e30f;
		}
}

/* out (f16), and the logarithm to base 2 of each row's sum for the backward pass. Heads of queries share
 * those of keys: `group` of them one. */
template <bool CAUSAL>
__device__ inline void attention_forward(
	const char *q, const char *k, const char *v, u32 *out, float *log_sum, int length, int group)
{
	__shared__ __align__(128) char memory[5 * BLOCK_BYTES];
	char *tile_q = memory, *tiles = memory + BLOCK_BYTES;
	int head = blockIdx.y, first = blockIdx.x * BLOCK, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int row = first + 16 * warp + lane / 4, keys = CAUSAL ? min(first + BLOCK, length) : length;
	const float scale = 0.125f * 1.4426950408889634f;
	float sum[8][4] = {};
	row_state s = { { -1e30f, -1e30f }, { 0, 0 } };
	u32 a[4][4];

	q += (size_t)head * length * HEAD_BYTES;
	k += (size_t)(head / group) * length * HEAD_BYTES;
	v += (size_t)(head / group) * length * HEAD_BYTES;
	load_rows(tile_q, q, first, length);
	load_rows(tiles, k, 0, length);
	load_rows(tiles + BLOCK_BYTES, v, 0, length);
	copies_commit();
	for (int key = 0, stage = 0; key < keys; key += BLOCK, stage ^= 1) {
		char *here = tiles + stage * 2 * BLOCK_BYTES, *next = tiles + (stage ^ 1) * 2 * BLOCK_BYTES;
		float p[8][4] = {};
		u32 w[4][4];

		copies_wait<0>();
		__syncthreads();
		if (key == 0)
			load_operand(a, tile_q, 16 * warp);
		if (key + BLOCK < keys) {
			load_rows(next, k, key + BLOCK, length);
			load_rows(next + BLOCK_BYTES, v, key + BLOCK, length);
		}
		copies_commit();
		multiply_rows(p, a, here);
		hide<CAUSAL>(p, row, key, length);
		softmax_step(p, sum, s, scale);
		sums_to_operand(w, p);
		multiply_columns(sum, w, here + BLOCK_BYTES);
	}
	for (int half = 0; half < 2; half++) {
		float total = lanes<sum_op, 4>(s.total[half]);
		size_t at = (size_t)head * length + row + 8 * half;

		if (row + 8 * half >= length)
			continue;
		for (int i = 0; i < 8; i++)
			out[at * HEAD / 2 + 4 * i + lane % 4] =
				two_f16(sum[i][2 * half] / total, sum[i][2 * half + 1] / total);
		if (lane % 4 == 0)
			log_sum[at] = s.most[half] * scale + log2f(total);
	}
}

#endif
