/* dram/raise.c -- raises the priority of a read that has entered the channel by the last input: a request
 * that would have taken the first has merged with it at the L2. A notice from the slice (PACKET_RAISE) comes
 * by the first input, like a read, and is gone when it has been obeyed or has come too late. It waits for
 * nothing.
 */
#include "dram/channel_internal.h"

/* Whether p is the fetch that the notice means. */
static bool is_meant(const struct packet *p, const struct packet *notice)
{
	return p->kind == PACKET_READ && p->is_internal && p->token == notice->token &&
		p->local / 128 == notice->local / 128;
}

/* A fetch that has not joined the queue keeps its place on its way, but joins as what it is now. */
static bool raise_on_input(struct dram_input *input, const struct packet *notice)
{
	struct packet *p = NULL;

	for (uint32_t i = 0; !p && i < input->pipe.count; i++)
		if (is_meant(ring_at(&input->pipe, i)->packet, notice))
			p = ring_at(&input->pipe, i)->packet;
	for (uint32_t i = 0; !p && i < input->in->count; i++)
		if (is_meant(port_at(input->in, i), notice))
			p = port_at(input->in, i);
	if (p)
		p->warp_type = notice->warp_type;
	return p;
}

/* In the queue it needs a place of the first input. */
static enum dram_raise raise_in_queue(struct dram_channel *c, const struct packet *notice)
{
	struct dram_request *r = c->queue.oldest[DRAM_READS];

	while (r && !is_meant(r->packet, notice))
		r = r->younger;
	if (!r)
		return DRAM_RAISE_LATE;
	if (!dram_queue_read_room(&c->queue, 0))
		return DRAM_RAISE_FULL;
	r->packet->warp_type = notice->warp_type;
	dram_queue_move(&c->queue, r, 0, c->sched->class->priority(c->sched, r->packet));
	c->plan_end = 0;
	return DRAM_RAISED;
}

void dram_raise(struct dram_channel *c, const struct packet *notice)
{
	enum dram_raise result =
		raise_on_input(&c->input[c->inputs - 1], notice) ? DRAM_RAISED : raise_in_queue(c, notice);

	if (c->sched->class->raised)
		c->sched->class->raised(c->sched, result);
}
