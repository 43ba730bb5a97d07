/* scaled.h -- rows of numbers of 8 and 4 bits with a scale for each block of a row: mxfp8 and mxfp4 (OCP
 * Microscaling Formats 1.0) with a power of two for each 32, nvfp4 with a number of e4m3 for each 16. */
#ifndef AI_SCALED_H
#define AI_SCALED_H

#include "ai.h"

#define AI_E2M1 ((struct ai_format){ 1, 2 })

struct scaled_format {
	const char *name;
	struct ai_format number;
	size_t bits, block;
	bool has_powers; /* scales are powers of two, their exponents plus 127 (ue8m0), not e4m3 */
};
static const struct scaled_format scaled_formats[] = {
	{ "mxfp8", { 3, 4 }, 8, 32, true },
	{ "mxfp4", { 1, 2 }, 4, 32, true },
	{ "nvfp4", { 1, 2 }, 4, 16, false },
};

static inline const struct scaled_format *scaled_format_of(const char *name)
{
	const struct scaled_format *f = scaled_formats;

	while (strcmp(f->name, name))
		f++;
	return f;
}

/* Numbers times their scales on the host; both apart on the device. */
struct scaled {
	float *value;
	CUdeviceptr at, scales;
};

/* A number: any of e2m1, or a multiple of 1/4 up to 1. */
static inline uint16_t scaled_number(struct bench *b, const struct scaled_format *f)
{
	if (f->bits == 4)
		return (uint16_t)(bench_random(&b->seed) % 16);
	return ai_encode(f->number, (double)((int)(bench_random(&b->seed) % 9) - 4) / 4);
}

/* A scale: 1/2, 1 or 2; where it may be, 1 1/2, too. */
static inline float scaled_scale(struct bench *b, const struct scaled_format *f)
{
	static const float scales[] = { 0.5f, 1, 2, 1.5f };

	return scales[bench_random(&b->seed) % (f->has_powers ? 3 : 4)];
}

static inline uint8_t scaled_scale_bits(const struct scaled_format *f, float scale)
{
	return (uint8_t)(f->has_powers ? 127 + ilogbf(scale) : ai_encode(AI_E4M3, (double)scale));
}

/* Whole blocks. Two numbers of four bits are a byte, the first in its lower half. */
static inline struct scaled scaled_input(struct bench *b, const struct scaled_format *f, size_t count)
{
	size_t per = 8 / f->bits, blocks = count / f->block;
	uint8_t *numbers = bench_host(b, count / per, 1), *scales = bench_host(b, blocks, 1);
	struct scaled s = { .value = bench_floats(b, count) };

	for (size_t i = 0; i < count; i++) {
		uint16_t bits = scaled_number(b, f);

		numbers[i / per] |= (uint8_t)(bits << i % per * f->bits);
		s.value[i] = ai_decode(f->number, bits);
	}
	for (size_t i = 0; i < blocks; i++) {
		float scale = scaled_scale(b, f);

		scales[i] = scaled_scale_bits(f, scale);
		for (size_t j = 0; j < f->block; j++)
			s.value[i * f->block + j] *= scale;
	}
	s.at = BENCH_COPY(b, numbers, count / per);
	s.scales = BENCH_COPY(b, scales, blocks);
	return s;
}

#endif
