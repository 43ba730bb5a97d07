/* Control flow of a warp: the SIMT stack, exits, barriers. Micro-operations are written by hand. */
#include "core/simt/warp.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/control.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define LANES(n) ((n) == 32 ? ~UINT32_C(0) : (UINT32_C(1) << (n)) - 1)

struct bench {
	struct uop uops[16];
	struct ptx_kernel kernel;
	struct launch launch;
	struct kernel_run run;
	struct cta cta;
	struct warp warps[4];
	uint32_t rows[4][8][32], predicates[4][8];
	uint8_t shared[64];
};

static struct bench *new_bench(uint32_t threads)
{
	struct bench *b = aligned_alloc(64, (sizeof(*b) + 63) / 64 * 64);

	memset(b, 0, sizeof(*b));
	b->kernel.uops = b->uops;
	b->kernel.uop_count = 16;
	b->kernel.rows = 8;
	b->kernel.predicates = 4;
	b->launch = (struct launch){ .kernel = &b->kernel, .grid = { 1, 1, 1 }, .block = { threads, 1, 1 } };
	kernel_run_init(&b->run, &b->launch, 1);
	cta_start(&b->cta, &b->run, 0, b->shared);
	for (uint32_t i = 0; i < b->run.warps; i++) {
		b->warps[i].registers = b->rows[i];
		b->warps[i].predicates = b->predicates[i];
		warp_start(&b->warps[i], &b->cta, i, 0, 1, 48);
	}
	return b;
}

static void free_bench(struct bench *b)
{
	kernel_run_fini(&b->run);
	warps_fini(b->warps, 4);
	free(b);
}

static struct uop bra(uint32_t target, uint32_t reconverge)
{
	return (struct uop){
		.code = UOP_BRA, .unit = UNIT_CONTROL, .target = target, .reconverge = reconverge
	};
}

static struct uop bar(uint32_t id)
{
	return (struct uop){
		.code = UOP_BAR_SYNC, .unit = UNIT_CONTROL, .imm = id, .src = { UOP_NONE, UOP_NONE }
	};
}

static const struct uop exit_uop = { .code = UOP_EXIT, .unit = UNIT_CONTROL };

Test(control, a_last_warp_has_only_its_threads)
{
	struct bench *b = new_bench(40);

	cr_assert_eq(b->run.warps, 2);
	cr_assert_eq(b->warps[0].live, ~UINT32_C(0));
	cr_assert_eq(b->warps[1].live, LANES(8));
	free_bench(b);
}

Test(control, a_uniform_branch_does_not_touch_the_stack)
{
	struct bench *b = new_bench(32);
	struct uop u = bra(7, 9);

	control_execute(&b->warps[0], &u, ~UINT32_C(0));
	cr_assert_eq(b->warps[0].pc, 7);
	cr_assert_eq(b->warps[0].depth, 1);
	control_execute(&b->warps[0], &u, 0);
	cr_assert_eq(b->warps[0].pc, 8, "not taken: falls through");
	free_bench(b);
}

Test(control, both_paths_of_a_divergent_branch_run_and_meet)
{
	struct bench *b = new_bench(32);
	struct warp *w = &b->warps[0];
	struct uop u = bra(4, 6);
	struct control_result r = control_execute(w, &u, 0x0000ffff);

	cr_assert_eq(r.what, CONTROL_DIVERGED);
	cr_assert_eq(w->pc, 4, "the taken path first");
	cr_assert_eq(w->active, 0x0000ffff);
	warp_next(w);
	warp_next(w);
	cr_assert_eq(w->pc, 1, "then the other, behind the branch");
	cr_assert_eq(w->active, 0xffff0000);
	for (int i = 0; i < 5; i++)
		warp_next(w);
	cr_assert_eq(w->pc, 6);
	cr_assert_eq(w->active, ~UINT32_C(0));
	cr_assert_eq(w->depth, 1);
	free_bench(b);
}

Test(control, a_loop_that_lanes_leave_one_by_one_keeps_the_stack_flat)
{
	struct bench *b = new_bench(32);
	struct warp *w = &b->warps[0];
	struct uop back = bra(2, 6);
	uint32_t deepest = 0;

	w->pc = 5;
	for (int left = 31; left >= 0; left--) {
		lane_mask taken = w->active & LANES(left);

		w->pc = 5;
		control_execute(w, &back, taken);
		if (w->depth > deepest)
			deepest = w->depth;
	}
	cr_assert_eq(deepest, 2);
	cr_assert_eq(w->pc, 6);
	cr_assert_eq(w->active, ~UINT32_C(0));
	cr_assert_eq(w->depth, 1);
	free_bench(b);
}

Test(control, the_deepest_possible_nest_fits_the_stack)
{
	struct bench *b = new_bench(32);
	struct warp *w = &b->warps[0];

	for (uint32_t i = 0; i < 31; i++) { /* each time one lane takes the other path, with a re-convergence
					       point of its own */
		struct uop u = bra(1000 + i, 2000 + i);
		lane_mask leaving = w->active & -w->active;

		w->pc = 0;
		control_execute(w, &u, w->active & ~leaving);
	}
	cr_assert_leq(w->depth, SIMT_DEPTH);
	cr_assert_eq(__builtin_popcount(w->active), 1);
	free_bench(b);
}

Test(control, lanes_that_exit_in_divergent_code_leave_the_others_running)
{
	struct bench *b = new_bench(32);
	struct warp *w = &b->warps[0];
	struct uop u = bra(4, 6);
	struct control_result r;

	control_execute(w, &u, 0x000000ff);
	r = control_execute(w, &exit_uop, w->active);
	cr_assert_eq(r.what, CONTROL_NEXT);
	cr_assert_eq(w->live, 0xffffff00);
	cr_assert_eq(w->pc, 1);
	cr_assert_eq(w->active, 0xffffff00);
	r = control_execute(w, &exit_uop, 0x0000ff00);
	cr_assert_eq(w->active, 0xffff0000);
	cr_assert_eq(w->pc, 2, "a guarded exit goes on with the lanes that stay");
	r = control_execute(w, &exit_uop, w->active);
	cr_assert_eq(r.what, CONTROL_EXITED);
	cr_assert_eq(w->state, WARP_EXITED);
	cr_assert_eq(b->cta.live_warps, 0);
	free_bench(b);
}

Test(control, a_barrier_lets_all_warps_go_when_the_last_arrives)
{
	struct bench *b = new_bench(96);
	struct uop u = bar(0);

	b->uops[0] = u;
	cr_assert_eq(control_execute(&b->warps[0], &u, ~UINT32_C(0)).what, CONTROL_WAITS);
	cr_assert_eq(control_execute(&b->warps[2], &u, ~UINT32_C(0)).what, CONTROL_WAITS);
	cr_assert_eq(b->warps[0].state, WARP_AT_BARRIER);
	struct control_result r = control_execute(&b->warps[1], &u, ~UINT32_C(0));
	cr_assert_eq(r.what, CONTROL_NEXT);
	cr_assert_eq(r.released, 7);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(b->warps[i].state, WARP_RUNNING);
		cr_assert_eq(b->warps[i].pc, 1);
	}
	cr_assert_eq(control_execute(&b->warps[1], &u, ~UINT32_C(0)).what, CONTROL_WAITS,
		"and it can be used again at once");
	free_bench(b);
}

Test(control, a_warp_that_exits_is_not_waited_for)
{
	struct bench *b = new_bench(64);
	struct uop u = bar(3);

	b->uops[0] = u;
	control_execute(&b->warps[0], &u, ~UINT32_C(0));
	cr_assert_eq(control_execute(&b->warps[1], &exit_uop, ~UINT32_C(0)).released, 1);
	cr_assert_eq(b->warps[0].state, WARP_RUNNING);
	free_bench(b);
}

Test(control, a_barrier_with_a_count_waits_for_that_many_threads_and_arrive_does_not_wait)
{
	struct bench *b = new_bench(128);
	static uint32_t constants[1][32] __attribute__((aligned(64)));
	struct uop sync = bar(1), arrive = bar(1);

	for (int i = 0; i < 32; i++)
		constants[0][i] = 64;
	b->kernel.constants = constants;
	sync.src[1] = arrive.src[1] = UOP_CONSTANT | 0;
	arrive.code = UOP_BAR_ARRIVE;
	b->uops[0] = sync;
	cr_assert_eq(control_execute(&b->warps[0], &sync, ~UINT32_C(0)).what, CONTROL_WAITS);
	struct control_result r = control_execute(&b->warps[3], &arrive, ~UINT32_C(0));
	cr_assert_eq(r.what, CONTROL_NEXT);
	cr_assert_eq(r.released, 1);
	free_bench(b);
}

Test(control, bar_red_gives_every_waiting_warp_the_count)
{
	struct bench *b = new_bench(64);
	struct uop red = bar(0);

	red.code = UOP_BAR_RED;
	red.dst[0] = 2;
	red.src[2] = 1;
	b->uops[0] = red;
	b->predicates[0][1] = 0x0f;
	b->predicates[1][1] = 0xf00;
	control_execute(&b->warps[0], &red, ~UINT32_C(0));
	control_execute(&b->warps[1], &red, ~UINT32_C(0));
	cr_assert_eq(b->rows[0][2][0], 8);
	cr_assert_eq(b->rows[1][2][31], 8);
	free_bench(b);
}

Test(control, a_barrier_number_beyond_15_is_refused)
{
	struct bench *b = new_bench(32);
	struct uop u = bar(16);

	cr_assert_eq(control_execute(&b->warps[0], &u, ~UINT32_C(0)).what, CONTROL_BAD_BARRIER);
	free_bench(b);
}
