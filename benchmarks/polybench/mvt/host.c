/* mvt -- host side: x1 += A y1 and x2 += transpose(A) y2, a launch for each, the second queued behind the
 * first.
 *
 * Both are checked for equality: the reference adds in the kernels' order and rounds where their fma does. */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "mvt",
	.help = "Multiplies a vector by a matrix, another by its transpose, and adds to two more.",
	.source = "PolyBench/GPU mvt, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb IW warppool cache-limited reuse",
	.sizes = { { "n", "rows and columns", { 260, 1024, 4096 }, 32768 } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t n = b.size[0];
	bench_work(&b, "%zux%zu", n, n);

	float *a = poly_random(&b, n * n), *y1 = poly_random(&b, n), *y2 = poly_random(&b, n);
	float *x1 = poly_random(&b, n), *x2 = poly_random(&b, n);
	float *x1_got = bench_host(&b, n, sizeof *x1), *x2_got = bench_host(&b, n, sizeof *x2);

	CUdeviceptr da = bench_device_copy(&b, a, n * n, sizeof *a);
	CUdeviceptr dy1 = bench_device_copy(&b, y1, n, sizeof *y1);
	CUdeviceptr dy2 = bench_device_copy(&b, y2, n, sizeof *y2);
	CUdeviceptr dx1 = bench_device_copy(&b, x1, n, sizeof *x1);
	CUdeviceptr dx2 = bench_device_copy(&b, x2, n, sizeof *x2);

	int in = (int)n;
	bench_start(&b);
	poly_launch_1d(&b, "mvt1", n, ARGS(&da, &dy1, &dx1, &in));
	poly_launch_1d(&b, "mvt2", n, ARGS(&da, &dy2, &dx2, &in));
	bench_stop(&b);
	bench_read(x1_got, dx1, n, sizeof *x1);
	bench_read(x2_got, dx2, n, sizeof *x2);

	poly_add_times(x1, a, y1, n, n);
	poly_add_transposed_times(x2, a, y2, n, n);
	bench_expect_f32(&b, "element of x1", x1_got, x1, n);
	bench_expect_f32(&b, "element of x2", x2_got, x2, n);
	return bench_end(&b);
}
