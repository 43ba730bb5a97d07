/* sim/event/clock.h -- the edges of a clock domain: edge k is at floor(k * 10^9 / kHz) ps. Exact, and
 * without a division from one edge to the next or to one nearby.
 *
 * A clock can run ahead of a reference clock by a number of the reference's cycles. Its edges then come
 * earlier by that time, but keep their positions between the edges of the reference: an edge that would come
 * d ps after the edge of the reference's cycle k comes d ps after that of cycle k - ahead. (It comes 1 ps
 * earlier where that cycle is 1 ps shorter, since edges are rounded down to picoseconds; d = 0 stays 0.) So
 * the order of all edges, and which of them coincide, stay the same. Its cycle 0 is its first edge that is
 * not before time 0. */
#ifndef SIM_EVENT_CLOCK_H
#define SIM_EVENT_CLOCK_H

#include "sim/base/types.h"
#include <stddef.h>

struct clock_lead;

struct clock {
	uint64_t khz;
	picoseconds period;   /* 10^9 / khz ... */
	uint64_t period_rest; /* ... and what that leaves */
	cycles cycle;         /* of the next edge not yet run */
	picoseconds edge;     /* its time */
	uint64_t edge_rest;   /* 10^9 * cycle - khz * edge, which is less than khz; not kept with a lead */
	const struct clock_lead *lead; /* NULL: it runs ahead of no clock */
};

/* How a clock runs ahead of a reference clock. */
struct clock_lead {
	struct clock reference; /* at its cycle 0 */
	picoseconds time;       /* of the edge of the reference's cycle `ahead` ... */
	uint64_t rest;          /* ... and its edge_rest */
	cycles first;           /* edges of the clock that would lie before time 0 */
};

/* The present of a part that has a time of its own (an SM): a cycle of its domain, and that cycle's edge. */
struct local_time {
	picoseconds now;
	cycles cycle;
};

/* Sets the clock before the edge of cycle 0. */
void clock_init(struct clock *c, uint64_t khz);
/* The same for a clock that runs `ahead` cycles ahead of a reference of another frequency. *lead is filled
 * in, and must live as long as the clock. */
void clock_init_ahead(
	struct clock *c, uint64_t khz, struct clock_lead *lead, uint64_t reference_khz, cycles ahead);
/* Of a clock with a lead: the time of a cycle's edge, and the first cycle whose edge is not before `when`.
 * (The clock itself is not an argument, so that the compiler can keep a copy of one in registers.) */
picoseconds clock_edge_ahead(const struct clock_lead *lead, uint64_t khz, cycles cycle);
cycles clock_first_ahead(const struct clock_lead *lead, uint64_t khz, picoseconds when);
/* The same of a clock without one. */
picoseconds clock_edge_alone(uint64_t khz, cycles cycle);
cycles clock_first_alone(uint64_t khz, picoseconds when);

/* The time of a cycle's edge; the last cycle whose edge is at or before `when`, the first whose edge is not
 * before it. */
picoseconds clock_edge(const struct clock *c, cycles cycle);
cycles clock_last_until(const struct clock *c, picoseconds when);
cycles clock_first_from(const struct clock *c, picoseconds when);
/* The time of the last edge at or before `when`; fast if that is the clock's present edge or the one before.
 */
picoseconds clock_edge_until(const struct clock *c, picoseconds when);
/* The first cycle whose edge would not be before `when` without the clock's lead, numbered from time 0. */
cycles clock_first_without_lead(const struct clock *c, picoseconds when);

static inline void clock_step(struct clock *c)
{
	c->cycle++;
	if (__builtin_expect(c->lead != NULL, 0)) {
		c->edge = clock_edge_ahead(c->lead, c->khz, c->cycle);
		return;
	}
	c->edge += c->period;
	c->edge_rest += c->period_rest;
	if (c->edge_rest >= c->khz) {
		c->edge_rest -= c->khz;
		c->edge++;
	}
}

#define CLOCK_FAR (1u << 19) /* edges: beyond clock_jump */

/* Moves to the edge of a later cycle, fewer than 2^20 cycles away. */
static inline void clock_jump(struct clock *c, cycles cycle)
{
	uint64_t ahead = cycle - c->cycle, rest = c->edge_rest + ahead * c->period_rest;

	c->cycle = cycle;
	if (__builtin_expect(c->lead != NULL, 0)) {
		c->edge = clock_edge_ahead(c->lead, c->khz, cycle);
		return;
	}
	c->edge += ahead * c->period;
	if (rest >= c->khz) {
		c->edge += rest / c->khz;
		rest %= c->khz;
	}
	c->edge_rest = rest;
}

/* Moves to the first edge that is not before `when`, or stays. */
static inline void clock_catch_up(struct clock *c, picoseconds when)
{
	picoseconds ahead; /* as many edges as fit whatever is rounded down; the last one or two follow */

	if (c->edge >= when)
		return;
	ahead = (when - c->edge) / (c->period + 1);
	if (__builtin_expect(c->lead != NULL, 0)) {
		clock_jump(c, clock_first_ahead(c->lead, c->khz, when));
		return;
	}
	if (__builtin_expect(ahead >= CLOCK_FAR, 0)) {
		c->cycle = clock_first_alone(c->khz, when);
		c->edge = clock_edge_alone(c->khz, c->cycle);
		c->edge_rest = c->cycle * 1000000000u - c->khz * c->edge; /* whatever both are modulo 2^64 */
		return;
	}
	clock_jump(c, c->cycle + ahead);
	while (c->edge < when)
		clock_step(c);
}

#endif
