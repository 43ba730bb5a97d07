/* gaussian -- host side: two launches for each column but the last, then the solution from the triangle, on
 * the host. Checked for equality, factors, triangle, right side and solution: the reference eliminates row by
 * row, which does the same to each element in the same order, and rounds where the kernels' fmaf() does. */
#include "bench.h"

enum { CTA = 512, TILE = 4 };

const struct bench_program bench_program = {
	.help = "Solves a system of linear equations by Gaussian elimination.",
	.source = "Rodinia gaussian (Che et al., IISWC 2009); size: MRPB (HPCA 2014), Table 3",
	.tags = "mrpb",
	.sizes = { { "n", "equations", { 27, 96, 208, 208 }, 4096, 2 } },
	.repro = "the paper's",
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
	unsigned ctas = bench_ctas(b, (size_t)n, CTA), tiles = bench_ctas(b, (size_t)n, TILE);

	for (int t = 0; t < n - 1; t++) {
		bench_launch(b, "fan1", DIM(ctas), DIM(CTA), ARGS(&factor, &a, &n, &t));
		bench_launch(
			b, "fan2", DIM(tiles, tiles), DIM(TILE, TILE), ARGS(&factor, &a, &right, &n, &t));
	}
}

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bench_work(b, "%zux%zu", n, n);

	float *a = bench_floats(b, n * n), *a_got = bench_floats(b, n * n), *factor = bench_floats(b, n * n);
	float *right = bench_floats(b, n), *r_got = bench_floats(b, n);
	float *x = bench_floats(b, n), *x_got = bench_floats(b, n);
	equations(a, right, n, &b->seed);
	CUdeviceptr da = BENCH_COPY(b, a, n * n), dfactor = bench_device_words(b, n * n, 0);
	CUdeviceptr dright = BENCH_COPY(b, right, n);

	bench_start(b);
	launch(b, dfactor, da, dright, (int)n);
	bench_stop(b);
	BENCH_READ(a_got, da, n * n);
	BENCH_READ(r_got, dright, n);
	substitute(a_got, r_got, x_got, n);

	eliminate(factor, a, right, n);
	substitute(a, right, x, n);
	bench_verify_f32(b, "factor", dfactor, factor, n * n);
	bench_expect_f32(b, "element of the triangle", a_got, a, n * n);
	bench_expect_f32(b, "element of the right side", r_got, right, n);
	bench_expect_f32(b, "element of the solution", x_got, x, n);
}
