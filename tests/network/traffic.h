/* tests/network/traffic.h -- a network alone under uniform random traffic, open loop.
 *
 * Each input has a source with a queue without limit before the network's input buffer. In each cycle a
 * packet is born there with the same probability (Bernoulli), for an output drawn evenly; whatever arrives is
 * taken at once. Latency counts from birth. All figures are of the measured cycles, which follow a warm-up;
 * their standard errors are those of the means of TRAFFIC_BATCHES stretches of equal length. */
#ifndef TESTS_NETWORK_TRAFFIC_H
#define TESTS_NETWORK_TRAFFIC_H

#include "interconnect/network.h"
#include <math.h>
#include <stdlib.h>

#define TRAFFIC_BATCHES 25
#define TRAFFIC_PORTS   256

struct traffic_config {
	struct network_config network;
	uint32_t ports;        /* inputs, and as many outputs */
	uint32_t buffer;       /* packets that an input's buffer holds */
	uint32_t flits;        /* of each packet */
	double load;           /* flits born per input and cycle */
	cycles warm_up, batch; /* cycles before measuring, and of each batch */
	uint64_t seed;
};

struct traffic_figure {
	double mean, error; /* standard error of the mean */
};

struct traffic_result {
	struct traffic_figure throughput; /* flits that arrived per output and cycle */
	struct traffic_figure latency;    /* cycles */
	uint64_t flits_sent, flits_arrived, flits_counted_in, flits_counted_out; /* all cycles; once all had
										    arrived */
	uint64_t overtakings; /* packets of one input and output out of order: must be 0 */
};

struct traffic {
	struct component source, sink;
	struct traffic_config config;
	struct simulator *sim;
	struct packet_pool pool;
	struct port in[TRAFFIC_PORTS], out[TRAFFIC_PORTS];
	struct stat_tree *stats;
	struct network *network;
	uint64_t random;
	cycles birth[TRAFFIC_PORTS]; /* of the next packet of each source */
	cycles end;                  /* no packet is born from here on */
	uint64_t sent, arrived, overtakings;
	uint32_t last[TRAFFIC_PORTS][TRAFFIC_PORTS];
	double batch_packets[TRAFFIC_BATCHES], batch_latency[TRAFFIC_BATCHES];
};

static inline uint64_t traffic_random(struct traffic *t)
{
	t->random ^= t->random >> 12;
	t->random ^= t->random << 25;
	t->random ^= t->random >> 27;
	return t->random * UINT64_C(2685821657736338717) >> 11;
}

/* Cycles from one birth to the next: geometric. */
static inline cycles traffic_gap(struct traffic *t)
{
	double p = t->config.load / t->config.flits, u = ((double)traffic_random(t) + 1) * 0x1p-53;

	return p >= 1 ? 1 : 1 + (cycles)(log(u) / log1p(-p));
}

static inline void traffic_send(struct traffic *t, uint32_t i)
{
	struct packet *p = packet_new(&t->pool);

	p->by.sm = (uint16_t)i;
	p->route = (uint16_t)(traffic_random(t) % t->config.ports);
	p->wire_bytes = (uint16_t)(t->config.flits * t->config.network.flit);
	p->token = (uint32_t)++t->sent;
	p->sent = t->birth[i]; /* in cycles here */
	p->stamp = sim_now(t->sim);
	port_push(&t->in[i], p);
	t->birth[i] += traffic_gap(t);
}

static inline void traffic_source_tick(struct component *self, cycles now)
{
	struct traffic *t = (struct traffic *)((char *)self - offsetof(struct traffic, source));

	for (uint32_t i = 0; i < t->config.ports; i++)
		while (t->birth[i] <= now && now < t->end && port_room(&t->in[i]))
			traffic_send(t, i);
	if (now >= t->end)
		component_sleep(self);
}

static inline void traffic_arrival(struct traffic *t, const struct packet *p, uint32_t output, cycles now)
{
	uint64_t batch = (now - t->config.warm_up) / t->config.batch;

	t->arrived++;
	t->overtakings += p->route != output || p->token <= t->last[p->by.sm][output];
	t->last[p->by.sm][output] = p->token;
	if (now < t->config.warm_up || batch >= TRAFFIC_BATCHES)
		return;
	t->batch_packets[batch]++;
	t->batch_latency[batch] += (double)(now - p->sent);
}

static inline void traffic_sink_tick(struct component *self, cycles now)
{
	struct traffic *t = (struct traffic *)((char *)self - offsetof(struct traffic, sink));

	for (uint32_t i = 0; i < t->config.ports; i++)
		while (!port_is_empty(&t->out[i])) {
			struct packet *p = port_pop(&t->out[i]);

			traffic_arrival(t, p, i, now);
			packet_free(p);
		}
	component_sleep(self);
}

static inline struct traffic_figure traffic_figure(const double *value)
{
	struct traffic_figure f = { 0 };

	for (int i = 0; i < TRAFFIC_BATCHES; i++)
		f.mean += value[i] / TRAFFIC_BATCHES;
	for (int i = 0; i < TRAFFIC_BATCHES; i++)
		f.error += (value[i] - f.mean) * (value[i] - f.mean);
	f.error = sqrt(f.error / (TRAFFIC_BATCHES - 1) / TRAFFIC_BATCHES);
	return f;
}

static inline struct traffic *traffic_new(const struct traffic_config *config)
{
	static const uint64_t khz[CLOCK_COUNT] = { 1000000, 1000000, 1000000, 1000000 };
	struct traffic *t = calloc(1, sizeof(*t));
	struct port *in[TRAFFIC_PORTS], *out[TRAFFIC_PORTS];

	t->config = *config;
	t->random = config->seed * 2 + 1;
	t->sim = sim_new(khz);
	t->stats = stat_tree_new();
	t->end = config->warm_up + TRAFFIC_BATCHES * config->batch;
	packet_pool_init(&t->pool);
	component_init(&t->source, t->sim, PHASE_SM, traffic_source_tick);
	component_init(&t->sink, t->sim, PHASE_L2, traffic_sink_tick);
	for (uint32_t i = 0; i < config->ports; i++) {
		/* an output's buffer takes what can be under way at once, so that it is never full */
		port_init(in[i] = &t->in[i], config->buffer, NULL, NULL);
		port_init(out[i] = &t->out[i], config->network.latency + 2 + config->ports, NULL, &t->sink);
		t->birth[i] = traffic_gap(t) - 1;
	}
	t->network = network_new(
		t->sim, &config->network, config->ports, in, config->ports, out, t->stats, "xbar");
	component_wake(&t->source);
	return t;
}

static inline void traffic_free(struct traffic *t)
{
	stat_tree_free(t->stats);
	network_free(t->network);
	for (uint32_t i = 0; i < t->config.ports; i++) {
		port_fini(&t->in[i]);
		port_fini(&t->out[i]);
	}
	packet_pool_fini(&t->pool);
	sim_free(t->sim);
	free(t);
}

/* Runs it all, until the last packet has arrived. */
static inline struct traffic_result traffic_run(const struct traffic_config *config)
{
	struct traffic *t = traffic_new(config);
	struct traffic_result r = { 0 };
	double throughput[TRAFFIC_BATCHES], latency[TRAFFIC_BATCHES];
	bool stop = false;

	sim_run(t->sim, &stop, SIM_NEVER);
	for (int i = 0; i < TRAFFIC_BATCHES; i++) {
		throughput[i] = t->batch_packets[i] * config->flits / (double)(config->ports * config->batch);
		latency[i] = t->batch_latency[i] / t->batch_packets[i];
	}
	r.throughput = traffic_figure(throughput);
	r.latency = traffic_figure(latency);
	r.flits_sent = t->sent * config->flits;
	r.flits_arrived = t->arrived * config->flits;
	r.flits_counted_in = (uint64_t)stat_value(t->stats, NULL, "xbar.flits");
	r.flits_counted_out = (uint64_t)stat_value(t->stats, NULL, "xbar.flits_delivered");
	r.overtakings = t->overtakings;
	traffic_free(t);
	return r;
}

#endif
