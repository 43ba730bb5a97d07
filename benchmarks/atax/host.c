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

int main(int argc, char **argv)
{
	struct bench_size sizes[] = {
		{ "nx", "rows of A", 2048, 32768 },
		{ "ny", "columns of A, length of x and y", 0, 32768 },
	};
	struct bench b;

	bench_begin(
		&b, "atax", "Multiplies a vector by a matrix and by its transpose.", sizes, 2, argc, argv);
	size_t nx = sizes[0].value, ny = sizes[1].value;
	bench_work(&b, "%zux%zu", nx, ny);

	float *a = bench_alloc(nx * ny, sizeof *a), *x = bench_alloc(ny, sizeof *x);
	float *tmp_got = bench_alloc(nx, sizeof *tmp_got), *tmp_want = bench_alloc(nx, sizeof *tmp_want);
	float *y_got = bench_alloc(ny, sizeof *y_got), *y_want = bench_alloc(ny, sizeof *y_want);
	uint32_t state = BENCH_SEED;
	bench_fill_f32(a, nx * ny, &state);
	bench_fill_f32(x, ny, &state);

	CUdeviceptr da = bench_device_copy(a, nx * ny, sizeof *a);
	CUdeviceptr dx = bench_device_copy(x, ny, sizeof *x);
	CUdeviceptr dtmp = bench_device_alloc(nx, sizeof *tmp_got);
	CUdeviceptr dy = bench_device_alloc(ny, sizeof *y_got);
	CHECK(cuMemsetD32(dtmp, 0, nx));
	CHECK(cuMemsetD32(dy, 0, ny));

	int inx = (int)nx, iny = (int)ny;
	void *args1[] = { &da, &dx, &dtmp, &inx, &iny };
	void *args2[] = { &da, &dtmp, &dy, &inx, &iny };
	CUfunction atax1 = bench_kernel(&b, "atax1"), atax2 = bench_kernel(&b, "atax2");
	bench_start(&b);
	CHECK(cuLaunchKernel(atax1, bench_ctas(&b, nx, CTA), 1, 1, CTA, 1, 1, 0, NULL, args1, NULL));
	CHECK(cuLaunchKernel(atax2, bench_ctas(&b, ny, CTA), 1, 1, CTA, 1, 1, 0, NULL, args2, NULL));
	bench_stop(&b);
	CHECK(cuMemcpyDtoH(tmp_got, dtmp, nx * sizeof *tmp_got));
	CHECK(cuMemcpyDtoH(y_got, dy, ny * sizeof *y_got));

	reference(a, x, tmp_want, y_want, nx, ny);
	bench_expect_f32(&b, "element of A x", tmp_got, tmp_want, nx);
	bench_expect_f32(&b, "element of y", y_got, y_want, ny);

	CHECK(cuMemFree(da));
	CHECK(cuMemFree(dx));
	CHECK(cuMemFree(dtmp));
	CHECK(cuMemFree(dy));
	free(a);
	free(x);
	free(tmp_got);
	free(tmp_want);
	free(y_got);
	free(y_want);
	return bench_end(&b);
}
