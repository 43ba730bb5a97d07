/* gemm.h -- C = A * B' for the programs of products: input, references. All sums are exact: their terms are
 * multiples of 1/64 below 2, and there are fewer than 2^17 of them. */
#ifndef AI_GEMM_H
#define AI_GEMM_H

#include "ai.h"

enum { GEMM_TILE = 128 };

/* m, n, k; k in whole chunks of 16 bytes */
#define GEMM_SIZES(multiple) \
	{ \
		{ "m", "rows of A and C", { 136, 512, 2048, 4096 }, 16384 }, \
			{ "n", "rows of B, columns of C, even", { 120, 512, 2048, 4096 }, 16384, 2, 2 }, \
		{ \
			"k", "columns of A and B", { 160, 512, 1024, 4096 }, 16384, multiple, multiple \
		} \
	}
#define GEMM_REPRO "m, n and k, below paper's, give an A100 2.4 CTAs for each SM"

/* Matrices of small multiples of 1/8, `count` of each, one behind another. */
struct gemm {
	size_t m, n, k, count;
	float *a, *b, *c;
};

static inline struct gemm gemm_input(struct bench *b, size_t m, size_t n, size_t k, size_t count)
{
	struct gemm g = { m, n, k, count, ai_multiples(b, count * m * k, 8, 0.125f),
		ai_multiples(b, count * n * k, 8, 0.125f), bench_floats(b, count * m * n) };

	return g;
}

/* A row of C, by rows of A and B in memory: the innermost loop is over k. */
static inline void gemm_reference_row(const float *a, const float *b, float *c, size_t n, size_t k)
{
	for (size_t j = 0; j < n; j++) {
		float sum[8] = { 0 };

		for (size_t e = 0; e < k; e++)
			sum[e % 8] += a[e] * b[j * k + e];
		c[j] = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
	}
}

static inline void gemm_reference(const struct gemm *g)
{
	for (size_t i = 0; i < g->count * g->m; i++)
		gemm_reference_row(
			g->a + i * g->k, g->b + i / g->m * g->n * g->k, g->c + i * g->n, g->n, g->k);
}

static inline struct bench_dim gemm_grid(const struct gemm *g, size_t depth)
{
	return DIM((g->n + GEMM_TILE - 1) / GEMM_TILE, (g->m + GEMM_TILE - 1) / GEMM_TILE, depth);
}

/* One product, or a batch of them, of a format whose kernel has this name. */
static inline void gemm_run(struct bench *b, const char *kernel, struct ai_format f, struct gemm g)
{
	size_t bytes = f.exponent + f.mantissa > 8 ? 2 : 1;
	CUdeviceptr at_a = ai_copy(b, f, g.a, g.count * g.m * g.k),
		    at_b = ai_copy(b, f, g.b, g.count * g.n * g.k), at_c = ai_room_32(b, g.count * g.m * g.n);

	bench_start(b);
	bench_launch(b, kernel, gemm_grid(&g, g.count), DIM(256),
		ARGS(&at_a, &at_b, &at_c, INT(g.m), INT(g.n), INT(g.k * bytes)));
	bench_stop(b);
	gemm_reference(&g);
	bench_verify_f32(b, "element of C", at_c, g.c, g.count * g.m * g.n);
}

#endif
