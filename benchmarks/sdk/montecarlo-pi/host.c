/* montecarlo-pi -- host side: generators 2^67 numbers apart, points, hits of each CTA.
 *
 * Checked for equality: the reference steps from each thread's generator to the next one's with one matrix,
 * where the kernel goes by the bits of the thread's number; that matrix is made by squaring that of a single
 * step, which is tried against the generator itself. And pi must come out within six standard deviations. */
#include "bench.h"
#include "xorwow.h"

enum {
	CTA = 128,
	JUMP_LOG = 67,  /* log2 of the numbers between neighbours, as in the published library */
	TRIED_LOG = 10, /* of the jump that is tried against the generator */
};

typedef uint32_t matrix[XORWOW_BITS][XORWOW_WORDS];

static uint32_t next(struct xorwow *g)
{
	uint32_t t = g->word[0] ^ g->word[0] >> 2, last = g->word[4];

	memmove(g->word, g->word + 1, 4 * sizeof *g->word);
	g->word[4] = last ^ last << 4 ^ t ^ t << 1;
	g->counter += XORWOW_STEP;
	return g->counter + g->word[4];
}

/* to = from * m; not in place. */
static void jump(uint32_t *to, const uint32_t *from, matrix m)
{
	memset(to, 0, XORWOW_WORDS * sizeof *to);
	for (size_t i = 0; i < XORWOW_BITS; i++)
		if (from[i / 32] >> i % 32 & 1)
			for (size_t k = 0; k < XORWOW_WORDS; k++)
				to[k] ^= m[i][k];
}

static void square(matrix m)
{
	matrix twice;

	for (size_t i = 0; i < XORWOW_BITS; i++)
		jump(twice[i], m[i], m);
	memcpy(m, twice, sizeof twice);
}

/* jumps[k] goes 2^(JUMP_LOG + k) numbers ahead. */
static void make_jumps(matrix *jumps, size_t count, struct xorwow seed)
{
	matrix m = { { 0 } };
	uint32_t tried[XORWOW_WORDS];

	for (size_t i = 0; i < XORWOW_BITS; i++) {
		struct xorwow bit = { 0 };
		bit.word[i / 32] = 1u << i % 32;
		next(&bit);
		memcpy(m[i], bit.word, sizeof m[i]);
	}
	for (size_t log = 0; log < JUMP_LOG + count; log++, square(m)) {
		if (log >= JUMP_LOG)
			memcpy(jumps[log - JUMP_LOG], m, sizeof m);
		if (log == TRIED_LOG)
			jump(tried, seed.word, m);
	}
	for (size_t i = 0; i < (size_t)1 << TRIED_LOG; i++)
		next(&seed);
	if (memcmp(tried, seed.word, sizeof tried) != 0)
		bench_die("montecarlo-pi: the reference jumps elsewhere than its generator goes");
}

static void make_generators(struct xorwow *g, size_t threads, struct xorwow seed, matrix neighbour)
{
	g[0] = seed;
	for (size_t t = 1; t < threads; t++) {
		g[t].counter = seed.counter;
		jump(g[t].word, g[t - 1].word, neighbour);
	}
}

/* Hits by CTA; the generators go on. */
static void count_points(uint32_t *hits, struct xorwow *g, size_t threads, size_t points)
{
	for (size_t i = 0; i < points; i++) {
		size_t t = i % threads;
		float x = (float)(next(&g[t]) >> 8) * 0x1p-24f, y = (float)(next(&g[t]) >> 8) * 0x1p-24f;
		hits[t / CTA] += fmaf(x, x, y * y) <= 1.0f;
	}
}

static void check(
	struct bench *b, struct xorwow *want, size_t threads, CUdeviceptr generators, CUdeviceptr hits)
{
	size_t points = b->size[0], ctas = threads / CTA;
	struct xorwow *got = bench_host(b, threads, sizeof *got);
	uint32_t *hits_got = bench_host(b, ctas, sizeof *hits_got),
		 *hits_want = bench_host(b, ctas, sizeof *hits_got);
	double sum = 0.0, pi = acos(-1.0);

	BENCH_READ(got, generators, threads);
	for (size_t t = 0; t < threads; t++)
		memset(got[t].unused, 0, sizeof got[t].unused); /* nobody writes these */
	bench_expect_u32(
		b, "word of the generators", &got->counter, &want->counter, threads * sizeof *got / 4);

	count_points(hits_want, want, threads, points);
	BENCH_READ(hits_got, hits, ctas);
	bench_expect_u32(b, "hits of CTA", hits_got, hits_want, ctas);
	for (size_t i = 0; i < ctas; i++)
		sum += hits_got[i];
	bench_expect(b, fabs(4.0 * sum / (double)points - pi) <= 6.0 * sqrt(pi * (4.0 - pi) / (double)points),
		"pi is %.6f, after %zu points", 4.0 * sum / (double)points, points);
}

const struct bench_program bench_program = {
	.help = "Estimates pi from random points, a generator for each thread.",
	.source = "CUDA SDK MC_EstimatePiInlineP (its points; its CTAs on 15 SMs); DWT-CS Table 2",
	.tags = "dwtcs friendly",
	.sizes = { { "points", "random points", { 3001, 20011, 100000, 100000 }, 1u << 30 },
		{ "ctas", "CTAs of 128 threads, which share the points", { 3, 30, 195, 195 }, 65535 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	struct xorwow seed = { 0 };
	size_t bits = 0;

	size_t ctas = b->size[1], threads = ctas * CTA;
	bench_work(b, "%zu points in %zu CTAs", b->size[0], ctas);

	for (size_t i = 0; i < XORWOW_WORDS; i++)
		seed.word[i] = bench_random(&b->seed) << 8 | (bench_random(&b->seed) >> 16);
	seed.counter = bench_random(&b->seed);
	while ((threads - 1) >> bits)
		bits++;
	matrix *jumps = bench_host(b, bits, sizeof *jumps);
	struct xorwow *want = bench_host(b, threads, sizeof *want);
	make_jumps(jumps, bits, seed);
	CUdeviceptr djumps = BENCH_COPY(b, jumps, bits);
	CUdeviceptr generators = bench_device(b, threads, sizeof seed), hits = bench_device(b, ctas, 4);

	bench_start(b);
	bench_launch(b, "make_generators", DIM(ctas), DIM(CTA), ARGS(&generators, &djumps, &seed));
	bench_launch_shared(
		b, "count_points", DIM(ctas), DIM(CTA), CTA * 4, ARGS(&hits, &generators, INT(b->size[0])));
	bench_stop(b);

	make_generators(want, threads, seed, jumps[0]);
	check(b, want, threads, generators, hits);
}
