/* gemm -- host side: C = alpha A B + beta C, checked for equality: the reference adds in the kernel's order
 * and rounds where its fma does. */
#include "bench.h"

enum { TILE = 16 }; /* a CTA is TILE by TILE threads */

/* C in place. Row by row of B, for the host's cache; each element still adds in the order of i. */
static void reference(
	float alpha, const float *a, const float *b, float beta, float *c, size_t m, size_t n, size_t k)
{
	float *sum = bench_alloc(n, sizeof *sum);

	for (size_t row = 0; row < m; row++) {
		memset(sum, 0, n * sizeof *sum);
		for (size_t i = 0; i < k; i++)
			for (size_t col = 0; col < n; col++)
				sum[col] = fmaf(a[row * k + i], b[i * n + col], sum[col]);
		for (size_t col = 0; col < n; col++)
			c[row * n + col] = fmaf(alpha, sum[col], beta * c[row * n + col]);
	}
	free(sum);
}

int main(int argc, char **argv)
{
	struct bench_size sizes[] = {
		{ "m", "rows of A and C", 512, 32768 },
		{ "n", "columns of B and C", 0, 32768 },
		{ "k", "columns of A, rows of B", 0, 32768 },
	};
	struct bench b;

	bench_begin(&b, "gemm", "Multiplies matrices of floats: C = 1.5 A B + 0.5 C.", sizes, 3, argc, argv);
	size_t m = sizes[0].value, n = sizes[1].value, k = sizes[2].value;
	bench_work(&b, "%zux%zux%zu", m, n, k);

	float *x = bench_alloc(m * k, sizeof *x), *y = bench_alloc(k * n, sizeof *y);
	float *got = bench_alloc(m * n, sizeof *got), *want = bench_alloc(m * n, sizeof *want);
	uint32_t state = BENCH_SEED;
	bench_fill_f32(x, m * k, &state);
	bench_fill_f32(y, k * n, &state);
	bench_fill_f32(want, m * n, &state);

	CUdeviceptr dx = bench_device_copy(x, m * k, sizeof *x);
	CUdeviceptr dy = bench_device_copy(y, k * n, sizeof *y);
	CUdeviceptr dz = bench_device_copy(want, m * n, sizeof *want);

	int im = (int)m, in = (int)n, ik = (int)k;
	float alpha = 1.5f, beta = 0.5f;
	void *args[] = { &alpha, &dx, &dy, &beta, &dz, &im, &in, &ik };
	CUfunction gemm = bench_kernel(&b, "gemm");
	bench_start(&b);
	CHECK(cuLaunchKernel(gemm, bench_ctas(&b, n, TILE), bench_ctas(&b, m, TILE), 1, TILE, TILE, 1, 0,
		NULL, args, NULL));
	bench_stop(&b);
	CHECK(cuMemcpyDtoH(got, dz, m * n * sizeof *got));

	reference(alpha, x, y, beta, want, m, n, k);
	bench_expect_f32(&b, "element", got, want, m * n);

	CHECK(cuMemFree(dx));
	CHECK(cuMemFree(dy));
	CHECK(cuMemFree(dz));
	free(x);
	free(y);
	free(got);
	free(want);
	return bench_end(&b);
}
