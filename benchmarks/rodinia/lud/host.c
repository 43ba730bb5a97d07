/* lud -- host side: LU decomposition of a matrix whose diagonal dominates, three launches a tile of it.
 *
 * Checked for equality with the decomposition element by element: what an element loses to the tiles before
 * its own is summed up for each of them and then subtracted, within its own tile term by term, as in the
 * kernels. That L U is the matrix again, within what rounding allows, is checked on some rows. */
#include "variant.h"
#include "lud/lud.h"

/* a[i][j] -= L[i][k] U[k][j] for all k < i, j; then what is below the diagonal is divided by it. */
static void reference(float *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			size_t least = i < j ? i : j, whole = least / LUD_TILE * LUD_TILE, k = 0;
			float v = a[i * n + j];
			while (k < whole) {
				float sum = 0.0f;
				for (size_t end = k + LUD_TILE; k < end; k++)
					sum = fmaf(a[i * n + k], a[k * n + j], sum);
				v -= sum;
			}
			for (; k < least; k++)
				v = fmaf(-a[i * n + k], a[k * n + j], v);
			a[i * n + j] = i > j ? v / a[j * n + j] : v;
		}
}

/* Row i of L U, in double precision. Returns the largest sum of its terms' magnitudes, of |L| |U|. */
static double product(const float *lu, size_t n, size_t i, float *row)
{
	double most = 0.0;

	for (size_t j = 0; j < n; j++) {
		double sum = i <= j ? (double)lu[i * n + j] : 0.0, magnitude = fabs(sum);
		for (size_t k = 0; k < i && k <= j; k++) {
			double term = (double)lu[i * n + k] * (double)lu[k * n + j];
			sum += term;
			magnitude += fabs(term);
		}
		row[j] = (float)sum;
		most = fmax(most, magnitude);
	}
	return most;
}

/* Eight rows of the product, the first and the last among them, against the matrix. L U differs from it by at
 * most gamma(n) |L| |U|, in whatever order terms are added up (Higham, Accuracy and Stability of Numerical
 * Algorithms, Theorem 9.3); gamma(n) is n 2^-24, a bit more, and the row is rounded once. |L| |U| is the
 * reference's. */
static void compare_product(struct bench *b, const float *lu, const float *lu_want, const float *a, size_t n)
{
	enum { ROWS = 8 };
	float *got = bench_floats(b, ROWS * n), *want = bench_floats(b, ROWS * n);
	double scale = 0.0;

	for (size_t r = 0; r < ROWS; r++) {
		size_t i = r * (n - 1) / (ROWS - 1);
		scale = fmax(scale, product(lu_want, n, i, got + r * n));
		product(lu, n, i, got + r * n);
		memcpy(want + r * n, a + i * n, n * sizeof *want);
	}
	bench_near_f32(b, "element of L U", got, want, ROWS * n, (double)(n + 2) / 16777216.0, scale);
}

static void run(struct bench *b, CUdeviceptr da, size_t n)
{
	unsigned left = (unsigned)(n / LUD_TILE); /* tiles still to do, each way */
	CUdeviceptr dscratch = variant_scratch(b, (size_t)left * left, LUD_SCRATCH * sizeof(float));

	bench_start(b);
	for (int32_t at = 0; left--; at += LUD_TILE) {
		void **args = ARGS(&da, INT(n), &at, &dscratch);
		bench_launch(b, "lud_diagonal", DIM(1), DIM(LUD_TILE), args);
		if (!left)
			break;
		bench_launch(b, "lud_perimeter", DIM(left), DIM(2 * LUD_TILE), args);
		bench_launch(b, "lud_internal", DIM(left, left), DIM(LUD_TILE, LUD_TILE), args);
	}
	bench_stop(b);
}

const struct bench_program bench_program = {
	.help = "Decomposes a matrix into a lower and an upper triangle.",
	.source = "Rodinia lud (Che et al., IISWC 2009); MRPB, Table 3: 512x512",
	.tags = VARIANT_TAGS("mrpb"),
	.sizes = { { "n", "rows and columns", { 80, 208, 512, 512 }, 8192, LUD_TILE, LUD_TILE } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bench_work(b, "%zux%zu", n, n);

	float *a = bench_random_floats(b, n * n), *got = bench_floats(b, n * n),
	      *want = bench_floats(b, n * n);
	for (size_t i = 0; i < n; i++)
		a[i * n + i] += (float)n;
	memcpy(want, a, n * n * sizeof *a);

	CUdeviceptr da = BENCH_COPY(b, a, n * n);
	run(b, da, n);
	BENCH_READ(got, da, n * n);

	reference(want, n);
	bench_expect_f32(b, "element", got, want, n * n);
	compare_product(b, got, want, a, n);
}
