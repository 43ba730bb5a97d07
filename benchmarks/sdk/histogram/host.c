/* histogram -- host side: counts byte values, checked for equality with the counts of the CPU. */
#include "bench.h"

enum {
	CTA = 256,
	BINS = 256,
	PER_THREAD = 16, /* elements of each, if MOST_CTAS allow */
	MOST_CTAS = 1024,
};

static const struct bench_program program = {
	.suite = "sdk",
	.name = "histogram",
	.help = "Counts how often each byte value occurs.",
	.source = "CUDA SDK histogram256",
	.tags = "",
	.sizes = { { "elements", "how many bytes", { 40009, 1 << 20, 1 << 24 }, 1u << 30 } },
	.choices = { { "values", "how the byte values are spread", "uniform|skewed", "uniform" } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t n = b.size[0];
	bool skewed = !strcmp(b.choice[0], "skewed");
	bench_work(&b, "%zu elements", n);

	uint8_t *in = bench_host(&b, n, sizeof *in);
	int32_t got[BINS], want[BINS] = { 0 };
	for (size_t i = 0; i < n; i++) {
		/* the upper bits: the lower ones repeat soon */
		in[i] = (uint8_t)(skewed ? bench_random_skewed(&b.seed, BINS) : bench_random(&b.seed) >> 16);
		want[in[i]]++;
	}

	CUdeviceptr din = bench_device_copy(&b, in, n, sizeof *in);
	CUdeviceptr dbins = bench_device_words(&b, BINS, 0);

	int count = (int)n;
	size_t ctas = (n + CTA * PER_THREAD - 1) / (CTA * PER_THREAD);
	ctas = ctas < MOST_CTAS ? ctas : MOST_CTAS;
	bench_start(&b);
	bench_launch(
		bench_kernel(&b, "histogram"), DIM((unsigned)ctas), DIM(CTA), 0, ARGS(&din, &dbins, &count));
	bench_stop(&b);
	bench_read(got, dbins, BINS, sizeof *got);

	bench_expect_i32(&b, "bin", got, want, BINS);
	return bench_end(&b);
}
