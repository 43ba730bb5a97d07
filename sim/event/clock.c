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

static cycles last_until(uint64_t khz, picoseconds when)
{
	cycles cycle = cycle_before(khz, when);

	while (edge_time(khz, cycle + 1) <= when)
		cycle++;
	return cycle;
}

static cycles first_from(uint64_t khz, picoseconds when)
{
	cycles cycle = cycle_before(khz, when);

	while (edge_time(khz, cycle) < when)
		cycle++;
	return cycle;
}

static void set_cycle(struct clock *c, cycles cycle)
{
	c->cycle = cycle;
	c->edge = edge_time(c->khz, cycle);
	c->edge_rest = cycle * 1000000000u - c->khz * c->edge; /* whatever both are modulo 2^64 */
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

	set_cycle(&last, cycle_before(last.khz, edge));
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

static picoseconds edge_ahead(const struct clock *c, cycles cycle)
{
	return moved(c->lead, edge_time(c->khz, c->lead->first + cycle));
}

/* The first edge that is not before `when`. No edge moves by less than the lead's time, nor by more than 1 ps
 * more. */
static cycles first_ahead(const struct clock *c, picoseconds when)
{
	cycles cycle = first_from(c->khz, when + c->lead->time);

	cycle = cycle > c->lead->first ? cycle - c->lead->first : 0;
	while (edge_ahead(c, cycle) < when)
		cycle++;
	return cycle;
}

void clock_set_ahead(struct clock *c, cycles cycle)
{
	c->cycle = cycle;
	c->edge = edge_ahead(c, cycle);
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
	set_cycle(&at, ahead);
	lead->time = at.edge;
	lead->rest = at.edge_rest;
	lead->first = first_from(khz, lead->time);
	c->lead = lead;
	clock_set_ahead(c, 0);
}

picoseconds clock_edge(const struct clock *c, cycles cycle)
{
	return c->lead ? edge_ahead(c, cycle) : edge_time(c->khz, cycle);
}

cycles clock_last_until(const struct clock *c, picoseconds when)
{
	cycles next;

	if (!c->lead)
		return last_until(c->khz, when);
	next = first_ahead(c, when + 1);
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
	return c->lead ? first_ahead(c, when) : first_from(c->khz, when);
}

cycles clock_first_without_lead(const struct clock *c, picoseconds when)
{
	return first_from(c->khz, when);
}

#define FAR (1u << 19) /* edges: beyond clock_jump */

void clock_catch_up(struct clock *c, picoseconds when)
{
	picoseconds ahead;

	if (c->edge >= when)
		return;
	if (c->lead) {
		clock_set_ahead(c, first_ahead(c, when));
		return;
	}
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
