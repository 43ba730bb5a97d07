/* histogram -- host side: counts byte values, checked for equality with the counts of the CPU. */
#include "bench.h"

enum {
	CTA = 256,
	BINS = 256,
	PER_THREAD = 16, /* elements of each, if MOST_CTAS allow */
	MOST_CTAS = 1024,
};

const struct bench_program bench_program = {
	.help = "Counts how often each byte value occurs.",
	.source = "CUDA SDK histogram256",
	.tags = "",
	.sizes = { { "elements", "how many bytes", { 40009, 1 << 20, 16777216, 1 << 24 }, 1u << 30 } },
	.choices = { { "values", "how the byte values are spread", "uniform|skewed", "uniform" } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bool skewed = !strcmp(b->choice[0], "skewed");
	bench_work(b, "%zu elements", n);

	uint8_t *in = bench_host(b, n, sizeof *in);
	int32_t want[BINS] = { 0 };
	for (size_t i = 0; i < n; i++) {
		/* the upper bits: the lower ones repeat soon */
		in[i] = (uint8_t)(skewed ? bench_random_skewed(&b->seed, BINS)
					 : bench_random(&b->seed) >> 16);
		want[in[i]]++;
	}

	CUdeviceptr din = BENCH_COPY(b, in, n), dbins = bench_device_words(b, BINS, 0);

	size_t ctas = (n + CTA * PER_THREAD - 1) / (CTA * PER_THREAD);
	ctas = ctas < MOST_CTAS ? ctas : MOST_CTAS;
	bench_start(b);
	bench_launch(b, "histogram", DIM(ctas), DIM(CTA), ARGS(&din, &dbins, INT(n)));
	bench_stop(b);

	bench_verify_i32(b, "bin", dbins, want, BINS);
}
