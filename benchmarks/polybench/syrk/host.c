/* syrk -- host side: C = alpha A transpose(A) + beta C, one launch, checked for equality: the reference adds
 * in the kernel's order, over the transpose's rows, and rounds where its fma does. */
#include "polybench.h"

static const struct bench_program program = {
	.suite = "polybench",
	.name = "syrk",
	.help = "Symmetric rank-k update: C = 1.5 A transpose(A) + 0.5 C.",
	.source = "PolyBench/GPU syrk, its default size (Grauer-Gray et al., InPar 2012); "
		  "limit: DWT-CS, Section 2.3; rows of a multiple of 4 KB: Section 4.3, Figure 6",
	.tags = "mrpb XW dwtcs thrashing conflict warppool divergent reuse",
	.sizes = { { "n", "rows of A, rows and columns of C", { 45, 32, 1024 }, 32768 },
		{ "m", "columns of A", { 67, 1024, 1024 }, 32768 } },
	.limit = 100000000,
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t n = b.size[0], m = b.size[1];
	bench_work(&b, "%zux%zu", n, m);

	float *a = poly_random(&b, n * m), *want = poly_random(&b, n * n);
	float *got = bench_host(&b, n * n, sizeof *got);
	CUdeviceptr da = bench_device_copy(&b, a, n * m, sizeof *a);
	CUdeviceptr dc = bench_device_copy(&b, want, n * n, sizeof *want);

	int in = (int)n, im = (int)m;
	float alpha = 1.5f, beta = 0.5f;
	bench_start(&b);
	poly_launch_2d(&b, "syrk", n, n, ARGS(&da, &dc, &alpha, &beta, &in, &im));
	bench_stop(&b);
	bench_read(got, dc, n * n, sizeof *got);

	float *columns = poly_transposed(a, n, m);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			want[i * n + j] *= beta;
		for (size_t k = 0; k < m; k++)
			poly_add_row(want + i * n, alpha * a[i * m + k], columns + k * n, n);
	}
	free(columns);
	bench_expect_f32(&b, "element", got, want, n * n);
	return bench_end(&b);
}
