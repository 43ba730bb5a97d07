/* tests/unit/core/issue/test_phase_waits.c -- mbarrier.try_wait suspends its warp until the phase is over, or
 * for as long as the machine or the instruction says; test_wait never does. Each kernel writes what its
 * question took, the answer and how often it was asked. */
#include "tests/unit/core/launch_rig.h"

#define LIMIT 3000

#define HEAD \
	".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p) " \
	"%s\n{\n" \
	".reg .pred %%p<4>; .reg .b32 %%r<16>; .reg .b64 %%d<4>; .reg .b16 %%h<4>;\n" \
	".shared .align 1024 .b8 tile[4096]; .shared .align 8 .b8 bar[16];\n" \
	"ld.param.u64 %%d0, [p]; mov.u32 %%r1, tile; mov.u32 %%r2, bar; mov.u32 %%r3, %%tid.x;\n" \
	"setp.ne.u32 %%p0, %%r3, 0; setp.ge.u32 %%p1, %%r3, 32; mov.u32 %%r9, 0;\n" \
	"@!%%p0 mbarrier.init.shared::cta.b64 [%%r2], 1;\n%s\nbar.sync 0;\n"
#define END \
	"\nst.global.u32 [%d0], %r6; selp.u32 %r7, 1, 0, %p2; st.global.u32 [%d0 + 4], %r7;\n" \
	"st.global.u32 [%d0 + 8], %r9;\nOUT: ret;\n}\n"
#define TIMED(what) \
	"mov.u32 %r5, %clock;\n" what \
	"\nselp.u32 %r7, 1, 0, %p2;\nmov.u32 %r6, %clock; sub.u32 %r6, %r6, %r5;\n"
#define SEEN    "selp.u32 %r7, 1, 0, %p2;\n"
#define TRY     "mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n"
#define TRY_2US "mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0, 2000;\n"
#define TEST    "mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r2], 0;\n"
#define LOOP    "AGAIN: add.u32 %r9, %r9, 1;\n" TRY "@!%p2 bra AGAIN;\n"

struct answer {
	uint32_t took, is_over, asked;
};

/* A kernel's module in the rig, and where its first thread's answer is. */
struct question {
	struct kernel_rig *rig;
	const struct answer *answer;
};

static struct question ask_with(const char *set, const char *directives, const char *begin, const char *text,
	uint32_t ctas, uint32_t threads)
{
	static char whole[8192], sets[256];
	struct question q;
	uint64_t p;
	int head = snprintf(whole, sizeof(whole), HEAD, directives, begin);

	snprintf(whole + head, sizeof(whole) - (size_t)head, "%s", text);
	snprintf(sets, sizeof(sets),
		"gpu.hang_check=50000 observe.roles=true sm.mbarrier_wait_limit=3000%s%s", *set ? " " : "",
		set);
	q.rig = rig_new_chip("configs/h200.yaml", whole, sets);
	p = rig_buffer(q.rig, 1 << 16);
	q.answer = memory_host(p);
	rig_launch(q.rig, ctas, threads, &p, false);
	return q;
}

static struct question ask(
	const char *directives, const char *begin, const char *text, uint32_t ctas, uint32_t threads)
{
	return ask_with("", directives, begin, text, ctas, threads);
}

static struct answer ask_done(
	const char *directives, const char *begin, const char *text, uint32_t ctas, uint32_t threads)
{
	struct question q = ask(directives, begin, text, ctas, threads);
	struct answer answer;

	rig_expect_done(q.rig);
	answer = *q.answer;
	rig_free(q.rig);
	return answer;
}

static double value(const struct kernel_rig *r, const char *name)
{
	return stat_value(gpu_stats(r->gpu), NULL, name);
}

/* The machine's limit, then the path of a phase that is over: 43 cycles, with the clocks 52. */
Test(phase_waits, nobody_arrives_and_the_machine_has_a_limit)
{
	struct answer a = ask_done("", "", TIMED(TRY) END, 1, 32);

	cr_expect_eq(a.is_over, 0);
	cr_expect(a.took >= LIMIT + 30 && a.took <= LIMIT + 60, "%u", a.took);
}

/* 2000 ns are 3960 cycles. */
Test(phase_waits, the_instruction_has_a_limit)
{
	struct answer a = ask_done("", "", TIMED(TRY_2US) END, 1, 32);

	cr_expect_eq(a.is_over, 0);
	cr_expect(a.took >= 3960 + 30 && a.took <= 3960 + 60, "%u", a.took);
}

Test(phase_waits, test_wait_does_not_wait)
{
	struct answer a = ask_done("", "", TIMED(TEST) END, 1, 32);

	cr_expect_eq(a.is_over, 0);
	cr_expect_lt(a.took, 80);
}

Test(phase_waits, a_phase_that_is_over_is_not_waited_for)
{
	struct answer a =
		ask_done("", "@!%p0 mbarrier.arrive.shared::cta.b64 _, [%r2];", TIMED(TRY) END, 1, 32);

	cr_expect_eq(a.is_over, 1);
	cr_expect_lt(a.took, 80);
}

/* Each wait begins anew: the first has used up its time. */
Test(phase_waits, the_next_wait_has_the_whole_limit)
{
	struct answer a = ask_done("", "", TIMED(TRY SEEN TRY SEEN TRY) END, 1, 32);

	cr_expect(a.took >= 3 * (LIMIT + 30) && a.took <= 3 * (LIMIT + 60), "%u", a.took);
}

/* Warp 0 arrives when it has slept half a microsecond, 990 cycles; warp 1 asks once. */
#define SLEEP_AND_ARRIVE \
	"@%p1 bra ASK;\nnanosleep.u32 500;\n@!%p0 mbarrier.arrive.shared::cta.b64 _, [%r2];\nbra " \
	"OUT;\nASK:\n"

Test(phase_waits, an_arrival_wakes_the_warp)
{
	struct question q = ask("", "", SLEEP_AND_ARRIVE TIMED(LOOP) END, 1, 64);

	rig_expect_done(q.rig);
	cr_expect_eq(q.answer->asked, 1);
	cr_expect(q.answer->took > 950 && q.answer->took < 1150, "%u", q.answer->took);
	cr_expect_gt(value(q.rig, "sm.issue_slots::phase"), 900);
	cr_expect_leq(value(q.rig, "sm.issue_slots::phase"), q.answer->took);
	rig_free(q.rig);
}

/* What waits for a phase outside a loop loses its slots to that, too. */
Test(phase_waits, the_cause_is_the_phase_without_a_loop)
{
	struct question q = ask("", "", SLEEP_AND_ARRIVE TIMED(TRY) END, 1, 64);

	rig_expect_done(q.rig);
	cr_expect_eq(q.answer->is_over, 1);
	cr_expect_gt(value(q.rig, "sm.issue_slots::phase"), 900);
	rig_free(q.rig);
}

Test(phase_waits, a_copy_that_lands_wakes_the_warp)
{
	struct answer a = ask_done("", "",
		"@%p0 bra ASK;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 4096;\n"
		"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%d0 + 4096], 4096, "
		"[%r2];\n"
		"ASK:\n" TIMED(LOOP) END,
		1, 32);

	cr_expect_eq(a.asked, 1);
	cr_expect(a.took > 300 && a.took < 2500, "%u", a.took);
}

/* Rank 1 arrives at rank 0's mbarrier. */
Test(phase_waits, an_arrival_from_another_cta_wakes_the_warp)
{
	struct answer a = ask_done(".reqnctapercluster 2, 1, 1", "",
		"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
		"mov.u32 %r4, %cluster_ctarank; setp.eq.u32 %p3, %r4, 0;\n@%p3 bra ASK;\nnanosleep.u32 500;\n"
		"mapa.shared::cluster.u32 %r8, %r2, 0;\n"
		"@!%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];\nbra LEAVE;\n"
		"ASK:\n" TIMED(LOOP) "st.global.u32 [%d0], %r6; st.global.u32 [%d0 + 8], %r9;\n"
				     "LEAVE: barrier.cluster.arrive.aligned; "
				     "barrier.cluster.wait.aligned;\nret;\n}\n",
		2, 32);

	cr_expect_eq(a.asked, 1);
	cr_expect(a.took > 950 && a.took < 1500, "%u", a.took);
}

/* A multicast lands in both CTAs, of which one has not issued it. */
Test(phase_waits, a_multicast_wakes_the_other_cta)
{
	struct answer a = ask_done(".reqnctapercluster 2, 1, 1",
		"@!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 4096;\n",
		"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
		"mov.u32 %r4, %cluster_ctarank; setp.eq.u32 %p3, %r4, 0;\nmov.u16 %h1, 3;\n"
		"@%p0 bra ASK;\n@%p3 bra ASK;\n"
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], "
		"[%d0 + 4096], 4096, [%r2], %h1;\n"
		"ASK:\n" TIMED(
			LOOP) "@%p3 st.global.u32 [%d0], %r6;\n@%p3 st.global.u32 [%d0 + 8], %r9;\n"
			      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nret;\n}\n",
		2, 32);

	cr_expect_eq(a.asked, 1);
	cr_expect(a.took > 300 && a.took < 2500, "%u", a.took);
}

/* Lane 1 arrives at what the others wait for, on either side of the branch: the warp is not put to sleep
 * while another of its paths can go on. */
#define JOIN \
	"JOIN: mov.u32 %r6, %clock; sub.u32 %r6, %r6, %r5;\nsetp.ne.u32 %p0, %r3, 0;\n@%p0 bra OUT;\n" END
#define SPIN   "AGAIN: " TRY "@!%p2 bra AGAIN;\n"
#define ARRIVE "mbarrier.arrive.shared::cta.b64 _, [%r2];\n"

Test(phase_waits, another_path_of_the_warp_goes_on)
{
	struct answer a = ask_done("", "",
		"setp.eq.u32 %p3, %r3, 1;\nmov.u32 %r5, %clock;\n@%p3 bra ARRIVES;\n" SPIN "bra JOIN;\n"
		"ARRIVES: " ARRIVE JOIN,
		1, 32);
	struct answer b = ask_done("", "",
		"setp.ne.u32 %p3, %r3, 1;\nmov.u32 %r5, %clock;\n@%p3 bra AGAIN;\n" ARRIVE
		"bra JOIN;\n" SPIN JOIN,
		1, 32);

	cr_expect_lt(a.took, LIMIT);
	cr_expect_lt(b.took, LIMIT);
}

/* A single lane of a warp waits while the others are where paths meet: it sleeps. */
Test(phase_waits, one_lane_sleeps)
{
	struct answer a = ask_done("", "",
		SLEEP_AND_ARRIVE
		"setp.eq.u32 %p3, %r3, 32;\n@!%p3 bra JOIN;\n" TIMED(LOOP) "JOIN: @!%p3 bra OUT;\n" END,
		1, 64);

	cr_expect_eq(a.asked, 1);
	cr_expect(a.took > 950 && a.took < 1150, "%u", a.took);
}

Test(phase_waits, a_warp_that_nobody_will_wake_is_a_hang)
{
	struct question q = ask("", "",
		"AGAIN: " TRY "@!%p2 bra AGAIN;\n"
		"st.global.u32 [%d0], %r3; ret;\n}\n",
		1, 32);

	cr_expect_eq(q.rig->result.outcome, GPU_FAULT);
	cr_expect(strstr(q.rig->result.fault.text, "1 of 1 arrivals"), "%s", q.rig->result.fault.text);
	rig_free(q.rig);
}

/* A loop that counts is none: it ends by itself. */
Test(phase_waits, a_loop_that_gives_up_is_no_hang)
{
	struct answer a = ask_done("", "",
		"AGAIN: add.u32 %r9, %r9, 1;\n" TRY "setp.lt.u32 %p3, %r9, 60;\n@%p3 bra AGAIN;\n" END, 1,
		32);

	cr_expect_eq(a.asked, 60);
	cr_expect_eq(a.is_over, 0);
}

/* Wherever its timing ends, also while the warp sleeps, the kernel goes on without. */
Test(phase_waits, a_kernel_that_is_cut_goes_on)
{
	for (unsigned cycle = 50; cycle < 3000; cycle += 211) {
		char set[64];
		struct question q;

		snprintf(set, sizeof(set), "gpu.timing_limit.cycles=%u", cycle);
		q = ask_with(set, "", "", SLEEP_AND_ARRIVE TIMED(LOOP) END, 2, 64);
		rig_expect_done(q.rig);
		cr_expect_eq(q.answer->is_over, 1, "%u", cycle);
		cr_expect_leq(q.answer->asked, 2 + 60, "%u", cycle);
		rig_free(q.rig);
	}
}

Test(phase_waits, a_machine_without_a_limit_answers_at_once)
{
	struct question q = ask_with("sm.mbarrier_wait_limit=0", "", "", TIMED(TRY) END, 1, 32);

	rig_expect_done(q.rig);
	cr_expect_lt(q.answer->took, 80);
	rig_free(q.rig);
}
