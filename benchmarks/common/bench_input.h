/* bench_input.h -- input of the benchmarks: seeded, the same on every machine (part of bench.h). */
#ifndef BENCH_INPUT_H
#define BENCH_INPUT_H

#define BENCH_SEED 12345u

/* 24 random bits. */
static inline uint32_t bench_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* In [0, 1), a multiple of 2^-24: exact as a float. */
static inline float bench_random_f32(uint32_t *state)
{
	return (float)bench_random(state) / 16777216.0f;
}

/* 0 to n - 1, for n up to 2^40. */
static inline uint64_t bench_random_below(uint32_t *state, uint64_t n)
{
	uint64_t high = bench_random(state), low = bench_random(state);

	return (uint64_t)((unsigned __int128)(high << 24 | low) * n >> 48);
}

/* 0 to n - 1 (n up to 2^40), small numbers far more often, like Zipf's law with exponent 1: all powers of two
 * below n are equally likely, and so are the numbers between one and the next. */
static inline uint64_t bench_random_skewed(uint32_t *state, uint64_t n)
{
	unsigned levels = 0;
	uint64_t k;

	while (levels < 40 && (1ull << levels) <= n)
		levels++;
	do {
		uint64_t low = 1ull << bench_random_below(state, levels);
		k = low + bench_random_below(state, low) - 1;
	} while (k >= n);
	return k;
}

static inline void bench_fill_f32(float *values, size_t count, uint32_t *state)
{
	for (size_t i = 0; i < count; i++)
		values[i] = bench_random_f32(state);
}

#endif
