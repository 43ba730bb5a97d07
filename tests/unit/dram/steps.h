/* tests/unit/dram/steps.h -- a channel with two inputs, and a list of requests with the times at which each
 * is pushed. */
#ifndef TEST_DRAM_STEPS_H
#define TEST_DRAM_STEPS_H

#include "rig.h"
#include <string.h>

#define PLACE(row, bank, column) ((addr)(row) << 16 | (addr)(bank) << 12 | (addr)(column))

/* What a step sends, and when. kind: H, a read of a mostly-hit warp; A, of an all-hit warp; L, of a balanced
 * one; W, a write; N, the notice that the L read of this line and column is to be high. All are of the 128
 * bytes numbered `column` in row line / 8 of bank line % 8. */
struct step {
	cycles at;
	char kind;
	uint32_t line, column;
};

/* Pushes each step into its port at its time, or as soon as there is room in it and the steps of its way
 * before it have gone. */
struct feeder {
	struct component component;
	struct rig *rig;
	const struct step *steps;
	bool sent[64];
	uint32_t left, count, refused;
};

static inline struct packet *packet_of(struct feeder *f, uint32_t i)
{
	struct packet *p = packet_new(&f->rig->pool);
	const struct step *s = &f->steps[i];

	p->kind = s->kind == 'W' ? PACKET_WRITE : s->kind == 'N' ? PACKET_RAISE : PACKET_READ;
	p->warp_type = s->kind == 'A'   ? WARP_ALL_HIT
		: strchr("HN", s->kind) ? WARP_MOSTLY_HIT
					: WARP_BALANCED;
	p->bytes = 128;
	p->local = PLACE(s->line / 8, s->line % 8, s->column * 128);
	p->is_internal = true;
	p->token = i;
	for (uint32_t j = 0; s->kind == 'N' && j < i; j++)
		if (f->steps[j].line == s->line && f->steps[j].column == s->column)
			p->token = j;
	p->stamp = sim_now(f->rig->sim);
	return p;
}

static inline void feed(struct component *self, cycles now)
{
	struct feeder *f = (struct feeder *)self;
	bool is_full[2] = { false, false };

	for (uint32_t i = 0; i < f->count; i++) {
		struct packet *p;
		struct port *port;
		uint32_t input;

		if (f->sent[i] || f->steps[i].at > now)
			continue;
		p = packet_of(f, i);
		port = rig_port(f->rig, p);
		input = port == &f->rig->in_last;
		if (is_full[input] || !port_room(port)) {
			f->refused += !is_full[input];
			is_full[input] = true;
			packet_free(p);
			continue;
		}
		port_push(port, p);
		f->sent[i] = true;
		f->left--;
	}
	component_sleep(self);
	if (f->left)
		component_wake_at(self, now + 1);
}

static inline bool nothing(struct rig *rig, struct packet *p)
{
	return false;
}

/* Runs the steps; the feeder says how often a port was full. */
static inline void play(struct rig *rig, struct feeder *f, const struct dram_config *config,
	struct dram_sched *scheduler, const struct step *steps, uint32_t count)
{
	uint32_t notices = 0;

	rig_init_with(rig, config, scheduler, nothing, 0);
	*f = (struct feeder){ .rig = rig, .steps = steps, .count = count, .left = count };
	component_init(&f->component, rig->sim, PHASE_L2, feed);
	component_wake(&f->component);
	rig_run(rig);
	cr_assert_eq(f->left, 0);
	for (uint32_t i = 0; i < count; i++)
		notices += steps[i].kind == 'N';
	cr_assert_eq(rig_stat(rig, "reads") + rig_stat(rig, "writes") + notices, count);
}

static inline struct dram_config config_apart(void)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	return config;
}

/* The place of a token among the replies. */
static inline uint32_t place_of(const struct rig *rig, uint32_t token)
{
	uint32_t i = 0;

	while (i < rig->replies && rig->reply_token[i] != token)
		i++;
	return i;
}

/* Both inputs by turns on few lines and with queues of one: whoever waits for whom, all leave. */
static inline bool steps_few_lines(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->kind = r & 1 ? PACKET_WRITE : PACKET_READ;
	p->warp_type = r & 2 ? WARP_MOSTLY_HIT : WARP_BALANCED;
	p->bytes = (uint16_t)(32 << (r >> 2) % 3);
	p->local = PLACE(r >> 8 & 3, r >> 16 & 3, (r >> 24 & 1) * 128);
	p->local += (r >> 32) % (128u / p->bytes) * p->bytes;
	return true;
}

#endif
