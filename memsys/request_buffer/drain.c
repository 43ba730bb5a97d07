/* memsys/request_buffer/drain.c -- fixed order, round robin, longest first, each also greedy. */
#include "memsys/request_buffer/drain.h"

const char *const drain_names[] = { "fixed", "round_robin", "longest_first", NULL };

void drain_init(struct drain *d, enum drain_policy policy, bool greedy)
{
	*d = (struct drain){ .policy = policy, .greedy = greedy, .last = QUEUE_NONE, .current = QUEUE_NONE };
}

static uint32_t lowest(uint64_t queues)
{
	return (uint32_t)__builtin_ctzll(queues);
}

static uint32_t next_behind(uint64_t queues, uint32_t last)
{
	uint64_t behind = last < QUEUES_MAX - 1 ? queues & ~UINT64_C(0) << (last + 1) : 0;

	return lowest(behind ? behind : queues);
}

static uint32_t longest_queue(const struct queues *q)
{
	uint32_t best = lowest(q->visible);

	for (uint64_t rest = q->visible; rest; rest &= rest - 1)
		if (q->queue[lowest(rest)].visible > q->queue[best].visible)
			best = lowest(rest);
	return best;
}

uint32_t drain_choose(struct drain *d, const struct queues *q)
{
	if (d->current != QUEUE_NONE)
		return d->current;
	d->last = d->policy == DRAIN_FIXED       ? lowest(q->visible)
		: d->policy == DRAIN_ROUND_ROBIN ? next_behind(q->visible, d->last)
						 : longest_queue(q);
	if (d->greedy)
		d->current = d->last;
	return d->last;
}

void drain_emptied(struct drain *d, uint32_t queue)
{
	if (d->current == queue)
		d->current = QUEUE_NONE;
}

void drain_state(struct drain *d, struct state *state)
{
	state_field(state, &d->last);
	state_require(state, d->last < QUEUES_MAX || d->last == QUEUE_NONE);
}
