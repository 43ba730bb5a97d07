/* vectoradd -- host side: c = a + b, checked for equality: one addition rounds the same everywhere. */
#include "bench.h"

enum { CTA = 256, MOST = 65535 * CTA }; /* what one launch can do on a GTX 480 */

static const struct bench_program program = {
	.suite = "sdk",
	.name = "vectoradd",
	.help = "Adds two vectors of floats.",
	.source = "CUDA SDK vectorAdd; DWT-CS Table 2",
	.tags = "dwtcs streaming",
	.sizes = { { "elements", "elements of each vector", { 20011, 1 << 20, MOST }, MOST } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t n = b.size[0];
	bench_work(&b, "%zu elements", n);

	float *x = bench_host(&b, n, sizeof *x), *y = bench_host(&b, n, sizeof *y);
	float *got = bench_host(&b, n, sizeof *got), *want = bench_host(&b, n, sizeof *want);
	bench_fill_f32(x, n, &b.seed);
	bench_fill_f32(y, n, &b.seed);
	CUdeviceptr dx = bench_device_copy(&b, x, n, sizeof *x), dy = bench_device_copy(&b, y, n, sizeof *y);
	CUdeviceptr dz = bench_device(&b, n, sizeof *got);

	int count = (int)n;
	bench_start(&b);
	bench_launch(bench_kernel(&b, "vector_add"), DIM(bench_ctas(&b, n, CTA)), DIM(CTA), 0,
		ARGS(&dx, &dy, &dz, &count));
	bench_stop(&b);
	bench_read(got, dz, n, sizeof *got);

	for (size_t i = 0; i < n; i++)
		want[i] = x[i] + y[i];
	bench_expect_f32(&b, "element", got, want, n);
	return bench_end(&b);
}
