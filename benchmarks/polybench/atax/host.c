/* atax -- host side: y = transpose(A) (A x), one launch for each product, the second queued behind the first.
 *
 * Checked for equality, the vector between them too: the reference adds in the kernels' order and rounds
 * where their fma does. */
#include "bench.h"

enum { CTA = 256 };

/* tmp and y are zero before. */
static void reference(const float *a, const float *x, float *tmp, float *y, size_t nx, size_t ny)
{
	for (size_t i = 0; i < nx; i++)
		for (size_t j = 0; j < ny; j++)
			tmp[i] = fmaf(a[i * ny + j], x[j], tmp[i]);
	for (size_t i = 0; i < nx; i++)
		for (size_t j = 0; j < ny; j++)
			y[j] = fmaf(a[i * ny + j], tmp[i], y[j]);
}

const struct bench_program bench_program = {
	.help = "Multiplies a vector by a matrix and by its transpose.",
	.source = "PolyBench/GPU atax (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb IW warppool divergent cache-limited reuse",
	.sizes = { { "nx", "rows of A", { 260, 1024, 2048, 4096 }, 32768 },
		{ "ny", "columns of A, length of x and y", { 0 }, 32768 } },
	.repro = "nx, ny: 2048, which MRPB prints (8 CTAs of 256 threads)",
};

void bench_run(struct bench *b)
{
	size_t nx = b->size[0], ny = b->size[1];
	bench_work(b, "%zux%zu", nx, ny);

	float *a = bench_random_floats(b, nx * ny), *x = bench_random_floats(b, ny);
	float *tmp_want = bench_floats(b, nx), *y_want = bench_floats(b, ny);

	CUdeviceptr da = BENCH_COPY(b, a, nx * ny), dx = BENCH_COPY(b, x, ny);
	CUdeviceptr dtmp = bench_device_words(b, nx, 0), dy = bench_device_words(b, ny, 0);

	bench_start(b);
	bench_launch_1d(b, "atax1", nx, CTA, ARGS(&da, &dx, &dtmp, INT(nx), INT(ny)));
	bench_launch_1d(b, "atax2", ny, CTA, ARGS(&da, &dtmp, &dy, INT(nx), INT(ny)));
	bench_stop(b);

	reference(a, x, tmp_want, y_want, nx, ny);
	bench_verify_f32(b, "element of A x", dtmp, tmp_want, nx);
	bench_verify_f32(b, "element of y", dy, y_want, ny);
}
