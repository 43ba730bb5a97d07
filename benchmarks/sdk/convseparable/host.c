/* convseparable -- host side: an image convolved along rows, then along columns.
 *
 * Checked for equality, the image between too: the reference adds the taps in the kernels' order, with fma.
 */
#include "bench.h"

enum {
	RADIUS = 8,
	STEPS = 8, /* as in the kernels, all of them */
	ROW_X = 16,
	ROW_Y = 4,
	COL_X = 16,
	COL_Y = 8,
};

/* One direction: `length` elements `stride` apart, outside is zero. */
static void line(float *out, const float *in, size_t length, size_t stride, const float *taps)
{
	for (size_t i = 0; i < length; i++) {
		float sum = 0.0f;
		for (size_t j = 0; j <= 2 * RADIUS; j++) {
			bool inside = i + j >= RADIUS && i + j < length + RADIUS;
			sum = fmaf(taps[2 * RADIUS - j], inside ? in[(i + j - RADIUS) * stride] : 0.0f, sum);
		}
		out[i * stride] = sum;
	}
}

static const struct bench_program program = {
	.suite = "sdk",
	.name = "convseparable",
	.help = "Convolves an image with a separable filter of radius 8.",
	.source = "CUDA SDK convolutionSeparable (its size; it launches 16 times); DWT-CS Table 2; MeDiC",
	.tags = "dwtcs streaming medic",
	.sizes = { { "width", "pixels of a row", { 256, 512, 3072 }, 16384, ROW_X *STEPS, ROW_X *STEPS },
		{ "height", "rows", { 128, 512, 3072 }, 16384, COL_Y *STEPS, COL_Y *STEPS } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t w = b.size[0], h = b.size[1], n = w * h;
	bench_work(&b, "%zux%zu", w, h);

	float *in = bench_host(&b, n, sizeof *in), *got = bench_host(&b, n, sizeof *got),
	      taps[2 * RADIUS + 1];
	float *rows = bench_host(&b, n, sizeof *rows), *want = bench_host(&b, n, sizeof *want);
	bench_fill_f32(in, n, &b.seed);
	bench_fill_f32(taps, 2 * RADIUS + 1, &b.seed);
	CUdeviceptr din = bench_device_copy(&b, in, n, sizeof *in);
	CUdeviceptr drows = bench_device(&b, n, sizeof *in), dout = bench_device(&b, n, sizeof *in);
	CHECK(cuMemcpyHtoD(bench_variable(&b, "taps", sizeof taps), taps, sizeof taps));

	int iw = (int)w, ih = (int)h;
	unsigned uw = (unsigned)w, uh = (unsigned)h;
	bench_start(&b);
	bench_launch(bench_kernel(&b, "convolve_rows"), DIM(uw / (ROW_X * STEPS), uh / ROW_Y),
		DIM(ROW_X, ROW_Y), 0, ARGS(&drows, &din, &iw));
	bench_launch(bench_kernel(&b, "convolve_columns"), DIM(uw / COL_X, uh / (COL_Y * STEPS)),
		DIM(COL_X, COL_Y), 0, ARGS(&dout, &drows, &iw, &ih));
	bench_stop(&b);

	for (size_t y = 0; y < h; y++)
		line(rows + y * w, in + y * w, w, 1, taps);
	for (size_t x = 0; x < w; x++)
		line(want + x, rows + x, h, w, taps);
	bench_read(got, drows, n, sizeof *got);
	bench_expect_f32(&b, "pixel after the rows", got, rows, n);
	bench_read(got, dout, n, sizeof *got);
	bench_expect_f32(&b, "pixel", got, want, n);
	return bench_end(&b);
}
