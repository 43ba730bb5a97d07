/* tests/unit/core/policy/test_dwtcs_kernels.c -- dynamic warp throttling over several kernels, sleeping SMs,
 * and an independent model. */
#include "tests/unit/core/policy/dwtcs_case.h"

/* ---- memory ---- */

Test(dwtcs, the_same_kernel_goes_without_sampling_after_the_same_detection)
{
	char name[] = "k";

	start_all(15, NULL);
	peak(6);
	rig_run(999);
	rig_end(1);
	rig_run(1999);
	peak(3);                   /* too late */
	rig_start(name, 2, 0, 15); /* periods from cycle 2000 on */
	rig_run(2299);
	rig_expect(24);
	rig_run(2300);
	rig_expect(6);
	cr_assert_eq(rig_stat("d.reuses"), 1);
	cr_assert_eq(rig_stat("d.searches"), 1);
	cr_assert_eq(rig_stat("d.chosen::samples"), 2);
	rig_end(2);
	rig_start("kk", 3, 0, 15);
	rig_run(2301 + 300);
	rig_expect_sampling(1, 15);
	rig_run(2301 + 500);
	rig_expect(3);
	rig_end(3);
	rig_destroy();
}

Test(dwtcs, a_known_kernel_that_does_not_miss_runs_free)
{
	start_all(15, NULL);
	rig_run(999);
	rig_expect(1);
	rig_end(1);
	rig.misses = 0;
	rig_start("k", 2, 0, 15);
	rig_run(9999);
	rig_expect(24);
	rig_destroy();
}

Test(dwtcs, the_oldest_known_kernel_is_forgotten)
{
	const char *const sets[] = { "l.dwtcs.remembered=1", NULL };

	start_all(15, sets);
	rig_run(999);
	rig_end(1);
	rig_start("other", 2, 0, 15);
	rig_run(1999);
	rig_end(2);
	rig_start("other", 3, 0, 15);
	rig_run(2300);
	rig_expect(1);
	rig_end(3);
	rig_start("k", 4, 0, 15);
	rig_run(2601);
	rig_expect_sampling(1, 15);
	cr_assert_eq(rig_stat("d.searches"), 3);
	cr_assert_eq(rig_stat("d.reuses"), 1);
	rig_destroy();
}

Test(dwtcs, without_memory_each_launch_is_searched)
{
	const char *const sets[] = { "l.dwtcs.remembered=0", NULL };

	start_all(15, sets);
	rig_run(999);
	rig_end(1);
	rig_start("k", 2, 0, 15);
	rig_run(1300);
	rig_expect_sampling(1, 15);
	rig_destroy();
}

/* ---- ends, and several kernels ---- */

Test(dwtcs, an_end_during_detection_or_sampling_leaves_nothing)
{
	start_all(15, NULL);
	rig_run(300); /* two periods and a half */
	rig_end(1);
	rig_run(309);
	rig_start("k", 2, 0, 15); /* periods from cycle 310 on */
	rig_run(609);
	rig_expect(24);
	rig_run(610);
	rig_expect_sampling(1, 15);
	rig_run(700);
	rig_end(2);
	cr_assert_eq(rig_stat("d.cut_off"), 1);
	cr_assert_eq(rig_stat("d.phase_cycles::detecting"), 251 + 300);
	cr_assert_eq(rig_stat("d.phase_cycles::sampling"), 91);
	rig_start("k", 3, 0, 15); /* from cycle 701 on */
	rig_run(1000);
	rig_expect(24);
	rig_run(1001);
	rig_expect_sampling(1, 15);
	cr_assert_eq(rig_stat("d.reuses"), 0);
	rig_destroy();
}

Test(dwtcs, an_end_with_the_last_cycle_of_a_round_is_in_time)
{
	start_all(15, NULL);
	peak(6);
	rig_run(549);
	rig_end(1);
	cr_assert_eq(rig_stat("d.chosen::mean"), 6);
	cr_assert_eq(rig_stat("d.cut_off"), 0);
	cr_assert_eq(rig_stat("d.phase_cycles::sampling"), 200);
	cr_assert_eq(rig_stat("d.phase_cycles::throttled"), 0);
	rig_destroy();
}

Test(dwtcs, a_first_cta_that_comes_late_to_an_sm_begins_nothing)
{
	rig_make(15, NULL);
	rig_run(49);
	rig_start("k", 1, 0, 7);
	rig_run(180);
	rig_start("k", 1, 7, 8);
	peak(14);
	rig_run(349);
	rig_expect(24);
	rig_run(350);
	rig_expect_sampling(1, 15);
	rig_run(550);
	rig_expect(14);
	rig_destroy();
}

Test(dwtcs, of_kernels_at_once_the_first_to_start_is_searched_for)
{
	start_all(15, NULL);
	peak(6);
	rig_run(199);
	rig_start("second", 2, 0, 15);
	rig_run(249);
	rig_start("third", 3, 4, 1);
	rig_run(349);
	rig_expect(24);
	rig_run(350);
	rig_expect_sampling(1, 15);
	rig_run(799);
	rig_expect(6);
	for (uint32_t i = 0; i < 15; i++) /* its CTAs have gone, but their places are taken */
		rig.sm[i]->class->kernel_ended(rig.sm[i], 3, 799);
	rig_run(850);
	rig_expect(6);
	rig.speed[6] = 10;
	peak(9);
	for (uint32_t i = 0; i < 15; i++) {
		rig.sm[i]->class->kernel_ended(rig.sm[i], 1, 850);
		rig.sm[i]->next = 0; /* a warp has exited, or come */
	}
	rig_run(851);
	rig_expect(24); /* periods from cycle 851 on, for the second */
	rig_run(1150);
	rig_expect(24);
	rig_run(1151);
	rig_expect_sampling(1, 15);
	rig_run(1351);
	rig_expect(9);
	rig_end(2);
	rig_start("second", 4, 0, 15);
	rig_run(1652);
	rig_expect(9);
	rig_end(4);
	rig_start("k", 5, 0, 15);
	rig_run(1953);
	rig_expect(6);
	rig_destroy();
}

/* ---- sleepers ---- */

Test(dwtcs, an_sm_that_sleeps_over_the_end_of_the_round_has_its_say)
{
	start_all(15, NULL);
	peak(8);
	rig_run(540);
	rig.sm[7]->waiting = ALL_WARPS; /* SM 8 of the paper: after cycle 540 it does nothing, but has done
					   most */
	rig.sm[0]->waiting = ALL_WARPS; /* nor does SM 0, so that another is the first to decide */
	rig_run(550);
	rig_expect(8);
	rig_run(600);
	rig_fill(7, ALL_WARPS);
	rig_fill(0, ALL_WARPS);
	rig_run(601);
	rig_expect(8);
	rig_destroy();
}

Test(dwtcs, an_sm_that_sleeps_from_the_detection_on_is_out_of_the_round)
{
	start_all(15, NULL);
	peak(8);
	rig_run(345);
	rig.sm[7]->waiting = ALL_WARPS;
	rig_run(550);
	rig_expect(1);
	rig_destroy();
}

Test(dwtcs, if_all_sleep_the_first_to_wake_decides_for_the_past)
{
	start_all(15, NULL);
	peak(8);
	rig_run(349);
	for (uint32_t i = 0; i < 15; i++)
		rig.sm[i]->waiting = ALL_WARPS;
	rig_run(379);
	for (uint32_t i = 0; i < 15; i++)
		rig_fill(i, ALL_WARPS);
	rig_run(380);
	rig_expect_sampling(1, 15); /* since cycle 350 */
	rig_run(540);
	for (uint32_t i = 0; i < 15; i++)
		rig.sm[i]->waiting = ALL_WARPS;
	rig_run(770);
	rig_fill(14, ALL_WARPS);
	rig_run(771);
	rig_expect(8);
	cr_assert_eq(rig_stat("d.periods"), 7, "two of them empty");
	cr_assert_eq(rig_stat("d.phase_cycles::sampling"), 200);
	cr_assert_eq(rig.sm[14]->next, 850);
	rig_destroy();
}

Test(dwtcs, a_period_in_which_all_sleep_is_not_above)
{
	start_all(15, NULL);
	rig_run(249);
	for (uint32_t i = 0; i < 15; i++)
		rig.sm[i]->waiting = ALL_WARPS;
	rig_run(349);
	for (uint32_t i = 0; i < 15; i++)
		rig_fill(i, ALL_WARPS);
	rig_run(649);
	rig_expect(24);
	rig_run(650);
	rig_expect_sampling(1, 15);
	rig_destroy();
}

/* ---- an independent model, cycle by cycle ---- */

/* Random speeds, sleeps and misses: at the end of each round, its best by plain arithmetic. */
Test(dwtcs, choices_are_those_of_plain_arithmetic)
{
	uint64_t x = 88172645463325252u, launches = 0, chosen[25] = { 0 };

	for (uint32_t sms = 1; sms <= RIG_SMS; sms += 1 + sms / 3) {
		start_all(sms, NULL);
		for (uint64_t launch = 2; launch < 12; launch++) {
			uint32_t first = 1, best = 0, last = 0;
			double rate = 0;
			char name[8] = { 'k', (char)('a' + launch) };

			rig_end(launch - 1);
			rig_start(name, launch, 0, sms);
			for (uint32_t i = 1; i <= 24; i++) {
				x ^= x << 13, x ^= x >> 7, x ^= x << 17;
				rig.speed[i] = 1 + (x >> 20) % 60;
			}
			for (uint32_t i = 0; i < sms; i++)
				rig.factor[i] = 1 + (x >> (i % 40)) % 3;
			rig_run(rig.now + 299);
			while (best == last && last < 24) {
				uint32_t count = 25 - first < sms ? 25 - first : sms;

				for (uint32_t n = first; n < first + count; n++) {
					double sum = 0, of = 0;

					for (uint32_t i = n - first; i < sms; i += count, of++)
						sum += (double)(rig.speed[n] * rig.factor[i]);
					if (sum / of > rate + 1e-9) {
						rate = sum / of;
						best = n;
					}
				}
				rig_run(rig.now + 199);
				last = first + count - 1;
				first = last + 1;
			}
			rig_run(rig.now);
			rig_expect(best);
			launches++;
			chosen[best]++;
		}
		rig_destroy();
	}
	cr_assert(launches > 50);
	for (uint32_t n = 1; n <= 4; n++)
		cr_assert_gt(chosen[n], 0);
}
