/* attention.h -- softmax(Q K' / root of the head's size) V, and its derivatives, in double precision. */
#ifndef AI_ATTENTION_H
#define AI_ATTENTION_H

#include "ai.h"

enum { ATTENTION_HEAD = 64, ATTENTION_MOST = 128 };

struct attention {
	size_t heads, groups, length, head; /* heads of queries; of keys and values; positions; elements of a
					       head */
	bool causal;
	struct ai_format format;
	struct ai_array q, k, v;
	float *out;
};

/* Rows of sizes, and any more. */
#define ATTENTION_SIZES(...) \
	{ \
		{ "heads", "heads of queries, of all sequences", { 2, 8, 16, 128 }, 4096 }, \
			{ "length", "positions", { 140, 256, 1024, 2048 }, 65536 }, __VA_ARGS__ \
	}

static inline struct attention attention_input_of(struct bench *b, struct ai_format format, size_t heads,
	size_t groups, size_t length, bool causal, size_t head)
{
	size_t n = heads * length * head, m = groups * length * head;
	struct attention t = { .heads = heads,
		.groups = groups,
		.length = length,
		.head = head,
		.causal = causal,
		.format = format };

	t.q = ai_activations(b, format, n);
	t.k = ai_activations(b, format, m);
	t.v = ai_activations(b, format, m);
	t.out = bench_floats(b, n);
	return t;
}

static inline struct attention attention_input(
	struct bench *b, size_t heads, size_t groups, size_t length, bool causal, size_t head)
{
	return attention_input_of(b, AI_F16, heads, groups, length, causal, head);
}

static inline double attention_dot(const struct attention *t, const float *x, const float *y)
{
	double sum[4] = { 0 };

	for (size_t e = 0; e < t->head; e++)
		sum[e % 4] += (double)(x[e] * y[e]); /* exact: 16 bits */
	return sum[0] + sum[1] + sum[2] + sum[3];
}

/* The weights of the keys for one query, of which there are `keys`. */
static inline size_t attention_weights(const struct attention *t, size_t head, size_t row, double *weight)
{
	const float *k = t->k.value + head / (t->heads / t->groups) * t->length * t->head,
		    *q = t->q.value + (head * t->length + row) * t->head;
	size_t keys = t->causal ? row + 1 : t->length;
	double total = 0, most = -INFINITY;

	for (size_t i = 0; i < keys; i++) {
		weight[i] = attention_dot(t, q, k + i * t->head) / sqrt((double)t->head);
		most = fmax(most, weight[i]);
	}
	for (size_t i = 0; i < keys; i++)
		total += weight[i] = exp(weight[i] - most);
	for (size_t i = 0; i < keys; i++)
		weight[i] /= total;
	return keys;
}

static inline void attention_reference(const struct attention *t)
{
	double *weight = bench_alloc(t->length, sizeof *weight);

	for (size_t i = 0; i < t->heads * t->length; i++) {
		size_t head = i / t->length;
		size_t keys = attention_weights(t, head, i % t->length, weight);
		const float *v = t->v.value + head / (t->heads / t->groups) * t->length * t->head;
		double sum[ATTENTION_MOST] = { 0 };

		for (size_t j = 0; j < keys; j++)
			for (size_t e = 0; e < t->head; e++)
				sum[e] += weight[j] * (double)v[j * t->head + e];
		for (size_t e = 0; e < t->head; e++)
			t->out[i * t->head + e] = (float)sum[e];
	}
	free(weight);
}

/* Weights are rounded to f16 before they multiply values of at most 2 (2^-11 each, of what adds up to 1), the
 * result once more; ex2.approx and the sums in f32 add less than 2^-18. */
#define ATTENTION_TOLERANCE (2.5 / 2048)

static inline void attention_near(
	struct bench *b, const struct attention *t, CUdeviceptr out, double tolerance)
{
	attention_reference(t);
	ai_near_16(b, t->format, "element of the output", out, t->out, t->heads * t->length * t->head,
		tolerance, 2);
}

static inline void attention_check(struct bench *b, const struct attention *t, CUdeviceptr out)
{
	attention_near(b, t, out, ATTENTION_TOLERANCE);
}

/* Forward: kernel attention_full or attention_causal. Returns the logarithms of the rows' sums. */
static inline CUdeviceptr attention_forward(struct bench *b, struct attention *t, CUdeviceptr *out)
{
	CUdeviceptr log_sum = ai_room_32(b, t->heads * t->length);

	*out = ai_room_16(b, t->heads * t->length * t->head);
	bench_launch(b, t->causal ? "attention_causal" : "attention_full",
		DIM((t->length + 63) / 64, t->heads), DIM(128),
		ARGS(&t->q.at, &t->k.at, &t->v.at, out, &log_sum, INT(t->length), INT(t->heads / t->groups)));
	return log_sum;
}

static inline void attention_run(struct bench *b, bool causal, size_t groups)
{
	size_t heads = b->size[0], length = b->size[1];
	struct attention t = attention_input(b, heads, groups, length, causal, ATTENTION_HEAD);
	CUdeviceptr out;

	bench_work(b, "%zu heads (%zu of keys), %zu positions", heads, groups, length);
	bench_start(b);
	attention_forward(b, &t, &out);
	bench_stop(b);
	attention_check(b, &t, out);
}

#endif
