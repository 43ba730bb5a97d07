/* Barriers in divergent code, reductions, counts and fences, as whole kernels with timing and without. */
#include "tests/unit/core/kernel_rig.h"
#include <stdio.h>

static void expect_words(
	const char *header, const char *body, uint32_t block, uint32_t (*expect)(uint32_t thread))
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(header, body, block);

		bench_run(b, 1, block, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		for (uint32_t i = 0; i < block; i++)
			cr_assert_eq(b->at[i], expect(i), "thread %u: %u, not %u", i, b->at[i], expect(i));
		bench_free(b);
	}
}

static void expect_fault(const char *header, const char *body, uint32_t block, const char *text)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(header, body, block);

		bench_run(b, 1, block, functional);
		cr_assert_eq(b->result.outcome, GPU_FAULT);
		cr_assert_not_null(strstr(b->result.fault.text, text), "%s", b->result.fault.text);
		bench_free(b);
	}
}

static const char shared_memory[] = ".shared .align 4 .u32 s[1024];\n";
/* %r3 = address of the thread's word in shared memory, %r4 = of the word of thread ^ 33,
 * %p1 = an even thread of warp 0 */
#define SLOTS \
	"shl.b32 %r3, %r2, 2;\nmov.u32 %r5, s;\nadd.u32 %r3, %r3, %r5;\nxor.b32 %r4, %r2, 33;\nshl.b32 " \
	"%r4, %r4, 2;\n" \
	"add.u32 %r4, %r4, %r5;\nadd.u32 %r6, %r2, 100;\nand.b32 %r7, %r2, 1;\nsetp.eq.u32 %p1, %r7, 0;\n" \
	"setp.lt.u32 %p3, %r2, 32;\nand.pred %p1, %p1, %p3;\n"

static char *with_shared(const char *kernel)
{
	char *text = malloc(strlen(kernel) + sizeof(shared_memory));

	sprintf(text, "%s%s", shared_memory, kernel);
	return text;
}

static uint32_t crossed(uint32_t thread)
{
	return (thread ^ 33) + 100;
}

/* Even and odd lanes of warp 0 store and then wait in branches of their own, warp 1 in one; what a thread
 * reads is another warp's. */
Test(barrier, both_branches_of_a_warp_may_wait)
{
	char *text = with_shared(
		KERNEL(SLOTS "@%p1 bra even;\nst.shared.u32 [%r3], %r6;\nbarrier.sync 0;\nbra done;\n"
			     "even: st.shared.u32 [%r3], %r6;\nbarrier.sync 0;\ndone: ld.shared.u32 %r8, "
			     "[%r4];\nst.global.u32 [%rd0], %r8;"));

	expect_words(SM_80, text, 64, crossed);
	free(text);
}

/* Lanes that skip the barrier wait behind it; so do, here, those of a nested branch. */
Test(barrier, a_barrier_in_one_branch_waits_for_the_other_to_finish)
{
	char *text = with_shared(
		KERNEL(SLOTS "@%p1 bra even;\nand.b32 %r9, %r2, 2;\nsetp.eq.u32 %p2, %r9, 0;\n@%p2 bra "
			     "two;\nst.shared.u32 [%r3], %r6;\n"
			     "bar.sync 0;\nbra meet;\ntwo: st.shared.u32 [%r3], %r6;\nmeet: bra done;\n"
			     "even: st.shared.u32 [%r3], %r6;\ndone: ld.shared.u32 %r8, "
			     "[%r4];\nst.global.u32 [%rd0], %r8;"));

	expect_words(SM_80, text, 64, crossed);
	free(text);
}

static uint32_t count_of_odd_below_forty(uint32_t thread)
{
	return 20;
}

/* Both branches reduce, into different registers; each thread counts once. */
Test(barrier, a_reduction_counts_each_path_once_and_answers_each)
{
	expect_words(SM_80,
		KERNEL("and.b32 %r3, %r2, 1;\nsetp.eq.u32 %p1, %r3, 1;\nsetp.lt.u32 %p2, %r2, 40;\nand.pred "
		       "%p3, %p1, %p2;\n"
		       "@%p1 bra odd;\nbarrier.red.popc.u32 %r5, 1, %p3;\nmov.u32 %r4, %r5;\nbra done;\n"
		       "odd: barrier.red.popc.u32 %r6, 1, %p3;\nmov.u32 %r4, %r6;\ndone: st.global.u32 "
		       "[%rd0], %r4;"),
		96, count_of_odd_below_forty);
}

static uint32_t and_or(uint32_t thread)
{
	return 1 + 8;
}

Test(barrier, and_and_or_over_all_threads)
{
	expect_words(SM_80,
		KERNEL("setp.lt.u32 %p1, %r2, 64;\nsetp.eq.u32 %p2, %r2, 63;\n"
		       "barrier.red.and.aligned.pred %p3, 2, %p1;\nbar.red.or.pred %p4, 2, 64, "
		       "%p2;\nbar.red.and.pred %p5, 2, %p2;\n"
		       "bar.cta.red.or.pred %p6, 2, !%p1;\n"
		       "selp.u32 %r3, 1, 0, %p3;\n@%p5 add.u32 %r3, %r3, 2;\n@%p6 add.u32 %r3, %r3, 4;\n"
		       "@%p4 add.u32 %r3, %r3, 8;\nst.global.u32 [%rd0], %r3;"),
		64, and_or);
}

static uint32_t produced(uint32_t thread)
{
	return thread < 32 ? 0 : thread - 32 + 100;
}

/* A producing warp arrives and goes on; a consuming one waits; the third has nothing to do with it. */
Test(barrier, arrive_with_a_count_lets_consumers_read)
{
	char *text = with_shared(KERNEL(SLOTS "mov.u32 %r8, 0;\nsetp.ge.u32 %p2, %r2, 64;\n@%p2 bra "
					      "out;\nsetp.ge.u32 %p2, %r2, 32;\n@%p2 bra read;\n"
					      "st.shared.u32 [%r3], %r6;\nbarrier.arrive 5, 64;\nbra "
					      "done;\nread: mov.u32 %r9, 5;\nbarrier.sync %r9, 64;\n"
					      "ld.shared.u32 %r8, [%r3+-128];\nbra done;\nout: add.u32 %r8, "
					      "%r2, 68;\ndone: st.global.u32 [%rd0], %r8;"));

	expect_words(SM_80, text, 96, produced);
	free(text);
}

Test(barrier, a_warp_at_two_barriers_is_a_fault_that_says_so)
{
	expect_fault(SM_80,
		KERNEL("setp.lt.u32 %p1, %r2, 7;\n@%p1 bra low;\nbarrier.sync 1;\nbra done;\nlow: "
		       "barrier.sync 2;\ndone:"),
		64, "lanes of one warp wait at different barriers");
}

Test(barrier, a_count_that_is_no_multiple_of_the_warp_size_is_a_fault_that_says_so)
{
	expect_fault(
		SM_80, KERNEL("mov.u32 %r3, 40;\nbarrier.sync 1, %r3;"), 64, "multiple of the warp size");
}

static uint32_t lanes_that_arrived(uint32_t thread)
{
	return thread < 7 ? 20 : 18 - 5;
}

/* Before sm_70 the first path counts for the whole warp, here of one warp. */
Test(barrier, old_targets_count_a_warp_when_any_lane_arrives)
{
	expect_words(".version 3.2\n.target sm_20",
		KERNEL("setp.lt.u32 %p1, %r2, 7;\nsetp.eq.u32 %p2, %r0, %r0;\nmov.u32 %r4, 20;\n@%p1 bra "
		       "low;\n"
		       "bar.red.popc.u32 %r4, 0, 32, %p2;\nsub.u32 %r4, %r4, 5;\nlow: st.global.u32 [%rd0], "
		       "%r4;"),
		25, lanes_that_arrived);
}

static const char *const fences[] = { "membar.cta", "membar.gl", "membar.sys", "membar.proxy.alias",
	"fence.sc.cta", "fence.sc.sys", "fence.acq_rel.gpu", "fence.acq_rel.cluster", "fence.acquire.sys",
	"fence.release.cta", "fence.cta", "fence.proxy.alias", "fence.proxy.async",
	"fence.proxy.async.global", "fence.proxy.async.shared::cta", "fence.mbarrier_init.release.cluster" };

Test(barrier, every_fence_is_executed)
{
	for (size_t i = 0; i < sizeof(fences) / sizeof(fences[0]); i++) {
		char body[2048] =
			KERNEL("st.global.u32 [%rd0], 3;\n@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@");
		char *at = strstr(body, "@@");
		struct bench *b;

		memset(at, ' ', strspn(at, "@"));
		memcpy(at, fences[i], strlen(fences[i]));
		at[strlen(fences[i])] = ';';
		b = bench_new(".version 8.6\n.target sm_90", body, 32);
		bench_run(b, 1, 32, false);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s: %s", fences[i], b->result.fault.text);
		bench_free(b);
	}
}
