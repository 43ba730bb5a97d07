/* tests/unit/sim/test_forks.c -- what --host-profile says of threads: forks, ticks in them, and the bound. */
#include "sim/event/event_kernel.h"
#include "sim/event/host_time.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#define PARTS 8

/* Works for so many microseconds of the processor's time in each tick. */
struct part {
	struct component component; /* first */
	double microseconds;
};

static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void part_tick(struct component *c, cycles now)
{
	double begun = processor_time();

	(void)now;
	while (processor_time() - begun < ((struct part *)(void *)c)->microseconds)
		;
}

/* The value of a line "NAME value # ..." of the text. */
static double value_of(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	cr_assert(at, "no %s in: %s", name, text);
	return strtod(at + strlen(name), NULL);
}

/* Ten cycles of so many SMs, of which the first works so long, the others 100 microseconds, and one network
 * that is never divided; the profile. */
static char *profile_of(uint32_t sms, double first, double network)
{
	const uint64_t khz[CLOCK_COUNT] = { 1000000, 1000000, 1000000, 1000000 };
	struct simulator *sim;
	struct part part[PARTS + 1] = { 0 };
	bool stop = false;
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	host_time_begin();
	sim = sim_new(khz);
	sim_fork_from(sim, PHASE_SM, 2);
	for (uint32_t i = 0; i <= sms; i++) {
		part[i].microseconds = i == sms ? network : i ? 100 : first;
		component_init(&part[i].component, sim, i == sms ? PHASE_XBAR : PHASE_SM, part_tick);
		component_wake(&part[i].component);
	}
	cr_assert(sim_run(sim, &stop, 10 * 1000));
	sim_print_forks(sim, f);
	fclose(f);
	sim_free(sim);
	return text;
}

Test(forks, equal_parts_are_as_many_times_as_fast)
{
	char *text = profile_of(8, 100, 0);
	double two = value_of(text, "host.speed_up::2 "), eight = value_of(text, "host.speed_up::8 ");

	cr_assert_eq(value_of(text, "host.forks::sm"), 10);
	cr_assert_eq(value_of(text, "host.fork_ticks::sm"), 8);
	cr_assert(value_of(text, "host.fork_time::sm") > 700e3, "%s", text);
	cr_assert(two > 1.8 && two < 2.01 && eight > 6 && eight < 8.05, "%s", text);
	cr_assert(value_of(text, "host.serial") < 0.05, "%s", text);
	free(text);
}

/* 800 microseconds in all, half of them in one tick; then half of all outside of what is divided. */
Test(forks, the_longest_part_and_what_is_not_divided_are_bounds)
{
	char *text = profile_of(5, 400, 0);
	double most = value_of(text, "host.speed_up::16 ");

	cr_assert(most > 1.8 && most < 2.2, "%s", text);
	free(text);
	text = profile_of(4, 100, 400);
	most = value_of(text, "host.speed_up::4 ");
	cr_assert(most > 1.5 && most < 1.7, "%s", text);
	cr_assert(value_of(text, "host.serial") > 0.4, "%s", text);
	free(text);
}

/* One alone is not divided. */
Test(forks, one_component_is_no_fork)
{
	char *text = profile_of(1, 100, 0);

	cr_assert(!strstr(text, "host.forks::sm"), "%s", text);
	cr_assert(value_of(text, "host.serial") > 0.99, "%s", text);
	free(text);
}
