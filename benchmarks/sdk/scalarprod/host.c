/* scalarprod -- host side: scalar products of pairs of vectors, one launch.
 *
 * Checked for equality with sums in the kernel's order; and those against plain sums in double precision,
 * within what rounding can explain. */
#include "bench.h"

enum {
	CTA = 256,
	SUMS = 1024, /* as in the kernel */
};

/* In the kernel's order. */
static float product(const float *x, const float *y, size_t n)
{
	float sum[SUMS] = { 0 };

	for (size_t i = 0; i < n; i++)
		sum[i % SUMS] = fmaf(x[i], y[i], sum[i % SUMS]);
	return bench_tree_sum(sum, SUMS);
}

/* The terms are not negative: each of an element's roundings, one a round and ten in the tree, changes the
 * sum by at most 2^-24 of it. */
static void cross_check(const float *x, const float *y, size_t n, float sum)
{
	double plain = 0.0;

	for (size_t i = 0; i < n; i++)
		plain += (double)x[i] * (double)y[i];
	if (fabs((double)sum - plain) > plain * (double)(n / SUMS + 1 + 10 + 1) * 0x1p-24)
		bench_die("scalarprod: the reference is %.9g, a plain sum %.17g: too far apart", (double)sum,
			plain);
}

const struct bench_program bench_program = {
	.help = "Multiplies many pairs of vectors, a scalar product each.",
	.source = "CUDA SDK scalarProd (its size); DWT-CS Table 2",
	.tags = "dwtcs streaming",
	.sizes = { { "pairs", "pairs of vectors", { 37, 256, 256, 256 }, 65536 },
		{ "elements", "of each vector", { 1500, 4096, 4096, 4096 }, 1u << 24 },
		{ "ctas", "CTAs of 256 threads, which share the pairs", { 14, 128, 128, 128 }, 65535 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t pairs = b->size[0], n = b->size[1];
	if (pairs * n > INT32_MAX)
		bench_wrong(b, "%zu pairs of %zu elements: more than 2^31 in all", pairs, n);
	bench_work(b, "%zu pairs of %zu elements", pairs, n);

	float *x = bench_random_floats(b, pairs * n), *y = bench_random_floats(b, pairs * n);
	float *want = bench_floats(b, pairs);
	CUdeviceptr dx = BENCH_COPY(b, x, pairs * n), dy = BENCH_COPY(b, y, pairs * n);
	CUdeviceptr dproduct = bench_device(b, pairs, sizeof(float));

	bench_start(b);
	bench_launch(b, "scalar_products", DIM(b->size[2]), DIM(CTA),
		ARGS(&dx, &dy, &dproduct, INT(pairs), INT(n)));
	bench_stop(b);

	for (size_t p = 0; p < pairs; p++) {
		want[p] = product(x + p * n, y + p * n, n);
		cross_check(x + p * n, y + p * n, n, want[p]);
	}
	bench_verify_f32(b, "product", dproduct, want, pairs);
}
