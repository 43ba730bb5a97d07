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

const struct bench_program bench_program = {
	.help = "Convolves an image with a separable filter of radius 8.",
	.source = "CUDA SDK convolutionSeparable (its size; it launches 16 times); DWT-CS Table 2; MeDiC",
	.tags = "dwtcs streaming medic",
	.sizes = { { "width", "pixels of a row", { 256, 512, 1536, 3072 }, 16384, ROW_X *STEPS,
			   ROW_X *STEPS },
		{ "height", "rows", { 128, 512, 1536, 3072 }, 16384, COL_Y *STEPS, COL_Y *STEPS } },
	.repro = "width, height: half of the paper's, 27 MB",
};

void bench_run(struct bench *b)
{
	size_t w = b->size[0], h = b->size[1], n = w * h;
	bench_work(b, "%zux%zu", w, h);

	float *in = bench_random_floats(b, n), taps[2 * RADIUS + 1];
	float *rows = bench_floats(b, n), *want = bench_floats(b, n);
	bench_fill_f32(taps, 2 * RADIUS + 1, &b->seed);
	CUdeviceptr din = BENCH_COPY(b, in, n);
	CUdeviceptr drows = bench_device(b, n, sizeof *in), dout = bench_device(b, n, sizeof *in);
	CHECK(cuMemcpyHtoD(bench_variable(b, "taps", sizeof taps), taps, sizeof taps));

	bench_start(b);
	bench_launch(b, "convolve_rows", DIM(w / (ROW_X * STEPS), h / ROW_Y), DIM(ROW_X, ROW_Y),
		ARGS(&drows, &din, INT(w)));
	bench_launch(b, "convolve_columns", DIM(w / COL_X, h / (COL_Y * STEPS)), DIM(COL_X, COL_Y),
		ARGS(&dout, &drows, INT(w), INT(h)));
	bench_stop(b);

	for (size_t y = 0; y < h; y++)
		line(rows + y * w, in + y * w, w, 1, taps);
	for (size_t x = 0; x < w; x++)
		line(want + x, rows + x, h, w, taps);
	bench_verify_f32(b, "pixel after the rows", drows, rows, n);
	bench_verify_f32(b, "pixel", dout, want, n);
}
