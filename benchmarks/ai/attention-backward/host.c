/* attention-backward -- host side: the derivatives of attention by Q, K and V, against the formulas in double
 * precision. */
#include "attention.h"

const struct bench_program bench_program = {
	.help = "Attention backward, fp16, by mma.sync; the derivatives by Q are added up by atomics.",
	.source = "FlashAttention-2 (Dao, 2023), Algorithm 2",
	.tags = "ai tensor",
	.sizes = ATTENTION_SIZES({ 0 }),
	.choices = { { "mask", "which keys a query sees", "causal|full", "causal" } },
	.repro = "heads and length fill the SMs of a large chip twice",
	.ptx = "ai/kernels/attention.ptx",
	.chip = "a100",
};

struct derivatives {
	float *q, *k, *v;
};

/* One query's part of them; d is the derivative by its output. */
static void derivatives_of_row(const struct attention *t, const struct derivatives *to, size_t head,
	size_t row, const float *d, double *weight)
{
	size_t base = head * t->length * ATTENTION_HEAD, keys = attention_weights(t, head, row, weight);
	const float *q = t->q.value + base + row * ATTENTION_HEAD;
	double sum = 0;

	for (size_t e = 0; e < ATTENTION_HEAD; e++)
		sum += (double)d[e] * (double)t->out[base + row * ATTENTION_HEAD + e];
	for (size_t i = 0; i < keys; i++) {
		size_t at = base + i * ATTENTION_HEAD;
		double score = weight[i] * (attention_dot(t, d, t->v.value + at) - sum) / 8;

		for (size_t e = 0; e < ATTENTION_HEAD; e++) {
			to->v[at + e] += (float)(weight[i] * (double)d[e]);
			to->k[at + e] += (float)(score * (double)q[e]);
			to->q[base + row * ATTENTION_HEAD + e] += (float)(score * (double)t->k.value[at + e]);
		}
	}
}

static void check(struct bench *b, const struct attention *t, const float *d_out, const CUdeviceptr *got)
{
	size_t n = t->heads * t->length * ATTENTION_HEAD;
	struct derivatives want = { bench_floats(b, n), bench_floats(b, n), bench_floats(b, n) };
	double *weight = bench_alloc(t->length, sizeof *weight);

	for (size_t i = 0; i < t->heads * t->length; i++)
		derivatives_of_row(
			t, &want, i / t->length, i % t->length, d_out + i * ATTENTION_HEAD, weight);
	free(weight);
	/* Weights and their derivatives are rounded to f16 (2^-11 of terms which add up to a few units), and
	 * the output from which the sums of rows come is, too. */
	ai_near_32(b, "derivative by Q", got[0], want.q, n, 4.0 / 2048, 4);
	ai_near_32(b, "derivative by K", got[1], want.k, n, 4.0 / 2048, 4);
	ai_near_32(b, "derivative by V", got[2], want.v, n, 4.0 / 2048, 4);
}

void bench_run(struct bench *b)
{
	size_t heads = b->size[0], length = b->size[1], n = heads * length * ATTENTION_HEAD;
	bool causal = !strcmp(b->choice[0], "causal");
	struct attention t = attention_input(b, heads, heads, length, causal, ATTENTION_HEAD);
	struct ai_array d = ai_activations(b, AI_F16, n);
	CUdeviceptr out, log_sum, sums = ai_room_32(b, heads * length);
	CUdeviceptr got[3] = { bench_device_words(b, n, 0), ai_room_32(b, n), ai_room_32(b, n) };

	bench_work(b, "%zu heads, %zu positions", heads, length);
	bench_start(b);
	log_sum = attention_forward(b, &t, &out);
	bench_launch_1d(b, "attention_row_sums", heads * length * 32, 128,
		ARGS(&out, &d.at, &sums, INT(heads * length)));
	bench_launch(b, causal ? "attention_backward_causal" : "attention_backward_full",
		DIM((length + 63) / 64, heads), DIM(128),
		ARGS(&t.q.at, &t.k.at, &t.v.at, &d.at, &log_sum, &sums, &got[0], &got[1], &got[2],
			INT(length)));
	bench_stop(b);
	attention_reference(&t);
	check(b, &t, d.value, got);
}
