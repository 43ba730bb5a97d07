/* latency.c -- dependent chains in one warp. A chain begins AHEAD links before the clock is read, so that
 * TIMED links in steady state lie between the two readings. The reference does the same operations one after
 * the other. */
#include "micro.h"

enum { REPEATS = 2 }; /* the first fills the instruction cache and the caches */

/* Links 0, 2, 4 ... do `even`, the others `odd`, as in generate.sh. */
#define CHAIN(name, type, even, odd) \
	static type chain_##name(type a, type b) \
	{ \
		for (int r = 0; r < REPEATS; r++) \
			for (int i = 0; i < LINKS; i++) \
				if (i % 2) \
					odd; \
				else \
					even; \
		return a; \
	}
#define MAX(a, b) ((a) > (b) ? (a) : (b))
CHAIN(int_add, uint32_t, a += b, b += a)
CHAIN(int_logic, uint32_t, a ^= b, b ^= a)
CHAIN(int_shift, uint32_t, a <<= b, a <<= b)
CHAIN(int_max, uint32_t, a = MAX(a, b), b = MAX(b, a))
CHAIN(int_mul, uint32_t, a *= b, a *= b)
CHAIN(int_mad, uint32_t, a = a * b + b, a = a * b + b)
CHAIN(int_div, uint32_t, a /= b, a /= b)
CHAIN(f32_add, float, a += b, a += b)
CHAIN(f32_mul, float, a *= b, a *= b)
CHAIN(f32_mad, float, a = fmaf(a, b, b), a = fmaf(a, b, b))
CHAIN(f32_max, float, a = MAX(a, b), a = MAX(a, b))
CHAIN(f32_div, float, a /= b, a /= b)
CHAIN(sfu_rcp, float, a = 1 / a, a = 1 / a)
CHAIN(sfu_sin, float, a = sinf(a), a = sinf(a))
CHAIN(sfu_sqrt, float, a = sqrtf(a), a = sqrtf(a))
CHAIN(f64_add, double, a += b, a += b)
CHAIN(f64_mul, double, a *= b, a *= b)
CHAIN(f64_mad, double, a = fma(a, b, b), a = fma(a, b, b))
CHAIN(f64_div, double, a /= b, a /= b)

static double one_warp(struct micro *m, const char *name, uint32_t x, uint32_t y)
{
	struct shape shape = { .threads = WARP, .repeats = REPEATS, .x = x, .y = y };

	micro_run(m, "latency_", name, &shape);
	return micro_first(m) / TIMED;
}

#define INTEGER(name, label, x, y) \
	report(m, one_warp(m, #name, x, y), "cycles", "latency " label); \
	micro_expect(m, #name, chain_##name(x, y))
#define SINGLE(name, label, x, y) \
	report(m, one_warp(m, #name, float_bits(x), float_bits(y)), "cycles", "latency " label); \
	micro_expect(m, #name, float_bits(chain_##name(x, y)))
#define APPROX(name, label, x) \
	report(m, one_warp(m, #name, float_bits(x), 0), "cycles", "latency " label); \
	micro_expect_near(m, #name, chain_##name(x, 0), 1e-3f)
#define DOUBLE(name, label, x, y) \
	report(m, one_warp(m, #name, float_bits(x), float_bits(y)), "cycles", "latency " label); \
	micro_expect(m, #name, double_bits(chain_##name(x, y)))

static void arithmetic(struct micro *m)
{
	INTEGER(int_add, "int add", 3, 5);
	INTEGER(int_logic, "int logic", 3, 5);
	INTEGER(int_shift, "int shift", 77, 0);
	INTEGER(int_max, "int max", 3, 5);
	INTEGER(int_mul, "int mul", 7, 3);
	INTEGER(int_mad, "int mad", 7, 3);
	INTEGER(int_div, "int div", 0xfffffff1u, 1);
	SINGLE(f32_add, "f32 add", 1.0f, 3.0f);
	SINGLE(f32_mul, "f32 mul", 1.0f, 1.001f);
	SINGLE(f32_mad, "f32 mad", 1.0f, -0.5f);
	SINGLE(f32_max, "f32 max", 1.0f, 2.0f);
	SINGLE(f32_div, "f32 div", 1.0f, 1.001f);
	APPROX(sfu_rcp, "sfu rcp", 2.0f);
	APPROX(sfu_sin, "sfu sin", 0.5f);
	APPROX(sfu_sqrt, "sfu sqrt", 2.0f);
	report(m, one_warp(m, "convert", float_bits(12345.0f), 0), "cycles", "latency convert");
	micro_expect(m, "convert", UINT64_C(12345) << 32 | float_bits(12345.0f));
	DOUBLE(f64_add, "f64 add", 1.0f, 3.0f);
	DOUBLE(f64_mul, "f64 mul", 1.0f, 1.5f);
	DOUBLE(f64_mad, "f64 mad", 1.0f, -0.5f);
	DOUBLE(f64_div, "f64 div", 1.0f, 1.5f);
}

static void set_pointer(struct micro *m, size_t at, size_t to)
{
	uint64_t pointer = m->data + to;

	CHECK(cuMemcpyHtoD(m->data + at, &pointer, sizeof pointer));
}

/* Every load goes to memory: words so many bytes apart, read once. */
static void dram(struct micro *m, size_t first, size_t step, const char *label)
{
	struct shape shape = { .threads = 1, .repeats = 1 };

	for (size_t i = 0; i <= LINKS; i++)
		set_pointer(m, first + i * step, first + (i + 1) * step);
	m->data += first;
	micro_run(m, "latency_", "l2", &shape);
	micro_expect(m, "DRAM chase", m->data + LINKS * step);
	m->data -= first;
	report(m, micro_first(m) / TIMED, "cycles", "%s", label);
}

static void loads(struct micro *m)
{
	double add = one_warp(m, "int_add", 3, 5);

	report(m, one_warp(m, "shared", 0, 0), "cycles", "latency load shared");
	/* an addition follows each load: TIMED / 2 + 1 additions, TIMED / 2 loads */
	one_warp(m, "constant", 0, 0);
	micro_expect(m, "constant", 0);
	report(m, (micro_first(m) - add * (TIMED / 2 + 1)) / (TIMED / 2), "cycles", "latency load constant");
	set_pointer(m, 0, 0);
	report(m, one_warp(m, "l1", 0, 0), "cycles", "latency load L1");
	micro_expect(m, "L1 chase", m->data);
	report(m, one_warp(m, "l2", 0, 0), "cycles", "latency load L2");
	micro_expect(m, "L2 chase", m->data);
	dram(m, 65536, 8192 + 256, "latency load DRAM"); /* far enough for lines, rows and banks */
	dram(m, 2 << 20, 32, "latency load DRAM in order");
}

void topic_latency(struct micro *m)
{
	arithmetic(m);
	loads(m);
}
