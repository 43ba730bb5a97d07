/* transformer.h -- a layer of a transformer for one sequence, fp16: norm, queries, keys and values, their
 * positions, causal attention, projection; norm, gated layer, down. The branches are added to the residual
 * stream by the norms. Each result is held against the formula applied to what the device computed before it.
 */
#ifndef AI_TRANSFORMER_H
#define AI_TRANSFORMER_H

#include "ai.h"

enum { LAYER_HEAD = 64, LAYER_STEPS = 9, LAYER_BEFORE = 2 };

#define LAYER_SIZES \
	{ \
		{ "tokens", "tokens of the sequence", { 70, 256, 512, 2048 }, 65536 }, \
			{ "heads", "heads of 64", { 2, 4, 8, 32 }, 256 }, \
		{ \
			"inner", "elements of the gated layer, in eights", { 168, 512, 1408, 5504 }, 65536, \
				8, 8 \
		} \
	}
#define LAYER_REPRO "tokens, heads and inner, below paper's, for the time of a run"

struct layer {
	size_t tokens, heads, width, inner;
	struct ai_array x, residual, qkv, project, up, down;
	float *gain, *turn;
	CUdeviceptr at_gain, at_turn, position;
	/* results */
	CUdeviceptr stream, norm, q, attended, log_sum, branch, norm2, hidden, out;
	CUdeviceptr k, v;
};

static inline void layer_positions(struct bench *b, struct layer *l)
{
	size_t half = LAYER_HEAD / 2;
	int32_t *position = bench_host(b, l->heads * l->tokens, sizeof *position);

	l->turn = bench_floats(b, 2 * l->tokens * half);
	for (size_t i = 0; i < l->tokens * half; i++) {
		double angle = (double)(i / half) * pow(10000, -(double)(i % half) / (double)half);

		l->turn[2 * i] = (float)cos(angle);
		l->turn[2 * i + 1] = (float)sin(angle);
	}
	for (size_t i = 0; i < l->heads * l->tokens; i++)
		position[i] = (int32_t)(i % l->tokens);
	l->at_turn = BENCH_COPY(b, l->turn, 2 * l->tokens * half);
	l->position = BENCH_COPY(b, position, l->heads * l->tokens);
}

static inline struct layer layer_input(struct bench *b)
{
	struct layer l = { .tokens = b->size[0], .heads = b->size[1], .inner = b->size[2] };
	size_t n, w = LAYER_HEAD * b->size[1];
	float unit = ldexpf(1, -(int)lround(log2(sqrt((double)w) * 4))); /* results of about the same size */

	l.width = w;
	n = l.tokens * w;
	l.x = ai_activations(b, AI_F16, n);
	l.residual = ai_activations(b, AI_F16, n);
	l.qkv = ai_input(b, AI_F16, 3 * w * w, 8, unit);
	l.project = ai_input(b, AI_F16, w * w, 8, unit);
	l.up = ai_input(b, AI_F16, 2 * l.inner * w, 8, unit); /* rows of gate and up take turns */
	l.down = ai_input(b, AI_F16, w * l.inner, 8, unit);
	l.gain = ai_multiples(b, w, 8, 0.125f);
	l.at_gain = BENCH_COPY(b, l.gain, w);
	layer_positions(b, &l);
	l.stream = ai_copy(b, AI_F16, l.residual.value, n);
	l.norm = ai_room_16(b, n);
	l.q = ai_room_16(b, 3 * n);
	l.k = l.q + 2 * n;
	l.v = l.k + 2 * n;
	l.attended = ai_room_16(b, n);
	l.log_sum = ai_room_32(b, l.heads * l.tokens);
	l.branch = ai_room_16(b, n);
	l.norm2 = ai_room_16(b, n);
	l.hidden = ai_room_16(b, l.tokens * l.inner);
	l.out = ai_room_16(b, n);
	return l;
}

/* ---- the kernels, in order ---- */

struct layer_step {
	const char *kernel;
	struct bench_dim grid, cta;
	int before[LAYER_BEFORE]; /* the steps whose results it reads, or -1 */
	void **args;
};

/* What runs them: kernels of a stream, or nodes of a graph. */
typedef void layer_runner(struct bench *b, const struct layer_step *steps, size_t count);

static inline void layer_run(struct bench *b, struct layer *l, layer_runner *run)
{
	int rows = (int)l->tokens, w = (int)l->width, head = LAYER_HEAD, one = 1,
	    turns = (int)(l->tokens * l->width / 2), inner = (int)l->inner;
	struct bench_dim square = DIM((l->width + 127) / 128, (l->tokens + 127) / 128);
	const struct layer_step steps[LAYER_STEPS] = {
		{ "rmsnorm", DIM(rows), DIM(256), { -1, -1 },
			ARGS(&l->x.at, &l->stream, &l->at_gain, &l->norm, &w) },
		{ "layer_qkv", DIM((3 * w + 127) / 128, square.y), DIM(256), { 0, -1 },
			ARGS(&l->norm, &l->qkv.at, &l->q, &rows, INT(3 * w), INT(2 * w)) },
		{ "rope", DIM((turns + 255) / 256), DIM(256), { 1, -1 },
			ARGS(&l->q, &l->at_turn, &l->position, &one, &head, &turns) },
		{ "rope", DIM((turns + 255) / 256), DIM(256), { 1, -1 },
			ARGS(&l->k, &l->at_turn, &l->position, &one, &head, &turns) },
		{ "layer_attention", DIM((rows + 63) / 64, l->heads), DIM(128), { 2, 3 },
			ARGS(&l->q, &l->k, &l->v, &l->attended, &l->log_sum, &rows) },
		{ "layer_project", square, DIM(256), { 4, -1 },
			ARGS(&l->attended, &l->project.at, &l->branch, &rows, &w, INT(2 * w)) },
		{ "rmsnorm", DIM(rows), DIM(256), { 5, -1 },
			ARGS(&l->branch, &l->stream, &l->at_gain, &l->norm2, &w) },
		{ "layer_gated", DIM((2 * inner + 127) / 128, square.y), DIM(256), { 6, -1 },
			ARGS(&l->norm2, &l->up.at, &l->hidden, &rows, INT(2 * inner), INT(2 * w)) },
		{ "layer_down", square, DIM(256), { 7, -1 },
			ARGS(&l->hidden, &l->down.at, &l->out, &rows, &w, INT(2 * inner)) },
	};

	run(b, steps, LAYER_STEPS);
}

/* ---- the reference ---- */

static inline float *layer_read(struct bench *b, CUdeviceptr at, size_t count)
{
	uint16_t *bits = bench_alloc(count, sizeof *bits);
	float *value = bench_floats(b, count);

	BENCH_READ(bits, at, count);
	for (size_t i = 0; i < count; i++)
		value[i] = ai_decode(AI_F16, bits[i]);
	free(bits);
	return value;
}

/* One unit in the last place and a bit: results are rounded to f16, and some are made of two such numbers.
 * The scale is the root mean square, since terms cancel. */
static inline void layer_check(
	struct bench *b, const char *element, CUdeviceptr at, const float *want, size_t count)
{
	double squares = 0;

	for (size_t i = 0; i < count; i++)
		squares += (double)want[i] * (double)want[i];
	ai_near_16(b, AI_F16, element, at, want, count, 2.5 / 2048, sqrt(squares / (double)count));
}

static inline float layer_dot(const float *x, const float *y, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (double)(x[i] * y[i]);
	return (float)sum;
}

/* sum becomes x + residual, rounded; returns its norm. */
static inline float *layer_norm(struct bench *b, const struct layer *l, const float *x, float *sum)
{
	float *norm = bench_floats(b, l->tokens * l->width);

	for (size_t i = 0; i < l->tokens; i++) {
		double squares = 0;

		for (size_t j = i * l->width; j < (i + 1) * l->width; j++) {
			sum[j] = (float)ai_round(AI_F16, (double)(x[j] + sum[j]));
			squares += (double)(sum[j] * sum[j]);
		}
		for (size_t j = i * l->width; j < (i + 1) * l->width; j++)
			norm[j] = (float)((double)sum[j] * (double)l->gain[j % l->width] /
				sqrt(squares / (double)l->width + 1e-5));
	}
	return norm;
}

static inline void layer_rotate(const struct layer *l, float *heads)
{
	size_t half = LAYER_HEAD / 2;

	for (size_t i = 0; i < l->heads * l->tokens * half; i++) {
		float *x = heads + i / half * LAYER_HEAD + i % half, first = x[0], second = x[half];
		const float *t = l->turn + 2 * (i / half % l->tokens * half + i % half);

		x[0] = first * t[0] - second * t[1];
		x[half] = second * t[0] + first * t[1];
	}
}

/* Queries, keys and values by head: rows of the norm times those of their weights. */
static inline void layer_check_heads(struct bench *b, const struct layer *l, const float *norm)
{
	size_t n = l->tokens * l->width;
	float *want = bench_floats(b, 3 * n);

	for (size_t i = 0; i < 3 * n; i++) {
		size_t column = i / LAYER_HEAD / l->tokens * LAYER_HEAD + i % LAYER_HEAD;

		want[i] = layer_dot(norm + i / LAYER_HEAD % l->tokens * l->width,
			l->qkv.value + column * l->width, l->width);
	}
	layer_rotate(l, want);
	layer_rotate(l, want + n);
	layer_check(b, "element of queries, keys, values", l->q, want, 3 * n);
}

static inline void layer_check_attention(struct bench *b, const struct layer *l)
{
	size_t n = l->tokens * l->width;
	float *q = layer_read(b, l->q, 3 * n), *want = bench_floats(b, n), most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmaxf(most, fabsf(q[2 * n + i]));
	for (size_t i = 0; i < l->heads * l->tokens; i++) {
		double sum[LAYER_HEAD] = { 0 }, total = 0;

		for (size_t j = i - i % l->tokens; j <= i; j++) {
			double weight = exp(
				(double)layer_dot(q + i * LAYER_HEAD, q + n + j * LAYER_HEAD, LAYER_HEAD) /
				8);

			total += weight;
			for (size_t e = 0; e < LAYER_HEAD; e++)
				sum[e] += weight * (double)q[2 * n + j * LAYER_HEAD + e];
		}
		for (size_t e = 0; e < LAYER_HEAD; e++)
			want[i * LAYER_HEAD + e] = (float)(sum[e] / total);
	}
	/* weights are rounded to f16 before they multiply values of up to `most`, and so is the result */
	ai_near_16(b, AI_F16, "element of the attention", l->attended, want, n, 1.5 / 2048, (double)most);
}

/* rows (tokens x depth) times weights (columns x depth) */
static inline float *layer_product(struct bench *b, const struct layer *l, const float *rows,
	const float *weights, size_t columns, size_t depth)
{
	float *want = bench_floats(b, l->tokens * columns);

	for (size_t i = 0; i < l->tokens * columns; i++)
		want[i] = layer_dot(rows + i / columns * depth, weights + i % columns * depth, depth);
	return want;
}

static inline void layer_check_projection(struct bench *b, const struct layer *l)
{
	size_t n = l->tokens * l->width;
	float *heads = layer_read(b, l->attended, n), *rows = bench_floats(b, n);

	for (size_t i = 0; i < n; i++)
		rows[i] = heads[(i % l->width / LAYER_HEAD * l->tokens + i / l->width) * LAYER_HEAD +
			i % LAYER_HEAD];
	layer_check(b, "element of the projection", l->branch,
		layer_product(b, l, rows, l->project.value, l->width, l->width), n);
}

static inline void layer_check_gated(struct bench *b, const struct layer *l)
{
	size_t n = l->tokens * l->inner;
	float *both = layer_product(b, l, layer_read(b, l->norm2, l->tokens * l->width), l->up.value,
		      2 * l->inner, l->width),
	      *want = bench_floats(b, n);

	for (size_t i = 0; i < n; i++)
		want[i] = both[2 * i] / (1 + expf(-both[2 * i])) * both[2 * i + 1];
	layer_check(b, "element of the gated layer", l->hidden, want, n);
	layer_check(b, "element of the output", l->out,
		layer_product(b, l, layer_read(b, l->hidden, n), l->down.value, l->width, l->inner),
		l->tokens * l->width);
}

static inline void layer_check_all(struct bench *b, const struct layer *l)
{
	size_t n = l->tokens * l->width;
	float *stream = l->residual.value;

	layer_check(b, "element of the first norm", l->norm, layer_norm(b, l, l->x.value, stream), n);
	layer_check_heads(b, l, layer_read(b, l->norm, n));
	layer_check_attention(b, l);
	layer_check_projection(b, l);
	layer_check(b, "element of the second norm", l->norm2,
		layer_norm(b, l, layer_read(b, l->branch, n), stream), n);
	ai_expect_16(b, AI_F16, "element of the residual stream", l->stream, stream, n);
	layer_check_gated(b, l);
}

/* Input, a run by the runner between events, and the checks. */
static inline void layer_bench(struct bench *b, layer_runner *run)
{
	struct layer l = layer_input(b);

	bench_work(b, "%zu tokens, %zu heads, %zu inner", l.tokens, l.heads, l.inner);
	layer_run(b, &l, run);
	layer_check_all(b, &l);
}

#endif
