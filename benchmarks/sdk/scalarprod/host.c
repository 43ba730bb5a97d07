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
	for (size_t half = SUMS / 2; half > 0; half /= 2)
		for (size_t k = 0; k < half; k++)
			sum[k] += sum[k + half];
	return sum[0];
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

static const struct bench_program program = {
	.suite = "sdk",
	.name = "scalarprod",
	.help = "Multiplies many pairs of vectors, a scalar product each.",
	.source = "CUDA SDK scalarProd (its size); DWT-CS Table 2",
	.tags = "dwtcs streaming",
	.sizes = { { "pairs", "pairs of vectors", { 37, 256, 256 }, 65536 },
		{ "elements", "of each vector", { 1500, 4096, 4096 }, 1u << 24 },
		{ "ctas", "CTAs of 256 threads, which share the pairs", { 14, 128, 128 }, 65535 } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t pairs = b.size[0], n = b.size[1];
	if (pairs * n > INT32_MAX)
		bench_wrong(&program, "%zu pairs of %zu elements: more than 2^31 in all", pairs, n);
	bench_work(&b, "%zu pairs of %zu elements", pairs, n);

	float *x = bench_host(&b, pairs * n, sizeof *x), *y = bench_host(&b, pairs * n, sizeof *y);
	float *got = bench_host(&b, pairs, sizeof *got), *want = bench_host(&b, pairs, sizeof *want);
	bench_fill_f32(x, pairs * n, &b.seed);
	bench_fill_f32(y, pairs * n, &b.seed);
	CUdeviceptr dx = bench_device_copy(&b, x, pairs * n, sizeof *x);
	CUdeviceptr dy = bench_device_copy(&b, y, pairs * n, sizeof *y);
	CUdeviceptr dproduct = bench_device(&b, pairs, sizeof *got);

	int ipairs = (int)pairs, in = (int)n;
	bench_start(&b);
	bench_launch(bench_kernel(&b, "scalar_products"), DIM((unsigned)b.size[2]), DIM(CTA), 0,
		ARGS(&dx, &dy, &dproduct, &ipairs, &in));
	bench_stop(&b);
	bench_read(got, dproduct, pairs, sizeof *got);

	for (size_t p = 0; p < pairs; p++) {
		want[p] = product(x + p * n, y + p * n, n);
		cross_check(x + p * n, y + p * n, n, want[p]);
	}
	bench_expect_f32(&b, "product", got, want, pairs);
	return bench_end(&b);
}
