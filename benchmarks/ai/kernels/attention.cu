/* attention.cu -- attention forward and backward by mma.sync (sm_80). */
#include "attention.cuh"

KERNEL __launch_bounds__(128) attention_full(
	const char *q, const char *k, const char *v, u32 *out, float *log_sum, int length, int group)
{
	attention_forward<false>(q, k, v, out, log_sum, length, group);
}

KERNEL __launch_bounds__(128) attention_causal(
	const char *q, const char *k, const char *v, u32 *out, float *log_sum, int length, int group)
{
	attention_forward<true>(q, k, v, out, log_sum, length, group);
}

/* What the backward pass needs of each row: the sum of out times its derivative. A warp has a row. */
KERNEL attention_row_sums(const u32 *out, const u32 *d_out, float *sums, int rows)
{
	int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	u32 x, y;
	float sum;

	if (row >= rows)
		return;
	x = out[(size_t)row * HEAD / 2 + lane];
	y = d_out[(size_t)row * HEAD / 2 + lane];
	sum = lanes<sum_op, 32>(low_f16(x) * low_f16(y) + high_f16(x) * high_f16(y));
	if (lane == 0)
		sums[row] = sum;
}

/* A block has 64 keys, a warp 16 of them, and passes over the queries. With transposed scores, of which a
 * thread has columns that are queries: weights and their derivatives are operands of the sums for V and K as
 * they are; for Q they go through shared memory, and the sums to atomics. */
struct backward_tiles {
	__align__(128) char q[BLOCK_BYTES], d_out[BLOCK_BYTES], k[BLOCK_BYTES], v[BLOCK_BYTES],
		d_score[BLOCK_BYTES];
	float log_sum[BLOCK], row_sum[BLOCK];
};

__device__ inline void load_row_values(
	backward_tiles &s, const float *log_sum, const float *row_sum, int first, int length)
{
	int i = threadIdx.x % BLOCK, row = first + i;

	if (threadIdx.x < BLOCK)
		s.log_sum[i] = row < length ? log_sum[row] : INFINITY;
	else
		s.row_sum[i] = row < length ? row_sum[row] : 0;
}

/* Weights, and in d those of the scores' derivatives. */
template <bool CAUSAL>
__device__ inline void weights_and_derivatives(
	const backward_tiles &s, float (&p)[8][4], float (&d)[8][4], int key, int query)
{
	const float scale = 0.125f * 1.4426950408889634f;

	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 4; j++) {
			int column = 8 * i + (int)threadIdx.x % 4 * 2 + j % 2;
			bool hidden = CAUSAL && key + j / 2 * 8 > query + column;

			p[i][j] = hidden ? 0 : exp2f(p[i][j] * scale - s.log_sum[column]);
			d[i][j] = p[i][j] * (d[i][j] - s.row_sum[column]) * 0.125f;
		}
}

__device__ inline void add_query_sums(const backward_tiles &s, float *d_q, int first, int length)
{
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	float sum[8][4] = {};
	u32 a[4][4];

	for (int k = 0; k < 4; k++) {
		u32 x[4];

		load_block_transposed<HEAD_BYTES>(x, s.d_score, 16 * k, 2 * warp);
		a[k][0] = x[0];
		a[k][1] = x[2];
		a[k][2] = x[1];
		a[k][3] = x[3];
	}
	multiply_columns(sum, a, s.k);
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 4; j++) {
			int row = first + 16 * warp + lane / 4 + j / 2 * 8;

			if (row < length)
				atomicAdd(&d_q[(size_t)row * HEAD + 8 * i + lane % 4 * 2 + j % 2], sum[i][j]);
		}
}

__device__ inline void store_key_sums(float *to, const float (&sum)[8][4], int row, int length)
{
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 4; j++)
			if (row + j / 2 * 8 < length)
				to[(size_t)(row + j / 2 * 8) * HEAD + 8 * i + threadIdx.x % 4 * 2 + j % 2] =
					sum[i][j];
}

template <bool CAUSAL>
__device__ inline void attention_backward(const char *q, const char *k, const char *v, const char *d_out,
	const float *log_sum, const float *row_sum, float *d_q, float *d_k, float *d_v, int length)
{
	__shared__ backward_tiles s;
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = blockIdx.x * BLOCK;
	size_t head = (size_t)blockIdx.y * length;
	float sum_k[8][4] = {}, sum_v[8][4] = {};
	u32 a_k[4][4], a_v[4][4];

	load_rows(s.k, k + head * HEAD_BYTES, first, length);
	load_rows(s.v, v + head * HEAD_BYTES, first, length);
	for (int query = CAUSAL ? first : 0; query < length; query += BLOCK) {
		float p[8][4] = {}, d[8][4] = {};
		u32 w[4][4];

		__syncthreads();
		load_rows(s.q, q + head * HEAD_BYTES, query, length);
		load_rows(s.d_out, d_out + head * HEAD_BYTES, query, length);
		load_row_values(s, log_sum + head, row_sum + head, query, length);
		copies_commit();
		copies_wait<0>();
		__syncthreads();
		load_operand(a_k, s.k, 16 * warp);
		load_operand(a_v, s.v, 16 * warp);
		multiply_rows(p, a_k, s.q);
		multiply_rows(d, a_v, s.d_out);
		weights_and_derivatives<CAUSAL>(s, p, d, first + 16 * warp + lane / 4, query);
		sums_to_operand(w, p);
		multiply_columns(sum_v, w, s.d_out);
		sums_to_operand(w, d);
		multiply_columns(sum_k, w, s.q);
		for (int c = 0; c < 4; c++)
			for (int i = 0; i < 4; i++)
				*(u32 *)(s.d_score +
					tile_offset<HEAD_BYTES>(
						16 * warp + lane / 4 + i % 2 * 8, 2 * c + i / 2) +
					lane % 4 * 4) = w[c][i];
		__syncthreads();
		add_query_sums(s, d_q + head * HEAD, query, length);
	}
	store_key_sums(d_k + head * HEAD, sum_k, first + 16 * warp + lane / 4, length);
	store_key_sums(d_v + head * HEAD, sum_v, first + 16 * warp + lane / 4, length);
}

KERNEL __launch_bounds__(128)
	attention_backward_full(const char *q, const char *k, const char *v, const char *d_out,
		const float *log_sum, const float *row_sum, float *d_q, float *d_k, float *d_v, int length)
{
	attention_backward<false>(q, k, v, d_out, log_sum, row_sum, d_q, d_k, d_v, length);
}

KERNEL __launch_bounds__(128)
	attention_backward_causal(const char *q, const char *k, const char *v, const char *d_out,
		const float *log_sum, const float *row_sum, float *d_q, float *d_k, float *d_v, int length)
{
	attention_backward<true>(q, k, v, d_out, log_sum, row_sum, d_q, d_k, d_v, length);
}
