/* dram/channel.c -- one DRAM channel: from the slice's requests to commands, data and replies.
 *
 *   in -> pipe (fixed latency) -> queue -> scheduler -> command bus -> data bus -> replies -> out
 *
 * At most one request enters, one joins the queue and one command issues a cycle. A read's reply is due when its last burst
 * has crossed the data bus; its place among the replies is taken when its last RD issues. A write ends with its last WR.
 * Refresh: every tREFI all banks are precharged and refreshed; a due refresh goes before everything else.
 *
 * An idle channel sleeps through its refreshes and makes up for them, at the times at which they would have been, when
 * something next arrives: rows are closed then, and the last refresh may still be running.
 *
 * Departures from hardware: refreshes are never postponed or hidden (JEDEC allows a few); no power-down; the bytes of a
 * write do not matter (masked writes cost the same); the two devices of a channel act as one. */
#include "dram/bank.h"
#include "dram/checker.h"
#include "dram/map.h"
#include "dram/queue.h"
#include "dram/ring.h"
#include "dram/sched/sched.h"
#include "sim/xalloc.h"
#include <stdio.h>

struct dram_stats {
	uint64_t reads, writes, bytes;
	uint64_t row_hits, row_misses, row_conflicts;
	uint64_t activates, precharges, refreshes, read_bursts, write_bursts;
	uint64_t data_bus_cycles, work_cycles, queue_full_cycles;
	struct sim_histogram read_latency, write_latency;
};

struct dram_channel {
	struct component component;     /* first: ticks get it */
	/* wiring and parameters */
	struct dram_config config;
	struct dram_map map;
	uint16_t number;
	struct port *in, *out;
	double cycles_per_ps;
	picoseconds pads_time;          /* config.latency */
	/* state */
	struct ring pipe;               /* requests on their way to the queue; when: they may join it */
	struct ring replies;            /* when: the last data have come */
	struct dram_device device;
	struct dram_queue queue;
	struct dram_sched *sched;
	struct dram_checker *checker;   /* NULL: not asked for */
	cycles next_refresh;            /* due; SIM_NEVER: no refresh */
	cycles next_command;            /* the command bus is free from here on */
	cycles last_tick;
	cycles full_from;               /* the pipe's head waits for the queue from here on; SIM_NEVER: it does not */
	bool had_work;                  /* at the end of the last tick */
	struct dram_stats stats;
};

static double row_hit_rate(const void *object)
{
	const struct dram_stats *s = object;
	uint64_t all = s->row_hits + s->row_misses + s->row_conflicts;

	return all ? (double)s->row_hits / (double)all : 0;
}

static double utilisation(const void *object)
{
	const struct dram_stats *s = object;

	return s->work_cycles ? (double)s->data_bus_cycles / (double)s->work_cycles : 0;
}

static const struct sim_stat dram_stats_table[] = {
	SIM_COUNT(struct dram_stats, reads, "requests", "reads whose data have been read"),
	SIM_COUNT(struct dram_stats, writes, "requests", "writes whose data have been sent"),
	SIM_COUNT(struct dram_stats, bytes, "bytes", "asked for by these reads and writes"),
	SIM_COUNT(struct dram_stats, row_hits, "requests", "found their row open"),
	SIM_COUNT(struct dram_stats, row_misses, "requests", "found their bank precharged"),
	SIM_COUNT(struct dram_stats, row_conflicts, "requests", "found another row open"),
	SIM_COUNT(struct dram_stats, activates, "commands", "ACT"),
	SIM_COUNT(struct dram_stats, precharges, "commands", "PRE"),
	SIM_COUNT(struct dram_stats, refreshes, "commands", "REF, all banks"),
	SIM_COUNT(struct dram_stats, read_bursts, "commands", "RD"),
	SIM_COUNT(struct dram_stats, write_bursts, "commands", "WR"),
	SIM_COUNT(struct dram_stats, data_bus_cycles, "cycles", "the data bus moved data"),
	SIM_COUNT(struct dram_stats, work_cycles, "cycles", "any request was inside"),
	SIM_COUNT(struct dram_stats, queue_full_cycles, "cycles", "a request waited because the queue was full"),
	SIM_HIST(struct dram_stats, read_latency, "cycles", "of reads, from the slice's queue to the reply"),
	SIM_HIST(struct dram_stats, write_latency, "cycles", "of writes, from the slice's queue to the last WR"),
	SIM_FORMULA("row_hit_rate", row_hit_rate, "ratio", "requests that found their row open"),
	SIM_FORMULA("utilisation", utilisation, "ratio", "data-bus cycles used of those with a request inside"),
	SIM_STAT_END
};

static cycles earlier(cycles a, cycles b)
{
	return a < b ? a : b;
}

static cycles later(cycles a, cycles b)
{
	return a > b ? a : b;
}

static uint64_t age_of(const struct dram_channel *c, const struct packet *p)
{
	return (uint64_t)((double)(sim_now(c->component.sim) - p->stamp) * c->cycles_per_ps + 0.5);
}

static void issue(struct dram_channel *c, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	uint64_t *counters[] = { &c->stats.activates, &c->stats.precharges, &c->stats.read_bursts,
		&c->stats.write_bursts, &c->stats.refreshes };
	const char *broken = c->checker ? dram_checker_command(c->checker, command, bank, row, now) : NULL;

	bug_if(broken, "dram[%u], cycle %llu: %s to bank %u, row %llu breaks %s", c->number, (unsigned long long)now,
		dram_command_names[command], bank, (unsigned long long)row, broken);
	++*counters[command];
	dram_device_issue(&c->device, command, bank, row, now);
	if (command == DRAM_ACT || command == DRAM_PRE)
		dram_queue_row_changed(&c->queue, bank);
	c->next_command = now + 1;
}

/* The next step of a refresh that is due: close an open bank (the one that can go first), or refresh. */
static struct dram_choice refresh_step(const struct dram_channel *c, uint32_t *bank)
{
	struct dram_choice step = { .command = DRAM_PRE, .ready = SIM_NEVER };

	*bank = 0;
	if (!c->device.open_banks) {
		step.command = DRAM_REF;
		step.ready = dram_ready_at(&c->device, DRAM_REF, 0);
	}
	for (uint64_t open = c->device.open_banks; open; open &= open - 1) {
		uint32_t b = (uint32_t)__builtin_ctzll(open);
		cycles ready = dram_ready_at(&c->device, DRAM_PRE, b);

		if (ready < step.ready) {
			step.ready = ready;
			*bank = b;
		}
	}
	step.ready = later(step.ready, later(c->next_command, c->next_refresh));
	return step;
}

static void issue_refresh_step(struct dram_channel *c, enum dram_command command, uint32_t bank, cycles when)
{
	issue(c, command, bank, 0, when);
	if (command == DRAM_REF)
		c->next_refresh += c->config.tREFI;
}

/* The refreshes slept through while idle. With all banks closed all but the last are only counted. */
static void catch_up_refresh(struct dram_channel *c, cycles now)
{
	while (c->next_refresh < now) {
		uint64_t missed = (now - 1 - c->next_refresh) / c->config.tREFI;
		uint32_t bank;
		struct dram_choice step;

		if (!c->device.open_banks) {
			c->stats.refreshes += missed;
			c->next_refresh += missed * c->config.tREFI;
		}
		step = refresh_step(c, &bank);
		if (step.ready >= now)
			return;
		issue_refresh_step(c, step.command, bank, step.ready);
	}
}

static void count_outcome(struct dram_channel *c, struct dram_request *r, enum dram_command command)
{
	if (r->outcome != DRAM_UNTOUCHED)
		return;
	packet_stamp(r->packet, AT_DRAM_COMMAND, sim_now(c->component.sim));
	if (command == DRAM_ACT) {
		r->outcome = DRAM_MISS;
		c->stats.row_misses++;
	} else if (command == DRAM_PRE) {
		r->outcome = DRAM_CONFLICT;
		c->stats.row_conflicts++;
	} else {
		r->outcome = DRAM_HIT;
		c->stats.row_hits++;
	}
}

/* The last column command of the request has issued. */
static void finish(struct dram_channel *c, struct dram_request *r, cycles now)
{
	struct packet *p = r->packet;

	c->stats.bytes += p->bytes;
	dram_queue_remove(&c->queue, r);
	if (p->kind == PACKET_WRITE) {
		c->stats.writes++;
		sim_hist_add(&c->stats.write_latency, age_of(c, p));
		packet_free(p);
		return;
	}
	c->stats.reads++;
	ring_push(&c->replies, p, now + c->config.tCL + c->device.timing.burst);
}

static void issue_for(struct dram_channel *c, const struct dram_choice *choice, cycles now)
{
	struct dram_request *r = choice->request;

	count_outcome(c, r, choice->command);
	issue(c, choice->command, r->bank, r->row, now);
	if (choice->command != DRAM_RD && choice->command != DRAM_WR)
		return;
	c->stats.data_bus_cycles += c->device.timing.burst;
	if (!--r->bursts)
		finish(c, r, now);
}

/* Closed-row policy: the bank that nobody waits for and that can be precharged first. */
static struct dram_choice close_step(const struct dram_channel *c, uint32_t *bank)
{
	uint64_t idle = c->device.open_banks & ~c->queue.hits[DRAM_READS] & ~c->queue.hits[DRAM_WRITES];
	struct dram_choice step = { .command = DRAM_PRE, .ready = SIM_NEVER };

	for (; idle; idle &= idle - 1) {
		uint32_t b = (uint32_t)__builtin_ctzll(idle);
		cycles ready = dram_ready_at(&c->device, DRAM_PRE, b);

		if (ready < step.ready) {
			step.ready = ready;
			*bank = b;
		}
	}
	return step;
}

/* Issues at most one command; the earliest cycle at which there may be another. */
static cycles command(struct dram_channel *c, cycles now)
{
	bool waiting = c->queue.oldest || c->pipe.count;
	struct dram_choice choice;
	uint32_t bank = 0;
	cycles next;

	if (waiting && c->next_refresh <= now) {
		choice = refresh_step(c, &bank);
		if (choice.ready > now)
			return choice.ready;
		issue_refresh_step(c, choice.command, bank, now);
		return now + 1;
	}
	c->queue.reply_room = c->replies.count < c->replies.capacity;
	choice = c->sched->class->choose(c->sched, &c->queue, now);
	if (choice.request && choice.ready <= now) {
		issue_for(c, &choice, now);
		return now + 1;
	}
	next = waiting ? earlier(choice.ready, c->next_refresh) : choice.ready;
	if (c->config.row_policy) {
		choice = close_step(c, &bank);
		if (choice.ready <= now) {
			issue(c, DRAM_PRE, bank, 0, now);
			return now + 1;
		}
		next = earlier(next, choice.ready);
	}
	return next;
}

/* Replies whose data have come, as far as there is room; when the next is due. */
static cycles reply(struct dram_channel *c, cycles now)
{
	while (c->replies.count && c->replies.entry[c->replies.head].when <= now) {
		struct packet *p;

		if (!port_room(c->out))
			return SIM_NEVER;
		p = ring_pop(&c->replies);
		sim_hist_add(&c->stats.read_latency, age_of(c, p));
		p->is_reply = true;
		p->stamp = sim_now(c->component.sim);
		packet_stamp(p, AT_DRAM_DATA, p->stamp);
		port_push(c->out, p);
	}
	return c->replies.count ? c->replies.entry[c->replies.head].when : SIM_NEVER;
}

static void enqueue(struct dram_channel *c, struct packet *p, cycles now)
{
	struct dram_place place = dram_map_place(&c->map, p->local);
	uint32_t burst = c->device.timing.burst_bytes, last = place.column + p->bytes - 1;

	bug_if(p->kind != PACKET_READ && p->kind != PACKET_WRITE, "dram[%u]: packet of kind %u", c->number, p->kind);
	bug_if(!p->bytes || p->local % 128 + p->bytes > 128, "dram[%u]: %u bytes at %llx leave their 128", c->number,
		p->bytes, (unsigned long long)p->local);
	dram_queue_add(&c->queue, p, place, last / burst - place.column / burst + 1, now);
}

/* Moves a request from the port into the pipe and one from the pipe into the queue; when there is more to do. */
static cycles accept(struct dram_channel *c, cycles now)
{
	cycles next = SIM_NEVER;
	bool ready;

	c->full_from = SIM_NEVER;
	if (!port_is_empty(c->in) && c->pipe.count < c->pipe.capacity) {
		packet_stamp(port_peek(c->in), AT_DRAM_TAKEN, sim_now(c->component.sim));
		packet_stamp(port_peek(c->in), AT_DRAM_QUEUED, sim_now(c->component.sim) + c->pads_time);
		ring_push(&c->pipe, port_pop(c->in), now + c->config.latency);
	}
	ready = c->pipe.count && c->pipe.entry[c->pipe.head].when <= now;
	if (ready && dram_queue_room(&c->queue))
		enqueue(c, ring_pop(&c->pipe), now);
	if (c->pipe.count && dram_queue_room(&c->queue))
		next = c->pipe.entry[c->pipe.head].when;
	else if (c->pipe.count)         /* what waits waits for a command to end a request: no time to wake at */
		c->full_from = later(now, c->pipe.entry[c->pipe.head].when);
	if (!port_is_empty(c->in) && c->pipe.count < c->pipe.capacity)
		next = now + 1;
	return next;
}

void dram_settle(struct dram_channel *c, cycles until)
{
	if (until <= c->last_tick)
		return;
	if (c->had_work)
		c->stats.work_cycles += until - c->last_tick;
	c->last_tick = until;
	if (c->full_from >= until)
		return;
	c->stats.queue_full_cycles += until - c->full_from;
	c->full_from = until;
}

static void dram_tick(struct component *self, cycles now)
{
	struct dram_channel *c = (struct dram_channel *)self;
	cycles next;

	dram_settle(c, now);
	catch_up_refresh(c, now);
	next = reply(c, now);
	next = earlier(next, accept(c, now));
	next = earlier(next, command(c, now));
	c->had_work = !dram_is_idle(c);
	if (next <= now + 1)
		return;
	component_sleep(self);
	component_wake_at(self, next);
}

struct dram_channel *dram_new(struct simulator *sim, const struct dram_config *config, uint16_t number, struct port *in,
	struct port *out, struct stat_tree *stats)
{
	struct dram_channel *c = xcalloc(1, sizeof(*c));
	char message[256];

	bug_if(!dram_config_check(config, message, sizeof(message)), "dram[%u]: %s", number, message);
	component_init(&c->component, sim, PHASE_DRAM, dram_tick);
	c->config = *config;
	dram_map_init(&c->map, config, message, sizeof(message));
	c->number = number;
	c->in = in;
	c->out = out;
	in->consumer = &c->component;
	out->producer = &c->component;
	c->cycles_per_ps = sim_mhz(sim, sim_phase_domain(PHASE_DRAM)) * 1e-6;
	c->pads_time = (picoseconds)(config->latency / c->cycles_per_ps);
	ring_init(&c->pipe, config->latency + 1);
	ring_init(&c->replies, config->reply_queue);
	dram_device_init(&c->device, config);
	dram_queue_init(&c->queue, config->queue, &c->device);
	c->sched = dram_sched_new(config->scheduler, &c->config);
	if (config->check)
		c->checker = dram_checker_new(config);
	c->next_refresh = config->tREFI ? config->tREFI : SIM_NEVER;
	c->full_from = SIM_NEVER;
	if (stats)
		stat_register(stats, "dram", number, dram_stats_table, &c->stats, sizeof(c->stats));
	return c;
}

void dram_free(struct dram_channel *c)
{
	if (!c)
		return;
	ring_fini(&c->pipe);
	ring_fini(&c->replies);
	dram_queue_fini(&c->queue);
	free(c->sched);
	dram_checker_free(c->checker);
	free(c);
}

bool dram_is_idle(const struct dram_channel *c)
{
	return port_is_empty(c->in) && !c->pipe.count && !c->queue.oldest && !c->replies.count;
}

void dram_print_state(const struct dram_channel *c, FILE *stream)
{
	const struct dram_request *r = c->queue.oldest;

	fprintf(stream, "  dram[%u]: %u waiting outside, %u in the pipe, queue of %u: %u reads, %u writes; %u replies%s\n",
		c->number, c->in->count, c->pipe.count, c->queue.capacity, c->queue.count[DRAM_READS],
		c->queue.count[DRAM_WRITES], c->replies.count, c->out->was_full ? ", no room for them" : "");
	if (r)
		fprintf(stream, "    oldest: %s of bank %u, row %llu (open: %lld), since cycle %llu\n",
			r->direction == DRAM_WRITES ? "write" : "read", r->bank, (unsigned long long)r->row,
			(long long)c->device.bank[r->bank].open_row, (unsigned long long)r->arrived);
}
