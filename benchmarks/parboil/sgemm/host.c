/* sgemm -- host side: C = alpha A B^T + beta C, matrices column by column, checked for equality: the
 * reference adds in the kernel's order and rounds where its fma does. */
#include "bench.h"

enum { TILE_ROWS = 128, TILE_COLUMNS = 16, TILE_DEPTH = 8 };

/* C in place: A is m by k, B n by k, C m by n. */
static void reference(
	const float *a, const float *b, float *c, size_t m, size_t n, size_t k, float alpha, float beta)
{
	float *sum = bench_alloc(m, sizeof *sum);

	for (size_t column = 0; column < n; column++) {
		memset(sum, 0, m * sizeof *sum);
		for (size_t i = 0; i < k; i++)
			for (size_t row = 0; row < m; row++)
				sum[row] = fmaf(a[i * m + row], b[i * n + column], sum[row]);
		for (size_t row = 0; row < m; row++)
			c[column * m + row] = fmaf(c[column * m + row], beta, alpha * sum[row]);
	}
	free(sum);
}

const struct bench_program bench_program = {
	.help = "Multiplies matrices of floats, tiled in registers and shared memory: C = 1.25 A B^T + 0.75 "
		"C.",
	.source = "Parboil sgemm, its medium matrices as in the reuse-distance model, Section 6",
	.tags = "reuse",
	.sizes = { { "m", "rows of A and C", { 256, 256, 1024, 1024 }, 16384, TILE_ROWS, TILE_ROWS },
		{ "n", "columns of C, rows of B", { 48, 480, 1056, 1056 }, 16384, TILE_COLUMNS,
			TILE_COLUMNS },
		{ "k", "columns of A and B", { 24, 128, 256, 992 }, 16384, TILE_DEPTH, TILE_DEPTH } },
	.repro = "k: a quarter of the paper's; all CTAs",
};

void bench_run(struct bench *b)
{
	size_t m = b->size[0], n = b->size[1], k = b->size[2];
	bench_work(b, "%zux%zux%zu", m, n, k);

	float *x = bench_random_floats(b, m * k), *y = bench_random_floats(b, n * k);
	float *want = bench_random_floats(b, m * n);
	CUdeviceptr dx = BENCH_COPY(b, x, m * k), dy = BENCH_COPY(b, y, n * k);
	CUdeviceptr dz = BENCH_COPY(b, want, m * n);

	float alpha = 1.25f, beta = 0.75f;
	bench_start(b);
	bench_launch(b, "sgemm", DIM(m / TILE_ROWS, n / TILE_COLUMNS), DIM(TILE_COLUMNS, TILE_DEPTH),
		ARGS(&dx, INT(m), &dy, INT(n), &dz, INT(m), INT(k), &alpha, &beta));
	bench_stop(b);

	reference(x, y, want, m, n, k, alpha, beta);
	bench_verify_f32(b, "element of C", dz, want, m * n);
}
