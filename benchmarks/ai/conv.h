/* conv.h -- a convolution with 3 x 3 taps over images with zeros around them; all sums are exact. */
#ifndef AI_CONV_H
#define AI_CONV_H

#include "ai.h"

#define CONV_SIZES \
	{ \
		{ "images", "images", { 1, 1, 16, 32 }, 1024 }, \
			{ "height", "rows", { 9, 14, 28, 56 }, 1024 }, \
			{ "width", "columns", { 13, 14, 28, 56 }, 1024 }, \
			{ "from", "channels of the input, in 64s", { 64, 64, 128, 128 }, 4096, 64, 64 }, \
		{ \
			"to", "channels of the output, even", { 50, 64, 128, 128 }, 4096, 2, 2 \
		} \
	}
#define CONV_REPRO "height and width of ResNet-50's third group, images for all SMs"

struct conv {
	size_t images, height, width, from, to, pixels;
	struct ai_array x, taps;
	CUdeviceptr out;
};

static inline struct conv conv_input(struct bench *b)
{
	struct conv c = { .images = b->size[0],
		.height = b->size[1],
		.width = b->size[2],
		.from = b->size[3],
		.to = b->size[4] };

	c.pixels = c.images * c.height * c.width;
	c.x = ai_input(b, AI_F16, c.pixels * c.from, 8, 0.125f);
	c.taps = ai_input(b, AI_F16, c.to * 9 * c.from, 8, 0.125f);
	c.out = ai_room_32(b, c.pixels * c.to);
	bench_work(b, "%zu images %zux%zu, %zu to %zu channels", c.images, c.width, c.height, c.from, c.to);
	return c;
}

/* Adds what one pixel's tap gives. */
static inline void conv_reference_tap(const struct conv *c, size_t pixel, size_t tap, float *out)
{
	size_t x = pixel % c->width + tap % 3 - 1, y = pixel / c->width % c->height + tap / 3 - 1;
	const float *in;

	if (x >= c->width || y >= c->height) /* below 0 wraps */
		return;
	in = c->x.value + ((pixel / c->width / c->height * c->height + y) * c->width + x) * c->from;
	for (size_t i = 0; i < c->to; i++) {
		const float *taps = c->taps.value + (i * 9 + tap) * c->from;
		float sum[8] = { 0 };

		for (size_t e = 0; e < c->from; e++)
			sum[e % 8] += in[e] * taps[e];
		for (size_t e = 0; e < 8; e++)
			out[i] += sum[e];
	}
}

static inline void conv_check(struct bench *b, const struct conv *c)
{
	float *want = bench_floats(b, c->pixels * c->to);

	for (size_t i = 0; i < 9 * c->pixels; i++)
		conv_reference_tap(c, i / 9, i % 9, want + i / 9 * c->to);
	bench_verify_f32(b, "element of the output", c->out, want, c->pixels * c->to);
}

#endif
