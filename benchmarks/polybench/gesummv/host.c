/* gesummv -- host side: y = alpha A x + beta B x, one launch.
 *
 * A x and y are checked for equality: the reference adds in the kernel's order and rounds where its fma does.
 */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "gesummv",
	.help = "Multiplies a vector by two matrices and adds: y = 1.5 A x + 0.5 B x.",
	.source = "PolyBench/GPU gesummv, its default size (Grauer-Gray et al., InPar 2012); "
		  "limit: DWT-CS, Section 2.3; "
		  "rows of a multiple of 4 KB: Section 4.3, Figure 6",
	.tags = "mrpb IW dwtcs thrashing conflict reuse",
	.sizes = { { "n", "rows of A and B", { 260, 320, 4096 }, 32768 },
		{ "m", "columns of A and B", { 100, 1024, 4096 }, 32768 } },
	.limit = 100000000,
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t n = b.size[0], m = b.size[1];
	bench_work(&b, "%zux%zu", n, m);

	float *first = poly_random(&b, n * m), *second = poly_random(&b, n * m), *x = poly_random(&b, m);
	float *ax_got = bench_host(&b, n, sizeof *ax_got), *ax = bench_host(&b, n, sizeof *ax);
	float *y_got = bench_host(&b, n, sizeof *y_got), *y = bench_host(&b, n, sizeof *y);

	CUdeviceptr dfirst = bench_device_copy(&b, first, n * m, sizeof *first);
	CUdeviceptr dsecond = bench_device_copy(&b, second, n * m, sizeof *second);
	CUdeviceptr dx = bench_device_copy(&b, x, m, sizeof *x);
	CUdeviceptr dax = bench_device_words(&b, n, 0), dy = bench_device_words(&b, n, 0);

	int in = (int)n, im = (int)m;
	float alpha = 1.5f, beta = 0.5f;
	bench_start(&b);
	poly_launch_1d(&b, "gesummv", n, ARGS(&dfirst, &dsecond, &dx, &dax, &dy, &alpha, &beta, &in, &im));
	bench_stop(&b);
	bench_read(ax_got, dax, n, sizeof *ax_got);
	bench_read(y_got, dy, n, sizeof *y_got);

	poly_add_times(ax, first, x, n, m);
	poly_add_times(y, second, x, n, m);
	for (size_t i = 0; i < n; i++)
		y[i] = fmaf(alpha, ax[i], beta * y[i]);
	bench_expect_f32(&b, "element of A x", ax_got, ax, n);
	bench_expect_f32(&b, "element of y", y_got, y, n);
	return bench_end(&b);
}
