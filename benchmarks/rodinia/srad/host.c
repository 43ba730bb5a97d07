/* srad -- host side: an image of random brightness, as its exponential; for each iteration the speckle
 * (variance over the square of the mean, of a corner of the image, read back), then the two kernels.
 *
 * Checked for equality, what the last iteration leaves: image, coefficients and differences. The reference
 * goes over the image pixel by pixel, and rounds as the kernels do; the speckle is worked out by one function
 * for both, which is the host's. */
#include "bench.h"

enum { TILE = 16, CORNER = 128 };
enum { NORTH, SOUTH, WEST, EAST, COEFFICIENT, FIELDS };

static const float LAMBDA = 0.5f;
static const char *const fields[] = { "difference to the north", "difference to the south",
	"difference to the west", "difference to the east", "coefficient" };

struct image {
	size_t cols, rows;
	float *pixel, *field[FIELDS];
};

const struct bench_program bench_program = {
#ifdef UNSHARED
	.help = "Removes speckle from an image (SRAD), without shared memory.",
	.source = "MRPB (Jia et al., HPCA 2014), Section 5.6, of Rodinia srad_v2; size: its Table 3",
	.tags = "mrpb unshared",
#else
	.help = "Removes speckle from an image (SRAD), in tiles in shared memory.",
	.source = "Rodinia srad_v2 (Che et al., IISWC 2009); MRPB (HPCA 2014), Figure 3 and Table 3 (size)",
	.tags = "dwtcs conflict mrpb",
#endif
	.sizes = { { "cols", "columns of the image", { 96, 1024, 1024, 1024 }, 8192, TILE, TILE },
		{ "rows", "rows of the image", { 80, 96, 1024, 1024 }, 8192, TILE, TILE },
		{ "iterations", "of diffusion", { 2, 2, 2, 2 }, 1000 } },
	.repro = "the paper's",
};

static void image_init(struct bench *b, struct image *m)
{
	size_t pixels = b->size[0] * b->size[1];

	*m = (struct image){ .cols = b->size[0], .rows = b->size[1] };
	m->pixel = bench_host(b, pixels, sizeof *m->pixel);
	for (int f = 0; f < FIELDS; f++)
		m->field[f] = bench_host(b, pixels, sizeof *m->field[f]);
}

/* Of the upper left corner. */
static float speckle(const struct image *m)
{
	size_t rows = m->rows < CORNER ? m->rows : CORNER, cols = m->cols < CORNER ? m->cols : CORNER;
	double sum = 0, squares = 0, n = (double)(rows * cols);

	for (size_t y = 0; y < rows; y++)
		for (size_t x = 0; x < cols; x++) {
			double p = (double)m->pixel[y * m->cols + x];
			sum += p;
			squares += p * p;
		}
	double mean = sum / n;
	return (float)((squares / n - mean * mean) / (mean * mean));
}

static float coefficient(float here, float n, float s, float w, float e, float q0)
{
	float g2 = fmaf(e, e, fmaf(w, w, fmaf(n, n, s * s))) / (here * here);
	float l = (n + s + w + e) / here, den = fmaf(0.25f, l, 1.0f);
	float q = fmaf(0.5f, g2, -0.0625f * (l * l)) / (den * den);
	float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));

	return c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

/* One iteration; beyond its edges the image is as at them. */
static void diffuse(struct image *m, float q0)
{
	size_t cols = m->cols, rows = m->rows;
	float *p = m->pixel, **f = m->field;

	for (size_t y = 0, at = 0; y < rows; y++)
		for (size_t x = 0; x < cols; x++, at++) {
			f[NORTH][at] = p[y ? at - cols : at] - p[at];
			f[SOUTH][at] = p[y + 1 < rows ? at + cols : at] - p[at];
			f[WEST][at] = p[x ? at - 1 : at] - p[at];
			f[EAST][at] = p[x + 1 < cols ? at + 1 : at] - p[at];
			f[COEFFICIENT][at] =
				coefficient(p[at], f[NORTH][at], f[SOUTH][at], f[WEST][at], f[EAST][at], q0);
		}
	for (size_t y = 0, at = 0; y < rows; y++)
		for (size_t x = 0; x < cols; x++, at++) {
			const float *c = f[COEFFICIENT];
			float south = c[y + 1 < rows ? at + cols : at], east = c[x + 1 < cols ? at + 1 : at];
			float sum = fmaf(c[at], f[NORTH][at], south * f[SOUTH][at]);
			sum = fmaf(east, f[EAST][at], fmaf(c[at], f[WEST][at], sum));
			p[at] = fmaf(0.25f * LAMBDA, sum, p[at]);
		}
}

/* The same on the device: pixels, then fields, in d; m->pixel is what is there before. */
static void diffuse_on_device(struct bench *b, struct image *m, CUdeviceptr *d)
{
	struct bench_dim grid = DIM(m->cols / TILE, m->rows / TILE), cta = DIM(TILE, TILE);
	float q0 = speckle(m), quarter = 0.25f * LAMBDA;

	bench_start(b);
	bench_launch(b, "srad_coefficient", grid, cta,
		ARGS(d, d + 1, d + 2, d + 3, d + 4, d + 5, INT(m->cols), INT(m->rows), &q0));
	bench_launch(b, "srad_update", grid, cta,
		ARGS(d, d + 1, d + 2, d + 3, d + 4, d + 5, INT(m->cols), INT(m->rows), &quarter));
	bench_stop(b);
	BENCH_READ(m->pixel, d[0], m->cols * m->rows);
}

void bench_run(struct bench *b)
{
	struct image got, want;
	CUdeviceptr d[1 + FIELDS];

	size_t pixels = b->size[0] * b->size[1], iterations = b->size[2];
	bench_work(b, "%zux%zu pixels, %zu iterations", b->size[0], b->size[1], iterations);

	image_init(b, &got);
	image_init(b, &want);
	for (size_t i = 0; i < pixels; i++)
		got.pixel[i] = want.pixel[i] = expf(bench_random_f32(&b->seed));
	d[0] = BENCH_COPY(b, got.pixel, pixels);
	for (int f = 0; f < FIELDS; f++)
		d[1 + f] = bench_device(b, pixels, sizeof *got.field[f]);

	for (size_t i = 0; i < iterations; i++)
		diffuse_on_device(b, &got, d);
	for (int f = 0; f < FIELDS; f++)
		BENCH_READ(got.field[f], d[1 + f], pixels);

	for (size_t i = 0; i < iterations; i++)
		diffuse(&want, speckle(&want));
	bench_expect_f32(b, "pixel", got.pixel, want.pixel, pixels);
	for (int f = 0; f < FIELDS; f++)
		bench_expect_f32(b, fields[f], got.field[f], want.field[f], pixels);
}
