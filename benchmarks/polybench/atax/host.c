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

static const struct bench_program program = {
	.suite = "polybench",
	.name = "atax",
	.help = "Multiplies a vector by a matrix and by its transpose.",
	.source = "PolyBench/GPU atax (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb IW warppool divergent cache-limited reuse",
	.sizes = { { "nx", "rows of A", { 260, 1024, 4096 }, 32768 },
		{ "ny", "columns of A, length of x and y", { 0 }, 32768 } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t nx = b.size[0], ny = b.size[1];
	bench_work(&b, "%zux%zu", nx, ny);

	float *a = bench_host(&b, nx * ny, sizeof *a), *x = bench_host(&b, ny, sizeof *x);
	float *tmp_got = bench_host(&b, nx, sizeof *tmp_got),
	      *tmp_want = bench_host(&b, nx, sizeof *tmp_want);
	float *y_got = bench_host(&b, ny, sizeof *y_got), *y_want = bench_host(&b, ny, sizeof *y_want);
	bench_fill_f32(a, nx * ny, &b.seed);
	bench_fill_f32(x, ny, &b.seed);

	CUdeviceptr da = bench_device_copy(&b, a, nx * ny, sizeof *a);
	CUdeviceptr dx = bench_device_copy(&b, x, ny, sizeof *x);
	CUdeviceptr dtmp = bench_device_words(&b, nx, 0);
	CUdeviceptr dy = bench_device_words(&b, ny, 0);

	int inx = (int)nx, iny = (int)ny;
	CUfunction atax1 = bench_kernel(&b, "atax1"), atax2 = bench_kernel(&b, "atax2");
	bench_start(&b);
	bench_launch(atax1, DIM(bench_ctas(&b, nx, CTA)), DIM(CTA), 0, ARGS(&da, &dx, &dtmp, &inx, &iny));
	bench_launch(atax2, DIM(bench_ctas(&b, ny, CTA)), DIM(CTA), 0, ARGS(&da, &dtmp, &dy, &inx, &iny));
	bench_stop(&b);
	bench_read(tmp_got, dtmp, nx, sizeof *tmp_got);
	bench_read(y_got, dy, ny, sizeof *y_got);

	reference(a, x, tmp_want, y_want, nx, ny);
	bench_expect_f32(&b, "element of A x", tmp_got, tmp_want, nx);
	bench_expect_f32(&b, "element of y", y_got, y_want, ny);
	return bench_end(&b);
}
