/* Dynamic warp throttling via cores sampling, through the class alone: who may issue in which cycle. Kernels
 * start after cycle 49, so that periods of 100 cycles begin in cycles 50, 150, 250 ...; where nothing else is
 * said an SM commits 10 thread instructions a cycle and misses once: 100 misses per thousand. Detection takes
 * the periods up to cycle 349, the first round those up to 549. */
#include "tests/unit/core/policy/dwtcs_case.h"

/* ---- detection ---- */

Test(dwtcs, so_many_periods_in_a_row_above_the_threshold_are_a_detection)
{
	start_all(15, NULL);
	rig_run(249); /* two above */
	rig.misses = 0;
	rig_run(349); /* one below: from the start */
	rig.misses = 1;
	rig_run(649);
	rig_expect(24);
	cr_assert_eq(rig_stat("d.detections"), 0);
	rig_run(650);
	rig_expect_sampling(1, 15);
	cr_assert_eq(rig_stat("d.periods"), 6);
	cr_assert_eq(rig_stat("d.above"), 5);
	cr_assert_eq(rig_stat("d.detections"), 1);
	cr_assert_eq(rig_stat("d.searches"), 1);
	cr_assert_eq(rig_stat("d.phase_cycles::detecting"), 600);
	cr_assert_eq(rig_stat("d.period_mpki::samples"), 6);
	cr_assert_eq(rig_stat("d.period_mpki::max"), 100);
	rig_destroy();
}

Test(dwtcs, the_threshold_itself_is_not_above)
{
	start_all(15, NULL);
	for (uint32_t i = 0; i <= 24; i++)
		rig.speed[i] = 100; /* 10 misses per thousand */
	rig_run(10000);
	rig_expect(24);
	cr_assert_eq(rig_stat("d.above"), 0);
	rig.l1[3].misses++; /* one more in one period */
	rig_run(10100);
	cr_assert_eq(rig_stat("d.above"), 1);
	rig_destroy();
}

Test(dwtcs, misses_of_all_sms_together_count)
{
	start_all(15, NULL);
	for (uint32_t i = 0; i <= 24; i++)
		rig.speed[i] = 1000;
	rig.factor[4] = 1000; /* SM 4 does most of the work, and misses once in a thousand as the others do */
	rig_run(1000);
	cr_assert_eq(rig_stat("d.above"), 0);
	rig.l1[9].misses += 1014 * 900; /* 1014 misses and 1014000 instructions a cycle, and now 10 per
					   thousand */
	rig_run(1049);
	rig.l1[9].misses++;
	rig_run(1050);
	cr_assert_eq(rig_stat("d.above"), 1);
	rig_destroy();
}

Test(dwtcs, what_the_tags_miss_while_loads_bypass_counts)
{
	start_all(3, NULL);
	rig.misses = 0;
	for (uint32_t end = 149; end <= 349; end += 100) {
		rig_run(end - 1);
		rig.l1[2].tag_only_misses += 31; /* of 3000 instructions */
		rig_run(end);
	}
	rig_run(350);
	cr_assert_eq(rig_stat("d.detections"), 1);
	rig_destroy();
}

Test(dwtcs, misses_without_instructions_are_above_and_in_no_histogram)
{
	const char *const sets[] = { "l.dwtcs.detect=2", NULL };

	start_all(2, sets);
	for (uint32_t i = 0; i <= 24; i++)
		rig.speed[i] = 0;
	rig_run(250);
	cr_assert_eq(rig_stat("d.detections"), 1);
	cr_assert_eq(rig_stat("d.period_mpki::samples"), 0);
	rig_run(449);
	cr_assert_eq(rig_stat("d.without_result"), 0);
	rig_run(450);
	cr_assert_eq(rig_stat("d.without_result"), 1, "nobody has done anything in the round");
	rig_expect(24);
	rig_destroy();
}

/* ---- sampling and the choice ---- */

Test(dwtcs, the_number_that_did_most_holds_for_all_from_one_cycle_on)
{
	start_all(15, NULL);
	peak(6);
	rig_run(349);
	rig_expect(24);
	rig_run(350);
	rig_expect_sampling(1, 15);
	rig_run(549);
	rig_expect_sampling(1, 15);
	rig_run(550);
	rig_expect(6);
	rig.misses = 0; /* whatever comes */
	rig_run(5000);
	rig_expect(6);
	cr_assert_eq(rig_stat("d.rounds"), 1);
	cr_assert_eq(rig_stat("d.chosen::samples"), 1);
	cr_assert_eq(rig_stat("d.chosen::mean"), 6);
	rig_end(1);
	cr_assert_eq(rig_stat("d.phase_cycles::detecting"), 300);
	cr_assert_eq(rig_stat("d.phase_cycles::sampling"), 200);
	cr_assert_eq(rig_stat("d.phase_cycles::throttled"), 5000 - 549);
	cr_assert_eq(rig_stat("d.cut_off"), 0);
	rig_destroy();
}

Test(dwtcs, the_oldest_warps_that_wait_at_no_barrier_are_active)
{
	start_all(2, NULL);
	rig_run(350);
	cr_assert_eq(rig.sm[1]->may_issue, 0xf, "two of each scheduler");
	rig.sm[1]->waiting = 0x5; /* 0 and 2 of the first scheduler */
	rig.sm[1]->next = 0;
	rig_run(351);
	cr_assert_eq(rig.sm[1]->may_issue, 0xa | 0x50, "1 and 3; 4 and 6 for those that wait");
	rig_destroy();
}

Test(dwtcs, of_equals_the_lower_number_wins)
{
	start_all(15, NULL);
	peak(9);
	peak(4);
	peak(12);
	rig_run(550);
	rig_expect(4);
	rig_destroy();
}

Test(dwtcs, one_instruction_in_the_last_cycle_of_the_round_decides)
{
	start_all(15, NULL);
	rig_run(549);
	rig.open[11]++; /* SM 12 of the paper */
	rig_run(550);
	rig_expect(12);
	rig_destroy();
	start_all(15, NULL);
	rig_run(550); /* one cycle later it is too late */
	rig_expect(1);
	rig.open[11]++;
	rig_run(2000);
	rig_expect(1);
	rig_destroy();
}

Test(dwtcs, what_was_done_before_the_round_does_not_count)
{
	start_all(15, NULL);
	peak(3);
	rig.factor[8] = 50;
	rig_run(349);
	rig.factor[8] = 1;
	rig_run(550);
	rig_expect(3);
	rig_destroy();
}

Test(dwtcs, sms_without_warps_cannot_win)
{
	rig_make(15, NULL);
	rig_run(49);
	rig_start("k", 1, 3, 4); /* SMs 3 to 6 try 4 to 7 */
	peak(2);
	rig_run(350);
	rig_expect_sampling(1, 15);
	rig_run(550);
	rig_expect(4);
	rig_start("k", 1, 0, 1); /* late: it follows */
	rig_run(551);
	rig_expect(4);
	rig_destroy();
}

/* ---- further rounds ---- */

Test(dwtcs, if_the_last_sm_wins_greater_numbers_are_tried)
{
	start_all(15, NULL);
	peak(15);
	rig.speed[18] = 25;
	rig_run(549);
	rig_expect_sampling(1, 15);
	rig_run(550);
	rig_expect_sampling(16, 9); /* 16 to 24, and round */
	rig_run(749);
	rig_expect_sampling(16, 9);
	rig_run(750);
	rig_expect(18);
	cr_assert_eq(rig_stat("d.searches"), 1);
	cr_assert_eq(rig_stat("d.rounds"), 2);
	cr_assert_eq(rig_stat("d.chosen::samples"), 1);
	rig_end(1);
	cr_assert_eq(rig_stat("d.phase_cycles::sampling"), 400);
	rig_destroy();
}

Test(dwtcs, the_winner_of_the_first_round_may_win_the_second)
{
	start_all(15, NULL);
	peak(15);
	rig.speed[18] = 20; /* as much, but greater */
	rig_run(750);
	rig_expect(15);
	rig_destroy();
}

Test(dwtcs, after_the_greatest_number_there_is_no_round)
{
	start_all(15, NULL);
	peak(15);
	rig.speed[24] = 30;
	rig_run(750);
	rig_expect(24);
	cr_assert_eq(rig_stat("d.rounds"), 2);
	cr_assert_eq(rig_stat("d.chosen::mean"), 24);
	rig_run(5000);
	cr_assert_eq(rig_stat("d.rounds"), 2);
	rig_destroy();
}

/* 1 to 4, then 5 to 8; nothing more, since 6 is not the last. */
Test(dwtcs, four_sms_try_four_numbers_a_round)
{
	start_all(4, NULL);
	for (uint32_t i = 1; i <= 24; i++)
		rig.speed[i] = i <= 6 ? 10 + i : 16 - i / 4;
	rig_run(350);
	rig_expect_sampling(1, 4);
	rig_run(550);
	rig_expect_sampling(5, 4);
	rig_run(750);
	rig_expect(6);
	cr_assert_eq(rig_stat("d.rounds"), 2);
	rig_destroy();
}

/* Five rounds of five numbers: the last has four. */
Test(dwtcs, five_sms_come_to_the_end_in_five_rounds)
{
	start_all(5, NULL);
	for (uint32_t i = 1; i <= 24; i++)
		rig.speed[i] = 10 + i;
	rig_run(350 + 3 * 200);
	rig_expect_sampling(16, 5);
	rig_run(350 + 4 * 200);
	rig_expect_sampling(21, 4);
	rig_run(350 + 5 * 200);
	rig_expect(24);
	rig_destroy();
}

Test(dwtcs, one_sm_tries_one_number_a_round_as_long_as_it_gains)
{
	start_all(1, NULL);
	rig.speed[2] = 11;
	rig.speed[3] = 12;
	rig.speed[4] = 11;
	rig.speed[9] = 99; /* it will not come to know */
	for (uint32_t i = 0; i < 4; i++) {
		rig_run(350 + 200 * i);
		rig_expect(i + 1);
	}
	rig_run(350 + 800);
	rig_expect(3);
	cr_assert_eq(rig_stat("d.rounds"), 4);
	rig_destroy();
}

/* SMs 24 to 29 try 1 to 6 as SMs 0 to 5 do. */
Test(dwtcs, with_more_sms_than_numbers_a_number_has_the_mean_of_its_sms)
{
	start_all(30, NULL);
	rig.speed[3] = 20;
	rig.factor[26] = 3; /* 3: (20 + 60) / 2 = 40 */
	rig.speed[5] = 38;
	rig.factor[28] = 1; /* 5: 38 */
	rig.speed[10] = 39; /* 10: 39, of one SM */
	rig_run(350);
	rig_expect_sampling(1, 24);
	rig_run(550);
	rig_expect(3);
	rig_destroy();
	start_all(30, NULL);
	rig.speed[3] = 20;
	rig.factor[26] = 3;
	rig.speed[10] = 41;
	rig_run(550);
	rig_expect(10);
	rig_destroy();
}

Test(dwtcs, an_sm_without_warps_does_not_lower_the_mean)
{
	rig_make(30, NULL);
	rig_run(49);
	rig_start("k", 1, 0, 27); /* 27, 28 and 29 stay empty */
	rig.speed[4] = 20;
	rig.speed[12] = 19;
	rig_run(550);
	rig_expect(4);
	rig_destroy();
}

Test(dwtcs, warp_instructions_count_if_told)
{
	const char *const sets[] = { "l.dwtcs.counts=warp_instructions", NULL };

	start_all(15, sets);
	peak(6);
	rig_run(549);
	rig.warp_instructions[10]++; /* all issue one a cycle */
	rig_run(550);
	rig_expect(11);
	cr_assert_eq(rig_stat("d.period_mpki::max"), 1000);
	rig_destroy();
}

Test(dwtcs, misses_per_thousand_cycles_of_an_sm_count_if_told)
{
	const char *const sets[] = { "l.dwtcs.counts=cycles", NULL };

	start_all(15, sets);
	rig.misses = 0;
	rig_run(100);
	rig.l1[3].misses += 15; /* 10 per thousand of 15 x 100 cycles */
	rig_run(200);
	cr_assert_eq(rig_stat("d.above"), 0);
	cr_assert_eq(rig_stat("d.period_mpki::max"), 10);
	rig.l1[3].misses += 16;
	rig_run(300);
	cr_assert_eq(rig_stat("d.periods"), 2);
	cr_assert_eq(rig_stat("d.above"), 1);
	rig_destroy();
}

Test(dwtcs, misses_of_all_sms_per_thousand_cycles_of_the_chip_count_if_told)
{
	const char *const sets[] = { "l.dwtcs.counts=chip_cycles", NULL };

	start_all(15, sets);
	rig.misses = 0;
	rig_run(100);
	rig.l1[3].misses += 1; /* 10 per thousand of 100 cycles */
	rig_run(200);
	cr_assert_eq(rig_stat("d.above"), 0);
	rig.l1[3].misses += 1;
	rig.l1[7].misses += 1;
	rig_run(300);
	cr_assert_eq(rig_stat("d.above"), 1);
	cr_assert_eq(rig_stat("d.period_mpki::max"), 20);
	rig_destroy();
}
