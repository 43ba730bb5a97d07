/* tests/blackwell/vectors.c -- pairs of FP32 numbers, min and max of three, redux of FP32, loads and stores
 * of 256 bits, st.bulk, stores and reductions with .release. argv[2], argv[3]: the first random case and how
 * many. */
#include "hopper.h"
#include "numbers.h"
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, WORDS = 8, BULK = 1024 };
enum kind { PAIRS, THREE, REDUX, COPY, ATOMIC, ZEROS };

static const struct form {
	enum kind kind;
	const char *text; /* a, b, c of a lane: %r0-7, %r8-15, %r16-23, as %d too; its result: %r24-31 */
} list[] = {
#define PAIR(word) \
	{ \
		PAIRS, #word ".f32x2 %d12, %d0, %d4;" \
	}
#define PAIR3(word) \
	{ \
		PAIRS, #word ".f32x2 %d12, %d0, %d4, %d8;" \
	}
#define EACH(PAIR, word) \
	PAIR(word.rn), PAIR(word.rz), PAIR(word.rm), PAIR(word.rp), PAIR(word.rn.ftz), PAIR(word.rz.ftz), \
		PAIR(word.rm.ftz), PAIR(word.rp.ftz)
	EACH(PAIR, add),
	EACH(PAIR, sub),
	EACH(PAIR, mul),
	EACH(PAIR3, fma),
#define MIN(word) \
	{ \
		THREE, #word ".f32 %r24, %r0, %r8, %r16;" \
	}
#define WORDS_OF(MIN, op) \
	MIN(op), MIN(op.NaN), MIN(op.abs), MIN(op.NaN.abs), MIN(op.ftz), MIN(op.ftz.NaN), MIN(op.ftz.abs), \
		MIN(op.ftz.NaN.abs)
	WORDS_OF(MIN, min),
	WORDS_OF(MIN, max),
#define OF_WARP(word) \
	{ \
		REDUX, "redux.sync." #word ".f32 %r24, %r0, -1;" \
	}
	OF_WARP(min),
	OF_WARP(min.abs),
	OF_WARP(min.NaN),
	OF_WARP(min.abs.NaN),
	OF_WARP(max),
	OF_WARP(max.abs),
	OF_WARP(max.NaN),
	OF_WARP(max.abs.NaN),
#define TURN(load, store, type, of) \
	{ \
		COPY, load type " " of ", [%d16];\n" store type " [%d19], " of ";" \
	}
#define SINGLE "{%r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31}"
#define DOUBLE "{%d12, %d13, %d14, %d15}"
	TURN("ld.global", "st.global", ".v8.b32", SINGLE),
	TURN("ld.global", "st.global", ".v4.b64", DOUBLE),
	TURN("ld.global.L2::evict_last", "st.global.L2::evict_first", ".v8.b32", SINGLE),
	TURN("ld.global.nc.L1::no_allocate", "st.global.L1::no_allocate", ".v8.b32", SINGLE),
	TURN("ld.global.L2::evict_first", "st.global.L2::evict_last", ".v4.b64", DOUBLE),
	{ ATOMIC, "st.async.release.gpu.global.b32 [%d19], %r0;" },
	{ ATOMIC, "st.async.mmio.release.sys.global.b64 [%d19], %d0;" },
	{ ATOMIC, "st.async.release.sys.global.u16 [%d19], %r0;" },
	{ ATOMIC, "red.async.release.gpu.global.add.u32 [%d19], %r0;" },
	{ ATOMIC, "red.async.release.sys.global.max.u32 [%d19], %r0;" },
	{ ZEROS, "st.bulk.weak.shared::cta [%d21], %d22, 0;" },
	{ ZEROS, "st.bulk [%d23], %r32, 0;" },
};
enum { FORMS = sizeof list / sizeof *list };

static uint32_t a[LANES * WORDS], b[LANES * WORDS], c[LANES * WORDS], d[LANES * WORDS], want[LANES * WORDS];
static uint32_t area[2]; /* of st.bulk: its first byte, and how many */

static void print_kernel(FILE *to, unsigned number)
{
	const struct form *f = &list[number];

	fprintf(to,
		".entry f%u(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd, .param .u32 "
		"first, "
		".param .u32 size) {\n.reg .b32 %%r<40>; .reg .b64 %%d<30>; .reg .pred %%p; "
		".shared .align 32 .b8 bytes[%u];\nmov.u32 %%r33, %%tid.x; mov.u32 %%r34, bytes;\n",
		number, BULK);
	for (unsigned i = 0; i < 4; i++)
		fprintf(to, "ld.param.u64 %%d%u, [p%c]; mad.wide.u32 %%d%u, %%r33, 32, %%d%u;\n", 16 + i,
			"abcd"[i], 16 + i, 16 + i);
	for (unsigned i = 0; i < 32; i++)
		fprintf(to, "ld.global.u32 %%r%u, [%%d%u + %u];\n", i, 16 + i / WORDS, i % WORDS * 4);
	for (unsigned i = 0; i < 16; i++)
		fprintf(to, "mov.b64 %%d%u, {%%r%u, %%r%u};\n", i, 2 * i, 2 * i + 1);
	if (f->kind == ZEROS) /* one thread's bytes; words of d go to shared memory and back */
		fprintf(to,
			"ld.param.u32 %%r35, [first]; ld.param.u32 %%r32, [size]; cvt.u64.u32 %%d22, %%r32;\n"
			"add.u32 %%r35, %%r35, %%r34; cvt.u64.u32 %%d21, %%r35; cvta.shared.u64 %%d23, "
			"%%d21;\n"
			"mad.lo.u32 %%r36, %%r33, 32, %%r34; setp.eq.u32 %%p, %%r33, 5;\n"
			"st.shared.v4.u32 [%%r36], {%%r24, %%r25, %%r26, %%r27};\n"
			"st.shared.v4.u32 [%%r36 + 16], {%%r28, %%r29, %%r30, %%r31};\nbar.sync 0;\n@%%p ");
	fprintf(to, "%s\n", f->text);
	if (f->kind == PAIRS)
		fprintf(to, "mov.b64 {%%r24, %%r25}, %%d12;\n");
	if (f->kind == ZEROS)
		fprintf(to,
			"bar.sync 0;\nld.shared.v4.u32 {%%r24, %%r25, %%r26, %%r27}, [%%r36];\n"
			"ld.shared.v4.u32 {%%r28, %%r29, %%r30, %%r31}, [%%r36 + 16];\n");
	for (unsigned i = 0; i < WORDS && f->kind != COPY && f->kind != ATOMIC; i++)
		fprintf(to, "st.global.u32 [%%d19 + %u], %%r%u;\n", i * 4, 24 + i);
	fprintf(to, "ret;\n}\n");
}

static bool has_word(const struct form *f, const char *word)
{
	const char *at = strstr(f->text, word);

	return at && at < strchr(f->text, ' ');
}

static float number_of(uint32_t bits, bool flushes)
{
	float value;

	memcpy(&value, &bits, 4);
	return flushes && fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

static uint32_t bits_of(float value, bool flushes)
{
	uint32_t bits;

	if (isnan(value))
		return 0x7fffffff;
	value = flushes && fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
	memcpy(&bits, &value, 4);
	return bits;
}

/* One half of a pair, with the rounding of the host's own arithmetic. */
static uint32_t half(const struct form *f, uint32_t x, uint32_t y, uint32_t z)
{
	bool flushes = has_word(f, ".ftz");
	volatile float p = number_of(x, flushes), q = number_of(y, flushes), r = number_of(z, flushes), sum;

	fesetround(has_word(f, ".rz")        ? FE_TOWARDZERO
			: has_word(f, ".rm") ? FE_DOWNWARD
			: has_word(f, ".rp") ? FE_UPWARD
					     : FE_TONEAREST);
	sum = has_word(f, "add")     ? p + q
		: has_word(f, "sub") ? p - q
		: has_word(f, "mul") ? p * q
				     : fmaf(p, q, r);
	fesetround(FE_TONEAREST);
	return bits_of(sum, flushes);
}

/* The least or greatest of many; -0 is less than +0. NaN is passed over, or with .NaN the result. */
static uint32_t extreme(const struct form *f, const uint32_t *from, unsigned count, unsigned stride)
{
	bool flushes = has_word(f, ".ftz"), is_max = has_word(f, "max");
	float best = NAN;

	for (unsigned i = 0; i < count; i++) {
		float x = number_of(from[i * stride], flushes);

		x = has_word(f, ".abs") ? fabsf(x) : x;
		if (isnan(x) && has_word(f, ".NaN"))
			return 0x7fffffff;
		if (!isnan(x) &&
			(isnan(best) || (is_max ? x > best : x < best) ||
				(x == best && is_max == !signbit(x))))
			best = x;
	}
	return bits_of(best, flushes);
}

static void expect_lane(const struct form *f, unsigned lane)
{
	unsigned at = lane * WORDS;
	uint32_t *to = &want[at], three[3] = { a[at], b[at], c[at] };

	memcpy(to, f->kind == COPY ? &a[at] : &d[at], WORDS * sizeof *to);
	if (f->kind == PAIRS)
		for (unsigned i = 0; i < 2; i++)
			to[i] = half(f, a[at + i], b[at + i], c[at + i]);
	else if (f->kind == THREE)
		to[0] = extreme(f, three, 3, 1);
	else if (f->kind == REDUX)
		to[0] = extreme(f, a, LANES, WORDS);
	else if (f->kind == ATOMIC && has_word(f, "st.async"))
		memcpy(to, &a[at], has_word(f, ".b64") ? 8 : has_word(f, ".u16") ? 2 : 4);
	else if (f->kind == ATOMIC)
		to[0] = has_word(f, "add") ? to[0] + a[at] : to[0] > a[at] ? to[0] : a[at];
}

/* Numbers of all sizes; sums of neighbours in size; sometimes zeros, infinities, NaN. */
static uint32_t choose_number(uint64_t *state)
{
	uint32_t bits = (uint32_t)random_bits(state), what = (uint32_t)(random_bits(state) % 16);

	if (what < 8)
		return (bits & 0x807fffff) | (126 + bits % 5) << 23;
	if (what < 11) /* products and sums near the least normal number */
		return (bits & 0x807fffff) | bits % 5 << 23;
	if (what < 12)
		return (bits & 0x807fffff) | (62 + bits % 4) << 23;
	if (what < 13)
		return bits & 0x80000000;
	return what < 14 ? (bits & 0x80000000) | 0x7f800000 : bits;
}

static void choose(uint64_t *state)
{
	bool has_nan = random_bits(state) % 2;

	for (unsigned i = 0; i < LANES * WORDS; i++) {
		a[i] = choose_number(state);
		b[i] = choose_number(state);
		c[i] = choose_number(state);
		d[i] = choose_number(state);
		if (!has_nan && isnan(number_of(a[i], false)))
			a[i] = 0x3f800000;
	}
	area[0] = (uint32_t)(random_bits(state) % (BULK / 8)) * 8;
	area[1] = (uint32_t)(random_bits(state) % (BULK / 8 + 1 - area[0] / 8)) * 8;
}

static void compare(const struct form *f, CUdeviceptr result, uint64_t seed)
{
	uint32_t got[LANES * WORDS];

	for (unsigned lane = 0; lane < LANES; lane++)
		expect_lane(f, lane);
	if (f->kind == ZEROS)
		memset((char *)want + area[0], 0, area[1]);
	hopper_read(got, result, sizeof got);
	for (unsigned i = 0; i < LANES * WORDS; i++)
		if (!expect(got[i] == want[i], "case %llu: %s: lane %u word %u: %08x, not %08x",
			    (unsigned long long)seed, f->text, i / WORDS, i % WORDS, got[i], want[i]))
			return;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned cases = argc > 3 ? (unsigned)atoi(argv[3]) : 5;
	CUmodule module =
		hopper_module_of(".version 9.0\n.target sm_100a\n.address_size 64\n", FORMS, print_kernel);
	void *from[] = { a, b, c, d };
	CUdeviceptr memory[4];
	void *arguments[] = { &memory[0], &memory[1], &memory[2], &memory[3], &area[0], &area[1] };

	for (unsigned i = 0; i < 4; i++)
		memory[i] = hopper_memory(NULL, sizeof a);
	for (unsigned number = 0; number < FORMS; number++)
		for (unsigned i = 0; i < cases; i++) {
			uint64_t state = seed + i + number * UINT64_C(1000003);
			char name[16];

			choose(&state);
			for (unsigned j = 0; j < 4; j++)
				must(cuMemcpyHtoD(memory[j], from[j], sizeof a), "cuMemcpyHtoD");
			snprintf(name, sizeof name, "f%u", number);
			must(hopper_launch(hopper_kernel(module, name), 1, 1, LANES, 0, arguments),
				list[number].text);
			compare(&list[number], memory[3], seed + i);
		}
	forms(FORMS);
	return hopper_end();
}
