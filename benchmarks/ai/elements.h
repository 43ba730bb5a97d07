/* elements.h -- what the programs with a thread for each pair of elements share. */
#ifndef AI_ELEMENTS_H
#define AI_ELEMENTS_H

#include "ai.h"

/* Tokens of an even number of elements; `paper`: those of a model. */
#define ELEMENTS_SIZES(paper) \
	{ \
		{ "tokens", "tokens", { 23, 256, 1024, 8192 }, 1 << 20 }, \
		{ \
			"columns", "elements of a token, even", { 210, 1024, paper, paper }, 1 << 17, 2, 2 \
		} \
	}
#define ELEMENTS_REPRO "tokens fill all SMs many times, columns are those of a model"

static inline size_t elements_count(struct bench *b)
{
	bench_work(b, "%zu tokens of %zu", b->size[0], b->size[1]);
	return b->size[0] * b->size[1];
}

/* A kernel with a thread for each of so many, timed. */
static inline void elements_launch(struct bench *b, const char *kernel, size_t threads, void **args)
{
	bench_start(b);
	bench_launch_1d(b, kernel, threads, 256, args);
	bench_stop(b);
}

#endif
