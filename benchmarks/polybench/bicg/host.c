/* bicg -- host side: s = transpose(A) r and q = A p, a launch for each, the second queued behind the first.
 *
 * Both are checked for equality: the reference adds in the kernels' order and rounds where their fma does. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Multiplies a vector by a matrix, another by its transpose (kernel of BiCGStab).",
	.source = "PolyBench/GPU bicg, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb IW warppool cache-limited reuse",
	.sizes = { { "nx", "rows of A, length of r and q", { 260, 1024, 2048, 4096 }, 32768 },
		{ "ny", "columns of A, length of p and s", { 0 }, 32768 } },
	.repro = "nx, ny: as atax",
};

void bench_run(struct bench *b)
{
	size_t nx = b->size[0], ny = b->size[1];
	bench_work(b, "%zux%zu", nx, ny);

	float *a = bench_random_floats(b, nx * ny), *r = bench_random_floats(b, nx),
	      *p = bench_random_floats(b, ny);
	float *s_want = bench_floats(b, ny), *q_want = bench_floats(b, nx);

	CUdeviceptr da = BENCH_COPY(b, a, nx * ny), dr = BENCH_COPY(b, r, nx), dp = BENCH_COPY(b, p, ny);
	CUdeviceptr ds = bench_device_words(b, ny, 0), dq = bench_device_words(b, nx, 0);

	bench_start(b);
	poly_launch_1d(b, "bicg1", ny, ARGS(&da, &dr, &ds, INT(nx), INT(ny)));
	poly_launch_1d(b, "bicg2", nx, ARGS(&da, &dp, &dq, INT(nx), INT(ny)));
	bench_stop(b);

	poly_add_transposed_times(s_want, a, r, nx, ny);
	poly_add_times(q_want, a, p, nx, ny);
	bench_verify_f32(b, "element of s", ds, s_want, ny);
	bench_verify_f32(b, "element of q", dq, q_want, nx);
}
