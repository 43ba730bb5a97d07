/* nanosleep, brkpt, trap, and instructions without effect, as whole kernels. */
#include "tests/unit/core/kernel_rig.h"
#include <stdio.h>

#define OVERLAP 30000 /* ps: results of before are still on their way when the warp falls asleep */

static picoseconds time_of(const char *code, bool functional)
{
	static const char kernel[] = KERNEL("@@@@");
	size_t at = (size_t)(strstr(kernel, "@@@@") - kernel);
	char body[4096];
	struct bench *b;
	picoseconds time;

	snprintf(body, sizeof(body), "%.*s%s%s", (int)at, kernel, code, kernel + at + 4);
	b = bench_new(".version 8.0\n.target sm_90a", body, 128);
	bench_run(b, 1, 64, functional);
	cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
	time = b->result.end - b->result.start;
	bench_free(b);
	return time;
}

Test(control_ops, nanosleep_takes_as_long_as_it_says)
{
	static const uint32_t durations[] = { 0, 1, 100, 5000, 300000 };
	picoseconds none = time_of("", false);

	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
		char code[64];
		picoseconds more, least = durations[i] * UINT64_C(1000);

		snprintf(code, sizeof(code), "nanosleep.u32 %u;", durations[i]);
		more = time_of(code, false) - none;
		cr_assert(more + OVERLAP >= least && more < least + 50000, "%u ns: %llu ps more",
			durations[i], (unsigned long long)more);
		time_of(code, true);
	}
}

Test(control_ops, nanosleep_lasts_a_millisecond_at_most_and_counts_the_lanes_that_execute)
{
	picoseconds none = time_of("", false), longest = time_of("nanosleep.u32 4000000000;", false) - none;
	picoseconds guarded =
		time_of("setp.eq.u32 %p1, %r2, 3;\nmul.lo.u32 %r3, %r2, 1000;\n@%p1 nanosleep.u32 %r3;",
			false) -
		none;

	cr_assert(longest + OVERLAP >= 1000000000 && longest < 1000100000, "%llu ps",
		(unsigned long long)longest);
	cr_assert(guarded + OVERLAP >= 3000000 && guarded < 3200000, "%llu ps", (unsigned long long)guarded);
}

Test(control_ops, other_warps_run_while_one_sleeps)
{
	picoseconds none = time_of("", false);
	picoseconds both = time_of("nanosleep.u32 20000;", false) - none;

	cr_assert(both < 25000000, "two warps sleep at the same time: %llu ps", (unsigned long long)both);
}

static void expect_fault(const char *body, enum fault_kind kind, const char *text)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_80, body, 32);

		bench_run(b, 1, 32, functional);
		cr_assert(b->result.outcome == GPU_FAULT && b->result.fault.kind == kind);
		cr_assert_not_null(strstr(b->result.fault.text, text), "%s", b->result.fault.text);
		bench_free(b);
	}
}

Test(control_ops, trap_and_brkpt_stop_the_kernel)
{
	expect_fault(KERNEL("setp.eq.u32 %p1, %r2, 9;\n@%p1 trap;"), FAULT_TRAP,
		"trap (kernel k, CTA 0,0,0, thread 9,0,0)");
	expect_fault(KERNEL("brkpt;"), FAULT_TRAP, "brkpt, and no debugger is attached");
	cr_assert(time_of("setp.eq.u32 %p1, %r2, 99;\n@%p1 brkpt;", false) > 0);
}

Test(control_ops, some_instructions_have_no_effect)
{
	for (int functional = 0; functional < 2; functional++)
		time_of("pmevent 3;\npmevent.mask 5;\nsetmaxnreg.inc.sync.aligned.u32 "
			"64;\nsetmaxnreg.dec.sync.aligned.u32 40;\n"
			"griddepcontrol.wait;\ngriddepcontrol.launch_dependents;",
			functional);
}
