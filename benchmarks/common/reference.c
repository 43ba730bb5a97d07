/* reference.c -- what the references of several benchmarks need. */
#include "bench.h"

float bench_tree_sum(float *values, size_t count)
{
	for (size_t half = count / 2; half > 0; half /= 2)
		for (size_t i = 0; i < half; i++)
			values[i] += values[i + half];
	return values[0];
}

static int ascending(const void *one, const void *other)
{
	int32_t x = *(const int32_t *)one, y = *(const int32_t *)other;

	return (x > y) - (x < y);
}

void bench_sort_i32(int32_t *values, size_t count)
{
	qsort(values, count, sizeof *values, ascending);
}
