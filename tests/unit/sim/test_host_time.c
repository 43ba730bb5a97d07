/* tests/unit/sim/test_host_time.c -- time goes to the phase that it was spent in, and none is counted twice.
 */
#include "sim/event/host_time.h"
#include <criterion/criterion.h>
#include <time.h>

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void work(double how_long)
{
	double begun = seconds();

	while (seconds() - begun < how_long)
		;
}

Test(host_time, is_off_until_begun)
{
	cr_assert(!host_time_is_on);
	host_time_enter(HOST_L2);
	cr_assert(host_time_ticks(HOST_L2) == 0);
}

Test(host_time, goes_to_its_phase)
{
	double l1, l2, all = 0;

	host_time_begin();
	for (int i = 0; i < 20; i++) {
		host_time_enter(HOST_L1);
		work(0.001);
		host_time_enter(HOST_L2);
		work(0.003);
	}
	host_time_enter(HOST_OUTSIDE);
	for (int i = 0; i < HOST_PHASES; i++)
		all += (double)host_time_ticks((enum host_phase)i);
	l1 = (double)host_time_ticks(HOST_L1);
	l2 = (double)host_time_ticks(HOST_L2);
	cr_assert(l1 > 0 && l2 > 0);
	cr_assert(l1 + l2 > 0.9 * all, "%g and %g of %g", l1, l2, all);
	cr_assert(host_time_ticks(HOST_DRAM) == 0);
}

Test(host_time, says_which_phase_was_left)
{
	host_time_begin();
	cr_assert(host_time_change(HOST_CORE) == HOST_OUTSIDE);
	cr_assert(host_time_change(HOST_EXECUTE) == HOST_CORE);
	cr_assert(host_time_change(HOST_EXECUTE) == HOST_EXECUTE);
	cr_assert(host_time_change(HOST_CORE) == HOST_EXECUTE);
}

Test(host_time, a_pause_is_outside)
{
	host_time_begin();
	host_time_change(HOST_CORE);
	host_time_pause(true);
	host_time_enter(HOST_DRAM);
	work(0.002);
	host_time_pause(false);
	cr_assert(host_time_ticks(HOST_DRAM) == 0);
	cr_assert(host_time_change(HOST_L1) == HOST_CORE);
	cr_assert(host_time_ticks(HOST_OUTSIDE) > 10 * host_time_ticks(HOST_CORE));
}

/* A phase that does nothing must come out as nearly nothing, however often it is entered. */
Test(host_time, reading_the_counter_is_taken_off)
{
	enum { TIMES = 100000 };
	double each;

	host_time_begin();
	for (int i = 0; i < TIMES; i++) {
		host_time_enter(HOST_L1);
		host_time_enter(HOST_L2);
	}
	host_time_enter(HOST_DRAM);
	work(0.01);
	host_time_enter(HOST_OUTSIDE);
	each = (double)host_time_ticks(HOST_DRAM) / 0.01; /* ticks a second */
	cr_assert((double)host_time_ticks(HOST_L1) / each / TIMES < 100e-9);
}
