/* memory.c -- on-chip memory: shared memory, constants, the L1. */
#include "micro.h"

enum { REPEATS = 4, STRIDE_WARPS = 32, REGISTERS = 16 }; /* loads go into so many registers in turn */

/* ---- shared memory ---- */

/* Cycles that the SM needs for one access of a warp at `stride` words; so many warps keep it busy. */
static void by_stride(struct micro *m, unsigned stride)
{
	struct shape shape = { .threads = STRIDE_WARPS * WARP, .repeats = REPEATS, .x = 4 * stride };

	micro_run(m, "shared_", "load32", &shape);
	micro_expect(m, "shared loads", REGISTERS); /* each loaded a 1 */
	report(m, m->cycles / ((double)STRIDE_WARPS * REPEATS * ACCESSES), "cycles/access",
		"shared stride %u", stride);
}

static void chain_by_stride(struct micro *m, unsigned stride)
{
	struct shape shape = { .threads = WARP, .repeats = REPEATS, .x = 4 * stride };

	micro_run(m, "shared_", "chain", &shape);
	report(m, micro_first(m) / TIMED, "cycles", "shared latency %u-way", stride);
}

/* Accesses of `bytes` by each thread, side by side. */
static void by_width(struct micro *m, const char *what, unsigned bytes)
{
	struct shape shape = { 3, 512, REPEATS, bytes, 8192 };
	char kernel[32];

	snprintf(kernel, sizeof kernel, "%s%u", what, 8 * bytes);
	micro_run(m, "shared_", kernel, &shape);
	report(m, m->rate * ACCESSES, "ops/clk/SM", "shared %s %u-bit", what, 8 * bytes);
}

void topic_shared(struct micro *m)
{
	for (unsigned stride = 1; stride <= 32; stride++)
		by_stride(m, stride);
	for (unsigned ways = 1; ways <= 32; ways *= 2)
		chain_by_stride(m, ways);
	for (unsigned bytes = 4; bytes <= 16; bytes *= 2)
		by_width(m, "load", bytes);
	for (unsigned bytes = 4; bytes <= 16; bytes *= 2)
		by_width(m, "swap", bytes);
}

/* ---- constants ---- */

/* table[i] is i + 1; access i reads `words` from 4 i on. */
static void constants(struct micro *m, unsigned words)
{
	struct shape shape = { m->threads_per_sm / 256, 256, REPEATS, 0, 0 };
	char kernel[32];
	uint32_t sum = 0;

	for (uint32_t i = 0; i < ACCESSES; i++)
		for (uint32_t w = 0; w < words; w++)
			sum += 4 * i + w + 1;
	snprintf(kernel, sizeof kernel, "load%u", 32 * words);
	micro_run(m, "constant_", kernel, &shape);
	micro_expect(m, kernel, sum * REPEATS);
	report(m, m->rate * ACCESSES, "ops/clk/SM", "constant load + add %u-bit", 32 * words);
}

void topic_constant(struct micro *m)
{
	for (unsigned words = 1; words <= 4; words *= 2)
		constants(m, words);
	for (unsigned distinct = 1; distinct <= 32; distinct *= 2) {
		struct shape shape = { .threads = STRIDE_WARPS * WARP, .repeats = REPEATS, .x = distinct };

		micro_run(m, "constant_", "distinct", &shape);
		report(m, m->cycles / ((double)STRIDE_WARPS * REPEATS * ACCESSES), "cycles/access",
			"constant %u distinct words", distinct);
	}
}

/* ---- L1 ---- */

static void l1(struct micro *m, unsigned bytes)
{
	struct shape shape = { 1, 512, REPEATS, bytes, 0 };
	char kernel[32];

	snprintf(kernel, sizeof kernel, "load%u", 8 * bytes);
	micro_run(m, "l1_", kernel, &shape);
	for (size_t i = 0; i < m->count; i++) { /* word n of the data holds n: thread t has words from t *
						   bytes / 4 on, in all registers */
		size_t words = bytes / 4, first = i % 512 * words;

		m->records[i].value -= REGISTERS * first + REGISTERS / words * (words * (words - 1) / 2);
	}
	micro_expect(m, kernel, 0);
	report(m, m->rate * ACCESSES * bytes, "bytes/clk/SM", "L1 load %u-bit", 8 * bytes);
}

void topic_l1(struct micro *m)
{
	uint32_t words[4096];

	for (uint32_t i = 0; i < 4096; i++)
		words[i] = i;
	CHECK(cuMemcpyHtoD(m->data, words, sizeof words));
	for (unsigned bytes = 4; bytes <= 16; bytes *= 2)
		l1(m, bytes);
}
