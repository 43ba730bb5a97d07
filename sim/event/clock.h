/* sim/event/clock.h -- the edges of a clock domain: edge k is at floor(k * 10^9 / kHz) ps. Exact;
 * without a division from one edge to the next, and with one to any other.
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
	cycles cycle; /* of the next edge not yet run */
	uint64_t khz;
	picoseconds edge;     /* its time */
	picoseconds period;   /* 10^9 / khz ... */
	uint64_t edge_rest;   /* 10^9 * cycle - khz * edge, which is less than khz; of no use with a lead */
	uint64_t period_rest; /* 10^9 % khz */
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
	uint64_t rest = c->edge_rest + c->period_rest;
	bool carries = rest >= c->khz;

	c->cycle++;
	if (__builtin_expect(c->lead != NULL, 0)) {
		c->edge = clock_edge_ahead(c->lead, c->khz, c->cycle);
		return;
	}
	c->edge += c->period + carries;
	c->edge_rest = carries ? rest - c->khz : rest;
}

/* Sets the clock to a cycle, whose edge that is. */
static inline void clock_set(struct clock *c, cycles cycle, picoseconds edge)
{
	c->cycle = cycle;
	c->edge = edge;
	c->edge_rest = cycle * 1000000000u - c->khz * edge; /* whatever both are modulo 2^64 */
}

/* The time of any cycle's edge: one division, if it comes within 2^64 / 10^9 cycles. */
static inline picoseconds clock_edge_of(const struct clock *c, cycles cycle)
{
	if (__builtin_expect(c->lead != NULL || cycle > UINT64_MAX / 1000000000u, 0))
		return clock_edge(c, cycle);
	return cycle * 1000000000u / c->khz;
}

/* Moves to the edge of any cycle. */
static inline void clock_jump(struct clock *c, cycles cycle)
{
	clock_set(c, cycle, clock_edge_of(c, cycle));
}

/* The first edge that is not before `when`, or the clock's present one if that is later. */
static inline struct local_time clock_edge_from(const struct clock *c, picoseconds when)
{
	uint64_t product; /* an edge is not before `when` if 10^9 * its cycle is at least khz * when */
	cycles cycle;

	if (c->edge >= when)
		return (struct local_time){ c->edge, c->cycle };
	if (__builtin_expect(c->lead != NULL || __builtin_mul_overflow(when, c->khz, &product), 0))
		cycle = clock_first_from(c, when);
	else
		cycle = (product - 1) / 1000000000u + 1;
	return (struct local_time){ clock_edge_of(c, cycle), cycle };
}

/* Moves to that edge. */
static inline void clock_catch_up(struct clock *c, picoseconds when)
{
	struct local_time to;

	if (c->edge >= when)
		return;
	to = clock_edge_from(c, when);
	clock_set(c, to.cycle, to.now);
}

#endif
