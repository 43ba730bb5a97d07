/* gemm -- host side: C = alpha A B + beta C, checked for equality: the reference adds in the kernel's order
 * and rounds where its fma does. The sum is in memory, as in PolyBench/GPU, or in a register. */
#include "polybench.h"

enum { TILE = 16 }; /* a CTA of the kernel with registers is TILE by TILE threads */

/* C in place. Row by row of B, for the host's cache; each element still adds in the order of i. */
static void reference(
	float alpha, const float *a, const float *b, float beta, float *c, size_t m, size_t n, size_t k)
{
	for (size_t at = 0; at < m * n; at++)
		c[at] *= beta;
	for (size_t row = 0; row < m; row++)
		for (size_t i = 0; i < k; i++)
			poly_add_row(c + row * n, alpha * a[row * k + i], b + i * n, n);
}

/* The same as the kernel that keeps its sums in registers does it. */
static void reference_register(
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

const struct bench_program bench_program = {
	.help = "Multiplies matrices of floats: C = 1.5 A B + 0.5 C.",
	.source = "PolyBench/GPU gemm (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI warppool bandwidth-limited reuse",
	.sizes = { { "m", "rows of A and C", { 72, 256, 512, 512 }, 32768 },
		{ "n", "columns of B and C", { 0 }, 32768 },
		{ "k", "columns of A, rows of B", { 0 }, 32768 } },
	.choices = { { "sum", "where a thread adds up", "memory|register", "memory" } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t m = b->size[0], n = b->size[1], k = b->size[2];
	bench_work(b, "%zux%zux%zu", m, n, k);

	float *x = bench_random_floats(b, m * k), *y = bench_random_floats(b, k * n);
	float *want = bench_random_floats(b, m * n);

	CUdeviceptr dx = BENCH_COPY(b, x, m * k), dy = BENCH_COPY(b, y, k * n);
	CUdeviceptr dz = BENCH_COPY(b, want, m * n);

	float alpha = 1.5f, beta = 0.5f;
	bool registers = !strcmp(b->choice[0], "register");
	void **args = ARGS(&alpha, &dx, &dy, &beta, &dz, INT(m), INT(n), INT(k));
	bench_start(b);
	if (registers)
		bench_launch_2d(b, "gemm_register", n, m, DIM(TILE, TILE), args);
	else
		poly_launch_2d(b, "gemm", n, m, args);
	bench_stop(b);

	(registers ? reference_register : reference)(alpha, x, y, beta, want, m, n, k);
	bench_verify_f32(b, "element", dz, want, m * n);
}
