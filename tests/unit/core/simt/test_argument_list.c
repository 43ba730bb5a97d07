/* Variable lists of arguments: the last parameter without a size, which a call may leave out. Whole kernels
 * in both modes, values worked out in C. */
#include "tests/unit/core/call_rig.h"

/* The sum of the n words of a list, each times its place; the list is read through its address. */
#define SUM \
	".func (.param .b32 r) sum (.param .b32 n, .param .align 8 .b8 v[])\n" \
	"{ .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n" \
	"ld.param.u32 %r1, [n]; mov.b64 %rd1, v; mov.u32 %r2, 0; mov.u32 %r4, 0;\n" \
	"L: setp.eq.u32 %p, %r4, %r1; @%p bra E;\n" \
	"ld.param.u32 %r3, [%rd1]; add.u32 %r4, %r4, 1; mad.lo.u32 %r2, %r3, %r4, %r2;\n" \
	"add.u64 %rd1, %rd1, 4; bra L;\n" \
	"E: st.param.b32 [r], %r2; ret; }\n"
/* a: tid % 5 words; b: tid, tid + 10, tid + 20, tid + 30 */
#define ARGUMENTS \
	".param .b32 a; .param .align 8 .b8 b[16]; .param .b32 c;\n" \
	"rem.u32 %r3, %r1, 5; st.param.b32 [a], %r3;\n" \
	"st.param.b32 [b], %r1; add.u32 %r4, %r1, 10; st.param.b32 [b+4], %r4;\n" \
	"add.u32 %r4, %r1, 20; st.param.b32 [b+8], %r4; add.u32 %r4, %r1, 30; st.param.b32 [b+12], %r4;\n"

static uint32_t sum_of_list(uint32_t t)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < t % 5; i++)
		sum += (i + 1) * (t + 10 * i);
	return sum;
}

Test(argument_list, each_lane_reads_as_many_words_as_it_was_passed)
{
	expect_values(SUM KERNEL("{ " ARGUMENTS "call (c), sum, (a, b); ld.param.b32 %r2, [c]; }\n"), 96,
		sum_of_list);
}

Test(argument_list, it_is_passed_through_a_register)
{
	expect_values(
		SUM KERNEL(
			"{ " ARGUMENTS "mov.u64 %rd3, sum;\n"
			"proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[]);\n"
			"call (c), %rd3, (a, b), proto; ld.param.b32 %r2, [c]; }\n"),
		96, sum_of_list);
}

static uint32_t sum_of_first(uint32_t t)
{
	return t % 5 ? t : 0;
}

/* The second call leaves the list out, and reads none of it. */
Test(argument_list, it_may_be_left_out)
{
	expect_values(SUM KERNEL("{ " ARGUMENTS "min.u32 %r3, %r3, 1; st.param.b32 [a], %r3;\n"
				 "call (c), sum, (a, b); ld.param.b32 %r5, [c]; }\n"
				 "{ .param .b32 a; .param .b32 c; st.param.b32 [a], 0;\n"
				 "call (c), sum, (a); ld.param.b32 %r6, [c]; add.u32 %r2, %r5, %r6; }\n"),
		96, sum_of_first);
}

static uint32_t sum_of_levels(uint32_t t)
{
	uint32_t sum = 0;

	for (uint32_t level = 1; level <= t % 4; level++)
		sum += level + 2 * (level + t);
	return sum;
}

/* Each level passes a list of its own, while those of the levels above are in use: it is read after the call.
 */
Test(argument_list, each_level_of_a_recursion_has_its_own)
{
	expect_values(".func (.param .b32 r) f (.param .b32 n, .param .b32 t, .param .align 8 .b8 v[])\n"
		      "{ .reg .pred %p; .reg .b32 %r<12>; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [t]; "
		      "mov.u32 %r7, "
		      "0;\n"
		      "setp.eq.u32 %p, %r1, 0; @%p bra E;\n"
		      "{ .param .b32 a; .param .b32 b; .param .align 8 .b8 c[8]; .param .b32 d; sub.u32 %r3, "
		      "%r1, 1;\n"
		      "st.param.b32 [a], %r3; st.param.b32 [b], %r2; st.param.b32 [c], %r3; add.u32 %r4, "
		      "%r3, %r2;\n"
		      "st.param.b32 [c+4], %r4; call (d), f, (a, b, c); ld.param.b32 %r7, [d]; }\n"
		      "ld.param.u32 %r5, [v]; ld.param.u32 %r6, [v+4]; add.u32 %r7, %r7, %r5; mad.lo.u32 "
		      "%r7, %r6, 2, "
		      "%r7;\n"
		      "E: st.param.b32 [r], %r7; ret; }\n" KERNEL(
			      "{ .param .b32 a; .param .b32 b; .param .align 8 .b8 c[8]; .param .b32 d; "
			      "and.b32 %r3, "
			      "%r1, 3;\n"
			      "st.param.b32 [a], %r3; st.param.b32 [b], %r1; st.param.b32 [c], %r3; add.u32 "
			      "%r4, %r3, "
			      "%r1;\n"
			      "st.param.b32 [c+4], %r4; call (d), f, (a, b, c); ld.param.b32 %r2, [d]; }\n"),
		96, sum_of_levels);
}

static uint32_t mixed_widths(uint32_t t)
{
	return t + 7 * t + (0xab ^ t);
}

/* By name and constant, of every width; mov of an address with a constant added. */
Test(argument_list, its_words_are_read_by_name_at_every_width)
{
	expect_values(
		".func (.param .b32 r) f (.param .align 8 .b8 v[])\n"
		"{ .reg .b16 %h; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f64 %d;\n"
		"ld.param.f64 %d, [v]; cvt.rzi.u32.f64 %r1, %d; mov.b64 %rd1, v+8; ld.param.u64 %rd2, "
		"[%rd1];\n"
		"cvt.u32.u64 %r2, %rd2; ld.param.u8 %h, [v+16]; cvt.u32.u16 %r3, %h;\n"
		"add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; st.param.b32 [r], %r1; ret; }\n" KERNEL(
			".reg .f64 %d; { .param .align 8 .b8 b[17]; .param .b32 c; cvt.rn.f64.u32 %d, %r1; "
			"st.param.f64 [b], %d;\n"
			"mul.lo.u32 %r3, %r1, 7; cvt.u64.u32 %rd3, %r3; st.param.b64 [b+8], %rd3; xor.b32 "
			"%r4, "
			"%r1, 0xab;\n"
			"cvt.u16.u32 %h1, %r4; st.param.b8 [b+16], %h1; call (c), f, (b); ld.param.b32 %r2, "
			"[c]; "
			"}\n"),
		96, mixed_widths);
}

Test(argument_list, reading_what_was_left_out_is_a_fault)
{
	expect_fault(".func (.param .b32 r) f (.param .align 8 .b8 v[])\n"
		     "{ .reg .b32 %r<8>; ld.param.u32 %r1, [v+4]; st.param.b32 [r], %r1; ret; }\n" KERNEL(
			     "{ .param .b32 c; call (c), f, (); ld.param.b32 %r2, [c]; }\n"),
		0, "local");
}
