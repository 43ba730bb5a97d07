/* scan -- host side: exclusive prefix sums of n words; the CTAs' totals are scanned in place by a launch of
 * their own, while there is more than one.
 *
 * Checked for equality, modulo 2^32, with a sum that goes along; the total over all, and each level's totals,
 * too, which hold the sums before each CTA at the end. */
#include "bench.h"

enum { MOST_LEVELS = 32 };

struct level {
	CUdeviceptr data;
	size_t n; /* words of it */
};

static void launch(
	const struct bench *b, const struct level *level, size_t levels, CUdeviceptr in, unsigned cta)
{
	unsigned words = 2 * cta + (2 * cta >> 5);

	for (size_t k = 0; k + 1 < levels; k++) {
		CUdeviceptr from = k ? level[k].data : in, to = level[k].data, totals = level[k + 1].data;
		int n = (int)level[k].n;
		bench_launch_shared(b, "scan_ctas", DIM(bench_ctas(b, level[k].n, 2 * cta)), DIM(cta),
			words * 4, ARGS(&to, &totals, &from, &n));
	}
	for (size_t k = levels - 2; k-- > 0;) {
		CUdeviceptr to = level[k].data, before = level[k + 1].data;
		int n = (int)level[k].n;
		bench_launch(b, "add_before", DIM(bench_ctas(b, level[k].n, 2 * cta)), DIM(cta),
			ARGS(&to, &before, &n));
	}
}

/* Word i of level k is the sum before element i * (2 cta)^k; the last level, one word, the sum of all. */
static void check(struct bench *b, const struct level *level, size_t levels, const uint32_t *before)
{
	size_t n = b->size[0], span = 1;
	uint32_t *want = bench_host(b, n, sizeof *want);

	for (size_t k = 0; k < levels; k++, span *= 2 * b->size[1]) {
		for (size_t i = 0; i < level[k].n; i++)
			want[i] = before[k + 1 == levels ? n : i * span];
		bench_verify_u32(
			b, k ? "sum before CTA" : "sum before element", level[k].data, want, level[k].n);
	}
}

const struct bench_program bench_program = {
	.help = "Computes exclusive prefix sums, level by level.",
	.source = "CUDA SDK scanLargeArray (its size); MeDiC",
	.tags = "medic",
	.sizes = { { "elements", "how many words", { 20011, 200003, 1048576, 1 << 20 }, 1u << 28 },
		{ "cta", "threads of a CTA, a power of two", { 64, 256, 256, 256 }, 512, 32, 1 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	struct level level[MOST_LEVELS];
	size_t levels = 0;

	size_t n = b->size[0], cta = b->size[1];
	if (cta & (cta - 1))
		bench_wrong(b, "cta = %zu: expected a power of two", cta);
	bench_work(b, "%zu elements", n);

	uint32_t *in = bench_host(b, n, sizeof *in), *before = bench_host(b, n + 1, sizeof *before);
	for (size_t i = 0; i < n; i++) {
		in[i] = bench_random(&b->seed);
		before[i + 1] = before[i] + in[i];
	}
	CUdeviceptr din = BENCH_COPY(b, in, n);
	do {
		size_t count = levels ? (level[levels - 1].n + 2 * cta - 1) / (2 * cta) : n;
		level[levels++] = (struct level){ bench_device(b, count, sizeof *in), count };
	} while (levels < 2 || level[levels - 1].n > 1);

	bench_start(b);
	launch(b, level, levels, din, (unsigned)cta);
	bench_stop(b);
	check(b, level, levels, before);
}
