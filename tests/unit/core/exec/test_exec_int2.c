/* tests/unit/core/exec/test_exec_int2.c -- integer forms from PTX text to results: bit masks, the n-th set
 * bit, pairs, saturation, carries, lop3 with its predicate; every result against a definition written another
 * way.
 */
#include "tests/unit/core/bench_rig.h"

typedef __int128 wide;
typedef uint64_t reference(uint64_t a, uint64_t b, uint64_t c);

static const uint64_t edges[] = { 0, 1, 2, 3, 15, 16, 31, 32, 33, 63, 64, 255, 256, 0x7fff, 0x8000, 0xffff,
	0x10000, 0x7fff8000, 0x80007fff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
	0xfffffff0, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff };
#define EDGES (sizeof edges / sizeof *edges)

static wide sx(uint64_t v, unsigned bits)
{
	wide value = v & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);

	return value >> (bits - 1) & 1 ? value - ((wide)1 << bits) : value;
}

static uint64_t clamp32(wide v)
{
	return (uint32_t)(int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

/* a, b and c of `bits` bits from bytes 0, 8 and 16 into registers 1 to 3 of their width; the result, register
 * 0, to 32. */
static void check(const char *insn, unsigned bits, unsigned result_bits, reference *want)
{
	const char *reg = bits == 64 ? "d" : bits == 16 ? "h" : "r";
	char text[1024];
	struct ptx_rig p;
	static struct rig r;
	static uint8_t shared[4096];
	uint64_t state = 7, mask = result_bits == 64 ? UINT64_MAX : (UINT64_C(1) << result_bits) - 1;

	snprintf(text, sizeof text,
		"ld.shared.b%u %%%s1, [%%d0]; ld.shared.b%u %%%s2, [%%d0+8]; ld.shared.b%u %%%s3, "
		"[%%d0+16];\n%s\n"
		"st.shared.b%u [%%d0+32], %%%s4;",
		bits, reg, bits, reg, bits, reg, insn, result_bits,
		result_bits == 64           ? "d"
			: result_bits == 16 ? "h"
					    : "r");
	ptx_rig_init(&p, text);
	for_each_level(table) for (unsigned round = 0; round < 60; round++)
	{
		memset(shared, 0, sizeof shared);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned n = 0; n < 3; n++)
				bench_set(shared, l, 8 * n, 8,
					rig_random(&state) & 1 ? rig_random(&state)
							       : edges[rig_random(&state) % EDGES]);
		ptx_rig_run(&p, table, &r, shared);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t a = bench_get(shared, l, 0, bits / 8), b = bench_get(shared, l, 8, bits / 8);
			uint64_t c = bench_get(shared, l, 16, bits / 8);
			uint64_t got = bench_get(shared, l, 32, result_bits / 8), due = want(a, b, c) & mask;

			cr_assert_eq(
				got, due, "%s: (%lx, %lx, %lx) gives %lx, not %lx", insn, a, b, c, got, due);
		}
	}
	ptx_rig_fini(&p);
}

#define CHECK(insn, bits, result_bits, expression) \
	check(insn, bits, result_bits, ({ \
		uint64_t f(uint64_t a, uint64_t b, uint64_t c) \
		{ \
			(void)a, (void)b, (void)c; \
			return (uint64_t)(expression); \
		} \
		f; \
	}))

/* Bit by bit: is bit i within [start, start + count)? */
static uint64_t ones(uint64_t start, uint64_t count)
{
	uint64_t result = 0;

	for (uint64_t i = 0; i < 32; i++)
		if (i >= start && i < start + count)
			result |= UINT64_C(1) << i;
	return result;
}

static uint64_t extended(uint64_t a, uint64_t n, bool is_signed)
{
	uint64_t result = 0;

	if (n == 0)
		return 0;
	for (uint64_t i = 0; i < 32; i++)
		if (i < n ? a >> i & 1 : is_signed && (a >> (n - 1) & 1))
			result |= UINT64_C(1) << i;
	return result;
}

static uint64_t find_set(uint64_t mask, uint64_t base, int64_t offset)
{
	int64_t count = (offset < 0 ? -offset : offset) - 1;

	if (base > 31)
		return UINT32_MAX;
	if (offset == INT32_MIN)
		return 0; /* as measured on an H200 */
	if (offset == 0)
		return mask >> base & 1 ? base : UINT32_MAX;
	for (int64_t position = (int64_t)base; position >= 0 && position<32; position += offset> 0 ? 1 : -1)
		if ((mask >> position & 1) && count-- == 0)
			return (uint64_t)position;
	return UINT32_MAX;
}

Test(exec_int2, masks_and_extensions_clamp_or_wrap)
{
	CHECK("bmsk.clamp.b32 %r4, %r1, %r2;", 32, 32, ones(a, b));
	CHECK("bmsk.wrap.b32 %r4, %r1, %r2;", 32, 32, ones(a & 31, b & 31));
	CHECK("szext.clamp.u32 %r4, %r1, %r2;", 32, 32, extended(a, b > 32 ? 32 : b, false));
	CHECK("szext.clamp.s32 %r4, %r1, %r2;", 32, 32, extended(a, b > 32 ? 32 : b, true));
	CHECK("szext.wrap.u32 %r4, %r1, %r2;", 32, 32, extended(a, b & 31, false));
	CHECK("szext.wrap.s32 %r4, %r1, %r2;", 32, 32, extended(a, b & 31, true));
}

Test(exec_int2, fns_counts_from_its_base_in_both_directions)
{
	CHECK("fns.b32 %r4, %r1, %r2, %r3;", 32, 32, find_set(a, b, (int32_t)c));
	CHECK("and.b32 %r2, %r2, 31; and.b32 %r3, %r3, 7; fns.b32 %r4, %r1, %r2, %r3;", 32, 32,
		find_set(a, b & 31, c & 7));
	CHECK("and.b32 %r2, %r2, 31; or.b32 %r3, %r3, -8; fns.b32 %r4, %r1, %r2, %r3;", 32, 32,
		find_set(a, b & 31, (int32_t)(c | 0xfffffff8)));
}

#define HALVES(f)   (((f(a, b)) & 0xffff) | ((uint64_t)(f((a >> 16), (b >> 16))) & 0xffff) << 16)
#define SUM(x, y)   ((x) + (y))
#define MIN_U(x, y) (((x)&0xffff) < ((y)&0xffff) ? (x) : (y))
#define MAX_U(x, y) (((x)&0xffff) > ((y)&0xffff) ? (x) : (y))
#define MIN_S(x, y) (uint64_t)(sx(x, 16) < sx(y, 16) ? sx(x, 16) : sx(y, 16))
#define MAX_S(x, y) (uint64_t)(sx(x, 16) > sx(y, 16) ? sx(x, 16) : sx(y, 16))
#define RELU(v)     ((int64_t)(v) < 0 ? 0 : (v))
#define MIN_R(x, y) RELU(MIN_S(x, y))
#define MAX_R(x, y) RELU(MAX_S(x, y))

Test(exec_int2, pairs_of_16_bits_do_not_touch_each_other)
{
	CHECK("add.u16x2 %r4, %r1, %r2;", 32, 32, HALVES(SUM));
	CHECK("add.s16x2 %r4, %r1, %r2;", 32, 32, HALVES(SUM));
	CHECK("min.u16x2 %r4, %r1, %r2;", 32, 32, HALVES(MIN_U));
	CHECK("max.u16x2 %r4, %r1, %r2;", 32, 32, HALVES(MAX_U));
	CHECK("min.s16x2 %r4, %r1, %r2;", 32, 32, HALVES(MIN_S));
	CHECK("max.s16x2 %r4, %r1, %r2;", 32, 32, HALVES(MAX_S));
	CHECK("min.s16x2.relu %r4, %r1, %r2;", 32, 32, HALVES(MIN_R));
	CHECK("max.relu.s16x2 %r4, %r1, %r2;", 32, 32, HALVES(MAX_R));
}

Test(exec_int2, relu_and_saturation_of_words)
{
	CHECK("min.relu.s32 %r4, %r1, %r2;", 32, 32, RELU(sx(a, 32) < sx(b, 32) ? sx(a, 32) : sx(b, 32)));
	CHECK("max.s32.relu %r4, %r1, %r2;", 32, 32, RELU(sx(a, 32) > sx(b, 32) ? sx(a, 32) : sx(b, 32)));
	CHECK("add.sat.s32 %r4, %r1, %r2;", 32, 32, clamp32(sx(a, 32) + sx(b, 32)));
	CHECK("sub.sat.s32 %r4, %r1, %r2;", 32, 32, clamp32(sx(a, 32) - sx(b, 32)));
	CHECK("mad.hi.sat.s32 %r4, %r1, %r2, %r3;", 32, 32,
		clamp32((sx(a, 32) * sx(b, 32) >> 32) + sx(c, 32)));
	CHECK("mad24.hi.sat.s32 %r4, %r1, %r2, %r3;", 32, 32,
		clamp32((sx(a, 24) * sx(b, 24) >> 16) + sx(c, 32)));
	CHECK("mad24.hi.s32 %r4, %r1, %r2, %r3;", 32, 32, (sx(a, 24) * sx(b, 24) >> 16) + sx(c, 32));
}

static uint64_t look_up(uint64_t a, uint64_t b, uint64_t c, unsigned table)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < 32; i++)
		result |= (uint64_t)(table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1)
			<< i;
	return result;
}

Test(exec_int2, lop3_tests_its_result)
{
	const char *select = "selp.b32 %r4, 1, 0, %p1;";
	char text[256];

	CHECK("lop3.b32 %r4, %r1, %r2, %r3, 0x96;", 32, 32, look_up(a, b, c, 0x96));
	CHECK("lop3.or.b32 %r4|%p1, %r1, %r2, %r3, 0x80, %p7;", 32, 32, a & b & c);
	snprintf(text, sizeof text, "lop3.and.b32 %%r5|%%p1, %%r1, %%r2, %%r3, 0x80, 1; %s", select);
	CHECK(text, 32, 32, (a & b & c) != 0);
	snprintf(text, sizeof text,
		"setp.ge.s32 %%p2, %%r1, 0; lop3.or.b32 _|%%p1, %%r1, %%r2, %%r3, 0x80, !%%p2; %s", select);
	CHECK(text, 32, 32, (a & b & c) != 0 || sx(a, 32) < 0);
	snprintf(text, sizeof text,
		"setp.ge.s32 %%p1, %%r1, 0; lop3.and.b32 %%r1|%%p1, %%r1, %%r2, %%r3, 0x80, %%p1; %s",
		select);
	CHECK(text, 32, 32, (a & b & c) != 0 && sx(a, 32) >= 0);
}

#define SUM64(x, y, in) ((unsigned __int128)(x) + (y) + (in))

Test(exec_int2, carries_of_both_widths)
{
	CHECK("add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, %r3, 0;", 32, 32, c + ((a + b) >> 32));
	CHECK("add.cc.s32 %r5, %r1, %r2; addc.cc.s32 %r6, %r3, -1; addc.u32 %r4, 0, 0;", 32, 32,
		(c + UINT32_MAX + ((a + b) >> 32)) >> 32);
	CHECK("sub.cc.u32 %r5, %r1, %r2; subc.u32 %r4, %r3, 0;", 32, 32, c - (a < b));
	CHECK("sub.cc.s32 %r5, %r1, %r2; subc.cc.s32 %r6, %r3, 0; subc.u32 %r4, 0, 0;", 32, 32,
		c < (uint64_t)(a < b) ? -1 : 0);
	CHECK("add.cc.u64 %d5, %d1, %d2; addc.u64 %d4, %d3, 0;", 64, 64,
		c + (uint64_t)(SUM64(a, b, 0) >> 64));
	CHECK("add.cc.s64 %d5, %d1, %d2; addc.cc.s64 %d6, %d3, %d1; addc.u64 %d4, 0, 0;", 64, 64,
		SUM64(c, a, (uint64_t)(SUM64(a, b, 0) >> 64)) >> 64);
	CHECK("sub.cc.u64 %d5, %d1, %d2; subc.u64 %d4, %d3, %d1;", 64, 64, c - a - (a < b));
	CHECK("mad.lo.cc.u32 %r5, %r1, %r2, %r3; madc.hi.u32 %r4, %r1, %r2, 0;", 32, 32, (a * b + c) >> 32);
	CHECK("mad.hi.cc.s32 %r5, %r1, %r2, %r3; addc.u32 %r4, 0, 0;", 32, 32,
		((uint64_t)(uint32_t)(sx(a, 32) * sx(b, 32) >> 32) + c) >> 32);
	CHECK("mad.lo.cc.u64 %d5, %d1, %d2, %d3; madc.hi.cc.u64 %d4, %d1, %d2, 0;", 64, 64,
		((unsigned __int128)a * b + c) >> 64);
}

#define COUNT(v, w) ((v) >= (w) ? (w) : (v))

Test(exec_int2, shift_counts_are_whole_words)
{
	CHECK("shl.b32 %r4, %r1, %r2;", 32, 32, b > 31 ? 0 : a << b);
	CHECK("shr.u32 %r4, %r1, %r2;", 32, 32, b > 31 ? 0 : a >> b);
	CHECK("shr.b32 %r4, %r1, %r2;", 32, 32, b > 31 ? 0 : a >> b);
	CHECK("shr.s32 %r4, %r1, %r2;", 32, 32, sx(a, 32) >> COUNT(b, 31));
	CHECK("cvt.u32.u64 %r2, %d2; shl.b64 %d4, %d1, %r2;", 64, 64,
		(uint32_t)b > 63 ? 0 : a << (uint32_t)b);
	CHECK("cvt.u32.u64 %r2, %d2; shr.u64 %d4, %d1, %r2;", 64, 64,
		(uint32_t)b > 63 ? 0 : a >> (uint32_t)b);
	CHECK("cvt.u32.u64 %r2, %d2; shr.s64 %d4, %d1, %r2;", 64, 64, sx(a, 64) >> COUNT((uint32_t)b, 63));
	CHECK("cvt.u32.u16 %r2, %h2; shl.b16 %h4, %h1, %r2;", 16, 16, b > 15 ? 0 : a << b);
	CHECK("cvt.u32.u16 %r2, %h2; shr.s16 %h4, %h1, %r2;", 16, 16, sx(a, 16) >> COUNT(b, 15));
	CHECK("cvt.u32.u16 %r2, %h2; shr.b16 %h4, %h1, %r2;", 16, 16, b > 15 ? 0 : a >> b);
	CHECK("shl.b32 %r4, %r1, 0x80000000;", 32, 32, 0);
	CHECK("shr.s32 %r4, %r1, 256;", 32, 32, sx(a, 32) < 0 ? -1 : 0);
}

Test(exec_int2, products_sums_and_selections_of_every_width)
{
	CHECK("mul.wide.s16 %r4, %h1, %h2;", 16, 32, sx(a, 16) * sx(b, 16));
	CHECK("mul.hi.s64 %d4, %d1, %d2;", 64, 64, sx(a, 64) * sx(b, 64) >> 64);
	CHECK("mad.hi.u64 %d4, %d1, %d2, %d3;", 64, 64, ((unsigned __int128)a * b >> 64) + c);
	CHECK("sad.s64 %d4, %d1, %d2, %d3;", 64, 64,
		(sx(a, 64) < sx(b, 64) ? sx(b, 64) - sx(a, 64) : sx(a, 64) - sx(b, 64)) + c);
	CHECK("sad.s16 %h4, %h1, %h2, %h3;", 16, 16,
		(sx(a, 16) < sx(b, 16) ? sx(b, 16) - sx(a, 16) : sx(a, 16) - sx(b, 16)) + c);
	CHECK("cvt.s32.s16 %r1, %h3; slct.u16.s32 %h4, %h1, %h2, %r1;", 16, 16, sx(c, 16) >= 0 ? a : b);
	CHECK("slct.s64.f32 %d4, %d1, %d2, 0fffc00000;", 64, 64, b);
	CHECK("slct.b32.f32 %r4, %r1, %r2, 0f80000000;", 32, 32, a);
	CHECK("slct.ftz.b32.f32 %r4, %r1, %r2, 0f80000001;", 32, 32, a);
	CHECK("slct.b32.f32 %r4, %r1, %r2, 0f80000001;", 32, 32, b);
	CHECK("cnot.b64 %d4, %d1;", 64, 64, a == 0);
	CHECK("cnot.b16 %h4, %h1;", 16, 16, a == 0);
	CHECK("not.b16 %h4, %h1;", 16, 16, ~a);
	CHECK("neg.s16 %h4, %h1;", 16, 16, -a);
	CHECK("abs.s64 %d4, %d1;", 64, 64, sx(a, 64) < 0 ? -a : a);
	CHECK("setp.eq.b16 %p1, %h1, %h2; selp.b16 %h4, 7, %h3, %p1;", 16, 16, a == b ? 7 : c);
	CHECK("setp.ne.b64 %p1, %d1, %d2; selp.s64 %d4, -1, %d3, !%p1;", 64, 64, a == b ? UINT64_MAX : c);
	CHECK("set.hs.u32.u16 %r4, %h1, %h2;", 16, 32, a >= b ? -1 : 0);
	CHECK("dp4a.s32.u32 %r4, %r1, %r2, %r3;", 32, 32,
		c + sx(a, 8) * (b & 255) + sx(a >> 8, 8) * (b >> 8 & 255) + sx(a >> 16, 8) * (b >> 16 & 255) +
			sx(a >> 24, 8) * (b >> 24 & 255));
	CHECK("dp2a.hi.u32.s32 %r4, %r1, %r2, %r3;", 32, 32,
		c + (a & 0xffff) * sx(b >> 16, 8) + (a >> 16) * sx(b >> 24, 8));
	CHECK("dp2a.lo.s32.s32 %r4, -2, 0x0102, %r3;", 32, 32, c + sx(0xfffe, 16) * 2 + sx(0xffff, 16) * 1);
}
