/* interconnect/network.h -- the policy interface of networks: one direction between the SMs and the L2
 * slices.
 *
 * A network is one file that ends in its struct network_class, and one line in network.def
 * (sim/policy/policy.h). It takes packets from its input ports and brings each to the output port
 * packet->route, in order between any two ports, and never into a port that has no room for it: so
 * back-pressure reaches the inputs, whatever the network. A packet of n bytes is ceil(n / flit) flits, at
 * least one. A component of PHASE_XBAR; sleeps when nothing can move. */
#ifndef INTERCONNECT_NETWORK_H
#define INTERCONNECT_NETWORK_H

#include "sim/event/packet.h"
#include "sim/policy/policy.h"

enum network_arbiter { NETWORK_ROUND_ROBIN, NETWORK_AGE, NETWORK_ISLIP };

struct network_config {        /* section "xbar" */
	uint32_t network;      /* position in the list of networks */
	uint32_t flit;         /* bytes */
	uint32_t request_flit; /* of the network from the SMs; 0: as the other (gpu.c) */
	uint32_t latency;      /* cycles from the last flit's departure to arrival */
	uint32_t arbiter;      /* crossbar: enum network_arbiter */
	bool voq;              /* crossbar: virtual output queues */
	bool voq_replies;      /* crossbar from the L2 to the SMs: the same, if voq does not say so */
	uint32_t iterations;   /* crossbar, islip: rounds of matching a cycle */
	/* no parameters: */
	uint32_t lead; /* cycles by which its time goes before the machine's (core/lookahead/lookahead.h) */
	const struct network *prototype; /* the network's own parameters, borrowed; NULL: defaults */
};
extern const struct sim_param network_params[];

struct network;

struct network_class {
	POLICY_CLASS; /* before init the base is complete */
	void (*tick)(struct component *self, cycles now);
	/* No packet leaves the input's port before this cycle; now: the next cycle that ticks. NULL: one may
	 * at once. The port has a packet. */
	cycles (*first_departure)(const struct network *network, uint32_t input, cycles now);
	/* Counts waits under way, as far as they have gone before the cycle `until`; may be NULL: there are
	 * none. */
	void (*account)(struct network *network, cycles until);
};

extern const struct policy_interface network_interface;

/* in[inputs] and out[outputs] are the caller's ports. The network sets itself as consumer of in[] and
 * producer of out[]. Statistics under `group`: packets, flits, busy cycles, waits by cause, latency
 * histogram; stats may be NULL. */
struct network *network_new(struct simulator *sim, const struct network_config *config, uint32_t inputs,
	struct port *const *in, uint32_t outputs, struct port *const *out, struct stat_tree *stats,
	const char *group);
void network_free(struct network *network);
/* Who gets an output's packets, given its port and the time at which the packet arrives: if what it will do
 * with the packet is certain already, it does so now, and returns the last time at which the packet would
 * have been in the port; else SIM_NEVER. It is called when the packet is sent or arrives, in the order of
 * arrivals. */
typedef picoseconds (*network_receiver)(struct port *port, struct packet *p, picoseconds arrival);
/* Before the first packet: the output's packets go to the receiver, and into the port only when that says
 * SIM_NEVER. */
void network_set_receiver(struct network *network, uint32_t output, network_receiver receiver);
/* Waits under way are counted, as far as they have gone before the cycle `until`, so that the counters can be
 * read. */
void network_account(struct network *network, cycles until);
/* The input's port has a packet: the time before which none leaves it, whatever others do meanwhile. Not
 * while the network ticks. */
picoseconds network_first_departure(const struct network *network, uint32_t input);
bool network_is_idle(const struct network *network);
/* Packets that have left their inputs so far. */
uint64_t network_sent(const struct network *network);
void network_print_state(const struct network *network, FILE *stream);

#endif
