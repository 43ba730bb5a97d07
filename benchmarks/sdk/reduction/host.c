/* reduction -- host side: the sum of n floats in two launches, the second one CTA over the sums of the first.
 *
 * Checked for equality with a sum in the kernel's own order; and that order, since kernel and reference could
 * share a mistake in it, against a plain sum in double precision, within what rounding can explain. */
#include "bench.h"

enum {
	CTA = 256,      /* threads, a power of two */
	PER_THREAD = 8, /* elements of each in the first launch, if MOST_CTAS allow */
	MOST_CTAS = 1024,
};

/* What CTA number `cta` of `ctas` makes of in[0 .. n - 1]. */
static float cta_sum(const float *in, size_t n, size_t cta, size_t ctas)
{
	float partial[CTA];

	for (size_t t = 0; t < CTA; t++) {
		partial[t] = 0.0f;
		for (size_t i = cta * CTA + t; i < n; i += ctas * CTA)
			partial[t] += in[i];
	}
	return bench_tree_sum(partial, CTA);
}

/* The terms are not negative, so each rounding of a sum changes it by at most 2^-24 of what is being added
 * up, and an element goes through at most `roundings` of them. */
static void cross_check(const float *in, size_t n, float sum, size_t roundings)
{
	double plain = 0.0;

	for (size_t i = 0; i < n; i++)
		plain += (double)in[i];
	if (fabs((double)sum - plain) > plain * (double)(roundings + 1) / 16777216.0) {
		fprintf(stderr, "reduction: the reference is %.9g, a plain sum %.17g: too far apart\n",
			(double)sum, plain);
		exit(1);
	}
}

const struct bench_program bench_program = {
	.help = "Adds up floats.",
	.source = "CUDA SDK reduction",
	.tags = "",
	.sizes = { { "elements", "how many floats", { 40009, 1 << 20, 4194304, 1 << 22 }, 1u << 28 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bench_work(b, "%zu elements", n);

	size_t ctas = (n + CTA * PER_THREAD - 1) / (CTA * PER_THREAD);
	ctas = ctas < MOST_CTAS ? ctas : MOST_CTAS;
	float *in = bench_random_floats(b, n), *partial = bench_floats(b, ctas), got, want;

	CUdeviceptr din = BENCH_COPY(b, in, n);
	CUdeviceptr dpartial = bench_device(b, ctas, sizeof *partial), dsum = bench_device(b, 1, sizeof got);

	unsigned shared = CTA * sizeof(float);
	bench_start(b);
	bench_launch_shared(b, "reduce", DIM(ctas), DIM(CTA), shared, ARGS(&din, &dpartial, INT(n)));
	bench_launch_shared(b, "reduce", DIM(1), DIM(CTA), shared, ARGS(&dpartial, &dsum, INT(ctas)));
	bench_stop(b);
	BENCH_READ(&got, dsum, 1);

	for (size_t i = 0; i < ctas; i++)
		partial[i] = cta_sum(in, n, i, ctas);
	want = cta_sum(partial, ctas, 0, 1);
	size_t steps = (n + ctas * CTA - 1) / (ctas * CTA) + (ctas + CTA - 1) / CTA;
	cross_check(in, n, want, steps + 2 * 8); /* 8: log2(CTA), the height of the tree */
	bench_expect_f32(b, "sum", &got, &want, 1);
}
