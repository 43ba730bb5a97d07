/* gemm -- host side: C = alpha A B + beta C, checked for equality: the reference adds in the kernel's order
 * and rounds where its fma does. The sum is in a register, or in memory, as in PolyBench/GPU. */
#include "polybench.h"

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

/* The same as the kernel that keeps its sums in C does it. */
static void reference_memory(
	float alpha, const float *a, const float *b, float beta, float *c, size_t m, size_t n, size_t k)
{
	for (size_t at = 0; at < m * n; at++)
		c[at] *= beta;
	for (size_t row = 0; row < m; row++)
		for (size_t i = 0; i < k; i++)
			poly_add_row(c + row * n, alpha * a[row * k + i], b + i * n, n);
}

static const struct bench_program program = {
	.suite = "polybench",
	.name = "gemm",
	.help = "Multiplies matrices of floats: C = 1.5 A B + 0.5 C.",
	.source = "PolyBench/GPU gemm (Grauer-Gray et al., InPar 2012)",
	.tags = "mrpb CI warppool bandwidth-limited reuse",
	.sizes = { { "m", "rows of A and C", { 72, 256, 512 }, 32768 },
		{ "n", "columns of B and C", { 0 }, 32768 },
		{ "k", "columns of A, rows of B", { 0 }, 32768 } },
	.choices = { { "sum", "where a thread adds up", "register|memory", "register" } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t m = b.size[0], n = b.size[1], k = b.size[2];
	bench_work(&b, "%zux%zux%zu", m, n, k);

	float *x = bench_host(&b, m * k, sizeof *x), *y = bench_host(&b, k * n, sizeof *y);
	float *got = bench_host(&b, m * n, sizeof *got), *want = bench_host(&b, m * n, sizeof *want);
	bench_fill_f32(x, m * k, &b.seed);
	bench_fill_f32(y, k * n, &b.seed);
	bench_fill_f32(want, m * n, &b.seed);

	CUdeviceptr dx = bench_device_copy(&b, x, m * k, sizeof *x);
	CUdeviceptr dy = bench_device_copy(&b, y, k * n, sizeof *y);
	CUdeviceptr dz = bench_device_copy(&b, want, m * n, sizeof *want);

	int im = (int)m, in = (int)n, ik = (int)k;
	float alpha = 1.5f, beta = 0.5f;
	bool memory = !strcmp(b.choice[0], "memory");
	void **args = ARGS(&alpha, &dx, &dy, &beta, &dz, &im, &in, &ik);
	bench_start(&b);
	if (memory)
		poly_launch_2d(&b, "gemm_memory", n, m, args);
	else
		bench_launch(bench_kernel(&b, "gemm"), DIM(bench_ctas(&b, n, TILE), bench_ctas(&b, m, TILE)),
			DIM(TILE, TILE), 0, args);
	bench_stop(&b);
	bench_read(got, dz, m * n, sizeof *got);

	(memory ? reference_memory : reference)(alpha, x, y, beta, want, m, n, k);
	bench_expect_f32(&b, "element", got, want, m * n);
	return bench_end(&b);
}
