/* attention_tcgen05.cu -- attention forward for heads of 64 or 128 elements of bf16 as in FlashAttention-4
 * (sm_100a). A block has two tiles of 128 queries, whose scores S and sums O stand in tensor memory, and warps
 * of five tasks: one copies queries and blocks of 128 keys and values by tensor maps; one issues products, the
 * tiles' in turn; a warpgroup for each tile makes weights of the scores and writes them back over S as operand
 * of the next product; and a warpgroup corrects: it multiplies O when the largest score of a row has risen much,
 * and writes the output. Tensors are [head][position][element].
 *
 * Weights are relative to a score that may lie below the row's largest one by up to RISE (in powers of two);
 * only beyond it O is corrected. Of each 16 exponentials EMULATED are a polynomial, the others ex2.approx.
 */
#include "tensor_memory.cuh"

enum { ROWS = 128, KEYS = 128, EARLY = 96, MOST_STAGES = 8, HALF_BYTES = KEYS * 128, COLUMNS = 512 };
enum { SOFTMAX_WARPS = 8, PRODUCT_WARP = 12, COPY_WARP = 13, THREADS = 512 };
#define RISE 8.0f
#define NEVER (-1e30f)

/* 64 elements of a head are a box of 128 bytes a row; a head of 128 is two of them. */
template <int HALVES> struct tile {
	unsigned char half[HALVES][HALF_BYTES];
};

/* Of a tile of queries: they are there, or no longer used; S is complete; the weights of the first EARLY keys are
 * there and O is corrected; the other weights are there; the factor or sum of each row is there, or read; O is
 * complete. */
struct tile_barriers {
	u64 has_q, free_q, has_s, has_p, has_rest, has_factor, free_factor, has_o;
};

struct state {
	tile_barriers of[2];
	u64 full[MOST_STAGES], empty[MOST_STAGES];
	float factor[2][ROWS];
	u32 columns;
};

/* In shared memory: both tiles of queries, stages of keys and values, the rest. */
template <int HALVES> struct tiles {
	tile<HALVES> *q, *ring;
	state *s;
	int stages;
};

extern __shared__ unsigned char memory[];

template <int HALVES> __device__ inline tiles<HALVES> tiles_of_block(int stages)
{
	tile<HALVES> *q = (tile<HALVES> *)(((u64)memory + 1023) & ~(u64)1023);

	return { q, q + 2, (state *)(q + 2 + stages), stages };
}

/* The columns of a tile: 128 of scores, of which the upper half has the weights, and O behind both. */
template <int HALVES> struct columns {
	u32 s, p, o;
	__device__ inline columns(u32 first, int t)
		: s(first + 128 * t), p(first + 128 * t + 64), o(first + 256 + 64 * HALVES * t)
	{
	}
};

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

/* What is to be done, and by which blocks: 256 queries of one head each. Those that see most keys come first. */
struct problem {
	int length, group, blocks, works;
	bool causal;
};

struct work {
	int head, query, steps[2];
	__device__ inline work(const problem &p, int i) : head(i / p.blocks)
	{
		query = (p.blocks - 1 - i % p.blocks) * 2 * ROWS;
		for (int t = 0; t < 2; t++) {
			int seen = p.causal ? min(query + (t + 1) * ROWS, p.length) : p.length;

			steps[t] = (seen + KEYS - 1) / KEYS;
		}
	}
	__device__ inline int steps_of(int t) const
	{
		return t ? steps[1] : steps[0];
	}
};

/* A warp's arrival. */
__device__ inline void warp_arrive(u64 *b)
{
	__syncwarp();
	if (threadIdx.x % 32 == 0)
		barrier_arrive(b);
}

/* ---- copies ---- */

template <int HALVES>
__device__ inline void load_halves(tile<HALVES> *to, const CUtensorMap *map, u64 *b, int row)
{
	barrier_expect(b, sizeof(*to));
	for (int h = 0; h < HALVES; h++)
		tensor_load(to->half[h], map, b, 64 * h, row);
}

template <int HALVES>
__device__ inline void load_stage(const tiles<HALVES> &m, stage_position &at, const CUtensorMap *map, int row)
{
	barrier_wait(&m.s->empty[at.stage], at.parity ^ 1);
	load_halves(m.ring + at.stage, map, &m.s->full[at.stage], row);
	at.next(m.stages);
}

template <int HALVES>
__device__ inline void copy(const tiles<HALVES> &m, const problem &p, const CUtensorMap *q, const CUtensorMap *k,
	const CUtensorMap *v)
{
	stage_position at = { 0, 0 };

	for (int i = blockIdx.x, turn = 0; i < p.works; i += gridDim.x, turn ^= 1) {
		work w(p, i);
		int key = w.head / p.group * p.length;

		for (int t = 0; t < 2; t++) {
			barrier_wait(&m.s->of[t].free_q, turn ^ 1);
			load_halves(m.q + t, q, &m.s->of[t].has_q, w.head * p.length + w.query + t * ROWS);
			if (t == 0)
				load_stage(m, at, k, key);
		}
		for (int step = 0; step < w.steps[1]; step++) {
			load_stage(m, at, v, key + step * KEYS);
			if (step + 1 < w.steps[1])
				load_stage(m, at, k, key + (step + 1) * KEYS);
		}
	}
}

/* ---- products ---- */

template <int HALVES> __device__ inline void issue_scores(const tiles<HALVES> &m, u32 columns, int t, int stage)
{
	for (int h = 0; h < HALVES; h++)
		for (int k = 0; k < 4; k++)
			product_f16_shared(columns, operand(m.q[t].half[h] + 32 * k),
				operand(m.ring[stage].half[h] + 32 * k), product_shape(ROWS, KEYS, 1),
				h + k > 0);
	products_commit(&m.s->of[t].has_s);
}

/* The part of O that comes from the keys from `key` to `end`. */
template <int HALVES>
__device__ inline void issue_sums(
	const tiles<HALVES> &m, const columns<HALVES> &c, int stage, int key, int end, bool adds)
{
	for (; key < end; key += 16)
		product_f16_columns(c.o, c.p + key / 2, operand(m.ring[stage].half[0] + 128 * key, HALF_BYTES),
			product_shape(ROWS, 64 * HALVES, 1, true), adds || key > 0);
}

/* Of one block of queries. Each tile's scores of the next keys follow its sums of these ones, so that one
 * tile's products run beside the other's exponentials. A stage is free when the second tile has done with it. */
template <int HALVES>
__device__ inline void multiply_block(
	const tiles<HALVES> &m, const work &w, u32 first, stage_position &at, int turn, u32 (&step_parity)[2])
{
	stage_position v;

	barrier_wait(&m.s->full[at.stage], at.parity);
	for (int t = 0; t < 2; t++) {
		barrier_wait(&m.s->of[t].has_q, turn);
		issue_scores(m, columns<HALVES>(first, t).s, t, at.stage);
	}
	products_commit(&m.s->empty[at.stage]);
	at.next(m.stages);
	for (int step = 0; step < w.steps[1]; step++) {
		bool more = step + 1 < w.steps[1];

		v = at;
		at.next(m.stages);
		barrier_wait(&m.s->full[v.stage], v.parity);
		if (more)
			barrier_wait(&m.s->full[at.stage], at.parity);
#pragma unroll
		for (int t = 0; t < 2; t++) {
			columns<HALVES> c(first, t);

			if (step >= w.steps[t])
				continue;
			barrier_wait(&m.s->of[t].has_p, step_parity[t]);
			columns_after_barrier();
			issue_sums(m, c, v.stage, 0, EARLY, step > 0);
			barrier_wait(&m.s->of[t].has_rest, step_parity[t]);
			columns_after_barrier();
			issue_sums(m, c, v.stage, EARLY, KEYS, true);
			step_parity[t] ^= 1;
			if (step + 1 < w.steps[t]) {
				issue_scores(m, c.s, t, at.stage);
				continue;
			}
			products_commit(&m.s->of[t].has_o);
			products_commit(&m.s->of[t].free_q);
		}
		products_commit(&m.s->empty[v.stage]);
		if (more) {
			products_commit(&m.s->empty[at.stage]);
			at.next(m.stages);
		}
	}
}

template <int HALVES> __device__ inline void multiply(const tiles<HALVES> &m, const problem &p, u32 first)
{
	stage_position at = { 0, 0 };
	u32 step_parity[2] = { 0, 0 };

	for (int i = blockIdx.x, turn = 0; i < p.works; i += gridDim.x, turn ^= 1)
		multiply_block(m, work(p, i), first, at, turn, step_parity);
}

/* ---- weights ---- */

__device__ inline float power_of_two(float x)
{
	float y;

	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}

/* Two numbers side by side. */
union two {
	float x[2];
	u64 bits;
};

__device__ inline two two_of(float low, float high)
{
	two r;

	r.x[0] = low;
	r.x[1] = high;
	return r;
}

__device__ inline two fused(two a, two b, two c)
{
	two d;

	asm("fma.rn.ftz.f32x2 %0, %1, %2, %3;" : "=l"(d.bits) : "l"(a.bits), "l"(b.bits), "l"(c.bits));
	return d;
}

__device__ inline two sum_of_two(two a, two b)
{
	two d;

	asm("add.rn.ftz.f32x2 %0, %1, %2;" : "=l"(d.bits) : "l"(a.bits), "l"(b.bits));
	return d;
}

__device__ inline two product_of_two(two a, two b)
{
	two d;

	asm("mul.rn.ftz.f32x2 %0, %1, %2;" : "=l"(d.bits) : "l"(a.bits), "l"(b.bits));
	return d;
}

/* 2^x of two numbers by a polynomial: 3 * 2^22 is so large that its sum with x, rounded down, ends in x's whole
 * part w; the polynomial is within 2^-13.5 of 2^(x - w), relatively, and exact at 0; and w is added to its
 * exponent. Numbers below -127 become about 0. */
__device__ inline two polynomial(two x)
{
	const float shift = 12582912.0f;
	two whole, part, y;

	x = two_of(fmaxf(x.x[0], -127.0f), fmaxf(x.x[1], -127.0f));
	asm("add.rm.ftz.f32x2 %0, %1, %2;" : "=l"(whole.bits) : "l"(x.bits), "l"(two_of(shift, shift).bits));
	part = sum_of_two(whole, two_of(-shift, -shift));
	part = fused(part, two_of(-1, -1), x);
	y = fused(part, two_of(0x1.3baaa6p-4f, 0x1.3baaa6p-4f), two_of(0x1.d2378ap-3f, 0x1.d2378ap-3f));
	y = fused(part, y, two_of(0x1.63e658p-1f, 0x1.63e658p-1f));
	y = fused(part, y, two_of(1, 1));
	for (int i = 0; i < 2; i++)
		y.x[i] = __int_as_float(__float_as_int(y.x[i]) + (__float_as_int(whole.x[i]) << 23));
	return y;
}

__device__ inline float most_of_three(float a, float b, float c)
{
	float d;

	asm("max.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
	return d;
}

__device__ inline float most_of_row(const float (&x)[KEYS], float most)
{
	float m[4] = { most, x[0], x[1], x[2] };

#pragma unroll
	for (int i = 3; i + 1 < KEYS; i += 2)
		m[i / 2 % 4] = most_of_three(m[i / 2 % 4], x[i], x[i + 1]);
	return most_of_three(fmaxf(m[0], m[1]), m[2], fmaxf(m[3], x[KEYS - 1]));
}

/* Two numbers in bf16, the first in the lower half. */
__device__ inline u32 two_bf16(two x)
{
	u32 r;

	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(x.x[1]), "f"(x.x[0]));
	return r;
}

/* Keys that do not exist, or lie behind the query. */
__device__ inline void hide(float (&x)[KEYS], int row, int key, int length, bool causal)
{
	int end = causal ? min(length, row + 1) : length;

	if (key + KEYS <= end)
		return;
#pragma unroll
	for (int i = 0; i < KEYS; i++)
		if (key + i >= end)
			x[i] = NEVER;
}

/* A row: the score that its weights are relative to, and their sum. */
struct row_state {
	float base;
	two total;
};

__device__ inline void weights_stored(u64 *b)
{
	columns_stored();
	columns_before_barrier();
	warp_arrive(b);
}

/* Scores to weights, in place, whose sum is added to the row's; 32 of them into tensor memory at a time. Pairs
 * follow one another at a distance of LAG, so that exponentials have other work between them. */
template <int EMULATED>
__device__ inline void weigh(tile_barriers *b, row_state &r, float (&x)[KEYS], float scale, u32 to)
{
	enum { PAIRS = KEYS / 2, LAG = 4 };
	float least = -r.base * scale;
	two sum[4] = { r.total, two_of(0, 0), two_of(0, 0), two_of(0, 0) }, y[PAIRS];
	u32 w[PAIRS];

#pragma unroll
	for (int i = 0; i < PAIRS + 2 * LAG; i++) {
		int at = i - LAG, last = i - 2 * LAG;

		if (i < PAIRS)
			y[i] = fused(two_of(x[2 * i], x[2 * i + 1]), two_of(scale, scale), two_of(least, least));
		if (0 <= at && at < PAIRS)
			y[at] = at % 8 >= 8 - EMULATED / 2
				? polynomial(y[at])
				: two_of(power_of_two(y[at].x[0]), power_of_two(y[at].x[1]));
		if (last < 0)
			continue;
		w[last] = two_bf16(y[last]);
		sum[last % 4] = sum_of_two(sum[last % 4], y[last]);
		if (last % 16 == 15)
			columns_store_16(to + last - 15, w + last - 15);
		if (last == EARLY / 2 - 1)
			weights_stored(&b->has_p);
	}
	weights_stored(&b->has_rest);
	r.total = sum_of_two(sum_of_two(sum[0], sum[1]), sum_of_two(sum[2], sum[3]));
}

/* The new base of a row, and the factor of what was relative to the old one. */
__device__ inline float rebase(row_state &r, float most, float scale)
{
	float rise = (most - r.base) * scale, factor = 1;

	if (rise > RISE) {
		factor = power_of_two(-rise);
		r.base = most;
		r.total = product_of_two(r.total, two_of(factor, factor));
	}
	return factor;
}

/* One number of each row for the warps that correct; they have read it when wait_until_told() returns. */
__device__ inline void tell(state *s, int t, float value)
{
	s->factor[t][threadIdx.x % ROWS] = value;
	warp_arrive(&s->of[t].has_factor);
}

__device__ inline void wait_until_told(state *s, int t, u32 &parity)
{
	barrier_wait(&s->of[t].free_factor, parity);
	parity ^= 1;
}

template <int HALVES, int EMULATED>
__device__ inline void soften(state *s, const problem &p, u32 first, float scale)
{
	int t = threadIdx.x / ROWS, row = threadIdx.x % ROWS;
	u32 lanes = row / 32 * 32 << 16, step_parity = 0, tell_parity = 0;
	columns<HALVES> c(first + lanes, t);

	for (int i = blockIdx.x; i < p.works; i += gridDim.x) {
		work w(p, i);
		row_state r = { NEVER, two_of(0, 0) };

		for (int step = 0; step < w.steps_of(t); step++, step_parity ^= 1) {
			float x[KEYS], factor;

			barrier_wait(&s->of[t].has_s, step_parity);
			columns_after_barrier();
#pragma unroll
			for (int part = 0; part < KEYS; part += 32)
				columns_load(x + part, c.s + part);
			columns_loaded();
			hide(x, w.query + t * ROWS + row, step * KEYS, p.length, p.causal);
			factor = rebase(r, most_of_row(x, r.base), scale);
			if (step > 0)
				tell(s, t, factor);
			weigh<EMULATED>(&s->of[t], r, x, scale, c.p);
			if (step > 0)
				wait_until_told(s, t, tell_parity);
		}
		tell(s, t, 1.0f / (r.total.x[0] + r.total.x[1]));
		wait_until_told(s, t, tell_parity);
	}
}

/* ---- corrections, output ---- */

__device__ inline float told(state *s, int t, u32 &parity)
{
	float value;

	barrier_wait(&s->of[t].has_factor, parity);
	value = s->factor[t][threadIdx.x % ROWS];
	warp_arrive(&s->of[t].free_factor);
	parity ^= 1;
	return value;
}

template <int HALVES> __device__ inline void correct(u32 o, float factor)
{
	if (!__any_sync(0xffffffff, factor != 1))
		return;
	columns_after_barrier();
#pragma unroll 1
	for (int part = 0; part < 64 * HALVES; part += 32) {
		float x[32];

		columns_load(x, o + part);
		columns_loaded();
		for (int i = 0; i < 32; i++)
			x[i] *= factor;
		columns_store(o + part, x);
	}
	columns_stored();
	columns_before_barrier();
}

/* 16 elements of a row. */
__device__ inline void store_eight_words(void *to, const u32 *w)
{
	asm volatile("st.global.v8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"l"(to), "r"(w[0]),
		     "r"(w[1]), "r"(w[2]), "r"(w[3]), "r"(w[4]), "r"(w[5]), "r"(w[6]), "r"(w[7])
		     : "memory");
}

/* `to`: the row, 0 if it does not exist. */
template <int HALVES> __device__ inline void write_row(u32 *to, u32 o, float factor)
{
#pragma unroll 1
	for (int part = 0; part < 64 * HALVES; part += 32) {
		float x[32];
		u32 w[16];

		columns_load(x, o + part);
		columns_loaded();
		for (int i = 0; i < 16; i++)
			w[i] = two_bf16(two_of(x[2 * i] * factor, x[2 * i + 1] * factor));
		if (to) {
			store_eight_words(to + part / 2, w);
			store_eight_words(to + part / 2 + 8, w + 8);
		}
	}
	columns_before_barrier();
}

template <int HALVES> __device__ inline void correct_all(state *s, const problem &p, u32 first, u32 *out)
{
	int row = threadIdx.x % ROWS;
	u32 lanes = row / 32 * 32 << 16, told_parity[2] = { 0, 0 }, turn = 0;

	warp_arrive(&s->of[0].has_p);
	warp_arrive(&s->of[1].has_p);
	for (int i = blockIdx.x; i < p.works; i += gridDim.x, turn ^= 1) {
		work w(p, i);

		for (int step = 1; step < w.steps[1]; step++)
#pragma unroll
			for (int t = 0; t < 2; t++)
				if (step < w.steps[t]) {
					correct<HALVES>(columns<HALVES>(first + lanes, t).o,
						told(s, t, told_parity[t]));
					warp_arrive(&s->of[t].has_p);
				}
#pragma unroll
		for (int t = 0; t < 2; t++) {
			int query = w.query + t * ROWS + row;
			float factor = told(s, t, told_parity[t]);

			barrier_wait(&s->of[t].has_o, turn);
			columns_after_barrier();
			write_row<HALVES>(query < p.length
					? out + ((size_t)w.head * p.length + query) * (32 * HALVES)
					: 0,
				columns<HALVES>(first + lanes, t).o, factor);
			warp_arrive(&s->of[t].has_p);
		}
	}
}

/* ---- the kernel ---- */

__device__ inline void start_barriers(state *s, int stages)
{
	for (int t = 0; t < 2; t++) {
		barrier_init(&s->of[t].has_q, 1);
		barrier_init(&s->of[t].free_q, 1);
		barrier_init(&s->of[t].has_s, 1);
		barrier_init(&s->of[t].has_p, 8);
		barrier_init(&s->of[t].has_rest, 4);
		barrier_init(&s->of[t].has_factor, 4);
		barrier_init(&s->of[t].free_factor, 4);
		barrier_init(&s->of[t].has_o, 1);
	}
	for (int i = 0; i < stages; i++) {
		barrier_init(&s->full[i], 1);
		barrier_init(&s->empty[i], 1);
	}
	barriers_visible();
}

template <int HALVES, int EMULATED>
__device__ inline void attention(
	const CUtensorMap *q, const CUtensorMap *k, const CUtensorMap *v, u32 *out, const problem &p, int stages)
{
	tiles<HALVES> m = tiles_of_block<HALVES>(stages);
	int warp = threadIdx.x / 32;
	u32 first;

	if (threadIdx.x == 0)
		start_barriers(m.s, stages);
	if (warp == PRODUCT_WARP)
		columns_allocate<COLUMNS>(&m.s->columns);
	columns_before_barrier();
	__syncthreads();
	columns_after_barrier();
	first = m.s->columns;
	if (warp < SOFTMAX_WARPS) {
		registers_up<192>();
		soften<HALVES, EMULATED>(
			m.s, p, first, (HALVES == 1 ? 0.125f : 0.08838834764f) * 1.4426950408889634f);
	} else if (warp < PRODUCT_WARP) {
		registers_down<80>();
		correct_all<HALVES>(m.s, p, first, out);
	} else {
		registers_down<48>();
		if (warp == PRODUCT_WARP && elected())
			multiply(m, p, first);
		if (warp == COPY_WARP && elected())
			copy(m, p, q, k, v);
		__syncwarp();
	}
	columns_before_barrier();
	__syncthreads();
	columns_after_barrier();
	if (warp == PRODUCT_WARP)
		columns_free<COLUMNS>(first);
}

#define ENTRY(name, halves, emulated) \
	KERNEL __launch_bounds__(THREADS, 1) name( \
		MAP q, MAP k, MAP v, u32 *out, int length, int heads, int group, int causal, int stages) \
	{ \
		int blocks = (length + 2 * ROWS - 1) / (2 * ROWS); \
\
		attention<halves, emulated>( \
			&q, &k, &v, out, { length, group, blocks, blocks * heads, (bool)causal }, stages); \
	}
ENTRY(attention_64_0, 1, 0)
ENTRY(attention_64_4, 1, 4)
ENTRY(attention_64_8, 1, 8)
ENTRY(attention_128_0, 2, 0)
ENTRY(attention_128_4, 2, 4)
ENTRY(attention_128_8, 2, 8)
