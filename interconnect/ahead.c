/* interconnect/ahead.c -- packets that are given to their receivers when they are sent.
 *
 * A packet's time of arrival is known when it leaves its input, and its place in the output's port is
 * reserved. A receiver that may know of it before it comes, since it will act as if it had come in time, gets
 * it at once (network_set_receiver): an SM that takes one reply a cycle, or an L2 slice whose pipeline is
 * certain to take it. So neither the network nor, often, the receiver need tick at that time.
 * What others can see is as without: the packet is counted when it has arrived, and takes up its place in the
 * port until the receiver would have taken it. */
#include "interconnect/network_internal.h"

static struct ahead_packet *packet_at(const struct network *n, uint32_t output, uint32_t at)
{
	const struct ahead *a = &n->ahead[output];
	uint32_t capacity = n->flights[output].port->capacity, i = a->head + at;

	return &a->ring[i >= capacity ? i - capacity : i];
}

/* Those that have left their port by now need not be known any more. */
static void drop_left(struct network *n, uint32_t output)
{
	struct ahead *a = &n->ahead[output];
	picoseconds now = sim_now(n->component.sim);

	for (; a->count && a->ring[a->head].leaves < now; a->count--) {
		if (a->counted)
			a->counted--;
		else
			network_count_delivered(n, a->ring[a->head].latency, a->ring[a->head].flits);
		if (++a->head == n->flights[output].port->capacity)
			a->head = 0;
	}
}

bool ahead_give(struct network *n, uint32_t output, struct packet *p, uint32_t flits, cycles arrival,
	picoseconds when)
{
	struct port *port = n->flights[output].port;
	struct ahead *a = &n->ahead[output];
	picoseconds entered = p->stamp, leaves;
	uint64_t latency;
	cycles until;

	if (a->count == port->capacity)
		drop_left(n, output);
	latency = network_arrives(n, p, when);
	leaves = a->receiver(port, p, when);
	if (leaves == SIM_NEVER) {
		p->stamp = entered;
		return false;
	}
	*packet_at(n, output, a->count++) =
		(struct ahead_packet){ arrival, leaves, (uint32_t)latency, flits };
	until = arrival + !n->config.latency; /* without latency the last flit is still on the link in that
						 cycle */
	n->ahead_until = until > n->ahead_until ? until : n->ahead_until;
	return true;
}

bool ahead_has_room(struct network *n, uint32_t output)
{
	const struct flights *f = &n->flights[output];
	const struct ahead *a = &n->ahead[output];

	drop_left(n, output);
	if (f->port->count + f->count + a->count < f->port->limit)
		return true;
	if (!a->count || f->port->count)
		f->port->was_full = true;
	if (a->count)
		component_wake_at(
			&n->component, component_edge_from(&n->component, a->ring[a->head].leaves + 1).cycle);
	return false;
}

void ahead_count(struct network *n, cycles until)
{
	for (uint32_t i = 0; i < n->outputs; i++)
		for (struct ahead *a = &n->ahead[i]; a->counted < a->count; a->counted++) {
			const struct ahead_packet *p = packet_at(n, i, a->counted);

			if (p->arrival >= until)
				break;
			network_count_delivered(n, p->latency, p->flits);
		}
}
