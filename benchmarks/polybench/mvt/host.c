/* mvt -- host side: x1 += A y1 and x2 += transpose(A) y2, a launch for each, the second queued behind the
 * first.
 *
 * Both are checked for equality: the reference adds in the kernels' order and rounds where their fma does. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Multiplies a vector by a matrix, another by its transpose, and adds to two more.",
	.source = "PolyBench/GPU mvt, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb IW warppool cache-limited reuse",
	.sizes = { { "n", "rows and columns", { 260, 1024, 2048, 4096 }, 32768 } },
	.repro = "n: as atax",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bench_work(b, "%zux%zu", n, n);

	float *a = bench_random_floats(b, n * n), *y1 = bench_random_floats(b, n),
	      *y2 = bench_random_floats(b, n);
	float *x1 = bench_random_floats(b, n), *x2 = bench_random_floats(b, n);

	CUdeviceptr da = BENCH_COPY(b, a, n * n), dy1 = BENCH_COPY(b, y1, n), dy2 = BENCH_COPY(b, y2, n);
	CUdeviceptr dx1 = BENCH_COPY(b, x1, n), dx2 = BENCH_COPY(b, x2, n);

	bench_start(b);
	poly_launch_1d(b, "mvt1", n, ARGS(&da, &dy1, &dx1, INT(n)));
	poly_launch_1d(b, "mvt2", n, ARGS(&da, &dy2, &dx2, INT(n)));
	bench_stop(b);

	poly_add_times(x1, a, y1, n, n);
	poly_add_transposed_times(x2, a, y2, n, n);
	bench_verify_f32(b, "element of x1", dx1, x1, n);
	bench_verify_f32(b, "element of x2", dx2, x2, n);
}
