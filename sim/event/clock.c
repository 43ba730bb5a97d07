/* sim/event/clock.c -- clock edges at a distance, which need a division: see clock.h. */
#include "sim/event/clock.h"

/* 10^9 * cycle exceeds 64 bits after 26 simulated seconds at 700 MHz. */
picoseconds clock_edge_alone(uint64_t khz, cycles cycle)
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

static cycles last_until(uint64_t khz, picoseconds when)
{
	cycles cycle = cycle_before(khz, when);

	while (clock_edge_alone(khz, cycle + 1) <= when)
		cycle++;
	return cycle;
}

cycles clock_first_alone(uint64_t khz, picoseconds when)
{
	cycles cycle = cycle_before(khz, when);

	while (clock_edge_alone(khz, cycle) < when)
		cycle++;
	return cycle;
}

/* ---- a clock that runs ahead of another ---- */

/* The time of the edge that lies the lead's number of reference cycles before the given edge of the
 * reference. */
static picoseconds earlier_edge(const struct clock_lead *lead, const struct clock *reference)
{
	return reference->edge - lead->time - (reference->edge_rest < lead->rest);
}

/* The time to which an edge moves that was at `edge`, not before lead->time. */
static picoseconds moved(const struct clock_lead *lead, picoseconds edge)
{
	struct clock last = lead->reference, next;
	picoseconds to, end;

	clock_jump(&last, cycle_before(last.khz, edge));
	next = last;
	clock_step(&next);
	if (next.edge <= edge) {
		last = next;
		clock_step(&next);
	}
	to = earlier_edge(lead, &last) + (edge - last.edge);
	end = earlier_edge(lead, &next);
	return to < end ? to : end - 1;
}

picoseconds clock_edge_ahead(const struct clock_lead *lead, uint64_t khz, cycles cycle)
{
	return moved(lead, clock_edge_alone(khz, lead->first + cycle));
}

/* No edge moves by less than the lead's time, nor by more than 1 ps more. */
cycles clock_first_ahead(const struct clock_lead *lead, uint64_t khz, picoseconds when)
{
	cycles cycle = clock_first_alone(khz, when + lead->time);

	cycle = cycle > lead->first ? cycle - lead->first : 0;
	while (clock_edge_ahead(lead, khz, cycle) < when)
		cycle++;
	return cycle;
}

/* ---- any clock ---- */

void clock_init(struct clock *c, uint64_t khz)
{
	*c = (struct clock){ .khz = khz, .period = 1000000000u / khz, .period_rest = 1000000000u % khz };
}

void clock_init_ahead(
	struct clock *c, uint64_t khz, struct clock_lead *lead, uint64_t reference_khz, cycles ahead)
{
	struct clock at;

	clock_init(c, khz);
	clock_init(&lead->reference, reference_khz);
	at = lead->reference;
	clock_jump(&at, ahead);
	lead->time = at.edge;
	lead->rest = at.edge_rest;
	lead->first = clock_first_alone(khz, lead->time);
	c->lead = lead;
	c->edge = clock_edge_ahead(lead, khz, 0);
}

picoseconds clock_edge(const struct clock *c, cycles cycle)
{
	return c->lead ? clock_edge_ahead(c->lead, c->khz, cycle) : clock_edge_alone(c->khz, cycle);
}

cycles clock_last_until(const struct clock *c, picoseconds when)
{
	cycles next;

	if (!c->lead)
		return last_until(c->khz, when);
	next = clock_first_ahead(c->lead, c->khz, when + 1);
	return next ? next - 1 : 0;
}

picoseconds clock_edge_until(const struct clock *c, picoseconds when)
{
	picoseconds before = c->edge - c->period - (c->edge_rest < c->period_rest);

	if (c->edge == when)
		return when;
	if (c->edge > when && c->cycle && !c->lead && before <= when)
		return before;
	return clock_edge(c, clock_last_until(c, when));
}

cycles clock_first_from(const struct clock *c, picoseconds when)
{
	return c->lead ? clock_first_ahead(c->lead, c->khz, when) : clock_first_alone(c->khz, when);
}

cycles clock_first_without_lead(const struct clock *c, picoseconds when)
{
	return clock_first_alone(c->khz, when);
}
