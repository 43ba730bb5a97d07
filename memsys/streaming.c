/* memsys/streaming.c -- the rule of streaming bypass: the end of a sampling period. */
#include "memsys/streaming.h"

static void count_closed(struct streaming *s, cycles until)
{
	if (s->is_closed)
		s->cycles_closed += until - s->counted;
	s->counted = until;
}

/* By what was measured in the period that is over. */
static void judge_period(struct streaming *s)
{
	bool closes = (double)s->missed * 100 > s->miss_rate * (double)s->reads;

	if (!s->reads)
		return;
	s->closed += closes && !s->is_closed;
	s->opened += !closes && s->is_closed;
	s->is_closed = closes;
	s->reads = s->missed = 0;
}

void streaming_end_periods(struct streaming *s, cycles now)
{
	uint64_t empty;

	if (!s->end)
		s->end = s->period;
	if (now < s->end)
		return;
	s->periods++;
	s->periods_closed += s->is_closed;
	count_closed(s, s->end);
	judge_period(s);
	empty = (now - s->end) / s->period;
	s->periods += empty;
	s->periods_closed += s->is_closed ? empty : 0;
	s->end += (empty + 1) * s->period;
}

void streaming_sync_stats(struct streaming *s, cycles until)
{
	streaming_is_closed(s, until);
	count_closed(s, until);
}

void streaming_state(struct streaming *s, struct state *state)
{
	uint8_t closed = s->is_closed;

	streaming_sync_stats(s, state->now);
	state_flags(state, &closed, 1);
	state_cycle(state, &s->end, s->period);
	state_field(state, &s->reads);
	state_field(state, &s->missed);
	s->is_closed = closed;
	s->counted = state->now;
}
