/* interconnect/uncontended.c -- packets that meet no others: all that an input holds goes at once, whatever
 * its size, as long as there is room where it goes. The output buffers are as finite as ever, and an input
 * gives its packets in order: one whose output is full holds those behind it. */
#include "interconnect/uncontended.h"

/* Sends the input's packets up to the first whose output is full. */
static void drain(struct network *n, uint32_t i, cycles now)
{
	struct uncontended *u = (struct uncontended *)n;
	const struct packet *p;

	while ((p = port_peek(n->in[i]))) {
		uint32_t output = p->route, flits = network_flits(n, p);

		bug_if(output >= n->outputs, "packet for output %u of a network with %u", output, n->outputs);
		if (!network_has_room(n, output)) {
			if (!input_set_has(&u->waiting, i))
				u->blocked_since[i] = now;
			input_set_add(&u->waiting, i);
			return;
		}
		if (input_set_has(&u->waiting, i)) {
			n->stats.wait_output_full += now - u->blocked_since[i];
			input_set_remove(&u->waiting, i);
		}
		network_send(n, output, port_pop(n->in[i]), flits, now + u->delay, now);
	}
}

static void uncontended_look_at(struct network *n, uint32_t i, cycles now)
{
	struct uncontended *u = (struct uncontended *)n;

	if (!input_set_has(&u->waiting, i))
		drain(n, i, now);
}

static void retry(struct uncontended *u, cycles now)
{
	struct input_set waiting = u->waiting;
	uint32_t first = u->first, last = first;

	if (input_set_is_empty(&waiting))
		return;
	first = arbiter_round_robin(&waiting, last);
	for (uint32_t i = first;;) {
		drain(&u->base, i, now);
		i = arbiter_round_robin(&waiting, i);
		if (i == first)
			break;
	}
	u->first = first;
}

void uncontended_tick(struct component *self, cycles now)
{
	struct network *n = network_of(self);
	struct uncontended *u = (struct uncontended *)n;
	cycles next;

	network_count_cycles(n, now);
	network_deliver_due(n, now);
	retry(u, now);
	network_look_at_arrivals(n, now, uncontended_look_at);
	n->has_work = true;
	network_count_cycles(n, now + 1);
	next = n->next_arrival;
	n->has_work = next != SIM_NEVER || !input_set_is_empty(&u->waiting);
	network_sync_stats(n, next, now);
}

void uncontended_state(void *policy, struct state *state)
{
	struct uncontended *u = policy;

	state_below(state, &u->first, u->base.inputs);
}
