/* bicg -- host side: s = transpose(A) r and q = A p, a launch for each, the second queued behind the first.
 *
 * Both are checked for equality: the reference adds in the kernels' order and rounds where their fma does. */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "bicg",
	.help = "Multiplies a vector by a matrix, another by its transpose (kernel of BiCGStab).",
	.source = "PolyBench/GPU bicg, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb IW warppool cache-limited reuse",
	.sizes = { { "nx", "rows of A, length of r and q", { 260, 1024, 4096 }, 32768 },
		{ "ny", "columns of A, length of p and s", { 0 }, 32768 } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t nx = b.size[0], ny = b.size[1];
	bench_work(&b, "%zux%zu", nx, ny);

	float *a = poly_random(&b, nx * ny), *r = poly_random(&b, nx), *p = poly_random(&b, ny);
	float *s_got = bench_host(&b, ny, sizeof *s_got), *s_want = bench_host(&b, ny, sizeof *s_want);
	float *q_got = bench_host(&b, nx, sizeof *q_got), *q_want = bench_host(&b, nx, sizeof *q_want);

	CUdeviceptr da = bench_device_copy(&b, a, nx * ny, sizeof *a);
	CUdeviceptr dr = bench_device_copy(&b, r, nx, sizeof *r);
	CUdeviceptr dp = bench_device_copy(&b, p, ny, sizeof *p);
	CUdeviceptr ds = bench_device_words(&b, ny, 0), dq = bench_device_words(&b, nx, 0);

	int inx = (int)nx, iny = (int)ny;
	bench_start(&b);
	poly_launch_1d(&b, "bicg1", ny, ARGS(&da, &dr, &ds, &inx, &iny));
	poly_launch_1d(&b, "bicg2", nx, ARGS(&da, &dp, &dq, &inx, &iny));
	bench_stop(&b);
	bench_read(s_got, ds, ny, sizeof *s_got);
	bench_read(q_got, dq, nx, sizeof *q_got);

	poly_add_transposed_times(s_want, a, r, nx, ny);
	poly_add_times(q_want, a, p, nx, ny);
	bench_expect_f32(&b, "element of s", s_got, s_want, ny);
	bench_expect_f32(&b, "element of q", q_got, q_want, nx);
	return bench_end(&b);
}
