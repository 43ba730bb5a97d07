/* tests/unit/sim/test_clock.c -- a clock that goes before another: its edges keep their places between the
 * other's. */
#include "sim/base/random.h"
#include "sim/event/clock.h"
#include <criterion/criterion.h>

struct pair {
	uint64_t khz, reference_khz;
	cycles ahead;
};

static const struct pair pairs[] = { { 850000, 1447000, 127 }, { 715000, 1328000, 128 },
	{ 1750000, 1650000, 120 }, { 3201000, 1980000, 1 }, { 333333, 999983, 57 }, { 7000000, 1000001, 128 },
	{ 1000, 1447000, 100 }, { 849999, 1447000, 127 } };

#define EACH_PAIR(p) for (const struct pair *p = pairs; p < pairs + sizeof(pairs) / sizeof(*pairs); p++)

/* -1, 0, 1: whether a is before, at or behind b. */
static int order(picoseconds a, picoseconds b)
{
	return (a > b) - (a < b);
}

/* From an edge of the clock that lies before time 0 without a lead, `cycle` and those behind. */
static void has_its_place(const struct pair *p, const struct clock *ahead, cycles cycle)
{
	struct clock alone, reference;
	cycles near;

	clock_init(&alone, p->khz);
	clock_init(&reference, p->reference_khz);
	near = clock_last_until(&reference, clock_edge(&alone, ahead->lead->first + cycle));
	for (cycles k = near > p->ahead + 2 ? near - 2 : p->ahead; k < near + 3; k++)
		cr_assert_eq(order(clock_edge(ahead, cycle), clock_edge(&reference, k - p->ahead)),
			order(clock_edge(&alone, ahead->lead->first + cycle), clock_edge(&reference, k)),
			"%llu kHz, %llu before %llu kHz: edge %llu", (unsigned long long)p->khz,
			(unsigned long long)p->ahead, (unsigned long long)p->reference_khz,
			(unsigned long long)cycle);
}

Test(clock_ahead, edges_keep_their_places_between_those_of_the_reference)
{
	struct sim_random *r = sim_random_new(7, 0);

	EACH_PAIR(p)
	{
		struct clock_lead lead;
		struct clock ahead;

		clock_init_ahead(&ahead, p->khz, &lead, p->reference_khz, p->ahead);
		for (cycles k = 0; k < 20000; k++)
			has_its_place(p, &ahead, k);
		for (int i = 0; i < 20000; i++)
			has_its_place(p, &ahead, sim_random_bits(r) * (UINT64_C(1) << i % 12));
	}
	sim_random_free(r);
}

Test(clock_ahead, cycle_0_is_the_first_edge_that_is_not_before_time_0)
{
	EACH_PAIR(p)
	{
		struct clock_lead lead;
		struct clock ahead, alone;

		clock_init(&alone, p->khz);
		clock_init_ahead(&ahead, p->khz, &lead, p->reference_khz, p->ahead);
		cr_assert_geq(clock_edge(&alone, lead.first), lead.time);
		cr_assert(!lead.first || clock_edge(&alone, lead.first - 1) < lead.time);
		cr_assert_eq(ahead.cycle, 0);
	}
}

Test(clock_ahead, every_way_to_an_edge_gives_the_same_time)
{
	struct sim_random *r = sim_random_new(8, 0);

	EACH_PAIR(p)
	{
		struct clock_lead lead;
		struct clock step, jump, caught;

		clock_init_ahead(&step, p->khz, &lead, p->reference_khz, p->ahead);
		jump = caught = step;
		for (int i = 0; i < 3000; i++) {
			cycles far = 1 + sim_random_below(r, 50);
			picoseconds before = step.edge;

			for (cycles k = 0; k < far; k++)
				clock_step(&step);
			clock_jump(&jump, jump.cycle + far);
			clock_catch_up(&caught, step.edge - (far % 3 ? 0 : 1));
			cr_assert_gt(step.edge, before);
			cr_assert_eq(step.edge, jump.edge);
			cr_assert_eq(step.edge, caught.edge);
			cr_assert_eq(step.cycle, caught.cycle);
			cr_assert_eq(step.edge, clock_edge(&step, step.cycle));
			cr_assert_eq(clock_first_from(&step, step.edge), step.cycle);
			cr_assert_eq(clock_first_from(&step, step.edge + 1), step.cycle + 1);
			cr_assert_eq(clock_last_until(&step, step.edge), step.cycle);
			cr_assert_eq(clock_edge_until(&step, step.edge), step.edge);
			cr_assert_eq(clock_edge_until(&step, step.edge + far),
				clock_edge(&step, clock_last_until(&step, step.edge + far)));
			cr_assert_eq(clock_last_until(&step, step.edge - 1), step.cycle - 1);
		}
	}
	sim_random_free(r);
}

Test(clock, the_first_edge_from_a_time_is_exact_also_where_products_exceed_64_bits)
{
	struct sim_random *r = sim_random_new(10, 0);
	const uint64_t khz[] = { 1000, 333333, 700000, 924000, 1447000, 7000000 };

	for (int i = 0; i < 60000; i++) {
		uint64_t f = khz[i % 6], far = UINT64_MAX / f;
		picoseconds when =
			i % 3 ? far - 3 + sim_random_below(r, 7) : sim_random_below(r, 1u << 30) << i % 20;
		struct clock c;
		struct local_time first;

		clock_init(&c, f);
		first = clock_edge_from(&c, when);
		cr_assert_eq(first.now, (picoseconds)((unsigned __int128)first.cycle * 1000000000u / f));
		cr_assert(first.now >= when);
		if (first.cycle)
			cr_assert((unsigned __int128)(first.cycle - 1) * 1000000000u / f < when);
		clock_catch_up(&c, when);
		cr_assert_eq(c.cycle, first.cycle);
		clock_step(&c);
		cr_assert_eq(c.edge, (picoseconds)((unsigned __int128)c.cycle * 1000000000u / f));
	}
	sim_random_free(r);
}

Test(clock, the_last_edge_until_a_time_is_the_same_from_wherever_the_clock_is)
{
	struct sim_random *r = sim_random_new(9, 0);
	struct clock c;

	clock_init(&c, 1447000);
	for (int i = 0; i < 20000; i++, clock_step(&c)) {
		picoseconds when = c.edge + 2000 - sim_random_below(r, 4000);

		if (c.edge + 2000 < 4000)
			continue;
		cr_assert_eq(clock_edge_until(&c, when), clock_edge(&c, clock_last_until(&c, when)));
	}
	sim_random_free(r);
}
