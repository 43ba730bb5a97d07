/* gesummv -- host side: y = alpha A x + beta B x, one launch.
 *
 * A x and y are checked for equality: the reference adds in the kernel's order and rounds where its fma does.
 */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Multiplies a vector by two matrices and adds: y = 1.5 A x + 0.5 B x.",
	.source = "PolyBench/GPU gesummv, its default size (Grauer-Gray et al., InPar 2012); limit: DWT-CS, "
		  "Section 2.3; "
		  "rows of a multiple of 4 KB: Section 4.3, Figure 6",
	.tags = "mrpb IW dwtcs thrashing conflict reuse",
	.sizes = { { "n", "rows of A and B", { 260, 320, 2048, 4096 }, 32768 },
		{ "m", "columns of A and B", { 100, 1024, 2048, 4096 }, 32768 } },
	.limit = 100000000,
	.repro = "n, m: as atax",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0], m = b->size[1];
	bench_work(b, "%zux%zu", n, m);

	float *first = bench_random_floats(b, n * m), *second = bench_random_floats(b, n * m),
	      *x = bench_random_floats(b, m);
	float *ax = bench_floats(b, n), *y = bench_floats(b, n);

	CUdeviceptr dfirst = BENCH_COPY(b, first, n * m), dsecond = BENCH_COPY(b, second, n * m);
	CUdeviceptr dx = BENCH_COPY(b, x, m);
	CUdeviceptr dax = bench_device_words(b, n, 0), dy = bench_device_words(b, n, 0);

	float alpha = 1.5f, beta = 0.5f;
	bench_start(b);
	poly_launch_1d(
		b, "gesummv", n, ARGS(&dfirst, &dsecond, &dx, &dax, &dy, &alpha, &beta, INT(n), INT(m)));
	bench_stop(b);

	poly_add_times(ax, first, x, n, m);
	poly_add_times(y, second, x, n, m);
	for (size_t i = 0; i < n; i++)
		y[i] = fmaf(alpha, ax[i], beta * y[i]);
	bench_verify_f32(b, "element of A x", dax, ax, n);
	bench_verify_f32(b, "element of y", dy, y, n);
}
