/* ai.h -- what the host programs of this suite share: numbers of 16 and 8 bits, and comparisons of them.
 *
 * Input is random multiples of a unit with few bits. Where the kernels only add and multiply, all sums are
 * exact in any order, and results are compared for equality; elsewhere the reference is in double precision,
 * and each program says what its tolerance is made of. */
#ifndef AI_H
#define AI_H

#include "bench.h"

/* ---- formats ---- */

struct ai_format {
	int mantissa, exponent; /* bits */
};
#define AI_F16  ((struct ai_format){ 10, 5 })
#define AI_BF16 ((struct ai_format){ 7, 8 })
#define AI_E4M3 ((struct ai_format){ 3, 4 })

static inline int ai_bias(struct ai_format f)
{
	return (1 << (f.exponent - 1)) - 1;
}

/* The nearest number of the format, the even one of two; value must be in its range. */
static inline uint16_t ai_encode(struct ai_format f, double value)
{
	uint32_t sign = signbit(value) ? 1u << (f.mantissa + f.exponent) : 0, steps;
	int e = 0;

	if (value == 0)
		return (uint16_t)sign;
	frexp(value, &e);
	e = e - 1 < 1 - ai_bias(f) ? 1 - ai_bias(f) : e - 1;
	steps = (uint32_t)nearbyint(ldexp(fabs(value), f.mantissa - e));
	return (uint16_t)(sign | ((((uint32_t)(e + ai_bias(f) - 1)) << f.mantissa) + steps));
}

static inline float ai_decode(struct ai_format f, uint16_t bits)
{
	int e = bits >> f.mantissa & ((1 << f.exponent) - 1), m = bits & ((1 << f.mantissa) - 1);
	double size = ldexp(e ? m + (1 << f.mantissa) : m, (e ? e : 1) - ai_bias(f) - f.mantissa);

	if (f.exponent > 4 && e == (1 << f.exponent) - 1)
		size = NAN; /* nor is there an infinity in any result */
	return (float)(bits >> (f.mantissa + f.exponent) & 1 ? -size : size);
}

static inline double ai_round(struct ai_format f, double value)
{
	return (double)ai_decode(f, ai_encode(f, value));
}

/* ---- arrays ---- */

/* The same numbers on the host and, in their format, on the device. */
struct ai_array {
	float *value;
	CUdeviceptr at;
};

/* A copy on the device. */
static inline CUdeviceptr ai_copy(struct bench *b, struct ai_format f, const float *value, size_t count)
{
	size_t size = f.exponent + f.mantissa > 8 ? 2 : 1;
	uint8_t *bits = bench_alloc(count, size);
	CUdeviceptr at;

	for (size_t i = 0; i < count; i++) {
		uint16_t x = ai_encode(f, (double)value[i]);
		memcpy(bits + size * i, &x, size);
	}
	at = bench_device_copy(b, bits, count, size);
	free(bits);
	return at;
}

/* Random whole numbers from -most to most. */
static inline int32_t *ai_whole(struct bench *b, size_t count, uint32_t most)
{
	int32_t *value = bench_host(b, count, sizeof *value);

	for (size_t i = 0; i < count; i++)
		value[i] = (int32_t)(bench_random(&b->seed) % (2 * most + 1)) - (int32_t)most;
	return value;
}

/* Random multiples of the unit, from -most to most of it. */
static inline float *ai_multiples(struct bench *b, size_t count, uint32_t most, float unit)
{
	float *value = bench_floats(b, count);

	for (size_t i = 0; i < count; i++)
		value[i] = unit * (float)((int32_t)(bench_random(&b->seed) % (2 * most + 1)) - (int32_t)most);
	return value;
}

static inline struct ai_array ai_input(
	struct bench *b, struct ai_format f, size_t count, uint32_t most, float unit)
{
	struct ai_array a = { .value = ai_multiples(b, count, most, unit) };

	a.at = ai_copy(b, f, a.value, count);
	return a;
}

/* Numbers in [-2, 2], of 8 bits, which all formats of 16 bits hold. */
static inline struct ai_array ai_activations(struct bench *b, struct ai_format f, size_t count)
{
	return ai_input(b, f, count, 128, 1.0f / 64);
}

/* Room for results of 16 and 32 bits. */
static inline CUdeviceptr ai_room_16(struct bench *b, size_t count)
{
	return bench_device(b, count, 2);
}

static inline CUdeviceptr ai_room_32(struct bench *b, size_t count)
{
	return bench_device(b, count, 4);
}

/* ---- comparing ---- */

/* Values of 32 bits, as bench_near_f32(). */
static inline void ai_near_32(struct bench *b, const char *element, CUdeviceptr at, const float *want,
	size_t count, double relative, double scale)
{
	float *got = bench_alloc(count, sizeof *got);

	BENCH_READ(got, at, count);
	bench_near_f32(b, element, got, want, count, relative, scale);
	free(got);
}

/* Values of 16 bits, likewise. */
static inline void ai_near_16(struct bench *b, struct ai_format f, const char *element, CUdeviceptr at,
	const float *want, size_t count, double relative, double scale)
{
	uint16_t *bits = bench_alloc(count, sizeof *bits);
	float *got = bench_alloc(count, sizeof *got);

	BENCH_READ(bits, at, count);
	for (size_t i = 0; i < count; i++)
		got[i] = ai_decode(f, bits[i]);
	bench_near_f32(b, element, got, want, count, relative, scale);
	free(bits);
	free(got);
}

/* Values of 16 bits that must be the reference's, rounded. */
static inline void ai_expect_16(struct bench *b, struct ai_format f, const char *element, CUdeviceptr at,
	const float *want, size_t count)
{
	uint16_t *bits = bench_alloc(count, sizeof *bits);

	for (size_t i = 0; i < count; i++)
		bits[i] = ai_encode(f, (double)want[i]);
	bench_verify_u16(b, element, at, bits, count);
	free(bits);
}

#endif
