/* tests/unit/interconnect/xbar_rig.h -- what test_xbar.c and test_xbar_queues.c share. */
#ifndef XBAR_RIG_H
#define XBAR_RIG_H

#include "tests/unit/sim/kernel_state.h"
#include "interconnect/arbiter.h"
#include "interconnect/network.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#define PORTS 256

struct rig {
	struct component source, sink; /* in PHASE_SM and PHASE_L2, at the crossbar's clock */
	struct simulator *sim;
	struct packet_pool pool;
	struct port in[PORTS], out[PORTS];
	uint32_t inputs, outputs;
	struct stat_tree *stats;
	struct network *xbar;
	void (*feed)(struct rig *); /* each time that there may be room; NULL: the test pushes by hand */
	bool is_sinking;
	uint32_t sink_every; /* cycles between visits of the sink */
	uint64_t seed, sent, limit, received, received_from[PORTS];
	cycles last_cycle;
	struct {
		uint32_t count;         /* packets in the input's port, when it was looked at last */
		picoseconds not_before; /* none of them leaves before */
	} watched[PORTS];
	picoseconds last_watch;
	uint64_t held;                     /* how often packets could not leave at once */
	uint32_t last_token[PORTS][PORTS]; /* by source and output: order within a pair is kept */
};

static inline void source_tick(struct component *self, cycles now)
{
	struct rig *r = (struct rig *)((char *)self - offsetof(struct rig, source));

	component_sleep(self);
	if (r->feed)
		r->feed(r);
}

static inline void sink_tick(struct component *self, cycles now)
{
	struct rig *r = (struct rig *)((char *)self - offsetof(struct rig, sink));
	bool is_left = false;

	for (uint32_t i = 0; i < r->outputs && r->is_sinking; i++) {
		struct packet *p = port_peek(&r->out[i]);

		if (!p)
			continue;
		port_pop(&r->out[i]);
		cr_assert_eq(p->route, i);
		cr_assert_gt(p->token, r->last_token[p->by.sm][i], "packets of a pair overtook each other");
		r->last_token[p->by.sm][i] = p->token;
		r->received++;
		r->received_from[p->by.sm]++;
		r->last_cycle = now;
		packet_free(p);
		is_left |= !port_is_empty(&r->out[i]);
	}
	component_sleep(self);
	if (is_left)
		component_wake_at(self, now + r->sink_every);
}

/* A crossbar, and the room of the ports at its ends. */
struct rig_config {
	struct network_config xbar;
	uint32_t buffer;
};

static inline struct rig_config config_of(uint32_t latency, uint32_t buffer)
{
	return (struct rig_config){ { .flit = 32, .latency = latency }, buffer };
}

static inline struct rig *rig_new(struct rig_config config, uint32_t inputs, uint32_t outputs)
{
	static const uint64_t khz[CLOCK_COUNT] = { 1400000, 1400000, 1400000, 1400000 };
	struct rig *r = calloc(1, sizeof(*r));
	struct port *in[PORTS], *out[PORTS];

	r->sim = sim_new(khz);
	r->stats = stat_tree_new();
	r->inputs = inputs;
	r->outputs = outputs;
	r->is_sinking = true;
	r->sink_every = 1;
	r->seed = 99;
	packet_pool_init(&r->pool);
	component_init(&r->source, r->sim, PHASE_SM, source_tick);
	component_init(&r->sink, r->sim, PHASE_L2, sink_tick);
	for (uint32_t i = 0; i < inputs; i++)
		port_init(in[i] = &r->in[i], config.buffer, &r->source, NULL);
	for (uint32_t i = 0; i < outputs; i++)
		port_init(out[i] = &r->out[i], config.buffer, NULL, &r->sink);
	r->xbar = network_new(r->sim, &config.xbar, inputs, in, outputs, out, r->stats, "xbar");
	return r;
}

static inline void rig_free(struct rig *r)
{
	stat_tree_free(r->stats);
	network_free(r->xbar);
	for (uint32_t i = 0; i < r->inputs; i++)
		port_fini(&r->in[i]);
	for (uint32_t i = 0; i < r->outputs; i++)
		port_fini(&r->out[i]);
	cr_assert_eq(r->pool.live, 0);
	packet_pool_fini(&r->pool);
	sim_free(r->sim);
	free(r);
}

static inline void push(struct rig *r, uint32_t input, uint32_t output, uint32_t bytes)
{
	struct packet *p = packet_new(&r->pool);

	p->by.sm = (uint16_t)input;
	p->route = (uint16_t)output;
	p->wire_bytes = (uint16_t)bytes;
	p->token = (uint32_t)++r->sent;
	p->stamp = p->sent = sim_now(r->sim);
	port_push(&r->in[input], p);
}

/* Runs all cycles up to and including this one; time is then just before the next. */
static inline void run_through(struct rig *r, cycles cycle)
{
	picoseconds end = (cycle + 1) * 1000000000 / 1400000;
	bool stop = false;

	sim_run(r->sim, &stop, end);
	sim_skip_to(r->sim, end - 1);
}

static inline uint64_t stat(const struct rig *r, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "xbar.%s", name);
	return (uint64_t)stat_value(r->stats, NULL, path);
}

static inline void feed_output_0(struct rig *r)
{
	for (uint32_t i = 0; i < r->inputs; i++)
		while (r->sent < r->limit && port_room(&r->in[i]))
			push(r, i, 0, 8 + 128);
}

#endif
