/* Addresses of device memory in 32 bits: modules with .address_size 32, and those that do not say. */
#include "tests/unit/core/call_rig.h"

#define HEAD_32  ".version 3.2\n.target sm_20\n.address_size 32\n"
#define HEAD_OLD ".version 2.1\n.target sm_20\n"
/* Like KERNEL: %r1 the thread's number, %r2 its word of output. */
#define NARROW_KERNEL(body) \
	".visible .entry k(.param .u32 p)\n{\n.reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<8>;\n" \
	".reg .u32 out, at;\n" \
	"ld.param.u32 out, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n" body \
	"mad.lo.u32 at, %r1, 4, out; st.global.u32 [at], %r2; ret;\n}\n"

static void expect(const char *head, const char *rest, uint32_t (*expected)(uint32_t t))
{
	char *text = malloc(65536);
	struct call_run r;

	snprintf(text, 65536, "%s%s", head, rest);
	r = run_module(text, 64, 0);
	free(text);
	cr_assert_eq(r.result.outcome, GPU_DONE, "%s", r.result.fault.text);
	for (uint32_t t = 0; t < 64; t++)
		cr_assert_eq(r.out[t], expected(t), "thread %u: %u, expected %u", t, r.out[t], expected(t));
}

static void expect_both(const char *rest, uint32_t (*expected)(uint32_t t))
{
	expect(HEAD_32, rest, expected);
	expect(HEAD_OLD, rest, expected);
}

static uint32_t table_values(uint32_t t)
{
	return 10 * (t % 4 + 1) + 3 + (t % 4 == 3 ? 7 : 0) + 100 * (t % 2 + 5);
}

Test(narrow, variables_are_found_by_their_addresses_in_registers_and_with_offsets)
{
	expect_both(".global .u32 unused[64]; .global .u32 t[5] = {10, 20, 30, 40, 7}; .const .u32 c[2] = "
		    "{5, 6};\n" NARROW_KERNEL(
			    "and.b32 %r3, %r1, 3; mov.u32 %r4, t; mad.lo.u32 %r5, %r3, 4, %r4;\n"
			    "ld.global.u32 %r6, [%r5]; add.u32 %r2, %r6, 3; setp.eq.u32 %p1, %r3, 3;\n"
			    "@%p1 ld.global.u32 %r7, [%r5+4]; @%p1 add.u32 %r2, %r2, %r7;\n"
			    "and.b32 %r8, %r1, 1; mov.u32 %r9, c; mad.lo.u32 %r9, %r8, 4, %r9; add.u32 %r9, "
			    "%r9, 8;\n"
			    "ld.const.u32 %r10, [%r9+-8]; mad.lo.u32 %r2, %r10, 100, %r2;\n"),
		table_values);
}

static uint32_t added_up(uint32_t t)
{
	return t + 64 + 5;
}

Test(narrow, atomics_and_stores_reach_global_memory)
{
	expect_both(".global .u32 sum; .global .u32 words[64];\n" NARROW_KERNEL(
			    "mov.u32 %r3, sum; red.global.add.u32 [%r3], 1; atom.global.add.u32 %r4, "
			    "[%r3+0], 0;\n"
			    "mov.u32 %r5, words; mad.lo.u32 %r5, %r1, 4, %r5; st.global.u32 [%r5], %r1;\n"
			    "bar.sync 0; ld.global.u32 %r6, [%r3]; ld.global.u32 %r7, [%r5];\n"
			    "add.u32 %r2, %r6, %r7; add.u32 %r2, %r2, 5;\n"),
		added_up);
}

static uint32_t of_each_space(uint32_t t)
{
	return t % 3 == 0 ? 11 : t % 3 == 1 ? 22 + t : 33 + t;
}

Test(narrow, generic_addresses_reach_every_space)
{
	expect_both(
		".global .u32 g = 11;\n" NARROW_KERNEL(
			".shared .u32 s[64]; .local .u32 l; mov.u32 %r3, s; mad.lo.u32 %r3, %r1, 4, %r3; "
			"add.u32 %r4, %r1, 22;\n"
			"st.shared.u32 [%r3], %r4; add.u32 %r5, %r1, 33; st.local.u32 [l], %r5; mov.u32 %r6, "
			"g;\n"
			"cvta.global.u32 %r6, %r6; cvta.shared.u32 %r7, %r3; mov.u32 %r8, l; cvta.local.u32 "
			"%r8, %r8;\n"
			"rem.u32 %r9, %r1, 3; setp.eq.u32 %p1, %r9, 1; setp.eq.u32 %p2, %r9, 2;\n"
			"selp.u32 %r10, %r7, %r6, %p1; selp.u32 %r10, %r8, %r10, %p2; ld.u32 %r2, [%r10];\n"),
		of_each_space);
}

static uint32_t spaces_told(uint32_t t)
{
	return t % 3 == 0 ? 1 : t % 3 == 1 ? 2 : 4;
}

Test(narrow, isspacep_and_cvta_to_know_the_spaces)
{
	expect_both(
		".global .u32 g;\n" NARROW_KERNEL(
			".shared .u32 s[4]; .local .u32 l; mov.u32 %r3, s; cvta.shared.u32 %r4, %r3; mov.u32 "
			"%r5, g;\n"
			"mov.u32 %r6, l; cvta.local.u32 %r7, %r6; rem.u32 %r9, %r1, 3; setp.eq.u32 %p1, %r9, "
			"1;\n"
			"setp.eq.u32 %p2, %r9, 2; selp.u32 %r10, %r4, %r5, %p1; selp.u32 %r10, %r7, %r10, "
			"%p2;\n"
			"isspacep.global %p3, %r10; isspacep.shared %p4, %r10; isspacep.local %p5, %r10;\n"
			"selp.u32 %r11, 1, 0, %p3; selp.u32 %r12, 2, 0, %p4; selp.u32 %r13, 4, 0, %p5;\n"
			"add.u32 %r2, %r11, %r12; add.u32 %r2, %r2, %r13; cvta.to.shared.u32 %r14, %r4;\n"
			"setp.ne.u32 %p6, %r14, %r3; @%p6 add.u32 %r2, %r2, 100;\n"),
		spaces_told);
}

static uint32_t wide_and_narrow(uint32_t t)
{
	return t + 9;
}

/* A wider register is cut to the size of an address; without a size, its own width counts. */
Test(narrow, registers_of_64_bits_hold_addresses_too)
{
	expect(HEAD_32,
		".global .u32 g[2] = {9, 1};\n" NARROW_KERNEL(
			"mov.u32 %r3, g; cvt.u64.u32 %rd1, %r3; ld.global.u32 %r4, [%rd1]; add.u32 %r2, %r1, "
			"%r4;\n"),
		wide_and_narrow);
	expect(HEAD_OLD,
		".global .u32 g[2] = {9, 1};\n" NARROW_KERNEL(
			"mov.u64 %rd1, g; ld.global.u32 %r4, [%rd1]; add.u32 %r2, %r1, %r4;\n"),
		wide_and_narrow);
}
