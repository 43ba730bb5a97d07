/* tests/unit/dram/rig.h -- a channel alone: a source that keeps its queue fed, a sink that takes replies at
 * once. */
#ifndef TEST_DRAM_RIG_H
#define TEST_DRAM_RIG_H

#include "dram/channel.h"
#include "dram/sched/sched.h"
#include "sim/event/event_kernel.h"
#include "sim/event/packet.h"
#include <criterion/criterion.h>

struct rig {
	struct component source, sink; /* in PHASE_L2, at the DRAM's clock */
	struct simulator *sim;
	struct packet_pool pool;
	struct port in, in_last, out; /* in_last: the second input, if the scheduler has two */
	struct dram_channel *channel;
	struct dram_sched *scheduler; /* prototype */
	struct stat_tree *stats;
	/* what the source sends: filled by next(), false: nothing more */
	bool (*next)(struct rig *rig, struct packet *p);
	uint64_t sent, limit, replies, seed;
	uint32_t sink_every;      /* the sink takes one reply every so many cycles; 0: all at once */
	cycles sink_next;         /* not before */
	uint32_t reply_token[64]; /* tokens of the first replies, in order */
	cycles reply_cycle[64];
	cycles last_cycle;    /* of the last reply */
	uint32_t watched;     /* a token */
	cycles watched_cycle; /* its reply's */
};

/* The defaults of the table (U32, BOOL, ENUM and STRING are what it has), the checker on and refresh off. */
static inline struct dram_config rig_config(void)
{
	struct dram_config config = { 0 };

	for (const struct sim_param *p = dram_params; p->type != SIM_PARAM_END; p++) {
		void *field = (char *)&config + p->offset;

		if (p->type == SIM_PARAM_STRING)
			*(const char **)field = p->text;
		else if (p->type == SIM_PARAM_BOOL)
			*(bool *)field = p->number != 0;
		else
			*(uint32_t *)field = (uint32_t)p->number;
	}
	config.row_bytes = 4096; /* two GDDR5 devices side by side, as the tests work with */
	config.bus_bytes = 8;
	config.check = true;
	config.tREFI = 0;
	config.latency = 0;
	return config;
}

/* A prototype of the scheduler with parameters set, as in "policy=fcfs" or "fr_fcfs.age_cap=500", with spaces
 * between several; "": none. */
static inline struct dram_sched *rig_scheduler(const char *settings)
{
	struct config *config = config_new();
	struct diag_list diags;
	struct dram_sched *scheduler;
	char text[128];

	diag_init(&diags);
	for (const char *s = settings; *s; s += strcspn(s, " "), s += *s == ' ') {
		snprintf(text, sizeof(text), "dram.scheduler.%.*s", (int)strcspn(s, " "), s);
		cr_assert(config_set(config, text, &diags), "%s", text);
	}
	scheduler = policy_read(&dram_sched_interface, config, "dram.scheduler", &diags);
	config_check_unknown(config, &diags);
	diag_print(&diags, stderr);
	cr_assert(!diags.errors);
	diag_fini(&diags);
	config_free(config);
	return scheduler;
}

/* The port of the input that the scheduler chooses, as an L2 slice does. */
static inline struct port *rig_port(struct rig *rig, const struct packet *p)
{
	const struct dram_sched *s = rig->scheduler;

	if (dram_sched_inputs(s) == 1)
		return &rig->in;
	return p->kind == PACKET_WRITE || s->class->input(s, p) ? &rig->in_last : &rig->in;
}

static inline void rig_source_tick(struct component *self, cycles now)
{
	struct rig *rig = (struct rig *)((char *)self - offsetof(struct rig, source));

	while (rig->sent < rig->limit && port_room(&rig->in) && port_room(&rig->in_last)) {
		struct packet *p = packet_new(&rig->pool);

		p->bytes = 128;
		p->token = (uint32_t)rig->sent;
		p->stamp = sim_now(rig->sim);
		if (!rig->next(rig, p)) {
			packet_free(p);
			rig->limit = rig->sent;
			break;
		}
		rig->sent++;
		port_push(rig_port(rig, p), p);
	}
	component_sleep(self);
}

static inline void rig_sink_tick(struct component *self, cycles now)
{
	struct rig *rig = (struct rig *)((char *)self - offsetof(struct rig, sink));

	while (now >= rig->sink_next && port_peek(&rig->out)) {
		struct packet *p = port_pop(&rig->out);

		if (rig->replies < 64) {
			rig->reply_token[rig->replies] = p->token;
			rig->reply_cycle[rig->replies] = now;
		}
		cr_assert(p->is_reply);
		rig->last_cycle = now;
		if (p->token == rig->watched)
			rig->watched_cycle = now;
		rig->replies++;
		packet_free(p);
		rig->sink_next = now + rig->sink_every;
	}
	component_sleep(self);
	if (!port_is_empty(&rig->out))
		component_wake_at(self, rig->sink_next);
}

/* scheduler: a prototype, which the rig frees. */
static inline void rig_init_with(struct rig *rig, const struct dram_config *config,
	struct dram_sched *scheduler, bool (*next)(struct rig *, struct packet *), uint64_t limit)
{
	const uint64_t khz[CLOCK_COUNT] = { 924000, 924000, 924000, 924000 };

	*rig = (struct rig){ .next = next, .limit = limit, .seed = 12345 };
	rig->sim = sim_new(khz);
	rig->stats = stat_tree_new();
	packet_pool_init(&rig->pool);
	component_init(&rig->source, rig->sim, PHASE_L2, rig_source_tick);
	component_init(&rig->sink, rig->sim, PHASE_L2, rig_sink_tick);
	port_init(&rig->in, 8, &rig->source, NULL);
	port_init(&rig->in_last, 8, &rig->source, NULL);
	port_init(&rig->out, 8, NULL, &rig->sink);
	rig->scheduler = scheduler;
	rig->channel = dram_new(rig->sim, config, scheduler, 0, (struct port *[]){ &rig->in, &rig->in_last },
		&rig->out, rig->stats);
	component_wake(&rig->source);
}

static inline void rig_init(struct rig *rig, const struct dram_config *config,
	bool (*next)(struct rig *, struct packet *), uint64_t limit)
{
	rig_init_with(rig, config, rig_scheduler(""), next, limit);
}

/* Runs until nothing can happen any more. */
static inline void rig_run(struct rig *rig)
{
	bool stop = false;

	cr_assert(!sim_run(rig->sim, &stop, SIM_NEVER));
	cr_assert(dram_is_idle(rig->channel));
	cr_assert_eq(rig->pool.live, 0, "%llu packets are still out", (unsigned long long)rig->pool.live);
}

static inline uint64_t rig_stat(const struct rig *rig, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "dram.%s", name);
	return (uint64_t)stat_value(rig->stats, NULL, path);
}

static inline void rig_fini(struct rig *rig)
{
	stat_tree_free(rig->stats);
	dram_free(rig->channel);
	policy_prototype_free(rig->scheduler);
	port_fini(&rig->in);
	port_fini(&rig->in_last);
	port_fini(&rig->out);
	packet_pool_fini(&rig->pool);
	sim_free(rig->sim);
}

/* xorshift64*: the same numbers everywhere. */
static inline uint64_t rig_random(struct rig *rig)
{
	rig->seed ^= rig->seed >> 12;
	rig->seed ^= rig->seed << 25;
	rig->seed ^= rig->seed >> 27;
	return rig->seed * UINT64_C(2685821657736338717);
}

#endif
