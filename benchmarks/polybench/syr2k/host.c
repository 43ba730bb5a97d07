/* syr2k -- host side: C = alpha (A transpose(B) + B transpose(A)) + beta C, one launch, checked for equality:
 * the reference adds in the kernel's order, over the transposes' rows, and rounds where its fma does. */
#include "polybench.h"

const struct bench_program bench_program = {
	.help = "Symmetric rank-2k update: C = 1.5 (A transpose(B) + B transpose(A)) + 0.5 C.",
	.source = "PolyBench/GPU syr2k, its default size (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb XW warppool divergent reuse",
	.sizes = { { "n", "rows of A and B, rows and columns of C", { 45, 32, 256, 2048 }, 32768 },
		{ "m", "columns of A and B", { 35, 512, 1024, 2048 }, 32768 } },
	.repro = "n: 256 CTAs of 256 threads; m: rows of 4 KB, whose columns lie in one set as those of "
		 "the paper's 8 KB do; 100 million thread instructions are timed, as DWT-CS does for syrk",
	.repro_limit = 100000000,
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

void bench_run(struct bench *b)
{
	size_t n = b->size[0], m = b->size[1];
	bench_work(b, "%zux%zu", n, m);

	float *first = bench_random_floats(b, n * m), *second = bench_random_floats(b, n * m);
	float *want = bench_random_floats(b, n * n);
	CUdeviceptr dfirst = BENCH_COPY(b, first, n * m), dsecond = BENCH_COPY(b, second, n * m);
	CUdeviceptr dc = BENCH_COPY(b, want, n * n);

	float alpha = 1.5f, beta = 0.5f;
	bench_start(b);
	poly_launch_2d(b, "syr2k", n, n, ARGS(&dfirst, &dsecond, &dc, &alpha, &beta, INT(n), INT(m)));
	bench_stop(b);

	reference(want, first, second, alpha, beta, n, m);
	bench_verify_f32(b, "element", dc, want, n * n);
}
