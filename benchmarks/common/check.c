/* check.c -- results against the reference, and the first complaint. */
#include "bench.h"

/* A comparison of count values begins: the element of the reference to be spoilt, or count for none. */
static size_t comparison(struct bench *b, const char *element, size_t count)
{
	b->compared += count;
	if (!count && !*b->failure)
		snprintf(b->failure, sizeof b->failure, "%s: there is none to compare", element);
	return ++b->comparisons == b->broken ? count / 2 : count;
}

void bench_complain(struct bench *b, const char *format, ...)
{
	va_list args;

	if (*b->failure)
		return;
	va_start(args, format);
	vsnprintf(b->failure, sizeof b->failure, format, args);
	va_end(args);
}

#define BENCH_EXPECT(T, type, format, shown, spoilt) \
	void bench_expect_##T( \
		struct bench *b, const char *element, const type *got, const type *want, size_t count) \
	{ \
		size_t wrong = 0, first = 0, spoil = comparison(b, element, count); \
		type expected = 0; \
\
		for (size_t i = 0; i < count; i++) { \
			type w = want[i]; \
			if (i == spoil) \
				w = (type)(spoilt); \
			if (got[i] == w || wrong++) \
				continue; \
			first = i; \
			expected = w; \
		} \
		if (wrong) \
			bench_complain(b, "%s %zu is " format ", expected " format " (%zu wrong)", element, \
				first, (shown)got[first], (shown)expected, wrong); \
	} \
	void bench_verify_##T( \
		struct bench *b, const char *element, CUdeviceptr got, const type *want, size_t count) \
	{ \
		type *values = bench_alloc(count, sizeof *values); \
\
		bench_read(values, got, count, sizeof *values); \
		bench_expect_##T(b, element, values, want, count); \
		free(values); \
	}

BENCH_EXPECT(f32, float, "%.9g", double, nextafterf(w, w > 0 ? -INFINITY : INFINITY))
BENCH_EXPECT(f64, double, "%.17g", double, nextafter(w, w > 0 ? -INFINITY : INFINITY))
BENCH_EXPECT(i32, int32_t, "%ld", long, w ^ 1)
BENCH_EXPECT(u32, uint32_t, "%lu", unsigned long, w ^ 1)
BENCH_EXPECT(u8, uint8_t, "%u", unsigned, w ^ 1)
BENCH_EXPECT(u16, uint16_t, "%u", unsigned, w ^ 1)
BENCH_EXPECT(u64, uint64_t, "%llu", unsigned long long, w ^ 1)

#define BENCH_NEAR(T, type) \
	void bench_near_##T(struct bench *b, const char *element, const type *got, const type *want, \
		size_t count, double relative, double scale) \
	{ \
		size_t wrong = 0, worst = 0, spoil = comparison(b, element, count); \
		double most = 0, expected = 0; \
\
		for (size_t i = 0; i < count; i++) { \
			double w = (double)want[i], margin = relative * fmax(fabs(w), scale), off; \
			if (i == spoil) \
				w += 2.5 * (margin > 0 ? margin : 1); \
			off = fabs((double)got[i] - w); \
			if (off <= margin || (wrong++ && !(off > most))) \
				continue; \
			worst = i; \
			most = off; \
			expected = w; \
		} \
		if (wrong) \
			bench_complain(b, "%s %zu is %.9g, expected %.9g within %.2g (%zu wrong)", element, \
				worst, (double)got[worst], expected, \
				relative *fmax(fabs((double)want[worst]), scale), wrong); \
	}

BENCH_NEAR(f32, float)
BENCH_NEAR(f64, double)

void bench_expect(struct bench *b, bool holds, const char *format, ...)
{
	va_list args;

	if (comparison(b, "property", 1) == 0)
		holds = !holds;
	if (holds || *b->failure)
		return;
	va_start(args, format);
	vsnprintf(b->failure, sizeof b->failure, format, args);
	va_end(args);
}
