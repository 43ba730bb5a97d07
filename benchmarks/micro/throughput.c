/* throughput.c -- independent chains in as many warps as fit: results a shader cycle and SM by the clock, and
 * rates of the whole chip by events. */
#include "micro.h"

enum { REPEATS = 6, CTA = 256, ROUND = 128, WINDOW = 200000 /* cycles */ };

/* What one chain gives: a begins as x. Operation k of a chain does `even` or `odd`. */
#define STREAM(name, type, even, odd) \
	static type stream_##name(type a, type x, type y) \
	{ \
		(void)x, (void)y; \
		for (int k = 0; k < REPEATS * LENGTH / CHAINS; k++) \
			if (k % 2) \
				odd; \
			else \
				even; \
		return a; \
	}
#define SAME(name, type, what) STREAM(name, type, what, what)
#define MAX(a, b)              ((a) > (b) ? (a) : (b))
#define MIN(a, b)              ((a) < (b) ? (a) : (b))
STREAM(int_add, uint32_t, a += y, a = x - a)
STREAM(int_logic, uint32_t, a ^= y, a &= x)
STREAM(int_max, uint32_t, a = MAX(a, y), a = MIN(a, x))
STREAM(int_shift, uint32_t, a <<= y, a >>= y)
SAME(int_field, uint32_t, a = a >> y & 0x7fffffff)
SAME(int_popc, uint32_t, a = (uint32_t)__builtin_popcount(a))
SAME(int_mul, uint32_t, a *= y)
SAME(int_mad, uint32_t, a = a * y + y)
SAME(int_sad, uint32_t, a = x + (a > y ? a - y : y - a))
SAME(f32_add, float, a += y)
SAME(f32_mul, float, a *= y)
SAME(f32_mad, float, a = fmaf(a, y, x))
SAME(sfu_rcp, float, a = 1 / a)
SAME(convert, float, a = (float)(int32_t)a)
SAME(f64_add, double, a += y)
SAME(f64_mul, double, a *= y)
SAME(f64_mad, double, a = fma(a, y, x))

static void run_repeats(struct micro *m, const char *name, unsigned repeats, uint32_t x, uint32_t y)
{
	struct shape shape = { m->threads_per_sm / CTA, CTA, repeats, x, y };

	micro_run(m, "throughput_", name, &shape);
}

static void all_warps(struct micro *m, const char *name, uint32_t x, uint32_t y)
{
	run_repeats(m, name, REPEATS, x, y);
}

static void report_rate(struct micro *m, const char *label)
{
	report(m, m->rate * LENGTH, "results/clk/SM", "throughput %s", label);
}

/* By events: 10^9 results a second of the whole chip, and the time by events over the time by the clock. What
 * all repeats together take more than one of them counts, so that the launch and the first instructions
 * cancel. */
struct by_events {
	double giga, over_clock;
};

static struct by_events measure_by_events(struct micro *m, const char *name, float x, float y)
{
	double ms, cycles;

	run_repeats(m, name, 1, float_bits(x), float_bits(y));
	ms = m->ms;
	cycles = m->cycles;
	run_repeats(m, name, REPEATS, float_bits(x), float_bits(y));
	ms = m->ms - ms;
	cycles = m->cycles - cycles;
	return (struct by_events){ (double)m->count * (REPEATS - 1) * LENGTH / ms / 1e6,
		ms * m->mhz * 1000 / cycles };
}

#define SUM(type, first, each) \
	({ \
		type sum = first; \
		for (uint32_t c = 1; c < CHAINS; c++) \
			sum += each; \
		sum; \
	})
#define INTEGER(name, label, x, y) \
	all_warps(m, #name, x, y); \
	micro_expect(m, #name, SUM(uint32_t, stream_##name(x, x, y), stream_##name((x) + c, x, y))); \
	report_rate(m, label)
#define SINGLE(name, label, x, y) \
	all_warps(m, #name, float_bits(x), float_bits(y)); \
	micro_expect(m, #name, float_bits(SUM(float, stream_##name(x, x, y), stream_##name(x, x, y)))); \
	report_rate(m, label)
#define DOUBLE(name, label, x, y) \
	all_warps(m, #name, float_bits(x), float_bits(y)); \
	micro_expect(m, #name, double_bits(SUM(double, stream_##name(x, x, y), stream_##name(x, x, y)))); \
	report_rate(m, label)

void topic_throughput(struct micro *m)
{
	struct by_events single, wide;

	INTEGER(int_add, "int add", 3, 5);
	INTEGER(int_logic, "int logic", 0xffff, 0x5a5a);
	INTEGER(int_max, "int min max", 9, 5);
	INTEGER(int_shift, "int shift", 77, 1);
	INTEGER(int_field, "int bit field", 0x7fffff00, 1);
	INTEGER(int_popc, "int popc", 77, 0);
	INTEGER(int_mul, "int mul", 7, 3);
	INTEGER(int_mad, "int mad", 7, 3);
	INTEGER(int_sad, "int sad", 7, 3);
	SINGLE(f32_add, "f32 add", 1.0f, 3.0f);
	SINGLE(f32_mul, "f32 mul", 1.0f, 1.001f);
	SINGLE(f32_mad, "f32 mad", 1.0f, -0.5f);
	single = measure_by_events(m, "f32_mad", 1.0f, -0.5f);
	SINGLE(sfu_rcp, "sfu rcp", 2.0f, 0.0f);
	SINGLE(convert, "convert", 12345.0f, 0.0f);
	DOUBLE(f64_add, "f64 add", 1.0f, 3.0f);
	DOUBLE(f64_mul, "f64 mul", 1.0f, -1.0f);
	DOUBLE(f64_mad, "f64 mad", 1.0f, -0.5f);
	wide = measure_by_events(m, "f64_mad", 1.0f, -0.5f);
	report(m, 2 * single.giga, "GFLOP/s", "peak f32");
	report(m, 2 * wide.giga, "GFLOP/s", "peak f64");
	report(m, single.over_clock, "", "f32 mad: time by events / by clock");
}

/* ---- issue ---- */

/* Thread-instructions a cycle of `threads` threads in one CTA, of which those in warps with %warpid & x == y
 * take part. */
static void issue(
	struct micro *m, const char *name, const char *label, unsigned threads, uint32_t x, uint64_t value)
{
	struct shape shape = { .threads = threads, .repeats = REPEATS, .x = x };

	micro_run(m, "issue_", name, &shape);
	micro_expect(m, name, value);
	report(m, m->rate * LENGTH, "results/clk/SM", "issue %s", label);
}

void topic_issue(struct micro *m)
{
	issue(m, "sp", "f32 mul: 16 even warps", 1024, 1, 36);
	issue(m, "sp", "f32 mul: every 4th of 32 warps", 1024, 3, 36);
	issue(m, "sp", "f32 mul: every 8th of 32 warps", 1024, 7, 36);
	issue(m, "sp", "f32 mul: 16 warps", 512, 0, 36);
	issue(m, "sp", "f32 mul: 32 warps", 1024, 0, 36);
	issue(m, "sp_int", "f32 mul + logic", 1024, 0, 36);
	issue(m, "sp_sfu", "3 f32/logic + 1 sfu", 1024, 0, 36);
	issue(m, "sp_shared", "f32 mul + shared load", 1024, 0, 8);
}

/* ---- register banks ---- */

static void banks(struct micro *m, const char *name, const char *label)
{
	struct shape shape = { m->threads_per_sm / CTA / 2, CTA, REPEATS, 0, 0 };

	micro_run(m, "banks_", name, &shape);
	micro_expect(m, name, float_bits(120)); /* each a goes to 1 - a and back */
	report(m, m->rate * LENGTH, "results/clk/SM", "banks %s", label);
}

void topic_banks(struct micro *m)
{
	float values[48];

	for (int i = 0; i < 48; i++)
		values[i] = i < 16 ? (float)i : i < 32 ? -1.0f : 1.0f;
	CHECK(cuMemcpyHtoD(m->data, values, sizeof values));
	banks(m, "apart", "operands on three banks");
	banks(m, "two", "two operands on one bank");
	banks(m, "three", "three operands on one bank");
}

/* ---- occupancy ---- */

/* What the chains have come to after so many rounds of ROUND links. */
static uint32_t rounds(uint32_t count)
{
	uint32_t a = 3, b = 5;

	for (uint32_t i = 0; i < count * ROUND; i++)
		*(i % 2 ? &b : &a) += i % 2 ? a : b;
	return a + b;
}

/* Warps go round until WINDOW is over and count, in the upper half of the value: all rounds but the last
 * ended in time. */
static double resident(struct micro *m, unsigned warps)
{
	unsigned ctas = (warps + 31) / 32;
	struct shape shape = { ctas > 1 ? ctas : 0, warps / ctas * WARP, WINDOW, 3, 5 };
	double rate = 0;
	size_t sms = ctas > 1 ? m->sms : 1;

	micro_run(m, "", "occupancy", &shape);
	for (size_t i = 0; i < m->count; i++) {
		struct record *r = &m->records[i];
		uint32_t count = (uint32_t)(r->value >> 32);

		rate += (count - 1.0) * ROUND / WINDOW;
		r->value = (uint32_t)r->value;
		if (i % WARP == 0 && r->value == rounds(count)) /* the other lanes of the warp must agree */
			for (size_t l = i; l < i + WARP; l++)
				m->records[l].value -= rounds(count);
	}
	micro_expect(m, "occupancy", 0);
	return rate / (double)sms;
}

void topic_occupancy(struct micro *m)
{
	static const unsigned warps[] = { 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 32, 40, 48 };
	double rates[sizeof warps / sizeof warps[0]], best = 0;
	size_t n = 0, enough = 0;

	for (; n < sizeof warps / sizeof warps[0] && warps[n] * WARP <= m->threads_per_sm; n++) {
		rates[n] = resident(m, warps[n]);
		best = MAX(best, rates[n]);
		report(m, rates[n], "results/clk/SM", "occupancy %u warps", warps[n]);
	}
	while (rates[enough] < 0.95 * best)
		enough++;
	report(m, warps[enough], "warps", "occupancy for 95 %% of the best");
}
