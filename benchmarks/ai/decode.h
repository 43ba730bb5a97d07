/* decode.h -- decoding with a paged cache of keys and values: input, and attention in double precision. */
#ifndef AI_DECODE_H
#define AI_DECODE_H

#include "ai.h"

enum { DECODE_HEAD = 128, DECODE_PAGE = 16 };

#define DECODE_SIZES(heads_of_queries, repro, ...) \
	{ \
		{ "sequences", "sequences, each with one new token", { 2, 4, 8, 32 }, 1024 }, \
			{ "heads", heads_of_queries, { 2, 4, repro, 32 }, 256 }, \
			{ "length", "positions of the longest sequence", { 70, 300, 1024, 2048 }, 131072 }, \
			__VA_ARGS__ \
	}

/* Sequences have different lengths, and pages in random order; q and out have `group` heads for each of k. */
struct decode {
	size_t sequences, heads, group, most_pages, pages;
	int32_t *length, *page;
	struct ai_array q, k, v;
	CUdeviceptr out;
	size_t rows;
};

static inline void decode_pages(struct bench *b, struct decode *d, size_t length)
{
	d->most_pages = (length + DECODE_PAGE - 1) / DECODE_PAGE;
	d->pages = d->sequences * d->most_pages;
	d->length = bench_host(b, d->sequences, sizeof *d->length);
	d->page = bench_host(b, d->pages, sizeof *d->page);
	for (size_t i = 0; i < d->sequences; i++) /* from half of the length on, the first one in full */
		d->length[i] = (int32_t)(length - (i ? bench_random_below(&b->seed, (length + 1) / 2) : 0));
	for (size_t i = 0; i < d->pages; i++) {
		size_t j = bench_random_below(&b->seed, i + 1);

		d->page[i] = d->page[j];
		d->page[j] = (int32_t)i;
	}
}

static inline struct decode decode_input(
	struct bench *b, size_t sequences, size_t heads, size_t group, size_t length)
{
	struct decode d = { .sequences = sequences, .heads = heads, .group = group };
	size_t cached;

	decode_pages(b, &d, length);
	d.rows = sequences * heads * group;
	cached = d.pages * heads * DECODE_PAGE * DECODE_HEAD;
	d.q = ai_activations(b, AI_F16, d.rows * DECODE_HEAD);
	d.k = ai_activations(b, AI_F16, cached);
	d.v = ai_activations(b, AI_F16, cached);
	d.out = ai_room_16(b, d.rows * DECODE_HEAD);
	return d;
}

/* Where in the cache the position of a sequence is. */
static inline size_t decode_place(const struct decode *d, size_t sequence, size_t head, size_t position)
{
	size_t page = (size_t)d->page[sequence * d->most_pages + position / DECODE_PAGE];

	return ((page * d->heads + head) * DECODE_PAGE + position % DECODE_PAGE) * DECODE_HEAD;
}

static inline void decode_reference_row(const struct decode *d, size_t row, float *out)
{
	size_t head = row / d->group % d->heads, sequence = row / d->group / d->heads;
	double sum[DECODE_HEAD] = { 0 }, total = 0;

	for (int32_t t = 0; t < d->length[sequence]; t++) {
		size_t at = decode_place(d, sequence, head, (size_t)t);
		double score = 0, weight;

		for (size_t e = 0; e < DECODE_HEAD; e++)
			score += (double)(d->q.value[row * DECODE_HEAD + e] * d->k.value[at + e]);
		weight = exp(score / sqrt(DECODE_HEAD));
		total += weight;
		for (size_t e = 0; e < DECODE_HEAD; e++)
			sum[e] += weight * (double)d->v.value[at + e];
	}
	for (size_t e = 0; e < DECODE_HEAD; e++)
		out[e] = (float)(sum[e] / total);
}

/* The result, of values up to 2, is rounded to f16 (2^-12 of 2); scores and sums in f32 and ex2.approx add
 * less than 2^-14. */
static inline void decode_check(struct bench *b, const struct decode *d)
{
	float *want = bench_floats(b, d->rows * DECODE_HEAD);

	for (size_t r = 0; r < d->rows; r++)
		decode_reference_row(d, r, want + r * DECODE_HEAD);
	ai_near_16(b, AI_F16, "element of the output", d->out, want, d->rows * DECODE_HEAD, 1.5 / 4096, 2);
}

static inline void decode_launch(struct bench *b, const char *kernel, struct decode *d, size_t parts,
	CUdeviceptr *sums, CUdeviceptr *states)
{
	CUdeviceptr page = BENCH_COPY(b, d->page, d->pages), length = BENCH_COPY(b, d->length, d->sequences);

	bench_start(b);
	bench_launch(b, kernel, DIM(d->heads, d->sequences, parts), DIM(128),
		ARGS(&d->q.at, &d->k.at, &d->v.at, &page, &length, &d->out, sums, states,
			INT(d->most_pages)));
	if (parts > 1)
		bench_launch(
			b, "decode_join", DIM(d->rows), DIM(128), ARGS(sums, states, &d->out, INT(parts)));
	bench_stop(b);
}

static inline void decode_run(struct bench *b, const char *kernel, size_t group, size_t parts)
{
	struct decode d = decode_input(b, b->size[0], b->size[1], group, b->size[2]);
	CUdeviceptr sums = ai_room_32(b, d.rows * parts * DECODE_HEAD),
		    states = ai_room_32(b, 2 * d.rows * parts);

	bench_work(b, "%zu sequences, %zu heads (%zu of keys), %zu positions in %zu parts", d.sequences,
		d.heads * group, d.heads, b->size[2], parts);
	decode_launch(b, kernel, &d, parts, &sums, &states);
	decode_check(b, &d);
}

#endif
