/* tests/unit/core/simt/test_call_recursion.c -- recursion, alloca, brx.idx, and what nvcc makes of calls. */
#include "tests/unit/core/simt/call_cases.h"

static uint32_t factorial(uint32_t n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

static uint32_t factorial_of_13(uint32_t t)
{
	return factorial(t % 13);
}

Test(recursion, factorials_of_different_depth_in_each_lane)
{
	expect_values(
		HEAD("f") ";\n" HEAD(
			"f") "{" REGISTERS "ld.param.b32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra ONE;\n"
			     "sub.u32 %r2, %r1, 1;\n" CALL("f", "%r3",
				     "%r2") "mul.lo.u32 %r4, %r3, %r1; st.param.b32 [r], "
					    "%r4; ret; ONE: st.param.b32 [r], 1; ret; "
					    "}\n" KERNEL("rem.u32 %r3, %r1, 13;\n" CALL("f", "%r2", "%r3")),
		96, factorial_of_13);
}

static uint32_t fibonacci(uint32_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t fibonacci_of_12(uint32_t t)
{
	return fibonacci(t % 12);
}

Test(recursion, fibonacci_calls_itself_twice)
{
	expect_values(
		HEAD("f") ";\n" HEAD(
			"f") "{" REGISTERS "ld.param.b32 %r1, [n]; setp.ge.u32 %p1, %r1, 2; @%p1 bra MORE;\n"
			     "st.param.b32 [r], %r1; ret; MORE: sub.u32 %r2, %r1, 1;\n" CALL(
				     "f", "%r3", "%r2") "sub.u32 %r2, %r1, 2;\n" CALL("f", "%r4",
				     "%r2") "add.u32 %r3, %r3, %r4; st.param.b32 [r], %r3; "
					    "}\n" KERNEL("rem.u32 %r3, %r1, 12;\n" CALL("f", "%r2", "%r3")),
		96, fibonacci_of_12);
}

static uint32_t ackermann(uint32_t m, uint32_t n)
{
	return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static uint32_t ackermann_of(uint32_t t)
{
	return ackermann(t % 3, t % 5);
}

#define CALL_ACK(to, m, n) \
	"{ .param .b32 a; .param .b32 b; .param .b32 c; st.param.b32 [a], " m "; st.param.b32 [b], " n ";\n" \
	"call (c), ack, (a, b); ld.param.b32 " to ", [c]; }\n"

#define ACK ".func (.param .b32 r) ack (.param .b32 m, .param .b32 n)\n"

Test(recursion, ackermann_calls_itself_within_a_call)
{
	expect_values(ACK
		";\n" ACK "{" REGISTERS
		"ld.param.b32 %r1, [m]; ld.param.b32 %r2, [n]; setp.eq.u32 %p1, %r1, 0;\n"
		"@%p1 bra FIRST; sub.u32 %r3, %r1, 1; setp.eq.u32 %p2, %r2, 0; @%p2 bra SECOND;\n"
		"sub.u32 %r4, %r2, 1;\n" CALL_ACK("%r5", "%r1", "%r4") CALL_ACK("%r6", "%r3",
			"%r5") "st.param.b32 [r], %r6; ret; FIRST: add.u32 %r2, %r2, 1; st.param.b32 [r], "
			       "%r2; ret;\nSECOND:\n" CALL_ACK("%r6", "%r3",
				       "1") "st.param.b32 [r], %r6; ret; }\n" KERNEL("rem.u32 %r3, %r1, 3; "
										     "rem.u32 %r4, %r1, "
										     "5;\n" CALL_ACK("%r2",
											     "%r3", "%r4")),
		64, ackermann_of);
}

static uint32_t even(uint32_t t)
{
	return t % 2 == 0;
}

#define STEP(name, other, end) \
	HEAD(name) \
	"{" REGISTERS "ld.param.b32 %r1, [n]; setp.ne.u32 %p1, %r1, 0; @%p1 bra ON; st.param.b32 [r], " end \
	";\n" \
	"ret; ON: sub.u32 %r1, %r1, 1;\n" CALL(other, "%r2", "%r1") "st.param.b32 [r], %r2; ret; }\n"

Test(recursion, two_functions_call_each_other)
{
	expect_values(HEAD("odd") ";\n" STEP("even", "odd", "1") STEP("odd", "even", "0")
			      KERNEL(CALL("even", "%r2", "%r1")),
		40, even);
}

static uint32_t deep(uint32_t n, const uint32_t *outer)
{
	uint32_t mine[4] = { n, n * 3, n * 5, n * 7 };

	return n ? deep(n - 1, mine) + mine[n & 3] + outer[1] : outer[0] + outer[2] + outer[3];
}

static uint32_t deep_of_9(uint32_t t)
{
	uint32_t outer[4] = { t, t + 1, t + 2, t + 3 };

	return deep(t % 9, outer);
}

#define DEEP ".func (.param .b32 r) deep (.param .b32 n, .param .b64 o)\n"

#define CALL_DEEP(to, n, o) \
	"{ .param .b32 a; .param .b64 b; .param .b32 c; st.param.b32 [a], " n "; st.param.b64 [b], " o ";\n" \
	"call (c), deep, (a, b); ld.param.b32 " to ", [c]; }\n"

Test(recursion, a_pointer_into_the_callers_local_array_is_passed_on)
{
	expect_values(DEEP ";\n" DEEP "{ .local .align 16 .b8 mine[16];" REGISTERS
			   "ld.param.b32 %r1, [n]; ld.param.b64 %rd1, [o]; mul.lo.u32 %r2, %r1, 3; "
			   "mul.lo.u32 %r3, %r1, 5;\n"
			   "mul.lo.u32 %r4, %r1, 7; st.local.v4.u32 [mine], {%r1, %r2, %r3, %r4}; "
			   "setp.eq.u32 %p1, %r1, 0;\n"
			   "@%p1 bra LAST; sub.u32 %r5, %r1, 1; mov.u64 %rd2, mine; cvta.local.u64 %rd3, "
			   "%rd2;\n" CALL_DEEP("%r6", "%r5",
				   "%rd3") "and.b32 %r7, %r1, 3; mul.wide.u32 %rd4, %r7, 4; add.s64 %rd4, "
					   "%rd4, %rd2; ld.local.u32 %r8, [%rd4];\n"
					   "ld.u32 %r9, [%rd1+4]; add.u32 %r6, %r6, %r8; add.u32 %r6, %r6, "
					   "%r9; st.param.b32 [r], %r6; ret;\n"
					   "LAST: ld.u32 %r6, [%rd1]; ld.u32 %r7, [%rd1+8]; add.u32 %r6, "
					   "%r6, %r7; ld.u32 %r7, [%rd1+12];\n"
					   "add.u32 %r6, %r6, %r7; st.param.b32 [r], %r6; ret; }\n" KERNEL(
						   ".local .align 16 .b8 x[16]; add.u32 %r3, %r1, 1; add.u32 "
						   "%r4, %r1, 2; add.u32 %r5, %r1, 3;\n"
						   "st.local.v4.u32 [x], {%r1, %r3, %r4, %r5}; mov.u64 %rd3, "
						   "x; cvta.local.u64 %rd3, %rd3;\n"
						   "rem.u32 %r6, %r1, 9;\n" CALL_DEEP("%r2", "%r6", "%rd3")),
		96, deep_of_9);
}

static uint32_t kinds(uint32_t n)
{
	uint64_t wide = ((uint64_t)n << 32 | 7) * 3;

	return n ? kinds(n - 1) + (uint32_t)(wide >> 32) + (uint16_t)(n * 1000) + (n % 3 == 1 ? 1 : 0) : 5;
}

static uint32_t kinds_of_8(uint32_t t)
{
	return kinds(t % 8);
}

Test(recursion, registers_of_every_width_and_predicates_survive_the_call)
{
	expect_values(HEAD("f") ";\n" HEAD(
			      "f") "{" REGISTERS "ld.param.b32 %r1, [n]; setp.eq.u32 %p1, %r1, 0; @%p1 bra "
				   "LAST; mov.b64 %rd1, {7, %r1};\n"
				   "mul.lo.u64 %rd1, %rd1, 3; cvt.u16.u32 %h1, %r1; mul.lo.u16 %h1, %h1, "
				   "1000; rem.u32 %r2, %r1, 3;\n"
				   "setp.eq.u32 %p2, %r2, 1; sub.u32 %r3, %r1, 1;\n" CALL("f", "%r4",
					   "%r3") "shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r5, %rd1; add.u32 "
						  "%r4, %r4, %r5; cvt.u32.u16 %r5, %h1;\n"
						  "add.u32 %r4, %r4, %r5; @%p2 add.u32 %r4, %r4, 1; "
						  "st.param.b32 [r], %r4; ret;\n"
						  "LAST: st.param.b32 [r], 5; ret; }\n" KERNEL(
							  "rem.u32 %r3, %r1, 8;\n" CALL("f", "%r2", "%r3")),
		96, kinds_of_8);
}

static uint32_t sum_to_3(uint32_t t)
{
	return sum_to(t % 3);
}

/* The first call executes all ten instructions of the function, in part with some lanes; the second too; in
 * the third all lanes that are left take the branch at once: five. With lanes: n is 0 in 11, 1 in 11 and 2 in
 * 10 of 32 threads; a branch counts those that take it. */
Test(recursion, lanes_that_need_not_go_deeper_wait_for_those_that_do)
{
	struct call_run r = expect_values(
		HEAD("f") ";\n" HEAD(
			"f") "{" REGISTERS
			     "ld.param.b32 %r1, [n]; setp.eq.u32 %p1, %r1, 0; @%p1 bra DONE; sub.u32 %r2, "
			     "%r1, 1;\n" CALL("f", "%r3",
				     "%r2") "add.u32 %r1, %r1, %r3; DONE: st.param.b32 [r], %r1; ret; "
					    "}\n" KERNEL("rem.u32 %r3, %r1, 3;\n" CALL("f", "%r2", "%r3")),
		32, sum_to_3);
	uint32_t first = 2 * 32 + 11 + 5 * 21 + 2 * 32, second = 2 * 21 + 11 + 5 * 10 + 2 * 21,
		 third = 5 * 10;

	cr_assert_eq(r.result.warp_instructions, KERNEL_INSTRUCTIONS + 4 + 10 + 10 + 5);
	cr_assert_eq(r.result.thread_instructions, 32 * (KERNEL_INSTRUCTIONS + 4) + first + second + third);
}

#define ENDLESS \
	HEAD("f") \
	";\n" HEAD("f") "{" REGISTERS "ld.param.b32 %r1, [n]; add.u32 %r2, %r1, 1;\n" CALL( \
		"f", "%r3", "%r2") "add.u32 %r1, %r1, %r3; st.param.b32 [r], %r1; ret; }\n" CALL_F

/* A frame of f: n, r, a, b, and 4 bytes saved from 16 on: 32 bytes. The entry's, a and b: 16. Local memory
 * holds one of each, and the stack: 8 x 128 bytes, 32 frames more. */
Test(recursion, too_deep_is_a_stack_overflow_and_says_where)
{
	expect_fault(ENDLESS, 128,
		"device fault: stack overflow: the call of f, 34 calls deep, does not fit the 1072 bytes of "
		"the "
		"thread's stack (kernel k, function f, CTA 0,0,0, thread 0,0,0)");
	expect_fault(ENDLESS, 0, "stack overflow: the call of f, 258 calls deep");
}

/* --- alloca --- */

static uint32_t squares(uint32_t t)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i <= t % 7; i++)
		sum += i * i + t;
	return sum;
}

/* Fills an array of as many words as the lane needs, calls, and adds it up. */
#define ALLOCATING(call) \
	HEAD("f") \
	"{" REGISTERS \
	"ld.param.b32 %r1, [n]; rem.u32 %r2, %r1, 7; add.u32 %r2, %r2, 1; mul.wide.u32 %rd1, %r2, 4;\n" \
	"alloca.u64 %rd2, %rd1, 16; mov.u64 %rd3, %rd2; mov.u32 %r3, 0;\n" \
	"L: mul.lo.u32 %r4, %r3, %r3; st.local.u32 [%rd3], %r4; add.u64 %rd3, %rd3, 4; add.u32 %r3, %r3, " \
	"1;\n" \
	"setp.lt.u32 %p1, %r3, %r2; @%p1 bra L;\n" call \
	"cvta.local.u64 %rd3, %rd2; mov.u32 %r3, 0; mov.u32 %r5, 0;\n" \
	"M: ld.u32 %r4, [%rd3]; add.u32 %r5, %r5, %r4; add.u32 %r5, %r5, %r1; add.u64 %rd3, %rd3, 4;\n" \
	"add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra M; st.param.b32 [r], %r5; ret; }\n"

Test(alloca, each_lane_has_the_words_it_asked_for)
{
	expect_values(ALLOCATING("") CALL_F, 96, squares);
}

Test(alloca, what_is_called_then_lies_behind)
{
	expect_values(HEAD("g") "{ .local .align 64 .b8 x[64];" REGISTERS
				"mov.u64 %rd1, x; mov.u32 %r1, 99; mov.u32 %r2, 0;\n"
				"L: st.local.u32 [%rd1], %r1; add.u64 %rd1, %rd1, 4; add.u32 %r2, %r2, 1; "
				"setp.lt.u32 %p1, %r2, 16;\n"
				"@%p1 bra L; mov.u64 %rd1, x; and.b64 %rd1, %rd1, 63; cvt.u32.u64 %r1, %rd1; "
				"st.param.b32 [r], %r1; ret; }\n" ALLOCATING(
					CALL("g", "%r9", "%r1") "add.u32 %r1, %r1, %r9;\n") CALL_F,
		96, squares);
}

static uint32_t thousand_times(uint32_t t)
{
	return 1000 * t + 1000 * 999 / 2;
}

Test(alloca, what_was_given_back_is_given_again)
{
	expect_values(
		KERNEL("mov.u32 %r3, 0;\nL: stacksave.u64 %rd3; alloca.u64 %rd4, 64; add.u32 %r4, %r1, %r3;\n"
		       "st.local.u32 [%rd4+60], %r4; ld.local.u32 %r5, [%rd4+60]; add.u32 %r2, %r2, %r5; "
		       "stackrestore.u64 %rd3;\n"
		       "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 1000; @%p1 bra L;\n"),
		64, thousand_times);
}

Test(alloca, too_much_is_a_stack_overflow)
{
	expect_fault(KERNEL("mul.wide.u32 %rd3, %r1, 100; alloca.u64 %rd4, %rd3;\n"), 128,
		"stack overflow: what alloca asks for does not fit the 1024 bytes of the thread's stack "
		"(kernel k, CTA 0,0,0, "
		"thread 11,0,0)");
}

/* --- brx.idx --- */

#define JUMP(table, guard) \
	KERNEL("rem.u32 %r3, %r1, 5;\nT: .branchtargets " table ";\n" guard \
	       "A: mov.u32 %r2, 100; bra END;\nB: mov.u32 %r2, 200; bra END;\nC: add.u32 %r2, %r1, 300; " \
	       "bra END;\n" \
	       "D: mov.u32 %r2, 400;\nE: add.u32 %r2, %r2, 500;\nEND:\n")

static uint32_t five_ways(uint32_t t)
{
	return (uint32_t[]){ 100, 200, t + 300, 900, 500 }[t % 5];
}

static uint32_t back_and_forth(uint32_t t)
{
	return (uint32_t[]){ 100, 100, t + 300, 200, 100 }[t % 5];
}

static uint32_t one_way(uint32_t t)
{
	return 200;
}

static uint32_t with_default(uint32_t t)
{
	return t % 5 < 2 ? (uint32_t[]){ t + 300, 200 }[t % 5] : 100;
}

Test(brx, each_lane_goes_its_way_and_all_meet)
{
	struct call_run r = expect_values(JUMP("A, B, C, D, E", "brx.idx %r3, T;\n"), 32, five_ways);

	/* rem, brx; two each for A, B, C; D alone, with E behind it, and E: one and, together again or not,
	 * one each */
	cr_assert_eq(r.result.warp_instructions, KERNEL_INSTRUCTIONS + 2 + 6 + 2 + 1);
	expect_values(JUMP("A, B, C, D, E", "brx.idx %r3, T;\n"), 96, five_ways);
}

Test(brx, targets_may_repeat)
{
	struct call_run r = expect_values(JUMP("A, A, C, B, A", "brx.idx %r3, T;\n"), 32, back_and_forth);

	cr_assert_eq(r.result.warp_instructions, KERNEL_INSTRUCTIONS + 2 + 6);
}

Test(brx, one_target_is_a_jump)
{
	struct call_run r = expect_values(JUMP("B", "brx.idx.uni 0, T;\n"), 32, one_way);

	cr_assert_eq(r.result.warp_instructions, KERNEL_INSTRUCTIONS + 2 + 2);
}

Test(brx, lanes_without_the_guard_go_on)
{
	expect_values(JUMP("C, B", "setp.lt.u32 %p1, %r3, 2; @%p1 brx.idx %r3, T;\n"), 96, with_default);
}

Test(brx, works_in_functions_and_loops)
{
	expect_values(HEAD("f") "{" REGISTERS "ld.param.b32 %r1, [n]; mov.u32 %r3, 0; mov.u32 %r4, 0;\nT: "
				".branchtargets A, B, OUT;\n"
				"L: brx.idx %r4, T;\nA: add.u32 %r3, %r3, %r1; mov.u32 %r4, 1; bra L;\n"
				"B: add.u32 %r3, %r3, %r1; mov.u32 %r4, 2; bra L;\nOUT: add.u32 %r3, %r3, 3; "
				"st.param.b32 [r], %r3;\n"
				"ret; }\n" CALL_F,
		64, twice_and_three);
}

Test(brx, an_index_beyond_the_table_is_a_fault)
{
	expect_fault(JUMP("A, B, C, D", "brx.idx %r3, T;\n"), 0,
		"illegal instruction: index 4 is beyond the table of the branch (kernel k, CTA 0,0,0, thread "
		"4,0,0)");
}

/* --- what nvcc makes of calls --- */

/* As in tests/ptx/calls.cu. */
static uint32_t compiled_deep(uint32_t n, const uint32_t *outer)
{
	uint32_t mine[4] = { n * 10, n * 10 + 1, n * 10 + 2, n * 10 + 3 };

	return n ? compiled_deep(n - 1, mine) + mine[n & 3] + outer[n & 3]
		 : outer[0] + outer[1] + outer[2] + outer[3];
}

static uint32_t compiled(uint32_t t)
{
	uint32_t four[4] = { t, t + 1, t + 2, t + 3 }, change = t + t + (t + 4 + t) + 2 * t + t;
	uint32_t operation = t % 3 == 1 ? t - 5 : t + 5, shape = t & 1 ? t * t + t : t * 3 - t;

	return fibonacci_of_12(t) + 1000 * even(t) + change + 7 * compiled_deep(t % 6, four) +
		11 * operation + 13 * shape;
}

Test(call, virtual_functions_structs_pointers_and_recursion_as_nvcc_compiles_them)
{
	char *text = calloc(1, 65536);
	FILE *f = fopen("tests/ptx/calls_sm75.ptx", "rb");

	cr_assert(f, "run from the root of the repository");
	cr_assert_gt(fread(text, 1, 65535, f), 0);
	fclose(f);
	struct call_run r = run_module(text, 96, 0);
	cr_assert_eq(r.result.outcome, GPU_DONE, "%s", r.result.fault.text);
	for (uint32_t t = 0; t < 96; t++)
		cr_assert_eq(r.out[t], compiled(t), "thread %u: %u, expected %u", t, r.out[t], compiled(t));
	free(text);
}
