/* barrier.cluster, in a cluster of one CTA and of several, as whole kernels with timing and without; hangs at
 * it and at mbarriers. */
#include "tests/unit/core/kernel_rig.h"
#include <stdio.h>

#define SM_90  ".version 8.0\n.target sm_90"
#define SHARED ".shared .align 4 .u32 s[1024];\n"
/* %r3 = address of the thread's word in shared memory, %r4 = of the word of thread ^ 33; %r6 = thread + 100
 */
#define SLOTS \
	"shl.b32 %r3, %r2, 2;\nmov.u32 %r5, s;\nadd.u32 %r3, %r3, %r5;\nxor.b32 %r4, %r2, 33;\nshl.b32 " \
	"%r4, %r4, 2;\nadd.u32 %r4, %r4, %r5;\nadd.u32 %r6, %r2, 100;\n"
#define CROSS "ld.shared.u32 %r8, [%r4];\nst.global.u32 [%rd0], %r8;\n"

static void expect_crossed(const char *body, uint32_t block)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_90, body, block);

		bench_run(b, 1, block, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		for (uint32_t i = 0; i < block; i++)
			cr_assert_eq(b->at[i], (i ^ 33) + 100, "thread %u: %u", i, b->at[i]);
		bench_free(b);
	}
}

static void expect_fault(const char *body, uint32_t block, const char *text)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_90, body, block);

		bench_run(b, 1, block, functional);
		cr_assert_eq(b->result.outcome, GPU_FAULT, "functional %d", functional);
		cr_assert_not_null(strstr(b->result.fault.text, text), "%s", b->result.fault.text);
		bench_free(b);
	}
}

/* What a thread reads is another warp's; the second phase keeps what is stored next from the readers. */
Test(cluster_barrier, orders_the_warps_of_the_cta)
{
	expect_crossed(
		SHARED KERNEL(SLOTS "st.shared.u32 [%r3], %r6;\nbarrier.cluster.arrive.aligned;\n"
				    "barrier.cluster.wait.aligned;\n" CROSS
				    "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire;\n"
				    "st.shared.u32 [%r3], 7;\nbarrier.cluster.arrive.relaxed;\n"
				    "barrier.cluster.wait;"),
		128);
}

/* Lanes arrive in branches of their own and wait together; warp 1 is late. */
Test(cluster_barrier, threads_of_a_warp_arrive_in_different_branches)
{
	expect_crossed(SHARED KERNEL(SLOTS "and.b32 %r7, %r2, 1;\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 bra even;\n"
					   "st.shared.u32 [%r3], %r6;\nbarrier.cluster.arrive;\nbra done;\n"
					   "even: st.shared.u32 [%r3], %r6;\nbarrier.cluster.arrive;\n"
					   "done: barrier.cluster.wait;\n" CROSS),
		64);
}

/* Both branches wait; each path is parked until the other has arrived. */
Test(cluster_barrier, threads_of_a_warp_wait_in_different_branches)
{
	expect_crossed(SHARED KERNEL(SLOTS
			       "and.b32 %r7, %r2, 1;\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 bra even;\n"
			       "st.shared.u32 [%r3], %r6;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
			       "bra done;\neven: st.shared.u32 [%r3], %r6;\nbarrier.cluster.arrive;\n"
			       "barrier.cluster.wait;\ndone:" CROSS),
		64);
}

/* Odd lanes wait in a branch for even ones that come to their barrier behind it. */
Test(cluster_barrier, lanes_behind_the_branch_need_not_wait_for_those_in_it)
{
	expect_crossed(SHARED KERNEL(SLOTS
			       "and.b32 %r7, %r2, 1;\nsetp.eq.u32 %p1, %r7, 0;\nst.shared.u32 [%r3], %r6;\n"
			       "@%p1 bra behind;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n" CROSS
			       "behind: barrier.cluster.arrive;\nbarrier.cluster.wait;\n" CROSS),
		64);
}

/* Guards: lanes of one parity arrive and wait, the others exit, some before and some later. */
Test(cluster_barrier, threads_that_have_exited_are_not_waited_for)
{
	expect_crossed(SHARED KERNEL(SLOTS
			       "and.b32 %r7, %r2, 1;\nsetp.eq.u32 %p1, %r7, 0;\nst.shared.u32 [%r3], %r6;\n"
			       "bar.sync 0;\n" CROSS "setp.gt.u32 %p2, %r2, 90;\n@%p2 exit;\n"
			       "@%p1 barrier.cluster.arrive;\n@%p1 barrier.cluster.wait;\n@!%p1 exit;\n"
			       "barrier.cluster.arrive;\nbarrier.cluster.wait;"),
		128);
}

/* Warp 1 is parked in a wait when the last thread exits without having arrived. */
Test(cluster_barrier, the_last_exit_of_a_warp_ends_the_phase)
{
	expect_crossed(
		SHARED KERNEL(SLOTS "st.shared.u32 [%r3], %r6;\nbar.sync 0;\n" CROSS
				    "setp.lt.u32 %p1, %r2, 32;\n@%p1 bra out;\nbarrier.cluster.arrive;\n"
				    "barrier.cluster.wait;\nbra done;\nout: nanosleep.u32 2000;\ndone:"),
		64);
}

Test(cluster_barrier, work_between_arrival_and_wait_is_not_ordered_but_the_rest_is)
{
	expect_crossed(SHARED KERNEL(SLOTS
			       "mov.u32 %r9, 0;\nagain: st.shared.u32 [%r3], %r6;\nbarrier.cluster.arrive;\n"
			       "add.u32 %r9, %r9, 1;\nbarrier.cluster.wait;\nld.shared.u32 %r8, [%r4];\n"
			       "barrier.cluster.arrive;\nst.global.u32 [%rd0], %r8;\nbarrier.cluster.wait;\n"
			       "st.shared.u32 [%r3], 0;\nsetp.lt.u32 %p1, %r9, 5;\n@%p1 bra again;"),
		128);
}

Test(cluster_barrier, waiting_without_having_arrived_is_a_fault)
{
	expect_fault(KERNEL("barrier.cluster.wait;"), 64, "a thread waits that has not arrived");
}

Test(cluster_barrier, arriving_twice_is_a_fault)
{
	expect_fault(KERNEL("barrier.cluster.arrive;\nbarrier.cluster.arrive;"), 64,
		"a thread arrives again before it has waited");
}

Test(cluster_barrier, a_deadlock_names_both_places)
{
	const char *body = KERNEL("setp.lt.u32 %p1, %r2, 32;\n@%p1 bra first;\nbar.sync 0;\nfirst: "
				  "barrier.cluster.arrive;\nbarrier.cluster.wait;");

	expect_fault(body, 64, "the cluster's barrier, 32 of 64 threads have arrived");
	expect_fault(body, 64, "barrier 0, 32 of 64 threads have arrived");
}

/* Warp 1 spins for a word that nobody writes, and warp 0 waits for it. */
Test(cluster_barrier, a_warp_that_spins_while_others_wait_is_a_hang)
{
	expect_fault(KERNEL("setp.lt.u32 %p1, %r2, 32;\n@%p1 bra first;\nagain: ld.volatile.global.u32 %r3, "
			    "[%rd0];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra again;\nfirst: "
			    "barrier.cluster.arrive;\nbarrier.cluster.wait;"),
		64, "the cluster's barrier, 32 of 64 threads have arrived");
}

/* ---- clusters of two CTAs ---- */

#define PAIR(code) \
	".visible .entry k(.param .u64 p) .reqnctapercluster 2\n{\n.reg .pred %p<9>;\n.reg .b32 " \
	"%r<19>;\n.reg " \
	".b64 %rd<9>;\n.shared .align 8 .b64 object;\n.shared .align 4 .u32 word;\nld.param.u64 %rd0, " \
	"[p];\n" \
	"mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, word;\n" \
	"mov.u32 %r4, object;\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd0, %rd0, %rd1;\n" code "\nret;\n}\n"
#define MEET "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"

static void expect_pair_fault(const char *body, const char *text)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_90, body, 64);

		bench_run(b, 2, 64, functional);
		cr_assert_eq(b->result.outcome, GPU_FAULT, "functional %d", functional);
		cr_assert_not_null(strstr(b->result.fault.text, text), "functional %d: %s", functional,
			b->result.fault.text);
		bench_free(b);
	}
}

Test(cluster_barrier, ctas_of_a_cluster_see_what_others_stored_before)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_90,
			PAIR("xor.b32 %r5, %r1, 1;\nadd.u32 %r6, %r0, 70;\nst.shared.u32 [%r3], %r6;\n" MEET
			     "mapa.shared::cluster.u32 %r7, %r3, %r5;\nld.shared::cluster.u32 %r8, [%r7];\n"
			     "st.global.u32 [%rd0], %r8;\n" MEET),
			64);

		bench_run(b, 8, 64, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		for (uint32_t i = 0; i < 8; i++)
			cr_assert_eq(b->at[i], (i ^ 1) + 70, "CTA %u: %u", i, b->at[i]);
		bench_free(b);
	}
}

Test(cluster_barrier, a_cta_that_never_comes_is_a_hang)
{
	expect_pair_fault(PAIR("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra meet;\nagain: ld.volatile.global.u32 %r5, "
			       "[%rd0];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra again;\nmeet: " MEET),
		"the cluster's barrier in its phase 0, 64 of 128 threads of the cluster have arrived");
}

/* The warps of one CTA wait at its own barrier for a warp that waits for the cluster. */
Test(cluster_barrier, a_deadlock_of_a_cluster_is_found)
{
	expect_pair_fault(PAIR("or.b32 %r5, %r1, %r2;\nsetp.lt.u32 %p1, %r5, 32;\n@%p1 bra own;\n" MEET
			       "own: bar.sync 0;\n" MEET),
		"the cluster's barrier in its phase 0");
}

Test(cluster_barrier, other_ctas_must_be_there)
{
	expect_pair_fault(PAIR("mapa.shared::cluster.u32 %r5, %r3, 3;\nst.shared::cluster.u32 [%r5], 1;"),
		"rank 3 of a cluster of 2 CTAs: the cluster has no such CTA");
	expect_pair_fault(PAIR("xor.b32 %r5, %r1, 1;\nmapa.shared::cluster.u32 %r5, %r3, %r5;\n"
			       "st.shared::cluster.u32 [%r5+4096], 1;\n" MEET),
		"access outside the CTA's shared memory");
	expect_pair_fault(PAIR("xor.b32 %r5, %r1, 1;\nmapa.shared::cluster.u32 %r5, %r4, %r5;\n"
			       "mbarrier.arrive.shared::cluster.b64 _, [%r5];\n" MEET),
		"the mbarrier has not been initialised");
}

Test(cluster_barrier, a_hang_tells_what_an_mbarrier_waits_for)
{
	expect_pair_fault(
		PAIR("setp.ne.u32 %p1, %r2, 0;\n@%p1 bra wait;\nmbarrier.init.shared.b64 [%r4], 2;\n"
		     "mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r4], 48;\nwait: bar.sync 0;\nspin: "
		     "mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0;\n@!%p2 bra spin;\n" MEET),
		"in its phase of parity 0, 1 of 2 arrivals and 48 bytes are missing");
}
