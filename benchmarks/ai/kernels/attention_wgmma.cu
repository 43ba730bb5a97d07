/* attention_wgmma.cu -- attention forward for heads of 64 or 128 elements of f16 as in FlashAttention-3
 * (sm_90a): a producer copies blocks of 128 keys and values by tensor maps, two warpgroups have 64 queries
 * each. A warpgroup issues the scores of the next block before the sums of this one, and takes turns with the
 * other, so that one's exponentials run beside the other's products. Tensors are [head][position][element].
 */
#include "async.cuh"

enum { KEYS = 128, QUERIES = 128, STAGES = 2, HALF_BYTES = KEYS * 128 };

/* 64 elements of a head are a box of 128 bytes a row; a head of 128 is two of them. */
template <int HALVES> struct tiles {
	unsigned char q[HALVES][HALF_BYTES], k[STAGES][HALVES][HALF_BYTES], v[STAGES][HALVES][HALF_BYTES];
	u64 has_q, has_k[STAGES], has_v[STAGES], empty_k[STAGES], empty_v[STAGES];
};

extern __shared__ unsigned char memory[];

template <int HALVES>
__device__ inline void load_halves(
	unsigned char (&to)[HALVES][HALF_BYTES], const CUtensorMap *map, u64 *b, int row)
{
	barrier_expect(b, HALVES * HALF_BYTES);
	for (int h = 0; h < HALVES; h++)
		tensor_load(to[h], map, b, 64 * h, row);
}

template <int HALVES>
__device__ inline void produce(tiles<HALVES> *s, const CUtensorMap *q, const CUtensorMap *k,
	const CUtensorMap *v, int query, int key, int steps)
{
	load_halves(s->q, q, &s->has_q, query);
	for (int i = 0; i < steps; i++) {
		int stage = i % STAGES, parity = (i / STAGES & 1) ^ 1;

		barrier_wait(&s->empty_k[stage], parity);
		load_halves(s->k[stage], k, &s->has_k[stage], key + i * KEYS);
		barrier_wait(&s->empty_v[stage], parity);
		load_halves(s->v[stage], v, &s->has_v[stage], key + i * KEYS);
	}
}

/* What a thread keeps of its two rows. */
struct row_state {
	float most[2], total[2], factor[2];
};

/* Scores to weights relative to the largest one so far; `factor` is what the sums so far are to be multiplied
 * by. */
__device__ inline void weigh(float (&p)[64], row_state &s, float scale)
{
	for (int half = 0; half < 2; half++) {
		float most = s.most[half], part = 0;

		for (int i = 0; i < 16; i++)
			most = fmaxf(most, fmaxf(p[4 * i + 2 * half], p[4 * i + 2 * half + 1]));
		most = lanes<max_op, 4>(most);
		s.factor[half] = exp2f((s.most[half] - most) * scale);
		for (int i = 0; i < 16; i++)
			for (int j = 2 * half; j < 2 * half + 2; j++) {
				p[4 * i + j] = exp2f((p[4 * i + j] - most) * scale);
				part += p[4 * i + j];
			}
		s.total[half] = s.total[half] * s.factor[half] + part;
		s.most[half] = most;
	}
}

/* Keys that do not exist, or lie behind the query. */
__device__ inline void hide(float (&p)[64], int row, int key, int length, bool causal)
{
	if (key + KEYS <= length && (!causal || key + KEYS - 1 <= row))
		return;
	for (int i = 0; i < 64; i++) {
		int at = key + i / 4 * 8 + (int)threadIdx.x % 4 * 2 + i % 2;

		if (at >= length || (causal && at > row + i / 2 % 2 * 8))
			p[i] = -1e30f;
	}
}

template <int HALVES>
__device__ inline void issue_scores(tiles<HALVES> *s, float (&p)[64], int stage, int group)
{
	product_begin();
	for (int h = 0; h < HALVES; h++)
		for (int k = 0; k < 4; k++)
			product_f16::multiply(p, matrix(s->q[h] + group * 64 * 128 + 32 * k),
				matrix(s->k[stage][h] + 32 * k), h + k > 0);
	product_commit();
}

template <int HALVES>
__device__ inline void issue_sums(tiles<HALVES> *s, float (&sum)[HALVES][32], const u32 (&w)[8][4], int stage)
{
	product_begin();
	for (int h = 0; h < HALVES; h++)
		for (int k = 0; k < KEYS / 16; k++)
			multiply_registers(sum[h], w[k], matrix(s->v[stage][h] + 2048 * k));
	product_commit();
}

__device__ inline void to_operand(u32 (&w)[8][4], const float (&p)[64])
{
	for (int k = 0; k < 8; k++)
		for (int i = 0; i < 4; i++)
			w[k][i] = two_f16(p[8 * k + 2 * i], p[8 * k + 2 * i + 1]);
}

__device__ inline void release(u64 *b)
{
	if (threadIdx.x % 128 == 0)
		barrier_arrive(b);
}

template <int HALVES> __device__ inline void scale_sums(float (&sum)[HALVES][32], const row_state &s)
{
	for (int h = 0; h < HALVES; h++)
		for (int i = 0; i < 32; i++)
			sum[h][i] *= s.factor[i / 2 % 2];
}

template <int HALVES>
__device__ inline void store_rows(
	u32 *out, const float (&sum)[HALVES][32], const row_state &s, int row, int length)
{
	for (int half = 0; half < 2; half++) {
		float total = lanes<sum_op, 4>(s.total[half]);
		u32 *to = out + ((size_t)blockIdx.y * length + row + 8 * half) * (32 * HALVES) +
			threadIdx.x % 4;

		if (row + 8 * half >= length)
			continue;
		for (int h = 0; h < HALVES; h++)
			for (int i = 0; i < 8; i++)
				to[32 * h + 4 * i] = two_f16(sum[h][4 * i + 2 * half] / total,
					sum[h][4 * i + 2 * half + 1] / total);
	}
}

/* A warpgroup's turn to issue products, and the other's. */
__device__ inline void begin_turn(int group)
{
	named_sync(1 + group, 256);
}

__device__ inline void end_turn(int group, bool more)
{
	if (more || group == 0)
		named_arrive(2 - group, 256);
}

template <int HALVES>
__device__ inline void consume(tiles<HALVES> *s, u32 *out, int length, int steps, bool causal, float scale)
{
	int group = (int)threadIdx.x / 128 - 1, t = (int)threadIdx.x % 128;
	int row = (int)blockIdx.x * QUERIES + 64 * group + t / 32 * 16 + t % 32 / 4;
	row_state r = { { -1e30f, -1e30f }, { 0, 0 }, { 1, 1 } };
	float sum[HALVES][32] = {}, p[64];
	u32 w[8][4];

	if (group == 1)
		named_arrive(1, 256);
	barrier_wait(&s->has_q, 0);
	barrier_wait(&s->has_k[0], 0);
	begin_turn(group);
	issue_scores(s, p, 0, group);
	end_turn(group, steps > 1);
	product_wait<0>();
	release(&s->empty_k[0]);
	hide(p, row, 0, length, causal);
	weigh(p, r, scale);
	to_operand(w, p);
	for (int i = 1; i < steps; i++) {
		int stage = i % STAGES, before = (i - 1) % STAGES;

		barrier_wait(&s->has_k[stage], i / STAGES & 1);
		begin_turn(group);
		issue_scores(s, p, stage, group);
		barrier_wait(&s->has_v[before], (i - 1) / STAGES & 1);
		issue_sums(s, sum, w, before);
		end_turn(group, i + 1 < steps);
		product_wait<1>();
		release(&s->empty_k[stage]);
		hide(p, row, i * KEYS, length, causal);
		weigh(p, r, scale);
		product_wait<0>();
		release(&s->empty_v[before]);
		scale_sums(sum, r);
		to_operand(w, p);
	}
	barrier_wait(&s->has_v[(steps - 1) % STAGES], (steps - 1) / STAGES & 1);
	issue_sums(s, sum, w, (steps - 1) % STAGES);
	product_wait<0>();
	store_rows(out, sum, r, row, length);
}

/* Heads of queries share those of keys: `group` of them one. */
template <int HALVES>
__device__ inline void attention(const CUtensorMap *q, const CUtensorMap *k, const CUtensorMap *v, u32 *out,
	int length, int group, bool causal)
{
	tiles<HALVES> *s = (tiles<HALVES> *)(((u64)memory + 1023) & ~(u64)1023);
	int first = blockIdx.x * QUERIES, keys = causal ? min(first + QUERIES, length) : length;
	int steps = (keys + KEYS - 1) / KEYS;

	if (threadIdx.x == 0) {
		barrier_init(&s->has_q, 1);
		for (int i = 0; i < STAGES; i++) {
			barrier_init(&s->has_k[i], 1);
			barrier_init(&s->has_v[i], 1);
			barrier_init(&s->empty_k[i], 2);
			barrier_init(&s->empty_v[i], 2);
		}
		barriers_visible();
	}
	__syncthreads();
	if (threadIdx.x < 128) {
		registers_down<24>();
		if (threadIdx.x < 32 && elected())
			produce(s, q, k, v, blockIdx.y * length + first, blockIdx.y / group * length, steps);
	} else {
		registers_up<240>();
		consume(s, out, length, steps, causal,
			(HALVES == 1 ? 0.125f : 0.08838834764f) * 1.4426950408889634f);
	}
}

KERNEL __launch_bounds__(384) attention_64(MAP q, MAP k, MAP v, u32 *out, int length, int group, int causal)
{
	attention<1>(&q, &k, &v, out, length, group, causal);
}

KERNEL __launch_bounds__(384) attention_128(MAP q, MAP k, MAP v, u32 *out, int length, int group, int causal)
{
	attention<2>(&q, &k, &v, out, length, group, causal);
}
