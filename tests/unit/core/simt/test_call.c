/* Calls, returns and indexed branches, executed: whole kernels in both modes, values worked out in C. */
#include "tests/unit/core/simt/call_cases.h"

/* --- plain calls --- */

Test(call, a_value_goes_in_and_another_comes_out)
{
	expect_values(HEAD("f") "{" REGISTERS
				"ld.param.b32 %r1, [n]; shl.b32 %r1, %r1, 1; add.s32 %r1, %r1, 3;\n"
				"st.param.b32 [r], %r1; ret; }\n" CALL_F,
		96, twice_and_three);
}

Test(call, a_function_that_ends_without_ret_returns)
{
	expect_values(HEAD("f") "{" REGISTERS "ld.param.b32 %r1, [n]; mad.lo.s32 %r1, %r1, 2, 3;\n"
				"st.param.b32 [r], %r1; }\n" CALL_F,
		40, twice_and_three);
}

static uint32_t only_odd(uint32_t t)
{
	return t & 1 ? 2 * t + 3 : 0;
}

Test(call, a_guarded_call_is_made_by_the_lanes_of_its_guard)
{
	expect_values(
		HEAD("f") "{" REGISTERS
			  "ld.param.b32 %r1, [n]; mad.lo.s32 %r1, %r1, 2, 3; st.param.b32 [r], %r1;\n"
			  "ret; }\n" KERNEL(
				  "and.b32 %r3, %r1, 1; setp.ne.u32 %p1, %r3, 0;\n"
				  "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
				  "@%p1 call (b), f, (a); ld.param.b32 %r4, [b]; @%p1 mov.u32 %r2, %r4; }\n"),
		64, only_odd);
}

static uint32_t chain_of_five(uint32_t t)
{
	uint32_t sum = 0;

	for (uint32_t level = 1; level <= 5; level++)
		for (uint32_t i = 0; i < 4; i++)
			sum += t * level + i;
	return sum;
}

/* Each function fills an array of its own, calls the next one, and adds its array up only then. */
#define LEVEL(name, next, level) \
	HEAD(name) \
	"{ .local .align 4 .b8 x[16];" REGISTERS "ld.param.b32 %r1, [n]; mul.lo.s32 %r2, %r1, " level \
	"; st.local.u32 [x], %r2;\n" \
	"add.s32 %r2, %r2, 1; st.local.u32 [x+4], %r2; add.s32 %r2, %r2, 1; st.local.u32 [x+8], %r2;\n" \
	"add.s32 %r2, %r2, 1; mov.u64 %rd1, x; st.local.u32 [%rd1+12], %r2;\n" next \
	"cvta.local.u64 %rd1, %rd1; ld.local.v2.u32 {%r4, %r5}, [x]; ld.u32 %r6, [%rd1+8];\n" \
	"ld.local.u32 %r7, [x+12]; add.s32 %r3, %r3, %r4; add.s32 %r3, %r3, %r5; add.s32 %r3, %r3, %r6;\n" \
	"add.s32 %r3, %r3, %r7; st.param.b32 [r], %r3; ret; }\n"

Test(call, five_functions_deep_each_has_its_own_local_array)
{
	expect_values(LEVEL("f5", "mov.u32 %r3, 0;", "5") LEVEL("f4", CALL("f5", "%r3", "%r1"), "4") LEVEL(
			      "f3", CALL("f4", "%r3", "%r1"), "3") LEVEL("f2", CALL("f3", "%r3", "%r1"), "2")
			      LEVEL("f", CALL("f2", "%r3", "%r1"), "1") CALL_F,
		96, chain_of_five);
}

static uint32_t struct_by_value(uint32_t t)
{
	return 5 * t + t;
}

Test(call, the_callee_owns_its_copy_of_a_struct)
{
	expect_values(
		".func (.param .align 8 .b8 r[12]) f (.param .align 8 .b8 s[12])\n{" REGISTERS
		"ld.param.u32 %r1, [s]; add.s32 %r1, %r1, %r1; mov.b64 %rd1, s; st.local.u32 [%rd1], %r1; "
		"ld.param.u32 %r2, [s];\n"
		"st.param.u32 [r+8], %r2; ld.param.u32 %r3, [s+8]; st.param.u32 [r], %r3; ret; }\n" KERNEL(
			"{ .param .align 8 .b8 a[12]; .param .align 8 .b8 b[12]; mul.lo.s32 %r4, %r1, 3;\n"
			"st.param.u32 [a], %r1; st.param.u32 [a+4], 77; st.param.u32 [a+8], %r4;\n"
			"call (b), f, (a); ld.param.u32 %r5, [b]; ld.param.u32 %r6, [b+8]; ld.param.u32 %r7, "
			"[a]; }\n"
			"add.s32 %r2, %r5, %r6; add.s32 %r2, %r2, %r7;\n"),
		64, struct_by_value);
}

static uint32_t in_registers(uint32_t t)
{
	return (t & 0xff) + 5 + ((t & 1) ? 1000 : 0) + 1 + 0x12345;
}

/* A .reg of a module of PTX ISA 2.x: without the ABI, with which no predicates are passed. */
#define WITHOUT_ABI ".version 2.3\n.target sm_20\n.address_size 64\n.reg .u32 without_abi;\n"

Test(call, without_the_abi_predicates_and_halves_are_passed_in_registers)
{
	struct call_run r = run_module(WITHOUT_ABI
		".func (.reg .u32 r, .reg .u16 q, .reg .pred o) f (.reg .u32 a, .reg .u16 b, .reg .pred c, "
		".reg .u64 d)\n"
		"{ .reg .b32 %t<4>; cvt.u32.u16 %t0, b; add.u32 r, a, %t0; @c add.u32 r, r, 1000;\n"
		"cvt.u32.u64 %t1, d; add.u32 r, r, %t1; mov.u16 q, 1; setp.eq.u32 o, a, a; ret; }\n" KERNEL(
			"and.b32 %r3, %r1, 1; setp.ne.u32 %p1, %r3, 0; mov.u16 %h1, 5; cvt.u64.u32 %rd3, "
			"0x12345;\n"
			"call (%r4, %h2, %p2), f, (%r1, %h1, %p1, %rd3); cvt.u32.u16 %r5, %h2;\n"
			"@%p2 add.u32 %r2, %r4, %r5;\n"),
		64, 0);

	cr_assert_eq(r.result.outcome, GPU_DONE, "%s", r.result.fault.text);
	for (uint32_t t = 0; t < 64; t++)
		cr_assert_eq(r.out[t], in_registers(t), "thread %u: %u", t, r.out[t]);
}

Test(call, parameters_and_results_may_be_registers_and_arguments_immediates)
{
	expect_values(
		".func (.reg .u32 r) f (.reg .u32 a, .reg .u32 b)\n{ mad.lo.u32 r, a, 2, b; ret; }\n" KERNEL(
			"call (%r2), f, (%r1, 3);\n"),
		64, twice_and_three);
}

static uint32_t vector_sums(uint32_t t)
{
	return (t + 1) + 10 * (t + 2) + 100 * (2 * t) + 1000 * (t + 7) + 2 * t;
}

Test(call, parameters_and_results_may_be_vector_registers)
{
	expect_values(
		".func (.reg .v4 .u32 o, .reg .v2 .f32 s) f (.reg .v2 .u32 a, .reg .u64 b)\n"
		"{ .reg .u32 t; cvt.u32.u64 t, b; mov.u32 o.x, a.x; mov.u32 o.y, a.y; add.u32 o.z, a.x, "
		"a.x;\n"
		"sub.u32 o.z, o.z, 2; add.u32 o.w, t, 7; cvt.rn.f32.u32 s.x, t; mov.f32 s.y, s.x; ret; "
		"}\n" KERNEL(".reg .v4 .u32 o; .reg .v2 .b32 a; .reg .v2 .f32 s; add.u32 a.x, %r1, 1; "
			     "add.u32 a.y, %r1, 2;\n"
			     "cvt.u64.u32 %rd3, %r1; call (o, s), f, (a, %rd3);\n"
			     "mad.lo.u32 %r2, o.y, 10, o.x; mad.lo.u32 %r2, o.z, 100, %r2; mad.lo.u32 %r2, "
			     "o.w, 1000, "
			     "%r2;\n"
			     "add.f32 s.x, s.x, s.y; cvt.rzi.u32.f32 %r3, s.x; add.u32 %r2, %r2, %r3;\n"),
		64, vector_sums);
}

static uint32_t common_to_functions(uint32_t t)
{
	uint32_t a = t, b = 5;

	for (int i = 0; i < 3; i++) {
		a += b + (t & 1);
		b += 2;
	}
	return a + 1000 * b + 3 * t;
}

/* Up to PTX ISA 2.3: each thread's own, whatever function it is in. */
Test(call, registers_and_local_variables_of_the_module_are_common_to_its_functions)
{
	const char *text =
		".version 2.3\n.target sm_20\n.address_size 64\n"
		".reg .u32 m<2>; .reg .pred odd; .reg .v2 .u32 v; .local .u32 l[4];\n"
		".func g() { .reg .u32 x; @odd add.u32 m0, m0, 1; ld.local.u32 x, [l+8]; add.u32 m0, m0, x;\n"
		"add.u32 x, x, 2; st.local.u32 [l+8], x; mov.u32 m1, v.y; ret; }\n"
		".func (.reg .u32 r) f(.reg .u32 n) { .local .u32 own; st.local.u32 [own], n; call g;\n"
		"call g; call g; ld.local.u32 r, [own]; ret; }\n" KERNEL(
			"mov.u32 m0, %r1; mov.u32 %r3, 5; st.local.u32 [l+8], %r3; and.b32 %r4, %r1, 1;\n"
			"setp.ne.u32 odd, %r4, 0; mov.u32 v.x, 7; mov.u32 v.y, %r1; call (m1), f, (m0);\n"
			"mad.lo.u32 %r5, m1, 2, v.y; ld.local.u32 %r6, [l+8]; mad.lo.u32 %r2, %r6, 1000, "
			"m0;\n"
			"add.u32 %r2, %r2, %r5;\n");
	struct call_run r = run_module(text, 64, 0);

	cr_assert_eq(r.result.outcome, GPU_DONE, "%s", r.result.fault.text);
	for (uint32_t t = 0; t < 64; t++)
		cr_assert_eq(r.out[t], common_to_functions(t), "thread %u: %u, expected %u", t, r.out[t],
			common_to_functions(t));
}

static uint32_t with_constants_added(uint32_t t)
{
	return (t + 5) * 3 + (((t + 3) & 0xffff) << 8) + ((t + 1) & 1 ? t + 9 : t - 9) +
		(uint32_t)((t + (UINT64_C(1) << 32) - 1) >> 32);
}

Test(call, a_constant_may_be_added_to_a_register_that_is_read)
{
	expect_values(KERNEL(".reg .v2 .u32 v; .local .u64 m; mov.u32 %r3, %r1+5; mul.lo.u32 %r2, %r3, 3;\n"
			     "cvt.u16.u32 %h1, %r1; mov.u16 %h2, %h1+3; cvt.u32.u16 %r4, %h2; shl.b32 %r4, "
			     "%r4, 8; add.u32 "
			     "%r2, %r2, %r4;\n"
			     "and.b32 %r5, %r1+1, 1; setp.eq.u32 %p1, %r5+1, 2; selp.u32 %r6, %r1+9, %r1+-9, "
			     "%p1; add.u32 "
			     "%r2, %r2, %r6;\n"
			     "cvt.u64.u32 %rd3, %r1; st.local.u64 [m], %rd3+0xffffffff; ld.local.u64 %rd4, "
			     "[m]; shr.u64 "
			     "%rd4, %rd4, 32;\n"
			     "cvt.u32.u64 %r7, %rd4; add.u32 %r2, %r2, %r7;\n"),
		64, with_constants_added);
}

Test(call, the_address_of_a_parameter_is_in_local_memory)
{
	expect_values(HEAD("f") "{" REGISTERS
				"mov.b64 %rd1, n; ld.param.u32 %r1, [%rd1]; cvta.local.u64 %rd2, %rd1;\n"
				"ld.u32 %r2, [%rd2]; add.s32 %r1, %r1, %r2; add.s32 %r1, %r1, 3; "
				"st.param.b32 [r], %r1; ret; }\n" CALL_F,
		64, twice_and_three);
}

static uint32_t two_calls_in_a_loop(uint32_t t)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 5; i++)
		sum = (sum + t) * 2 + 3 + ((sum + t) * 2 + 3) * 2 + 3;
	return sum;
}

Test(call, scopes_that_have_ended_share_their_room)
{
	expect_values(
		HEAD("f") "{" REGISTERS
			  "ld.param.b32 %r1, [n]; mad.lo.s32 %r1, %r1, 2, 3; st.param.b32 [r], %r1; ret; "
			  "}\n" KERNEL("mov.u32 %r3, 5;\nL: add.s32 %r2, %r2, %r1;\n" CALL("f", "%r4",
				  "%r2") CALL("f", "%r5", "%r4") "add.s32 %r2, %r4, %r5; sub.s32 %r3, %r3, "
								 "1; setp.ne.s32 %p1, %r3, 0; @%p1 bra L;\n"),
		64, two_calls_in_a_loop);
}

/* --- divergence --- */

static uint32_t early(uint32_t t)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 8; i++) {
		if (i == t % 11)
			return 100 + sum;
		sum += i * t;
	}
	return sum;
}

Test(call, lanes_may_return_from_the_middle_of_a_loop)
{
	expect_values(
		HEAD("f") "{" REGISTERS
			  "ld.param.b32 %r1, [n]; mov.u32 %r2, 0; mov.u32 %r3, 0; rem.u32 %r4, %r1, 11;\n"
			  "L: setp.ne.u32 %p1, %r2, %r4; @%p1 bra ON; add.u32 %r3, %r3, 100; st.param.b32 "
			  "[r], %r3; ret;\n"
			  "ON: mad.lo.u32 %r3, %r2, %r1, %r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 8; "
			  "@%p2 bra L;\n"
			  "st.param.b32 [r], %r3; ret; }\n" CALL_F,
		96, early);
	expect_values(
		HEAD("f") "{" REGISTERS
			  "ld.param.b32 %r1, [n]; mov.u32 %r2, 0; mov.u32 %r3, 0; rem.u32 %r4, %r1, 11;\n"
			  "L: setp.eq.u32 %p1, %r2, %r4; @%p1 add.u32 %r3, %r3, 100; st.param.b32 [r], %r3; "
			  "@%p1 ret;\n"
			  "mad.lo.u32 %r3, %r2, %r1, %r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 8; @%p2 "
			  "bra L;\n"
			  "st.param.b32 [r], %r3; ret; }\n" CALL_F,
		96, early);
}

static uint32_t some_exit(uint32_t t)
{
	return t % 3 == 1 ? 0 : t % 3 == 2 ? 2 * t + 3 : t;
}

Test(call, exit_inside_a_function_ends_the_thread)
{
	expect_values(HEAD("f") "{" REGISTERS
				"ld.param.b32 %r1, [n]; rem.u32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 1;\n"
				"setp.eq.u32 %p2, %r2, 2; @%p1 exit; st.param.b32 [r], %r1; @!%p2 bra OUT;\n"
				"mad.lo.u32 %r1, %r1, 2, 3; st.param.b32 [r], %r1; OUT: ret; }\n" CALL_F,
		64, some_exit);
}

Test(call, a_whole_warp_may_exit_inside_a_function)
{
	struct call_run r = run_both(HEAD("f") "{ exit; }\n" CALL_F, 64, 0);

	cr_assert_eq(r.result.outcome, GPU_DONE);
	cr_assert_eq(r.out[0], 0);
}

static uint32_t search(uint32_t t)
{
	uint32_t x = 1;

	for (;;) {
		x = 2 * x + 3;
		if (x > 50 * t)
			return x;
	}
}

Test(call, a_loop_with_a_call_that_lanes_leave_one_by_one)
{
	expect_values(
		HEAD("f") "{" REGISTERS
			  "ld.param.b32 %r1, [n]; mad.lo.s32 %r1, %r1, 2, 3; st.param.b32 [r], %r1; ret; "
			  "}\n" KERNEL("mov.u32 %r2, 1; mul.lo.u32 %r3, %r1, 50;\nL:\n" CALL("f", "%r2",
				  "%r2") "setp.gt.u32 %p1, %r2, %r3; @%p1 bra OUT; bra L; OUT:\n"),
		96, search);
}

static uint32_t across_barrier(uint32_t t)
{
	return (t + 1) % 96;
}

Test(call, barriers_and_shared_memory_work_within_functions)
{
	expect_values(".shared .align 4 .b8 all[384];\n" HEAD(
			      "f") "{" REGISTERS "ld.param.b32 %r1, [n]; mov.u64 %rd1, all; mul.wide.u32 "
				   "%rd2, %r1, 4; add.s64 %rd2, %rd2, %rd1;\n"
				   "st.shared.u32 [%rd2], %r1; bar.sync 0; add.u32 %r1, %r1, 1; rem.u32 %r1, "
				   "%r1, 96;\n"
				   "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd2, %rd1; ld.shared.u32 %r2, "
				   "[%rd2];\n"
				   "st.param.b32 [r], %r2; ret; }\n" CALL_F,
		96, across_barrier);
}

/* --- through addresses --- */

static uint32_t by_table(uint32_t t)
{
	return t % 3 == 0 ? t + 10 : t % 3 == 1 ? t * 10 : 10 - t;
}

#define THREE \
	HEAD("f0") \
	"{" REGISTERS "ld.param.b32 %r1, [n]; add.s32 %r1, %r1, 10; st.param.b32 [r], %r1; ret; }\n" HEAD( \
		"f1") "{" REGISTERS "ld.param.b32 %r1, [n]; mul.lo.s32 %r1, %r1, 10; st.param.b32 [r], " \
		      "%r1; ret; }\n" HEAD("f2") "{" REGISTERS "ld.param.b32 %r1, [n]; sub.s32 %r1, 10, " \
						 "%r1; st.param.b32 [r], %r1; ret; }\n"

#define CALL_RD3(list) \
	"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n" list \
	"call (b), %rd3, (a), P; ld.param.b32 %r2, [b]; }\n"

#define PROTOTYPE "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"

Test(call, each_lane_may_call_another_function_of_a_table)
{
	expect_values(THREE ".global .align 8 .u64 table[3] = { f0, generic(f1), f2 };\n" KERNEL(
			      "mov.u64 %rd4, table; rem.u32 %r3, %r1, 3; mul.wide.u32 %rd5, %r3, 8; add.s64 "
			      "%rd5, %rd4, %rd5;\n"
			      "ld.global.u64 %rd3, [%rd5];\n" CALL_RD3(PROTOTYPE)),
		96, by_table);
}

Test(call, each_lane_may_call_another_function_of_calltargets)
{
	expect_values(
		THREE KERNEL("mov.u64 %rd3, f2; mov.u64 %rd4, f0; mov.u64 %rd5, f1; rem.u32 %r3, %r1, 3;\n"
			     "setp.eq.u32 %p1, %r3, 0; setp.eq.u32 %p2, %r3, 1; @%p1 mov.u64 %rd3, %rd4;\n"
			     "@%p2 mov.u64 %rd3, %rd5;\n" CALL_RD3("P: .calltargets f0, f1, f2;\n")),
		96, by_table);
}

static uint32_t in_table(uint32_t t)
{
	return t & 1 ? t * 7 : t + 7;
}

Test(call, the_table_itself_may_tell_what_can_be_called)
{
	expect_values(
		".func (.reg .u32 rv) foo (.reg .u32 a, .reg .u32 b) { add.u32 rv, a, b; ret; }\n"
		".func (.reg .u32 rv) bar (.reg .u32 a, .reg .u32 b) { mul.lo.u32 rv, a, b; ret; }\n"
		".global .u32 table[2] = { foo, bar };\n" KERNEL(
			"and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; @%p1 ld.global.u32 %r3, [table];\n"
			"@!%p1 ld.global.u32 %r3, [table+4]; call (%r2), %r3, (%r1, 7), table;\n"),
		64, in_table);
}

Test(call, functions_called_by_different_lanes_run_one_after_the_other_and_the_lowest_lane_first)
{
	struct call_run r = expect_values(
		THREE KERNEL(
			"mov.u64 %rd3, f0; rem.u32 %r3, %r1, 3; setp.eq.u32 %p1, %r3, 1;\n"
			"@%p1 mov.u64 %rd3, f1; setp.eq.u32 %p2, %r3, 2; @%p2 mov.u64 %rd3, f2;\n" CALL_RD3(
				PROTOTYPE)),
		32, by_table);

	/* mov, rem, setp, mov, setp, mov, st, call, ld; each function of four instructions once */
	cr_assert_eq(r.result.warp_instructions, KERNEL_INSTRUCTIONS + 9 + 3 * 4);
}

Test(call, a_function_may_call_itself_through_its_address)
{
	expect_values(HEAD("f") ";\n" HEAD("f") "{" REGISTERS
						"ld.param.b32 %r4, [n]; setp.eq.u32 %p1, %r4, 0; @%p1 bra "
						"DONE; mov.u64 %rd3, f; sub.u32 %r1, %r4, 1;\n" CALL_RD3(
							PROTOTYPE) "add.u32 %r4, %r4, %r2; DONE: "
								   "st.param.b32 [r], %r4; ret; }\n" CALL_F,
		40, sum_to);
}

Test(call, what_is_no_function_cannot_be_called)
{
	expect_fault(
		THREE KERNEL("mov.u64 %rd3, f0; setp.eq.u32 %p1, %r1, 7; @%p1 mov.u64 %rd3, 1234;\n" CALL_RD3(
			PROTOTYPE)),
		0,
		"invalid program counter: 0x4d2 is no function that can be called so (kernel k, CTA 0,0,0, "
		"thread 7,0,0)");
	expect_fault(THREE
		".func g () { ret; }\n" KERNEL("mov.u64 %rd3, f0; mov.u64 %rd3, g;\n" CALL_RD3(PROTOTYPE)),
		0, "is no function that can be called so (kernel k, CTA 0,0,0, thread 0,0,0)");
}

/* --- recursion --- */
