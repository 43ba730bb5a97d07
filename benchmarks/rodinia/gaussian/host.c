/* gaussian -- host side: two launches for each column but the last, then the solution from the triangle, on
 * the host. Checked for equality, factors, triangle, right side and solution: the reference eliminates row by
 * row, which does the same to each element in the same order, and rounds where the kernels' fmaf() does. */
#include "bench.h"

enum { CTA = 512, TILE = 4 };

static const struct bench_program program = {
	.suite = "rodinia",
	.name = "gaussian",
	.help = "Solves a system of linear equations by Gaussian elimination.",
	.source = "Rodinia gaussian (Che et al., IISWC 2009); size: MRPB (HPCA 2014), Table 3",
	.tags = "mrpb",
	.sizes = { { "n", "equations", { 27, 96, 208 }, 4096, 2 } },
};

/* Diagonally dominant: needs no pivots. */
static void equations(float *a, float *b, size_t n, uint32_t *seed)
{
	bench_fill_f32(a, n * n, seed);
	bench_fill_f32(b, n, seed);
	for (size_t i = 0; i < n; i++)
		a[i * n + i] += (float)n;
}

/* Each row at once, against all rows above. */
static void eliminate(float *factor, float *a, float *b, size_t n)
{
	for (size_t row = 1; row < n; row++)
		for (size_t t = 0; t < row; t++) {
			float f = factor[row * n + t] = a[row * n + t] / a[t * n + t];
			for (size_t col = t; col < n; col++)
				a[row * n + col] = fmaf(-f, a[t * n + col], a[row * n + col]);
			b[row] = fmaf(-f, b[t], b[row]);
		}
}

static void substitute(const float *a, const float *b, float *x, size_t n)
{
	for (size_t row = n; row-- > 0;) {
		float sum = b[row];
		for (size_t col = row + 1; col < n; col++)
			sum -= a[row * n + col] * x[col];
		x[row] = sum / a[row * n + row];
	}
}

static void launch(struct bench *b, CUdeviceptr factor, CUdeviceptr a, CUdeviceptr right, int n)
{
	CUfunction fan1 = bench_kernel(b, "fan1"), fan2 = bench_kernel(b, "fan2");
	unsigned ctas = bench_ctas(b, (size_t)n, CTA), tiles = bench_ctas(b, (size_t)n, TILE);

	for (int t = 0; t < n - 1; t++) {
		bench_launch(fan1, DIM(ctas), DIM(CTA), 0, ARGS(&factor, &a, &n, &t));
		bench_launch(fan2, DIM(tiles, tiles), DIM(TILE, TILE), 0, ARGS(&factor, &a, &right, &n, &t));
	}
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t n = b.size[0];
	bench_work(&b, "%zux%zu", n, n);

	float *a = bench_host(&b, n * n, sizeof *a), *a_got = bench_host(&b, n * n, sizeof *a_got);
	float *factor = bench_host(&b, n * n, sizeof *factor), *f_got = bench_host(&b, n * n, sizeof *f_got);
	float *right = bench_host(&b, n, sizeof *right), *r_got = bench_host(&b, n, sizeof *r_got);
	float *x = bench_host(&b, n, sizeof *x), *x_got = bench_host(&b, n, sizeof *x_got);
	equations(a, right, n, &b.seed);
	CUdeviceptr da = bench_device_copy(&b, a, n * n, sizeof *a);
	CUdeviceptr dfactor = bench_device_words(&b, n * n, 0);
	CUdeviceptr dright = bench_device_copy(&b, right, n, sizeof *right);

	bench_start(&b);
	launch(&b, dfactor, da, dright, (int)n);
	bench_stop(&b);
	bench_read(a_got, da, n * n, sizeof *a);
	bench_read(f_got, dfactor, n * n, sizeof *factor);
	bench_read(r_got, dright, n, sizeof *right);
	substitute(a_got, r_got, x_got, n);

	eliminate(factor, a, right, n);
	substitute(a, right, x, n);
	bench_expect_f32(&b, "factor", f_got, factor, n * n);
	bench_expect_f32(&b, "element of the triangle", a_got, a, n * n);
	bench_expect_f32(&b, "element of the right side", r_got, right, n);
	bench_expect_f32(&b, "element of the solution", x_got, x, n);
	return bench_end(&b);
}
