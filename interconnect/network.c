/* interconnect/network.c -- what all networks share: parameters, statistics, packets on their way, building.
 */
#include "interconnect/network_internal.h"
#include "sim/base/xalloc.h"

#define POLICY_INTERFACE network
#define POLICY_LIST      "interconnect/network.def"
#include "sim/policy/table.h"

const struct policy_interface network_interface = {
	.title = "networks between SMs and L2",
	.keys = "xbar.network",
	POLICY_TABLES(network),
	.size = sizeof(struct network),
};

static const char *const arbiter_names[] = { "round_robin", "age", "islip", NULL };

const struct sim_param network_params[] = {
	SIM_ENUM(struct network_config, network, network_at_crossbar, network_names,
		"type of the networks between SMs and L2, one for each direction; the parameters of links "
		"and arbiters apply to the crossbar"),
	SIM_U32(struct network_config, flit, 32, 1, 1024, "bytes",
		"bytes that a link moves in a cycle (GTX 480: 32, baseline of DWT-CS and WarpPool)"),
	SIM_U32(struct network_config, request_flit, 0, 0, 1024, "bytes",
		"bytes that a link from the SMs to the L2 moves in a cycle, where it is narrower than one "
		"back; 0: as flit (an H200: an SM loads 46 bytes a clock alone, and stores 32)"),
	SIM_U32(struct network_config, latency, 4, 0, 1024, "cycles",
		"latency from the departure of the last flit to its arrival (our choice: stages of a "
		"pipelined crossbar)"),
	SIM_ENUM(struct network_config, arbiter, NETWORK_ROUND_ROBIN, arbiter_names,
		"arbiter that assigns outputs: inputs in turn (round_robin), the oldest packet first (age), "
		"or iSLIP (McKeown 1999), which is useful with voq"),
	SIM_BOOL(struct network_config, voq, false,
		"virtual output queues: a packet competes when it is the first for its output, not only at "
		"the head of its buffer"),
	SIM_BOOL(struct network_config, voq_replies, false,
		"virtual output queues in the network of replies, whatever voq says of that of requests"),
	SIM_U32(struct network_config, iterations, 4, 1, 64, "rounds",
		"rounds of request, grant and accept of iSLIP in a cycle"),
	SIM_END
};

static double network_utilisation(const void *object)
{
	const struct network_stats *s = object;

	return s->output_cycles ? (double)s->flits / (double)s->output_cycles : 0;
}

static const struct sim_stat network_stat_table[] = { SIM_COUNT(struct network_stats, packets, "packets",
							      "packets that left an input buffer"),
	SIM_COUNT(struct network_stats, flits, "flits",
		"flits of the packets that left an input buffer; in a crossbar also the cycles in which "
		"outputs were busy"),
	SIM_COUNT(struct network_stats, bytes, "bytes",
		"bytes sent, including headers, without the padding of the last flit"),
	SIM_COUNT(struct network_stats, delivered, "packets", "packets that arrived in an output buffer"),
	SIM_COUNT(struct network_stats, flits_delivered, "flits",
		"flits of the packets that arrived in an output buffer"),
	SIM_COUNT(struct network_stats, output_cycles, "cycles",
		"cycles of all outputs while the network had any packet"),
	SIM_COUNT(struct network_stats, wait_output_full, "cycles",
		"cycles that packets ready to leave waited because the output buffer was full"),
	SIM_COUNT(struct network_stats, wait_output_busy, "cycles",
		"cycles that packets waited for another packet of their output, or, with virtual output "
		"queues, of their input"),
	SIM_HIST(struct network_stats, latency, "cycles",
		"latency of a packet, from entering the input buffer to its arrival"),
	SIM_FORMULA("utilisation", network_utilisation, "ratio",
		"flits sent per cycle of an output while the network had any packet"),
	SIM_STAT_END };

/* ---- packets on their way ---- */

uint64_t network_arrives(const struct network *n, struct packet *p, picoseconds when)
{
	/* one picosecond more, as half cycles are to count as whole ones although edges are rounded down */
	uint64_t latency = (uint64_t)((double)(when - p->stamp + 1) * n->cycles_per_ps + 0.5);

	p->stamp = when;
	if (!p->is_reply)
		packet_stamp(p, AT_L2_ARRIVED, when);
	return latency;
}

static bool gives_ahead(const struct network *n, uint32_t output)
{
	return n->ahead && n->ahead[output].receiver;
}

static void deliver_packet(struct network *n, uint32_t output, struct packet *p, uint32_t flits, cycles now)
{
	picoseconds when = sim_now(n->component.sim);

	if (gives_ahead(n, output) && ahead_give(n, output, p, flits, now, when))
		return;
	network_count_delivered(n, network_arrives(n, p, when), flits);
	port_push(n->flights[output].port, p);
}

void network_send(
	struct network *n, uint32_t output, struct packet *p, uint32_t flits, cycles arrival, cycles now)
{
	struct flights *f = &n->flights[output];
	uint32_t tail;

	n->stats.packets++;
	n->stats.flits += flits;
	n->stats.bytes += p->wire_bytes;
	if (arrival <= now) {
		deliver_packet(n, output, p, flits, now);
		return;
	}
	if (n->sends_ahead && !f->count && gives_ahead(n, output) &&
		ahead_give(n, output, p, flits, arrival,
			clock_edge_of(sim_clock(n->component.sim, CLOCK_XBAR), arrival)))
		return;
	if (!f->count)
		n->first_arrival[output] = arrival;
	tail = f->head + f->count++;
	if (tail >= f->port->capacity)
		tail -= f->port->capacity;
	f->ring[tail] = (struct flight){ p, arrival };
	if (arrival < n->next_arrival)
		n->next_arrival = arrival;
	input_set_add(&n->flying, output);
}

/* Those of one output that are due; when the next is. */
static cycles deliver_from(struct network *n, uint32_t output, cycles now)
{
	struct flights *f = &n->flights[output];

	do {
		struct packet *p = f->ring[f->head].packet;

		deliver_packet(n, output, p, network_flits(n, p), now);
		if (++f->head == f->port->capacity)
			f->head = 0;
		if (!--f->count) {
			input_set_remove(&n->flying, output);
			return SIM_NEVER;
		}
	} while (f->ring[f->head].arrival <= now);
	return n->first_arrival[output] = f->ring[f->head].arrival;
}

void network_deliver(struct network *n, cycles now)
{
	cycles next = SIM_NEVER;

	for_each_member(i, &n->flying)
	{
		cycles first = n->first_arrival[i];

		if (first <= now)
			first = deliver_from(n, i, now);
		next = first < next ? first : next;
	}
	n->next_arrival = next;
}

/* ---- building ---- */

static void connect_ports(struct network *n, struct port *const *in, struct port *const *out)
{
	n->in = xcalloc(n->inputs, sizeof(struct port *));
	n->flights = xcalloc(n->outputs, sizeof(*n->flights));
	n->first_arrival = xcalloc(n->outputs, sizeof(*n->first_arrival));
	for (uint32_t i = 0; i < n->inputs; i++) {
		n->in[i] = in[i];
		in[i]->consumer = &n->component;
		in[i]->arrived = &n->arrived[i];
		n->arrived[i] = 1;
	}
	for (uint32_t i = 0; i < n->outputs; i++) {
		n->flights[i] = (struct flights){ .port = out[i],
			.ring = xcalloc(out[i]->capacity, sizeof(struct flight)) };
		out[i]->producer = &n->component;
	}
}

struct network *network_new(struct simulator *sim, const struct network_config *config, uint32_t inputs,
	struct port *const *in, uint32_t outputs, struct port *const *out, struct stat_tree *stats,
	const char *group)
{
	struct network *n = policy_new_chosen(&network_interface, config->network, config->prototype);

	bug_if(!inputs || !outputs || inputs > NETWORK_MAX_PORTS || outputs > NETWORK_MAX_PORTS,
		"a network of %u inputs and %u outputs: 1 to %d each", inputs, outputs, NETWORK_MAX_PORTS);
	component_init(&n->component, sim, PHASE_XBAR, n->class->tick);
	n->config = *config;
	n->flit = divisor_of(config->flit);
	n->next_arrival = SIM_NEVER;
	n->inputs = inputs;
	n->outputs = outputs;
	n->cycles_per_ps = sim_mhz(sim, sim_phase_domain(PHASE_XBAR)) * 1e-6;
	connect_ports(n, in, out);
	if (stats)
		stat_register(stats, group, -1, network_stat_table, &n->stats, sizeof(n->stats));
	policy_start(&network_interface, n, stats, group, -1);
	return n;
}

void network_set_receiver(struct network *n, uint32_t output, network_receiver receiver)
{
	uint32_t places = n->flights[output].port->capacity;

	if (!n->ahead)
		n->ahead = xcalloc(n->outputs, sizeof(*n->ahead));
	n->ahead[output] =
		(struct ahead){ .receiver = receiver, .ring = xcalloc(places, sizeof(struct ahead_packet)) };
}

void network_free(struct network *n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < n->outputs; i++) {
		struct flights *f = &n->flights[i];

		for (; f->count; f->count--) {
			packet_free(f->ring[f->head].packet);
			if (++f->head == f->port->capacity)
				f->head = 0;
		}
		free(f->ring);
		if (n->ahead)
			free(n->ahead[i].ring);
	}
	free(n->ahead);
	free(n->flights);
	free(n->first_arrival);
	free(n->in);
	policy_free(n);
}

void network_account(struct network *n, cycles until)
{
	network_count_cycles(n, until);
	if (n->ahead)
		ahead_count(n, until);
	if (n->class->account)
		n->class->account(n, until);
}

picoseconds network_first_departure(const struct network *n, uint32_t input)
{
	struct clock clock = *sim_clock(n->component.sim, sim_phase_domain(PHASE_XBAR));

	clock_catch_up(&clock, sim_now(n->component.sim));
	if (n->class->first_departure)
		clock_jump(&clock, n->class->first_departure(n, input, clock.cycle));
	return clock.edge;
}

bool network_is_idle(const struct network *n)
{
	for (uint32_t i = 0; i < n->inputs; i++)
		if (!port_is_empty(n->in[i]))
			return false;
	return input_set_is_empty(&n->flying);
}

uint64_t network_sent(const struct network *n)
{
	return n->stats.packets;
}

void network_print_state(const struct network *n, FILE *stream)
{
	for (uint32_t i = 0; i < n->inputs; i++) {
		const struct packet *p = port_peek(n->in[i]);

		if (p)
			fprintf(stream, "  input %u: %u of %u packets; the head wants output %u\n", i,
				n->in[i]->count, n->in[i]->capacity, p->route);
	}
	for (uint32_t i = 0; i < n->outputs; i++) {
		const struct flights *f = &n->flights[i];

		if (f->count || f->port->was_full)
			fprintf(stream, "  output %u: %u packets on their way, %u of %u in its buffer%s\n", i,
				f->count, f->port->count, f->port->capacity,
				f->port->was_full ? "; waits for room there" : "");
	}
}
