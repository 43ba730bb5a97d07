/* attention_wgmma.cu -- attention forward for heads of 64 or 128 elements of f16 as in FlashAttention-3
 * (sm_90a): a producer copies blocks of 128 keys and values by tensor maps, two warpgroups have 64 queries
 * each. A warpgroup issues the scores of the next block before the sums of this one, and takes turns with the
 * other, so that one's exponentials run beside the other's products. Tensors are [head][position][element].
 *
 * How many stages there are for blocks of keys and values is a parameter. The blocks of a cluster have the
 * same keys: each copies its part of a block, for all of them.
 */
#include "async.cuh"

enum { KEYS = 128, QUERIES = 128, MOST_STAGES = 4, HALF_BYTES = KEYS * 128 };

/* 64 elements of a head are a box of 128 bytes a row; a head of 128 is two of them. */
template <int HALVES> struct tile {
	unsigned char half[HALVES][HALF_BYTES];
};

struct barriers {
	u64 has_q, has_k[MOST_STAGES], has_v[MOST_STAGES], empty_k[MOST_STAGES], empty_v[MOST_STAGES];
};

/* In shared memory: queries, stages of keys, stages of values, barriers. */
template <int HALVES> struct tiles {
	tile<HALVES> *q, *k, *v;
	barriers *b;
	int stages, cluster; /* blocks of it */
};

extern __shared__ unsigned char memory[];

template <int HALVES> __device__ inline tiles<HALVES> tiles_of_block(int stages)
{
	tile<HALVES> *q = (tile<HALVES> *)(((u64)memory + 1023) & ~(u64)1023);

	return { q, q + 1, q + 1 + stages, (barriers *)(q + 1 + 2 * stages), stages, (int)cluster_size() };
}

/* The stage of a step, and the parity of the phase that fills it. */
struct stage_position {
	int stage, parity;
	__device__ inline void next(int stages)
	{
		if (++stage == stages) {
			stage = 0;
			parity ^= 1;
		}
	}
};

template <int HALVES>
__device__ inline void load_halves(tile<HALVES> *to, const CUtensorMap *map, u64 *b, int row)
{
	barrier_expect(b, sizeof(*to));
	for (int h = 0; h < HALVES; h++)
		tensor_load(to->half[h], map, b, 64 * h, row);
}

/* This block's part of the rows, for all blocks of the cluster. */
template <int HALVES>
__device__ inline void load_part(
	const tiles<HALVES> &s, tile<HALVES> *to, const CUtensorMap *map, u64 *b, int row)
{
	int rows = KEYS / s.cluster, from = (int)cluster_rank() * rows;

	if (s.cluster == 1) {
		load_halves(to, map, b, row);
		return;
	}
	barrier_expect(b, sizeof(*to));
	for (int h = 0; h < HALVES; h++)
		tensor_multicast(to->half[h] + from * 128, map, b, 64 * h, row + from, (1 << s.cluster) - 1);
}

template <int HALVES>
__device__ inline void produce(const tiles<HALVES> &s, const CUtensorMap *q, const CUtensorMap *k,
	const CUtensorMap *v, int query, int key, int steps)
{
	stage_position at = { 0, 1 };

	load_halves(s.q, q, &s.b->has_q, query);
	for (int i = 0; i < steps; i++, at.next(s.stages)) {
		barrier_wait(&s.b->empty_k[at.stage], at.parity);
		load_part(s, s.k + at.stage, k, &s.b->has_k[at.stage], key + i * KEYS);
		barrier_wait(&s.b->empty_v[at.stage], at.parity);
		load_part(s, s.v + at.stage, v, &s.b->has_v[at.stage], key + i * KEYS);
	}
}

/* What a thread keeps of its two rows. */
struct row_state {
	float most[2], total[2], factor[2];
};

__device__ inline float power_of_two(float x)
{
	float y;

	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}

/* Scores to weights relative to the largest one so far; `factor` is what the sums so far are to be multiplied
 * by. */
__device__ inline void weigh(float (&p)[64], row_state &s, float scale)
{
	for (int half = 0; half < 2; half++) {
		float most = s.most[half], part = 0, least;

		for (int i = 0; i < 16; i++)
			most = fmaxf(most, fmaxf(p[4 * i + 2 * half], p[4 * i + 2 * half + 1]));
		most = lanes<max_op, 4>(most);
		least = -most * scale;
		s.factor[half] = power_of_two(fmaf(s.most[half], scale, least));
		for (int i = 0; i < 16; i++)
			for (int j = 2 * half; j < 2 * half + 2; j++) {
				p[4 * i + j] = power_of_two(fmaf(p[4 * i + j], scale, least));
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
__device__ inline void issue_scores(const tiles<HALVES> &s, float (&p)[64], int stage, int group)
{
	product_begin();
	for (int h = 0; h < HALVES; h++)
		for (int k = 0; k < 4; k++)
			product_f16::multiply(p, matrix(s.q->half[h] + group * 64 * 128 + 32 * k),
				matrix(s.k[stage].half[h] + 32 * k), h + k > 0);
	product_commit();
}

template <int HALVES>
__device__ inline void issue_sums(const tiles<HALVES> &s, float (&sum)[HALVES][32], const u32 (&w)[8][4], int stage)
{
	product_begin();
	for (int h = 0; h < HALVES; h++)
		for (int k = 0; k < KEYS / 16; k++)
			multiply_registers(sum[h], w[k], matrix(s.v[stage].half[h] + 2048 * k));
	product_commit();
}

__device__ inline void to_operand(u32 (&w)[8][4], const float (&p)[64])
{
	for (int k = 0; k < 8; k++)
		for (int i = 0; i < 4; i++)
			w[k][i] = two_f16(p[8 * k + 2 * i], p[8 * k + 2 * i + 1]);
}

/* A warpgroup has done with a stage, which all blocks of the cluster fill. */
__device__ inline void release(u64 *b, int cluster)
{
	int t = threadIdx.x % 128;

	if (cluster == 1 && t == 0)
		barrier_arrive(b);
	if (cluster > 1 && t < cluster)
		barrier_arrive_at(b, t);
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
		float part = 1.0f / lanes<sum_op, 4>(s.total[half]);
		u32 *to = out + ((size_t)blockIdx.y * length + row + 8 * half) * (32 * HALVES) +
			threadIdx.x % 4;

		if (row + 8 * half >= length)
			continue;
		for (int h = 0; h < HALVES; h++)
			for (int i = 0; i < 8; i++)
				to[32 * h + 4 * i] = two_f16(
					sum[h][4 * i + 2 * half] * part, sum[h][4 * i + 2 * half + 1] * part);
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
__device__ inline void consume(
	const tiles<HALVES> &s, u32 *out, int length, int steps, bool causal, float scale)
{
	int group = (int)threadIdx.x / 128 - 1, t = (int)threadIdx.x % 128;
	int row = (int)blockIdx.x * QUERIES + 64 * group + t / 32 * 16 + t % 32 / 4;
	row_state r = { { -1e30f, -1e30f }, { 0, 0 }, { 1, 1 } };
	stage_position at = { 0, 0 }, before;
	float sum[HALVES][32] = {}, p[64];
	u32 w[8][4];

	if (group == 1)
		named_arrive(1, 256);
	barrier_wait(&s.b->has_q, 0);
	barrier_wait(&s.b->has_k[0], 0);
	begin_turn(group);
	issue_scores(s, p, 0, group);
	end_turn(group, steps > 1);
	product_wait<0>();
	release(&s.b->empty_k[0], s.cluster);
	hide(p, row, 0, length, causal);
	weigh(p, r, scale);
	to_operand(w, p);
	for (int i = 1; i < steps; i++) {
		before = at;
		at.next(s.stages);
		barrier_wait(&s.b->has_k[at.stage], at.parity);
		begin_turn(group);
		issue_scores(s, p, at.stage, group);
		barrier_wait(&s.b->has_v[before.stage], before.parity);
		issue_sums(s, sum, w, before.stage);
		end_turn(group, i + 1 < steps);
		product_wait<1>();
		release(&s.b->empty_k[at.stage], s.cluster);
		hide(p, row, i * KEYS, length, causal);
		weigh(p, r, scale);
		product_wait<0>();
		release(&s.b->empty_v[before.stage], s.cluster);
		scale_sums(sum, r);
		to_operand(w, p);
	}
	barrier_wait(&s.b->has_v[at.stage], at.parity);
	issue_sums(s, sum, w, at.stage);
	product_wait<0>();
	store_rows(out, sum, r, row, length);
}

template <int HALVES> __device__ inline void start_barriers(const tiles<HALVES> &s)
{
	if (threadIdx.x > 0)
		return;
	barrier_init(&s.b->has_q, 1);
	for (int i = 0; i < s.stages; i++) {
		barrier_init(&s.b->has_k[i], 1);
		barrier_init(&s.b->has_v[i], 1);
		barrier_init(&s.b->empty_k[i], 2 * s.cluster);
		barrier_init(&s.b->empty_v[i], 2 * s.cluster);
	}
	barriers_visible();
}

/* The blocks of a cluster write to each other's memory. */
__device__ inline void meet_all(int cluster)
{
	if (cluster == 1)
		__syncthreads();
	else
		cluster_meet();
}

/* Heads of queries share those of keys: `group` of them one. */
template <int HALVES>
__device__ inline void attention(const CUtensorMap *q, const CUtensorMap *k, const CUtensorMap *v, u32 *out,
	int length, int group, bool causal, int stages)
{
	tiles<HALVES> s = tiles_of_block<HALVES>(stages);
	int first = blockIdx.x * QUERIES, keys = causal ? min(first + QUERIES, length) : length;
	int steps = (keys + KEYS - 1) / KEYS;

	start_barriers(s);
	meet_all(s.cluster);
	if (threadIdx.x < 128) {
		registers_down<24>();
		if (threadIdx.x < 32 && elected())
			produce(s, q, k, v, blockIdx.y * length + first, blockIdx.y / group * length, steps);
		__syncwarp(); /* its lanes meet the cluster together */
	} else {
		registers_up<240>();
		consume(s, out, length, steps, causal,
			(HALVES == 1 ? 0.125f : 0.08838834764f) * 1.4426950408889634f);
	}
	if (s.cluster > 1)
		cluster_meet();
}

#define ENTRY(name, halves) \
	KERNEL __launch_bounds__(384, 1) \
		name(MAP q, MAP k, MAP v, u32 *out, int length, int group, int causal, int stages) \
	{ \
		attention<halves>(&q, &k, &v, out, length, group, causal, stages); \
	}
ENTRY(attention_64, 1)
ENTRY(attention_128, 2)
