/* interconnect/network_internal.h -- what all networks share: packets on their way to each output, and the
 * counting. */
#ifndef INTERCONNECT_NETWORK_INTERNAL_H
#define INTERCONNECT_NETWORK_INTERNAL_H

#include "interconnect/arbiter.h"
#include "interconnect/network.h"
#include "sim/base/bits.h"
#include <endian.h>
#include <string.h>

struct network_stats {
	uint64_t packets, flits, bytes, delivered, flits_delivered;
	uint64_t output_cycles;
	uint64_t wait_output_full, wait_output_busy;
	struct sim_histogram latency;
};

struct flight {
	struct packet *packet;
	cycles arrival;
};

/* Packets on their way to one output: a ring of as many as its port holds, by arrival. */
struct flights {
	struct port *port;
	struct flight *ring;
	uint32_t head, count;
};

/* Packets that one output's receiver has already, although they arrive later, since it then acts as if they
 * came in time (ahead.c): a ring by arrival, as large as the port. */
struct ahead {
	network_receiver receiver; /* NULL: packets go into the port when they arrive */
	struct ahead_packet {
		cycles arrival;
		picoseconds leaves; /* when its place in the port is free again */
		uint32_t latency, flits;
	} * ring;
	uint32_t head, count;
	uint32_t counted; /* those, from the head on, that are counted as delivered */
};

/* Base of every network's struct; first in it. */
struct network {
	const struct network_class *class;
	struct component component;
	/* what each tick looks at */
	cycles next_arrival;  /* the first of the packets' on their way; SIM_NEVER: there are none */
	cycles counted_until; /* output_cycles is up to date to here */
	bool has_work;        /* packets were inside at the end of the last tick, besides those ahead */
	bool sends_ahead;     /* of a network that need not tick when a packet arrives: set in init */
	cycles ahead_until;   /* those ahead are inside before this cycle */
	uint32_t inputs, outputs;
	struct input_set flying; /* outputs with packets on their way */
	cycles *first_arrival;   /* by output: its first packet's on its way */
	struct flights *flights; /* by output */
	struct ahead *ahead;     /* by output; NULL: there are none */
	double cycles_per_ps;
	struct port **in;
	struct divisor flit; /* config.flit */
	struct network_config config;
	uint8_t arrived[NETWORK_MAX_PORTS]; /* set by pushes into the input ports */
	struct network_stats stats;
};
/* The network whose tick it is. */
static inline struct network *network_of(struct component *self)
{
	return (struct network *)((char *)self - offsetof(struct network, component));
}

static inline uint32_t network_flits(const struct network *n, const struct packet *p)
{
	uint32_t flits = divided_by(p->wire_bytes + n->config.flit - 1, n->flit);

	return flits ? flits : 1;
}

/* ---- ahead.c ---- */

/* Gives the packet of so many flits, which arrives in that cycle, at the time `when`, to the output's
 * receiver; false: that does not take it. */
bool ahead_give(struct network *network, uint32_t output, struct packet *p, uint32_t flits, cycles arrival,
	picoseconds when);
/* Whether the output's port, in which packets that were sent ahead take up the last places, has room for one
 * more; the network is woken when there is, if not. */
bool ahead_has_room(struct network *network, uint32_t output);
/* Those that have arrived before the cycle `until` are counted as delivered. */
void ahead_count(struct network *network, cycles until);

/* ---- network.c ---- */

/* Whether the output's port has room for one more beyond those on their way to it; the network is woken when
 * there is, if not. */
static inline bool network_has_room(struct network *n, uint32_t output)
{
	const struct flights *f = &n->flights[output];
	uint32_t ahead = n->ahead ? n->ahead[output].count : 0;

	if (f->port->count + f->count + ahead < f->port->limit)
		return true;
	return ahead ? ahead_has_room(n, output) : port_room_beyond(f->port, f->count);
}
/* The packet's arrival at that time is noted in it; returns the cycles that it took. */
uint64_t network_arrives(const struct network *network, struct packet *p, picoseconds when);
/* Such a packet is counted as delivered. */
static inline void network_count_delivered(struct network *n, uint64_t latency, uint32_t flits)
{
	sim_hist_add(&n->stats.latency, latency);
	n->stats.delivered++;
	n->stats.flits_delivered += flits;
}

/* The packet has left its input: counts it and sees to its arrival, now or later. There is room for it. Of
 * one output's packets none arrives before one sent earlier. */
void network_send(struct network *network, uint32_t output, struct packet *p, uint32_t flits, cycles arrival,
	cycles now);
/* Packets whose time has come enter their output's port. */
void network_deliver(struct network *network, cycles now);
static inline void network_deliver_due(struct network *n, cycles now)
{
	if (n->next_arrival <= now)
		network_deliver(n, now);
}
/* Calls `each` for every input into whose port something has been pushed since it was last called. */
static inline void network_look_at_arrivals(
	struct network *n, cycles now, void (*each)(struct network *, uint32_t input, cycles now))
{
	for (uint32_t w = 0; w * 8 < n->inputs; w++) {
		uint64_t any;

		memcpy(&any, &n->arrived[w * 8], 8);
		if (!any)
			continue;
		memset(&n->arrived[w * 8], 0, 8);
		for (any = le64toh(any); any; any &= any - 1) /* the flags are 0 or 1 */
			each(n, w * 8 + (uint32_t)__builtin_ctzll(any) / 8, now);
	}
}

/* The only input into whose port something has been pushed since the inputs were last looked at;
 * NETWORK_MAX_PORTS: there is none, or more than one. */
static inline uint32_t network_only_arrival(const struct network *n)
{
	uint32_t only = NETWORK_MAX_PORTS;

	for (uint32_t w = 0; w * 8 < n->inputs; w++) {
		uint64_t any;

		memcpy(&any, &n->arrived[w * 8], 8);
		if (!any)
			continue;
		any = le64toh(any);
		if (only != NETWORK_MAX_PORTS || (any & (any - 1)))
			return NETWORK_MAX_PORTS;
		only = w * 8 + (uint32_t)__builtin_ctzll(any) / 8;
	}
	return only;
}

/* Output cycles up to `until` have been offered, if anything was inside. */
static inline void network_count_cycles(struct network *n, cycles until)
{
	cycles end = n->has_work || until < n->ahead_until ? until : n->ahead_until;

	if (until <= n->counted_until)
		return;
	if (end > n->counted_until)
		n->stats.output_cycles += (end - n->counted_until) * n->outputs;
	n->counted_until = until;
}

/* The end of a tick: sleeps until `next`. */
static inline void network_sync_stats(struct network *n, cycles next, cycles now)
{
	if (next <= now + 1)
		return;
	component_sleep_until(&n->component, next);
}

#endif
