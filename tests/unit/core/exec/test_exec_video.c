/* tests/unit/core/exec/test_exec_video.c -- video instructions from PTX text to results, against a reference
 * that works on arrays of bytes and on __int128. */
#include "tests/unit/core/bench_rig.h"

typedef __int128 wide;

static const uint32_t edges[] = { 0, 1, 2, 7, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7f, 0x80, 0x7fff,
	0x8000, 0xffff, 0x7f80, 0x807f, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
	0x80808080, 0x7f7f7f7f, 0x01ff80fe, 0xff00ff00, 0x00010000, 0xffff8000 };
#define EDGES (sizeof edges / sizeof *edges)

typedef uint32_t reference(uint32_t a, uint32_t b, uint32_t c);

static void check(const char *insn, reference *want)
{
	char text[512];
	struct ptx_rig p;
	static struct rig r;
	static uint8_t shared[4096];
	uint64_t state = 11;

	snprintf(text, sizeof text,
		"ld.shared.b32 %%r1, [%%d0]; ld.shared.b32 %%r2, [%%d0+4]; ld.shared.b32 %%r3, [%%d0+8]; "
		"mov.b32 %%r4, 0x12345678;\n%s\nst.shared.b32 [%%d0+16], %%r4;",
		insn);
	ptx_rig_init(&p, text);
	for_each_level(table) for (unsigned round = 0; round < 60; round++)
	{
		for (unsigned l = 0; l < 32; l++)
			for (unsigned n = 0; n < 3; n++) {
				uint64_t random = rig_random(&state);

				bench_set(shared, l, 4 * n, 4,
					random & 1 ? random >> 32 : edges[(random >> 8) % EDGES]);
			}
		ptx_rig_run(&p, table, &r, shared);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t a = (uint32_t)bench_get(shared, l, 0, 4),
				 b = (uint32_t)bench_get(shared, l, 4, 4);
			uint32_t c = (uint32_t)bench_get(shared, l, 8, 4);
			uint32_t got = (uint32_t)bench_get(shared, l, 16, 4), due = want(a, b, c);

			cr_assert_eq(got, due, "%s: (%x, %x, %x) gives %x, not %x", insn, a, b, c, got, due);
		}
	}
	ptx_rig_fini(&p);
}

#define CHECK(insn, expression) \
	check(insn, ({ \
		uint32_t f(uint32_t a, uint32_t b, uint32_t c) \
		{ \
			(void)a, (void)b, (void)c; \
			return (uint32_t)(expression); \
		} \
		f; \
	}))

/* Byte n, half n of a word, as signed or unsigned numbers. */
static int64_t ub(uint32_t v, unsigned n)
{
	uint8_t bytes[4];

	memcpy(bytes, &v, 4);
	return bytes[n];
}

static int64_t sb(uint32_t v, unsigned n)
{
	return (int8_t)ub(v, n);
}

static int64_t uh(uint32_t v, unsigned n)
{
	uint16_t halves[2];

	memcpy(halves, &v, 4);
	return halves[n];
}

static int64_t sh(uint32_t v, unsigned n)
{
	return (int16_t)uh(v, n);
}

#define UW(v)     ((int64_t)(uint32_t)(v))
#define SW(v)     ((int64_t)(int32_t)(v))
#define ABS(v)    ((v) < 0 ? -(v) : (v))
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
static wide clamp(wide v, wide low, wide high)
{
	return v < low ? low : v > high ? high : v;
}

#define SAT_S32(v) clamp(v, INT32_MIN, INT32_MAX)
#define SAT_U32(v) clamp(v, 0, UINT32_MAX)
#define SAT_S16(v) clamp(v, INT16_MIN, INT16_MAX)
#define SAT_U16(v) clamp(v, 0, UINT16_MAX)
#define SAT_S8(v)  clamp(v, INT8_MIN, INT8_MAX)
#define SAT_U8(v)  clamp(v, 0, UINT8_MAX)

static uint32_t with_byte(uint32_t c, unsigned n, wide value)
{
	uint8_t bytes[4], byte = (uint8_t)value;

	memcpy(bytes, &c, 4);
	bytes[n] = byte;
	memcpy(&c, bytes, 4);
	return c;
}

static uint32_t with_half(uint32_t c, unsigned n, wide value)
{
	uint16_t halves[2];

	memcpy(halves, &c, 4);
	halves[n] = (uint16_t)value;
	memcpy(&c, halves, 4);
	return c;
}

Test(exec_video, scalar_arithmetic_selects_parts_and_extends_them)
{
	CHECK("vadd.u32.u32.u32 %r4, %r1, %r2;", UW(a) + UW(b));
	CHECK("vadd.s32.s32.u32 %r4, %r1.b3, %r2.h1;", sb(a, 3) + uh(b, 1));
	CHECK("vsub.s32.u32.s32 %r4, %r1.b0, %r2.b2;", ub(a, 0) - sb(b, 2));
	CHECK("vabsdiff.u32.s32.u32 %r4, %r1, %r2;", ABS(SW(a) - UW(b)));
	CHECK("vabsdiff.u32.s32.s32 %r4, %r1.h0, %r2.h1;", ABS(sh(a, 0) - sh(b, 1)));
	CHECK("vmin.s32.s32.u32 %r4, %r1, %r2;", MIN(SW(a), UW(b)));
	CHECK("vmax.u32.u32.s32 %r4, %r1.b1, %r2.b1;", MAX(ub(a, 1), sb(b, 1)));
	CHECK("vadd.u32.u32.u32 %r4, 0xffffffff, %r2.b0;", 0xffffffff + ub(b, 0));
	CHECK("vadd.u32.u32.u32 %r4, %r1, %r2, %r3;", a + b);
}

Test(exec_video, scalar_saturation_takes_the_destination_s_type)
{
	CHECK("vadd.s32.s32.s32.sat %r4, %r1, %r2;", SAT_S32(SW(a) + SW(b)));
	CHECK("vadd.s32.u32.u32.sat %r4, %r1, %r2;", SAT_S32(UW(a) + UW(b)));
	CHECK("vsub.u32.u32.u32.sat %r4, %r1, %r2;", SAT_U32(UW(a) - UW(b)));
	CHECK("vsub.u32.s32.u32.sat %r4, %r1, %r2;", SAT_U32(SW(a) - UW(b)));
	CHECK("vabsdiff.s32.u32.s32.sat %r4, %r1, %r2;", SAT_S32(ABS(UW(a) - SW(b))));
	CHECK("vmin.u32.s32.s32.sat %r4, %r1, %r2;", SAT_U32(MIN(SW(a), SW(b))));
}

Test(exec_video, scalar_results_merge_into_c_clamped_to_the_part)
{
	CHECK("vadd.u32.u32.u32 %r4.b2, %r1, %r2, %r3;", with_byte(c, 2, UW(a) + UW(b)));
	CHECK("vadd.u32.u32.u32.sat %r4.b3, %r1, %r2, %r3;", with_byte(c, 3, SAT_U8(UW(a) + UW(b))));
	CHECK("vsub.s32.s32.s32.sat %r4.b0, %r1.h0, %r2.h1, %r3;",
		with_byte(c, 0, SAT_S8(sh(a, 0) - sh(b, 1))));
	CHECK("vsub.s32.s32.s32.sat %r4.h1, %r1, %r2, %r3;", with_half(c, 1, SAT_S16(SW(a) - SW(b))));
	CHECK("vmax.u32.s32.s32.sat %r4.h0, %r1, %r2, %r3;", with_half(c, 0, SAT_U16(MAX(SW(a), SW(b)))));
	CHECK("vset.u32.s32.lt %r4.h1, %r1, %r2, %r3;", with_half(c, 1, UW(a) < SW(b)));
}

Test(exec_video, scalar_second_operations_come_after_saturation)
{
	CHECK("vadd.s32.s32.s32.add %r4, %r1, %r2, %r3;", SW(a) + SW(b) + SW(c));
	CHECK("vadd.s32.s32.s32.sat.add %r4, %r1, %r2, %r3;", SAT_S32(SW(a) + SW(b)) + SW(c));
	CHECK("vadd.u32.u32.u32.min %r4, %r1, %r2, %r3;", MIN(UW(a) + UW(b), UW(c)));
	CHECK("vadd.s32.s32.s32.max %r4, %r1, %r2, %r3;", MAX(SW(a) + SW(b), SW(c)));
	CHECK("vsub.u32.u32.u32.sat.max %r4, %r1, %r2, %r3;", MAX(SAT_U32(UW(a) - UW(b)), UW(c)));
	CHECK("vabsdiff.u32.s32.s32.min.sat %r4, %r1.b1, %r2.b2, %r3;", MIN(ABS(sb(a, 1) - sb(b, 2)), UW(c)));
	CHECK("vset.s32.s32.ge.add %r4, %r1, %r2, %r3;", (SW(a) >= SW(b)) + c);
	CHECK("vset.u32.u32.ne.max %r4, %r1.b0, %r2.b0, %r3;", MAX((int64_t)(ub(a, 0) != ub(b, 0)), UW(c)));
}

#define SHL(v, n) ((wide)(v) * ((wide)1 << (n)))

Test(exec_video, shifts_clamp_or_wrap_their_unsigned_count)
{
	CHECK("vshl.u32.u32.u32.clamp %r4, %r1, %r2;", SHL(UW(a), MIN(b, 32)));
	CHECK("vshl.u32.u32.u32.wrap %r4, %r1, %r2;", SHL(UW(a), b % 32));
	CHECK("vshl.s32.s32.u32.sat.clamp %r4, %r1, %r2;", SAT_S32(SHL(SW(a), MIN(b, 32))));
	CHECK("vshl.u32.s32.u32.sat.wrap %r4.h1, %r1.b2, %r2.b1, %r3;",
		with_half(c, 1, SAT_U16(SHL(sb(a, 2), ub(b, 1) % 32))));
	CHECK("vshr.s32.s32.u32.clamp %r4, %r1, %r2;", SW(a) >> MIN(b, 32));
	CHECK("vshr.u32.u32.u32.wrap %r4, %r1, %r2;", UW(a) >> b % 32);
	CHECK("vshr.u32.u32.u32.clamp.add %r4, %r1, %r2.b0, %r3;", (UW(a) >> MIN(ub(b, 0), 32)) + UW(c));
}

Test(exec_video, vmad_negates_scales_and_saturates)
{
	CHECK("vmad.u32.u32.u32 %r4, %r1, %r2, %r3;", a * b + c);
	CHECK("vmad.s32.s32.s32 %r4, %r1.h0, -%r2.h1, %r3;", -(sh(a, 0) * sh(b, 1)) + SW(c));
	CHECK("vmad.s32.s32.s32 %r4, -%r1, -%r2, %r3;", a * b + c);
	CHECK("vmad.s32.s32.s32 %r4, %r1, %r2, -%r3;", a * b - c);
	CHECK("vmad.s32.s32.s32.sat %r4, %r1, %r2, %r3;", SAT_S32((wide)SW(a) * SW(b) + SW(c)));
	CHECK("vmad.u32.u32.u32.sat %r4, %r1, %r2, %r3;", SAT_U32((wide)UW(a) * UW(b) + UW(c)));
	CHECK("vmad.u32.u32.u32.shr7 %r4, %r1, %r2, %r3;", ((wide)UW(a) * UW(b) + UW(c)) >> 7);
	CHECK("vmad.s32.s32.u32.shr15.sat %r4, -%r1, %r2, %r3;",
		SAT_S32((-(wide)SW(a) * UW(b) + SW(c)) >> 15));
	CHECK("vmad.u32.u32.u32.sat.shr7 %r4, -%r1, %r2, %r3;", SAT_S32((-(wide)UW(a) * UW(b) + SW(c)) >> 7));
	CHECK("vmad.s32.s32.s32.po.shr15 %r4, %r1, %r2.b3, %r3;", ((wide)SW(a) * sb(b, 3) + SW(c) + 1) >> 15);
	/* the complement of c is made in 32 bits: what is added is -c as a signed word, but -INT_MIN is ~c +
	 * 1 */
	CHECK("vmad.u32.u32.u32.shr7 %r4, %r1, %r2, -%r3;", ((wide)UW(a) * UW(b) + SW(~c) + 1) >> 7);
}

Test(exec_video, scalar_comparisons_see_both_signs)
{
	CHECK("vset.u32.u32.eq %r4, %r1.b0, %r2.b3;", ub(a, 0) == ub(b, 3));
	CHECK("vset.s32.u32.lt %r4, %r1, %r2;", SW(a) < UW(b));
	CHECK("vset.u32.s32.le %r4, %r1, %r2;", UW(a) <= SW(b));
	CHECK("vset.s32.s32.gt %r4, %r1.h1, %r2.h0;", sh(a, 1) > sh(b, 0));
}

/* All lanes: pick(word, n) of a and b; store(c, n, value). */
#define PAIR(pick_a, pick_b, operation) \
	({ \
		uint32_t d_ = c; \
		for (unsigned n = 0; n < 2; n++) { \
			int64_t x = pick_a(a, n), y = pick_b(b, n); \
			d_ = with_half(d_, n, operation); \
		} \
		d_; \
	})
#define QUAD(pick_a, pick_b, operation) \
	({ \
		uint32_t d_ = c; \
		for (unsigned n = 0; n < 4; n++) { \
			int64_t x = pick_a(a, n), y = pick_b(b, n); \
			d_ = with_byte(d_, n, operation); \
		} \
		d_; \
	})
#define QUAD_SUM(pick_a, pick_b, operation) \
	({ \
		int64_t sum_ = c; \
		for (unsigned n = 0; n < 4; n++) { \
			int64_t x = pick_a(a, n), y = pick_b(b, n); \
			sum_ += operation; \
		} \
		sum_; \
	})

static int64_t average(int64_t x, int64_t y)
{
	int64_t sum = x + y;

	return sum >= 0 ? (sum + 1) / 2 : -((-sum + 1) / 2);
}

Test(exec_video, operations_on_two_halves_agree_with_the_formula)
{
	CHECK("vadd2.u32.u32.u32 %r4, %r1, %r2, %r3;", PAIR(uh, uh, x + y));
	CHECK("vadd2.s32.s32.s32.sat %r4, %r1, %r2, %r3;", PAIR(sh, sh, SAT_S16(x + y)));
	CHECK("vsub2.u32.u32.u32.sat %r4, %r1, %r2, %r3;", PAIR(uh, uh, SAT_U16(x - y)));
	CHECK("vavrg2.s32.s32.s32 %r4, %r1, %r2, %r3;", PAIR(sh, sh, average(x, y)));
	CHECK("vabsdiff2.u32.s32.u32 %r4, %r1, %r2, %r3;", PAIR(sh, uh, ABS(x - y)));
	CHECK("vmin2.s32.s32.s32 %r4, %r1, %r2, %r3;", PAIR(sh, sh, MIN(x, y)));
	CHECK("vmax2.u32.u32.s32.sat %r4, %r1, %r2, %r3;", PAIR(uh, sh, SAT_U16(MAX(x, y))));
	CHECK("vset2.s32.u32.lt %r4, %r1, %r2, %r3;", PAIR(sh, uh, x < y));
	CHECK("vadd2.s32.s32.s32.add %r4, %r1, %r2, %r3;", c + sh(a, 0) + sh(b, 0) + sh(a, 1) + sh(b, 1));
	CHECK("vset2.u32.u32.ge.add %r4.h1, %r1, %r2, %r3;", c + (uh(a, 1) >= uh(b, 1)));
	CHECK("vsub2.u32.u32.u32 %r4.h1, %r1, %r2, %r3;", with_half(c, 1, uh(a, 1) - uh(b, 1)));
	CHECK("vadd2.u32.u32.u32 %r4, %r1.h30, %r2.h01, %r3;",
		with_half(with_half(c, 0, uh(a, 0) + uh(a, 1)), 1, uh(b, 1) + uh(a, 0)));
}

Test(exec_video, operations_on_four_bytes_agree_with_the_formula)
{
	CHECK("vadd4.u32.u32.u32 %r4, %r1, %r2, %r3;", QUAD(ub, ub, x + y));
	CHECK("vadd4.s32.s32.s32.sat %r4, %r1, %r2, %r3;", QUAD(sb, sb, SAT_S8(x + y)));
	CHECK("vsub4.u32.u32.u32.sat %r4, %r1, %r2, %r3;", QUAD(ub, ub, SAT_U8(x - y)));
	CHECK("vavrg4.u32.u32.u32 %r4, %r1, %r2, %r3;", QUAD(ub, ub, average(x, y)));
	CHECK("vavrg4.s32.s32.s32 %r4, %r1, %r2, %r3;", QUAD(sb, sb, average(x, y)));
	CHECK("vabsdiff4.u32.u32.u32.add %r4, %r1, %r2, %r3;", QUAD_SUM(ub, ub, ABS(x - y)));
	CHECK("vabsdiff4.s32.s32.s32.sat %r4, %r1, %r2, %r3;", QUAD(sb, sb, SAT_S8(ABS(x - y))));
	CHECK("vmin4.s32.s32.s32.add %r4, %r1, %r2, %r3;", QUAD_SUM(sb, sb, MIN(x, y)));
	CHECK("vmax4.u32.u32.s32 %r4, %r1, %r2, %r3;", QUAD(ub, sb, MAX(x, y)));
	CHECK("vset4.s32.s32.gt %r4, %r1, %r2, %r3;", QUAD(sb, sb, x > y));
	CHECK("vset4.u32.u32.eq.add %r4, %r1, %r2, %r3;", QUAD_SUM(ub, ub, x == y));
	CHECK("vadd4.u32.u32.u32 %r4.b20, %r1, %r2, %r3;",
		with_byte(with_byte(c, 0, ub(a, 0) + ub(b, 0)), 2, ub(a, 2) + ub(b, 2)));
	CHECK("vsub4.u32.u32.u32.add %r4.b31, %r1, %r2, %r3;", c + ub(a, 1) - ub(b, 1) + ub(a, 3) - ub(b, 3));
	CHECK("vsub4.u32.s32.u32 %r4.b10, %r1.b7043, %r2.b0011, %r3;",
		with_byte(with_byte(c, 0, sb(a, 3) - ub(a, 1)), 1, sb(b, 0) - ub(a, 1)));
}
