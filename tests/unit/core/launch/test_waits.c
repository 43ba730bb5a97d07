/* Which kernels may wait for other CTAs through device memory (core/kernel/waits.h). */
#include "tests/unit/core/machine_rig.h"
#include "core/kernel/waits.h"

/* The kernel has a pointer %rd1, which %rd2 repeats, %r1 = its thread in the grid, %r2 = 0, and room. */
static bool waits(const char *code)
{
	const char *sets[] = { "gpu.sms=1", NULL };
	char body[2048];
	struct machine *m;
	bool result;

	snprintf(body, sizeof(body),
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<20>;\n.reg .b64 %%rd<9>;\n.reg .pred "
		"%%q<9>;\n"
		".shared .align 4 .b8 s[64];\n.local .align 4 .b8 own[16];\nld.param.u64 %%rd1, [p];\n"
		"mov.u64 %%rd2, %%rd1;\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, 0;\n%s\nret;\n}\n",
		code);
	m = machine_new(body, sets);
	result = kernel_may_wait(&m->image->kernels[0]);
	machine_free(m);
	return result;
}

#define COUNT_TO(n)  "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %q1, %r2, " n ";\n@%q1 bra L;\n"
#define NOT_PLAIN    "membar.gl;\n"
#define NEXT_ADDRESS "add.s64 %rd2, %rd2, 4;\n"

Test(waits, a_histogram_and_a_reduction_do_not)
{
	cr_expect_not(waits(
		"L:\nld.global.u32 %r3, [%rd2];\nmul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
		"red.global.add.u32 [%rd4], 1;\n" NEXT_ADDRESS COUNT_TO("100")));
	cr_expect_not(waits(
		"L:\natom.global.add.u32 %r3, [%rd2], 1;\nst.global.u32 [%rd2+8], %r3;\n" COUNT_TO("9")));
	cr_expect_not(waits("red.global.add.u32 [%rd1], 1;\n"));
}

Test(waits, the_last_cta_does_not)
{
	cr_expect_not(waits(
		"membar.gl;\natom.global.inc.u32 %r3, [%rd1], 99;\nst.shared.u32 [s], %r3;\nbar.sync 0;\n"
		"ld.shared.u32 %r4, [s];\nsetp.ne.u32 %q2, %r4, 99;\n@%q2 bra E;\n"
		"L:\nld.global.u32 %r5, [%rd2];\nadd.u32 %r6, %r6, %r5;\n" NEXT_ADDRESS COUNT_TO(
			"100") "st.global.u32 [%rd1], %r6;\nE:\n"));
}

Test(waits, the_search_of_a_graph_does_not)
{
	/* the edges of each node, with a minimum at the other end; who has changed it says so */
	cr_expect_not(waits(
		"O:\nld.global.u32 %r3, [%rd1];\nld.global.u32 %r4, [%rd1+4];\nI:\n"
		"ld.global.u32 %r5, [%rd2];\natom.global.min.s32 %r6, [%rd2+64], %r5;\n"
		"setp.le.s32 %q2, %r6, %r5;\n@%q2 bra N;\nst.global.u32 [%rd1+8], %r5;\nN:\n"
		"add.s64 %rd2, %rd2, 4;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %q3, %r3, %r4;\n@%q3 bra I;\n"
		"add.u32 %r2, %r2, 1;\nsetp.lt.u32 %q1, %r2, 10;\n@%q1 bra O;\n"));
}

Test(waits, a_walk_along_a_list_does_not)
{
	cr_expect_not(
		waits(NOT_PLAIN "L:\nld.global.u64 %rd2, [%rd2];\nsetp.ne.u64 %q1, %rd2, 0;\n@%q1 bra L;\n"));
}

Test(waits, a_count_that_an_atomic_gave_before_the_loop_does_not)
{
	cr_expect_not(waits("atom.global.add.u32 %r3, [%rd1], 1;\nL:\nadd.u32 %r2, %r2, 1;\n"
			    "setp.lt.u32 %q1, %r2, %r3;\n@%q1 bra L;\n"));
	cr_expect_not(
		waits("O:\natom.global.add.u32 %r3, [%rd1], 1;\nmov.u32 %r5, 0;\nI:\nadd.u32 %r5, %r5, 1;\n"
		      "setp.lt.u32 %q2, %r5, %r3;\n@%q2 bra I;\nadd.u32 %r2, %r2, 1;\n"
		      "setp.lt.u32 %q1, %r2, 10;\n@%q1 bra O;\n"),
		"in a loop around it");
}

Test(waits, an_atomic_of_shared_memory_does_not)
{
	cr_expect_not(waits("red.global.add.u32 [%rd1], 1;\nL:\natom.shared.cas.b32 %r3, [s], 0, 1;\n"
			    "setp.ne.u32 %q1, %r3, 0;\n@%q1 bra L;\n"));
}

Test(waits, a_lock_does)
{
	cr_expect(
		waits("L:\natom.global.cas.b32 %r3, [%rd1], 0, 1;\nsetp.ne.u32 %q1, %r3, 0;\n@%q1 bra L;\n"));
	cr_expect(waits("L:\natom.global.exch.b32 %r3, [%rd1], 1;\nsetp.eq.u32 %q1, %r3, 0;\n@%q1 bra "
			"E;\nbra L;\nE:\n"));
}

Test(waits, a_barrier_of_the_grid_does)
{
	cr_expect(waits("red.global.add.u32 [%rd1], 1;\nL:\nld.volatile.global.u32 %r3, [%rd1];\n"
			"setp.lt.u32 %q1, %r3, 30;\n@%q1 bra L;\n"));
	cr_expect(waits(NOT_PLAIN "L:\nld.global.u32 %r3, [%rd1];\nsetp.lt.u32 %q1, %r3, 30;\n@%q1 bra L;\n"),
		"a plain load from the same address");
	cr_expect(waits(NOT_PLAIN "L:\nld.global.cg.u32 %r3, [%rd2];\n" NEXT_ADDRESS
				  "setp.lt.u32 %q1, %r3, 30;\n@%q1 bra L;\n"),
		"one past the L1");
}

Test(waits, a_queue_of_work_does)
{
	cr_expect(
		waits("L:\natom.global.add.u32 %r3, [%rd1], 1;\nsetp.lt.u32 %q1, %r3, 1000;\n@%q1 bra L;\n"));
}

Test(waits, a_guarded_exit_within_a_loop_does)
{
	cr_expect(waits("L:\natom.global.add.u32 %r3, [%rd1], 1;\nsetp.lt.u32 %q2, %r3, 1000;\n@%q2 "
			"exit;\nbra L;\n"));
}

Test(waits, a_flag_that_goes_through_other_memory_does)
{
	cr_expect(waits("L:\nld.volatile.global.u32 %r3, [%rd1];\nst.shared.u32 [s], %r3;\nbar.sync 0;\n"
			"ld.shared.u32 %r4, [s];\nsetp.eq.u32 %q1, %r4, 0;\n@%q1 bra L;\n"));
	cr_expect(waits("L:\nld.volatile.global.u32 %r3, [%rd1];\nst.local.u32 [own], %r3;\n"
			"ld.local.u32 %r4, [own];\nsetp.eq.u32 %q1, %r4, 0;\n@%q1 bra L;\n"));
}

Test(waits, a_flag_by_control_does)
{
	cr_expect(waits("mov.u32 %r5, 0;\nL:\nld.volatile.global.u32 %r3, [%rd1];\nsetp.eq.u32 %q2, %r3, 0;\n"
			"@%q2 bra N;\nmov.u32 %r5, 1;\nN:\nsetp.eq.u32 %q1, %r5, 0;\n@%q1 bra L;\n"));
	cr_expect(waits("mov.u32 %r5, 0;\nL:\nld.volatile.global.u32 %r3, [%rd1];\nsetp.ne.u32 %q2, %r3, 0;\n"
			"@%q2 mov.u32 %r5, 1;\nsetp.eq.u32 %q1, %r5, 0;\n@%q1 bra L;\n"));
}

Test(waits, a_loop_that_starts_where_one_around_it_does_is_seen)
{
	cr_expect(waits("L:\natom.global.cas.b32 %r3, [%rd1], 0, 1;\nsetp.ne.u32 %q2, %r3, 0;\n@%q2 bra L;\n"
			"st.global.u32 [%rd1], %r2;\n" COUNT_TO("10")));
}

Test(waits, a_loop_over_flags_that_are_all_read_again_does)
{
	cr_expect(
		waits(NOT_PLAIN "O:\nmov.u32 %r4, 1;\nmov.u32 %r2, 0;\nmov.u64 %rd2, %rd1;\nL:\n"
				"ld.global.u32 %r3, [%rd2];\nand.b32 %r4, %r4, %r3;\n" NEXT_ADDRESS COUNT_TO(
					"30") "setp.eq.u32 %q2, %r4, 0;\n@%q2 bra O;\n"));
}

Test(waits, what_is_read_under_a_guard_does)
{
	cr_expect(waits(NOT_PLAIN "mov.u32 %r3, 0;\nL:\nadd.u32 %r2, %r2, 1;\nand.b32 %r4, %r2, 1;\n"
				  "setp.ne.u32 %q2, %r4, 0;\n@%q2 ld.global.u32 %r3, [%rd1];\n"
				  "setp.eq.u32 %q1, %r3, 0;\n@%q1 bra L;\n"));
}

Test(waits, what_cannot_be_told_does)
{
	cr_expect(
		waits("red.global.add.u32 [%rd1], 1;\nbra M;\nL:\nadd.u32 %r2, %r2, 1;\nM:\nadd.u32 %r2, "
		      "%r2, 2;\n"
		      "setp.lt.u32 %q1, %r2, 50;\n@%q1 bra L;\nsetp.lt.u32 %q2, %r2, 70;\n@%q2 bra M;\n"
		      "L2:\nsetp.lt.u32 %q3, %r2, 80;\n@!%q3 bra E;\nsetp.lt.u32 %q4, %r1, 3;\n@%q4 bra I2;\n"
		      "I1:\nadd.u32 %r2, %r2, 1;\nI2:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %q5, %r2, 90;\n@%q5 "
		      "bra I1;\n"
		      "bra L2;\nE:\n"),
		"a loop that is entered at two places");
}

Test(waits, plain_kernels_do_not)
{
	cr_expect_not(waits("L:\nld.global.u32 %r3, [%rd1];\nsetp.lt.u32 %q1, %r3, 30;\n@%q1 bra L;\n"));
}
