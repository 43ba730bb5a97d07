/* tests/unit/sim/test_host_time.c -- time goes to the phase that it was spent in, and none is counted twice.
 */
#include "sim/event/host_time.h"
#include <criterion/criterion.h>
#include <math.h>
#include <time.h>

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The counter that host time counts. */
static uint64_t counter(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
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

/* What a phase must have taken at least and at most, however often the host interrupts this process. */
struct bounds {
	uint64_t least, most;
};

static void work_in(enum host_phase phase, enum host_phase next, double how_long, struct bounds *bounds)
{
	uint64_t before = counter(), begun, ended;

	host_time_enter(phase);
	begun = counter();
	work(how_long);
	ended = counter();
	host_time_enter(next);
	bounds->least += ended - begun;
	bounds->most += counter() - before;
}

static void is_within(enum host_phase phase, const struct bounds *bounds)
{
	double ticks = (double)host_time_ticks(phase);

	/* what reading the counter costs is taken off: far less than a hundredth of a millisecond */
	cr_assert(ticks >= 0.99 * (double)bounds->least && ticks <= (double)bounds->most,
		"%g ticks, between %llu and %llu", ticks, (unsigned long long)bounds->least,
		(unsigned long long)bounds->most);
}

Test(host_time, goes_to_its_phase)
{
	struct bounds l1 = { 0 }, l2 = { 0 };

	host_time_begin();
	for (int i = 0; i < 20; i++) {
		work_in(HOST_L1, HOST_OUTSIDE, 0.001, &l1);
		work_in(HOST_L2, HOST_OUTSIDE, 0.003, &l2);
	}
	is_within(HOST_L1, &l1);
	is_within(HOST_L2, &l2);
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
	struct bounds core = { 0 }, outside = { 0 };
	uint64_t begun, paused, goes_on;

	outside.most = counter();
	host_time_begin();
	begun = counter();
	host_time_change(HOST_CORE);
	host_time_pause(true);
	core.most = counter() - begun;
	host_time_enter(HOST_DRAM);
	paused = counter();
	work(0.002);
	outside.least = counter() - paused;
	goes_on = counter();
	host_time_pause(false);
	cr_assert(host_time_ticks(HOST_DRAM) == 0);
	cr_assert(host_time_change(HOST_L1) == HOST_CORE);
	core.most += counter() - goes_on;
	outside.most = counter() - outside.most;
	is_within(HOST_CORE, &core);
	is_within(HOST_OUTSIDE, &outside);
}

/* A phase that does nothing must come out as nearly nothing, however often it is entered: in the best of many
 * turns, as the host may interrupt this process in any. */
Test(host_time, reading_the_counter_is_taken_off)
{
	enum { TURNS = 1000, TIMES = 100 };
	double least = INFINITY, ticks_a_second;
	uint64_t begun;
	double second;

	host_time_begin();
	for (int turn = 0; turn < TURNS; turn++) {
		double before = (double)host_time_ticks(HOST_L1);

		for (int i = 0; i < TIMES; i++) {
			host_time_enter(HOST_L1);
			host_time_enter(HOST_L2);
		}
		least = fmin(least, (double)host_time_ticks(HOST_L1) - before);
	}
	begun = counter();
	second = seconds();
	work(0.01);
	ticks_a_second = (double)(counter() - begun) / (seconds() - second);
	cr_assert_lt(least / TIMES / ticks_a_second, 100e-9);
}
