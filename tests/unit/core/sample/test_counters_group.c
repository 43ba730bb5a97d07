/* All statistics of launches that were skipped, by the line through those measured (counters.h). */
#include "tests/unit/core/sample/sample_rig.h"

static struct counters_group group;
static struct counters_run run;

static void set_up(void)
{
	group = (struct counters_group){ 0 };
	run = (struct counters_run){ 0 };
}

static void tear_down(void)
{
	counters_group_free(&group);
	counters_run_free(&run);
}

TestSuite(counters_group, .init = set_up, .fini = tear_down);

/* A launch with so many apples has been measured. */
static void measure(uint64_t apples, double warps)
{
	struct stat_vector none = { 0 }, counted = { &apples, 1 };

	stat_part_clear(&run.launch);
	stat_part_add(&run.launch, &none, &counted, warps);
	counters_measure(&group, &run);
}

static double estimated(void)
{
	return run.estimate.all.count ? run.estimate.all.words[0] : 0;
}

/* 5 + 2 x warp instructions, also beyond; that the line leans a little towards proportionality is 0.03 here.
 */
Test(counters_group, a_launch_that_is_skipped_lies_on_the_line)
{
	measure(25, 10);
	measure(45, 20);
	measure(35, 15);
	counters_skip_launch(&group, 40);
	counters_group_estimate(&group, &run);
	near(estimated(), 85, 0.03);
	near(run.estimate.all.size, 40, 1e-9);
}

Test(counters_group, launches_with_the_same_instructions_have_the_mean)
{
	measure(10, 100);
	measure(14, 100);
	measure(12, 100);
	counters_skip_launch(&group, 100);
	counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	near(estimated(), 24, 1e-9);
}

/* The mean of 10 and 14 is 12; without the first it is 14. As only one launch was skipped by two measured,
 * its own part about the mean counts, too: the difference is sqrt(1 + 2 / 1) times as large. */
Test(counters_group, replicates_go_without_one_launch)
{
	measure(10, 100);
	measure(14, 100);
	counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	near(run.estimate.without[0].words[0], 12 + sqrt(3) * 2, 1e-9);
	near(run.estimate.without[1].words[0], 12 - sqrt(3) * 2, 1e-9);
	near(run.estimate.without[2].words[0], 12, 1e-9);
	cr_expect_eq(run.estimate.used, 3);
}

/* sqrt(1 + 2 / 8) for each of eight */
Test(counters_group, own_parts_matter_less_where_many_are_skipped)
{
	measure(10, 100);
	measure(14, 100);
	for (int i = 0; i < 8; i++)
		counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	near(run.estimate.without[0].words[0], 8 * (12 + sqrt(1.25) * 2), 1e-9);
}

Test(counters_group, without_the_only_launch_nothing_else_is_known)
{
	measure(10, 100);
	counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	near(estimated(), 10, 1e-9);
	near(run.estimate.without[0].words[0], 10, 1e-9);
}

Test(counters_group, nothing_follows_where_nothing_was_measured)
{
	counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	cr_expect(!counters_are_estimated(&run));
	near(group.skipped, 0, 0);
}

Test(counters_group, what_follows_counts_once)
{
	measure(10, 100);
	counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	counters_group_estimate(&group, &run);
	near(estimated(), 10, 1e-9);
}

/* The place of the 33rd launch is that of the first, by which one has been estimated: that stays; and from
 * then on only the last 32 tell. */
Test(counters_group, the_last_launches_are_known)
{
	measure(1000, 100);
	counters_skip_launch(&group, 100);
	for (int i = 0; i < COUNTERS_LAUNCHES; i++)
		measure(4, 100);
	near(estimated(), 1000, 1e-9);
	counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	near(estimated(), 1004, 1e-9);
}

Test(counters_group, measuring_can_begin_anew)
{
	measure(1000, 100);
	counters_skip_launch(&group, 100);
	counters_group_clear(&group, &run);
	near(estimated(), 1000, 1e-9);
	counters_skip_launch(&group, 100);
	measure(4, 100);
	counters_skip_launch(&group, 100);
	counters_group_estimate(&group, &run);
	near(estimated(), 1004, 1e-9);
}

/* It was timed behind others that were skipped, and is estimated as they are. */
Test(counters_group, a_launch_that_does_not_count_is_taken_off)
{
	measure(10, 100);
	counters_skip_launch(&group, 100);
	measure(90, 100);
	counters_discount_launch(&run);
	near(estimated(), -90, 1e-9);
	counters_group_estimate(&group, &run);
	near(estimated(), 10 - 90, 1e-9);
}
