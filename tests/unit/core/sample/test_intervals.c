/* Which intervals of a long kernel are timed, and what follows for the others (intervals.h). A warp
 * instruction takes two cycles. */
#include "core/sample/counters.h"
#include "core/sample/intervals_internal.h"
#include "tests/unit/core/sample/sample_rig.h"

static struct hand_run h;
static struct kernel_run *runs[] = { &h.run };

static void set_up(void)
{
	rig_begin();
	rig.sampling.config =
		(struct sample_config){ .error = 0.05, .interval_allowance = 0.1, .long_kernel = 1200000 };
	hand_run(&h, 4, 4);
	h.run.first_cycle = 1;
	rig.chip.runs = runs;
	rig.chip.run_count = 1;
	sim_skip_to(rig.chip.sim, 1000); /* no cycle has passed, the first one is next */
}

static void tear_down(void)
{
	intervals_free(&h.run);
	rig_end();
}

TestSuite(intervals, .init = set_up, .fini = tear_down);

static bool begins(void)
{
	bool does;

	intervals_begin(&rig.chip, &h.run);
	does = h.run.intervals;
	intervals_free(&h.run);
	return does;
}

Test(intervals, only_kernels_that_the_machine_holds_at_once_may_be_long)
{
	cr_expect(begins());
	h.run.resident_ctas = 3;
	cr_expect(!begins());
	h.run.resident_ctas = 4;
	h.launch.is_cooperative = true;
	cr_expect(!begins());
}

Test(intervals, the_error_has_to_allow_for_half_of_what_is_added)
{
	rig.sampling.config.error = 0.049;
	cr_expect(!begins());
	rig.sampling.config.error = 0.05;
	rig.sampling.config.long_kernel = 0;
	cr_expect(!begins());
}

/* Time goes on for so many cycles, and warps execute. */
static void pass(uint64_t time, uint64_t warps)
{
	sim_skip_to(rig.chip.sim, sim_now(rig.chip.sim) + time * 1000);
	h.on_sm[0].stats.warp_instructions += warps;
}

/* Looks when that is due, and not before. */
static uint64_t look(void)
{
	uint64_t warming, skipped;

	cr_assert_eq(intervals_due(&rig.chip), &h.run);
	skipped = intervals_look(&rig.chip, &h.run, &warming);
	cr_expect(!skipped || !warming, "caches are not warmed");
	cr_expect_null(intervals_due(&rig.chip));
	return skipped;
}

/* To the first look, half of what is a long kernel; to the second; and a unit of two halves. */
static uint64_t first_unit(void)
{
	h.run.next_cta = 4;
	intervals_begin(&rig.chip, &h.run);
	pass(600000, 300000);
	cr_expect_eq(look(), 0);
	pass(600000, 300000);
	cr_expect_eq(look(), 0);
	cr_expect_eq(h.run.intervals->phase, FIRST_HALF);
	pass(2048, 1024);
	cr_expect_eq(look(), 0);
	pass(2048, 1024);
	return look();
}

/* A twelfth of 1,204,096 cycles is skipped, at two an instruction. */
Test(intervals, a_jump_follows_a_unit)
{
	near((double)first_unit(), 1204096 / 12.0 / 2, 1);
	cr_expect_eq(h.run.intervals->phase, WARMS);
}

Test(intervals, no_jump_is_made_while_ctas_have_yet_to_begin)
{
	first_unit();
	intervals_skipped(&rig.chip, &h.run, (struct skipped){ 50000, 1, false });
	h.run.next_cta = 3;
	for (int i = 0; i < 3; i++) {
		pass(2048, 1024);
		cr_expect_eq(look(), 0);
	}
	cr_expect_eq(h.run.intervals->phase, FIRST_HALF);
}

/* 50,000 instructions were skipped: half of them are like the unit before, of 2048, the others and the 1024
 * behind the jump like the next one. These took three cycles each, which count no more. */
Test(intervals, units_stand_for_what_lies_beside_them)
{
	struct sample_estimate e = { .cycles = 2 * 605120 + 1024 };
	struct intervals *v;

	first_unit();
	v = h.run.intervals;
	intervals_skipped(&rig.chip, &h.run, (struct skipped){ 50000, 1, false });
	near(v->units[0].weight, 1 + 25000 / 2048.0, 1e-9);
	pass(3072, 1024);
	look();
	for (int i = 0; i < 2; i++) {
		pass(2048, 1024);
		look();
	}
	cr_assert_eq(v->count, 2);
	near(v->units[1].weight, 1 + (25000 + 1024) / 2048.0, 1e-9);
	cr_expect(v->units[1].continues);
	cr_assert_eq(h.on_sm[0].stats.warp_instructions, 605120);
	intervals_estimate(&rig.chip, &h.run, &e);
	cr_expect_eq(e.cycles, 2 * (605120 + 50000));
	cr_expect_eq(e.skipped_ctas, 1);
	cr_expect_eq(e.skipped_warps, 50000);
	cr_expect_eq(e.units, 2);
}

/* Where the jump has ended because fewer CTAs are left, all of it is like the unit before. */
Test(intervals, a_jump_to_where_fewer_ctas_are_left_is_like_what_was_before)
{
	first_unit();
	intervals_skipped(&rig.chip, &h.run, (struct skipped){ 50000, 1, true });
	near(h.run.intervals->units[0].weight, 1 + 50000 / 2048.0, 1e-9);
	near(h.run.intervals->behind, 0, 0);
	cr_expect(!h.run.intervals->continues);
}

/* 10,000 cycles are estimated in place of 300; 1000 of them are allowed for; and of the 10,000 cycles that
 * have passed since the first jump one per cent is chance: sqrt(1000^2 + 100^2). */
Test(intervals, the_interval_of_what_was_skipped)
{
	struct sample_unit units[] = { { { { 500, 250 }, { 500, 250 } }, 6, false },
		{ { { 500, 250 }, { 500, 250 } }, 6, true } };
	struct intervals v = { .units = units,
		.count = 2,
		.skipped_warps = 1,
		.unmeasured_cycles = 300,
		.since = { 1000, 500 },
		.before = { 3700, 1850 } };
	struct sample_estimate e = { .cycles = 5000 };

	h.run.intervals = &v;
	intervals_estimate(&rig.chip, &h.run, &e);
	cr_expect_eq(e.cycles, 5000 + 10000 - 300);
	cr_expect_eq(e.squares, 1000 * 1000 + 100 * 100);
	/* units behind jumps had 2.5 cycles an instruction: a quarter of those 10,000 may be wrong, too */
	v.units_after = 2;
	v.after = 5;
	v.squares_after = 12.5;
	e = (struct sample_estimate){ .cycles = 5000 };
	intervals_estimate(&rig.chip, &h.run, &e);
	cr_expect_eq(e.squares, 3500 * 3500 + 100 * 100);
	v.skipped_warps = 0;
	e = (struct sample_estimate){ .cycles = 5000 };
	intervals_estimate(&rig.chip, &h.run, &e);
	cr_expect_eq(e.cycles, 5000);
	h.run.intervals = NULL;
}
