/* sim/event/clock.c -- clock edges at a distance, which need a division: see clock.h. */
#include "sim/event/clock.h"

/* 10^9 * cycle exceeds 64 bits after 26 simulated seconds at 700 MHz. */
static picoseconds edge_time(uint64_t khz, cycles cycle)
{
	if (cycle <= UINT64_MAX / 1000000000u)
		return cycle * 1000000000u / khz;
	return (picoseconds)((unsigned __int128)cycle * 1000000000u / khz);
}

/* A cycle whose edge is at or before `when`: the last such cycle or the one before it. */
static cycles cycle_before(uint64_t khz, picoseconds when)
{
	if (when <= UINT64_MAX / khz)
		return when * khz / 1000000000u;
	return (cycles)((unsigned __int128)when * khz / 1000000000u);
}

static void set_cycle(struct clock *c, cycles cycle)
{
	c->cycle = cycle;
	c->edge = edge_time(c->khz, cycle);
	c->edge_rest = cycle * 1000000000u - c->khz * c->edge; /* whatever both are modulo 2^64 */
}

void clock_init(struct clock *c, uint64_t khz)
{
	*c = (struct clock){ .khz = khz, .period = 1000000000u / khz, .period_rest = 1000000000u % khz };
}

picoseconds clock_edge(const struct clock *c, cycles cycle)
{
	return edge_time(c->khz, cycle);
}

cycles clock_last_until(const struct clock *c, picoseconds when)
{
	cycles cycle = cycle_before(c->khz, when);

	while (edge_time(c->khz, cycle + 1) <= when)
		cycle++;
	return cycle;
}

cycles clock_first_from(const struct clock *c, picoseconds when)
{
	cycles cycle = cycle_before(c->khz, when);

	while (edge_time(c->khz, cycle) < when)
		cycle++;
	return cycle;
}

#define FAR (1u << 19) /* edges: beyond clock_jump */

void clock_catch_up(struct clock *c, picoseconds when)
{
	picoseconds ahead;

	if (c->edge >= when)
		return;
	/* as many edges as fit whatever is rounded down, the first of which may be all; the last one or two
	 * follow */
	ahead = (when - c->edge) / (c->period + 1);
	if (ahead >= FAR)
		set_cycle(c, clock_first_from(c, when));
	else
		clock_jump(c, c->cycle + ahead);
	while (c->edge < when)
		clock_step(c);
}
