/* sim/event/clock.h -- the edges of a clock domain: edge k is at floor(k * 10^9 / kHz) ps. Exact, and
 * without a division from one edge to the next or to one nearby. */
#ifndef SIM_EVENT_CLOCK_H
#define SIM_EVENT_CLOCK_H

#include "sim/base/types.h"

struct clock {
	uint64_t khz;
	picoseconds period;   /* 10^9 / khz ... */
	uint64_t period_rest; /* ... and what that leaves */
	cycles cycle;         /* of the next edge not yet run */
	picoseconds edge;     /* its time */
	uint64_t edge_rest;   /* 10^9 * cycle - khz * edge, which is less than khz */
};

/* The present of a part that has a time of its own (an SM): a cycle of its domain, and that cycle's edge. */
struct local_time {
	picoseconds now;
	cycles cycle;
};

/* Sets the clock before the edge of cycle 0. */
void clock_init(struct clock *c, uint64_t khz);

/* The time of a cycle's edge; the last cycle whose edge is at or before `when`, the first whose edge is not
 * before it. */
picoseconds clock_edge(const struct clock *c, cycles cycle);
cycles clock_last_until(const struct clock *c, picoseconds when);
cycles clock_first_from(const struct clock *c, picoseconds when);

static inline void clock_step(struct clock *c)
{
	c->cycle++;
	c->edge += c->period;
	c->edge_rest += c->period_rest;
	if (c->edge_rest >= c->khz) {
		c->edge_rest -= c->khz;
		c->edge++;
	}
}

/* Moves to the edge of a later cycle, fewer than 2^20 cycles away. */
static inline void clock_jump(struct clock *c, cycles cycle)
{
	uint64_t ahead = cycle - c->cycle, rest = c->edge_rest + ahead * c->period_rest;

	c->cycle = cycle;
	c->edge += ahead * c->period;
	if (rest >= c->khz) {
		c->edge += rest / c->khz;
		rest %= c->khz;
	}
	c->edge_rest = rest;
}

/* Moves to the first edge that is not before `when`, which must not be before the present edge. */
void clock_catch_up(struct clock *c, picoseconds when);

#endif
