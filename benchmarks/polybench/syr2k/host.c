/* syr2k -- host side: C = alpha (A transpose(B) + B transpose(A)) + beta C, one launch, checked for equality:
 * the reference adds in the kernel's order, over the transposes' rows, and rounds where its fma does. */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "syr2k",
	.help = "Symmetric rank-2k update: C = 1.5 (A transpose(B) + B transpose(A)) + 0.5 C.",
	.source = "PolyBench/GPU syr2k, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb XW warppool divergent reuse",
	.sizes = { { "n", "rows of A and B, rows and columns of C", { 45, 32, 2048 }, 32768 },
		{ "m", "columns of A and B", { 35, 512, 2048 }, 32768 } },
};

static void reference(
	float *c, const float *first, const float *second, float alpha, float beta, size_t n, size_t m)
{
	float *first_columns = poly_transposed(first, n, m), *second_columns = poly_transposed(second, n, m);

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			c[i * n + j] *= beta;
		for (size_t k = 0; k < m; k++) {
			poly_add_row(c + i * n, alpha * first[i * m + k], second_columns + k * n, n);
			poly_add_row(c + i * n, alpha * second[i * m + k], first_columns + k * n, n);
		}
	}
	free(first_columns);
	free(second_columns);
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t n = b.size[0], m = b.size[1];
	bench_work(&b, "%zux%zu", n, m);

	float *first = poly_random(&b, n * m), *second = poly_random(&b, n * m);
	float *want = poly_random(&b, n * n), *got = bench_host(&b, n * n, sizeof *got);
	CUdeviceptr dfirst = bench_device_copy(&b, first, n * m, sizeof *first);
	CUdeviceptr dsecond = bench_device_copy(&b, second, n * m, sizeof *second);
	CUdeviceptr dc = bench_device_copy(&b, want, n * n, sizeof *want);

	int in = (int)n, im = (int)m;
	float alpha = 1.5f, beta = 0.5f;
	bench_start(&b);
	poly_launch_2d(&b, "syr2k", n, n, ARGS(&dfirst, &dsecond, &dc, &alpha, &beta, &in, &im));
	bench_stop(&b);
	bench_read(got, dc, n * n, sizeof *got);

	reference(want, first, second, alpha, beta, n, m);
	bench_expect_f32(&b, "element", got, want, n * n);
	return bench_end(&b);
}
