/* experts.h -- tokens to experts: two for each token, and the rows of each expert behind one another. */
#ifndef AI_EXPERTS_H
#define AI_EXPERTS_H

#include "ai.h"

enum { CHOICES = 2 };

struct experts {
	size_t tokens, experts;
	float *logits;
	/* the reference: by token and choice, and by expert */
	int32_t *expert, *count, *first;
	float *weight;
	/* on the device: the same, then the choice of each row and the row of each choice */
	CUdeviceptr at_logits, at_expert, at_weight, at_count, at_first, at_place, choice_of, row_of;
};

/* The experts of a token, and the weights by softmax over the two. */
static inline void experts_choose(const struct experts *e, size_t token)
{
	const float *x = e->logits + token * e->experts;
	int32_t *to = e->expert + CHOICES * token;

	for (size_t i = 0; i < CHOICES; i++) {
		to[i] = -1;
		for (size_t j = 0; j < e->experts; j++)
			if ((!i || (int32_t)j != to[0]) && (to[i] < 0 || x[j] > x[to[i]]))
				to[i] = (int32_t)j;
		e->count[to[i]]++;
	}
	for (size_t i = 0; i < CHOICES; i++)
		e->weight[CHOICES * token + i] =
			(float)(1 / (1 + exp((double)x[to[1 - i]] - (double)x[to[i]])));
}

static inline struct experts experts_input(struct bench *b, size_t tokens, size_t experts)
{
	struct experts e = { .tokens = tokens, .experts = experts };
	size_t n = CHOICES * tokens;

	e.logits = ai_multiples(b, tokens * experts, 2048, 1.0f / 1024);
	e.expert = bench_host(b, n, sizeof *e.expert);
	e.weight = bench_floats(b, n);
	e.count = bench_host(b, experts, sizeof *e.count);
	e.first = bench_host(b, experts + 1, sizeof *e.first);
	for (size_t t = 0; t < tokens; t++)
		experts_choose(&e, t);
	for (size_t i = 0; i < experts; i++)
		e.first[i + 1] = e.first[i] + e.count[i];
	e.at_logits = BENCH_COPY(b, e.logits, tokens * experts);
	e.at_expert = ai_room_32(b, n);
	e.at_weight = ai_room_32(b, n);
	e.at_count = bench_device_words(b, experts, 0);
	e.at_first = ai_room_32(b, experts + 1);
	e.at_place = ai_room_32(b, experts);
	e.choice_of = ai_room_32(b, n);
	e.row_of = ai_room_32(b, n);
	return e;
}

static inline void experts_route(struct bench *b, struct experts *e)
{
	bench_launch_1d(b, "route", 32 * e->tokens, 128,
		ARGS(&e->at_logits, &e->at_expert, &e->at_weight, &e->at_count, INT(e->tokens),
			INT(e->experts)));
	bench_launch(b, "route_sums", DIM(1), DIM(32),
		ARGS(&e->at_count, &e->at_first, &e->at_place, INT(e->experts)));
	bench_launch_1d(b, "route_rows", CHOICES * e->tokens, 256,
		ARGS(&e->at_expert, &e->at_place, &e->choice_of, &e->row_of, INT(CHOICES * e->tokens)));
}

/* The rows of an expert may come in any order: each choice must have one of its expert's, and no two the
 * same. */
static inline void experts_check(struct bench *b, const struct experts *e)
{
	size_t n = CHOICES * e->tokens;
	int32_t *row = bench_host(b, n, 4), *choice = bench_host(b, n, 4), *want = bench_host(b, n, 4);
	bool fine = true;

	bench_verify_i32(b, "expert of choice", e->at_expert, e->expert, n);
	ai_near_32(b, "weight of choice", e->at_weight, e->weight, n, 1e-6, 0); /* ex2.approx, two roundings
										 */
	bench_verify_i32(b, "first row of expert", e->at_first, e->first, e->experts + 1);
	BENCH_READ(row, e->row_of, n);
	for (size_t i = 0; i < n; i++)
		fine &= row[i] >= e->first[e->expert[i]] && row[i] < e->first[e->expert[i] + 1];
	bench_expect(b, fine, "a choice has a row of another expert");
	for (size_t i = 0; i < n && fine; i++)
		choice[row[i]] = (int32_t)i;
	BENCH_READ(want, e->choice_of, n);
	bench_expect_i32(b, "choice of row", choice, want, n);
}

#endif
