/* All statistics of a kernel of which units were measured, and of the launches of a run (counters.h). Apples
 * are the first statistic of the machine, and so the first word of each part. */
#include "tests/unit/core/sample/sample_rig.h"

static struct counters *counters;
static struct counters_run run;
static struct stat_estimate estimate;
static uint32_t number;

static void set_up(void)
{
	rig_begin();
	run = (struct counters_run){ 0 };
	estimate = (struct stat_estimate){ 0 };
	number = 0;
	rig.fruit.apples = 7; /* before the kernel began */
	counters = counters_new(&rig.chip, &number);
}

static void tear_down(void)
{
	counters_free(counters);
	counters_run_free(&run);
	stat_estimate_free(&estimate);
	rig_end();
}

TestSuite(counters, .init = set_up, .fini = tear_down);

/* So many apples with so many warp instructions, up to a cut. */
static void stretch(enum counters_stretch what, uint64_t apples, uint64_t warps)
{
	rig.fruit.apples += apples;
	counters_cut(counters, &rig.chip, what, warps);
}

/* A unit, and what it stands for. */
static void unit(uint64_t apples, uint64_t warps, double weight)
{
	stretch(STRETCH_MEASURED, apples, warps);
	counters_unit_ends(counters, 0, weight);
}

static double apples(void)
{
	return estimate.all.count ? estimate.all.words[0] : 0;
}

/* 400 apples with 20 warp instructions are 20 with each. */
Test(counters, what_was_skipped_is_like_the_units)
{
	unit(100, 10, 1);
	unit(300, 10, 1);
	counters_estimate(counters, 40, &estimate);
	near(apples(), 800, 1e-9);
	near(estimate.all.size, 40, 1e-9);
}

/* (3 x 100 + 300) apples with (3 + 1) x 10 warp instructions */
Test(counters, a_unit_that_stands_for_three_counts_three_times)
{
	unit(100, 10, 3);
	unit(300, 10, 1);
	counters_estimate(counters, 40, &estimate);
	near(apples(), 600, 1e-9);
}

/* A unit may have several stretches, here its halves. */
Test(counters, stretches_of_a_unit_add_up)
{
	stretch(STRETCH_MEASURED, 100, 10);
	unit(200, 20, 1);
	counters_estimate(counters, 30, &estimate);
	near(apples(), 300, 1e-9);
}

/* What the functional executor moves, and what completes meanwhile, is of no unit; and the unit before the
 * jump stands for its half of it. */
Test(counters, what_is_counted_during_a_jump_is_of_no_unit)
{
	unit(100, 10, 1);
	rig.fruit.apples += 5000;
	counters_skip(counters, &rig.chip, 3);
	unit(300, 10, 1);
	counters_estimate(counters, 40, &estimate);
	near(apples(), 600, 1e-9);
}

Test(counters, the_last_unit_can_be_weighed_until_the_next_one_ends)
{
	unit(100, 10, 1);
	counters_weigh(counters, 3);
	unit(300, 10, 1);
	counters_estimate(counters, 40, &estimate);
	near(apples(), 600, 1e-9);
}

Test(counters, before_the_first_unit_nothing_can_be_weighed)
{
	counters_weigh(counters, 3);
	unit(100, 10, 1);
	counters_estimate(counters, 10, &estimate);
	near(apples(), 100, 1e-9);
	cr_expect_eq(number, 1, "one part, not an empty one before it");
}

/* 500 apples behind a jump were counted, with five warp instructions: these are estimated as well, at ten
 * apples each, and what was counted of them does not count. */
Test(counters, what_was_timed_behind_a_jump_is_estimated_instead)
{
	unit(100, 10, 1);
	stretch(STRETCH_WARMING, 500, 5);
	unit(100, 10, 1);
	counters_estimate(counters, 40, &estimate);
	near(apples(), (40 + 5) * 10 - 500, 1e-9);
	near(estimate.all.size, 40, 1e-9);
}

/* Of three stretches with one warp instruction each the last two are the first unit. */
Test(counters, the_first_unit_is_the_end_of_the_beginning)
{
	for (uint64_t i = 1; i <= 3; i++)
		stretch(STRETCH_BEGINNING, 10 * i, 1);
	counters_unit_ends(counters, 2, 1);
	counters_estimate(counters, 2, &estimate);
	near(apples(), 20 + 30, 1e-9);
}

/* Of stretches with 1 to 18 apples the last 16 are known: 171 - 1 - 2. */
Test(counters, as_many_stretches_of_the_beginning_are_known_as_a_unit_may_have)
{
	for (uint64_t i = 1; i <= COUNTERS_BEGINNING + 2; i++)
		stretch(STRETCH_BEGINNING, i, 1);
	counters_unit_ends(counters, COUNTERS_BEGINNING + 2, 1);
	counters_estimate(counters, COUNTERS_BEGINNING, &estimate);
	near(apples(), 171 - 1 - 2, 1e-9);
}

Test(counters, nothing_is_estimated_of_a_kernel_of_which_nothing_was_skipped)
{
	unit(100, 10, 1);
	counters_estimate(counters, 0, &estimate);
	cr_expect_eq(estimate.used, 0);
	cr_expect_eq(estimate.all.count, 0);
}

/* Counters of SMs that sleep are behind: each cut brings them up to date before it looks. */
Test(counters, each_cut_looks_at_counters_that_are_up_to_date)
{
	uint32_t before = rig.accounts;

	unit(100, 10, 1);
	counters_skip(counters, &rig.chip, 2);
	cr_expect_eq(rig.accounts - before, 2);
}

/* ---- launches ---- */

Test(counters, a_launch_is_what_was_counted_of_it)
{
	counters_launch_begins(&run, &rig.chip);
	rig.fruit.apples += 70;
	counters_launch_ended(&run, &rig.chip, NULL, 0, 14);
	near(run.launch.words[0], 70, 1e-9);
	near(run.launch.size, 14, 1e-9);
	counters_launch_begins(&run, &rig.chip);
	rig.fruit.pears += 3;
	counters_launch_ended(&run, &rig.chip, NULL, 0, 6);
	near(run.launch.words[0], 0, 1e-9);
	near(run.launch.words[1], 3, 1e-9);
	cr_expect(!counters_are_estimated(&run));
}

/* 100 apples were counted; 40 of 50 warp instructions were skipped, at ten apples each. */
Test(counters, and_what_was_estimated_of_it)
{
	counters_launch_begins(&run, &rig.chip);
	unit(100, 10, 1);
	counters_launch_ended(&run, &rig.chip, counters, 40, 50);
	near(run.launch.words[0], 100 + 400, 1e-9);
	near(run.launch.size, 50, 1e-9);
	near(run.estimate.all.words[0], 400, 1e-9);
	cr_expect(counters_are_estimated(&run));
}

/* Replicates of the estimate are told apart by the parts' numbers, which go on over the kernels of a run. */
Test(counters, parts_are_numbered_over_all_kernels)
{
	struct counters *next;

	unit(100, 10, 1);
	unit(100, 10, 1);
	counters_estimate(counters, 10, &estimate);
	cr_expect_eq(estimate.used, 3);
	next = counters_new(&rig.chip, &number);
	counters_cut(next, &rig.chip, STRETCH_MEASURED, 10);
	counters_unit_ends(next, 0, 1);
	counters_estimate(next, 10, &estimate);
	cr_expect_eq(estimate.used, 7);
	counters_free(next);
}
