/* dram/channel.c -- one DRAM channel: from the requests of the L2 slice to commands, data and replies.
 *
 *   in -> pipe (fixed latency) -> read queue  -> scheduler -> command bus -> data bus -> replies -> out
 *                              -> write queue ->
 *
 * In each cycle at most one request enters, one joins a queue and one command issues. The reply of a read
 * is due when its last burst has crossed the data bus; its entry among the replies is reserved when its
 * last RD issues. A write ends with its last WR. The pipe, like the port before it, is one queue: a write
 * whose queue is full delays the reads behind it.
 *
 * An idle channel sleeps through its refreshes. They are carried out, with the times at which they would
 * have happened, when the next request arrives: rows are then closed, and the last refresh may still be
 * running.
 *
 * Differences from hardware: refreshes are never postponed or hidden (JEDEC permits a few); there is no
 * power-down; masked writes cost the same as others; the two devices of a channel act as one. */
#include "dram/channel_internal.h"
#include "dram/trace.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <stdio.h>

#define SHORT_WAIT 4 /* cycles: sleeping for less time costs more than staying awake */

/* Sends replies whose data have come, as far as there is room. Returns when the next is due. */
static cycles reply(struct dram_channel *c, cycles now)
{
	while (c->replies.count && c->replies.entry[c->replies.head].when <= now) {
		struct packet *p;

		if (!port_room(c->out))
			return SIM_NEVER;
		p = ring_pop(&c->replies);
		sim_hist_add(&c->stats.read_latency, dram_age_of(c, p));
		p->is_reply = true;
		p->stamp = sim_now(c->component.sim);
		packet_stamp(p, AT_DRAM_DATA, p->stamp);
		port_push(c->out, p);
	}
	return c->replies.count ? c->replies.entry[c->replies.head].when : SIM_NEVER;
}

/* One waiting write has all bytes of the read: its reply comes after those that are already due. */
static void forward(struct dram_channel *c, struct packet *p, cycles now)
{
	cycles when = now + 1;

	if (c->replies.count)
		when = dram_later(when, ring_last(&c->replies)->when);
	c->stats.reads++;
	c->stats.forwarded++;
	c->stats.forwarded_bytes += p->bytes;
	c->stats.bytes += p->bytes;
	c->plan_end = 0;
	ring_push(&c->replies, p, when);
}

static void enqueue(struct dram_channel *c, struct packet *p, cycles now)
{
	const struct dram_sched_class *class = c->sched->class;
	uint32_t priority = class->priority ? class->priority(c->sched, p) : 0;

	c->plan_end = 0;
	dram_queue_add(&c->queue, p, dram_map_location(&c->map, p->local), priority, now);
}

/* Puts the request into its queue, or answers it from a write, or returns what it waits for. */
static enum dram_wait join(struct dram_channel *c, struct packet *p, cycles now)
{
	enum dram_overlap overlap;

	if (p->kind == PACKET_WRITE) {
		if (!dram_queue_room(&c->queue, DRAM_WRITES))
			return DRAM_WAIT_WRITE_QUEUE;
		if (dram_queue_is_read(&c->queue, p))
			return DRAM_WAIT_OLDER_READ;
		enqueue(c, p, now);
		return DRAM_WAIT_NONE;
	}
	overlap = c->queue.count[DRAM_WRITES] ? dram_queue_written(&c->queue, p) : DRAM_APART;
	if (overlap == DRAM_COVERED) {
		if (c->replies.count == c->replies.capacity)
			return DRAM_WAIT_REPLY;
		forward(c, p, now);
		return DRAM_WAIT_NONE;
	}
	if (!dram_queue_room(&c->queue, DRAM_READS))
		return DRAM_WAIT_READ_QUEUE;
	c->stats.overlaid += overlap == DRAM_PARTLY;
	enqueue(c, p, now);
	return DRAM_WAIT_NONE;
}

static void take(struct dram_channel *c, cycles now)
{
	struct packet *p = port_pop(c->in);

	packet_stamp(p, AT_DRAM_TAKEN, sim_now(c->component.sim));
	packet_stamp(p, AT_DRAM_QUEUED, sim_now(c->component.sim) + c->pads_time);
	bug_if(p->kind != PACKET_READ && p->kind != PACKET_WRITE, "dram[%u]: packet of kind %u", c->number,
		p->kind);
	bug_if(!p->bytes || p->local % 128 + p->bytes > 128, "dram[%u]: %u bytes at %llx leave their 128",
		c->number, p->bytes, (unsigned long long)p->local);
	ring_push(&c->pipe, p, now + c->config.latency);
}

/* Moves a request from the port into the pipe and one from the pipe into a queue. Returns when there is
 * more to do. */
static cycles accept(struct dram_channel *c, cycles now)
{
	cycles next = SIM_NEVER;

	c->waits_for = DRAM_WAIT_NONE;
	if (!port_is_empty(c->in) && c->pipe.count < c->pipe.capacity)
		take(c, now);
	if (c->pipe.count && c->pipe.entry[c->pipe.head].when <= now) {
		c->waits_for = join(c, c->pipe.entry[c->pipe.head].packet, now);
		if (!c->waits_for) { /* otherwise it waits for a command or a reply, which is no time to wake
					at */
			ring_pop(&c->pipe);
			if (c->replies.count && c->replies.entry[c->replies.head].when > now)
				next = c->replies.entry[c->replies.head].when; /* the first may be a read
										  answered from a write */
		}
	}
	if (c->pipe.count && !c->waits_for)
		next = dram_earlier(next, dram_later(now + 1, c->pipe.entry[c->pipe.head].when));
	if (!port_is_empty(c->in) && c->pipe.count < c->pipe.capacity)
		next = now + 1;
	return next;
}

/* Whether a reply waits for room on the port: the slice wakes the channel when there is some. */
static bool waits_for_room(const struct dram_channel *c, cycles now)
{
	return c->replies.count && c->replies.entry[c->replies.head].when <= now;
}

static void dram_tick(struct component *self, cycles now)
{
	struct dram_channel *c = (struct dram_channel *)self;
	cycles next;

	if (now < c->idle_until && c->in->count == c->seen)
		return;
	dram_sync_stats(c, now);
	dram_catch_up_refresh(c, now);
	next = reply(c, now);
	next = dram_earlier(next, accept(c, now));
	next = dram_earlier(next, dram_command_step(c, now));
	c->had_work = !dram_is_idle(c);
	if (!dram_is_ahead(c))
		c->banks_waiting = c->queue.banks_waiting;
	c->seen = c->in->count;
	c->idle_until = next;
	if (next <= now + SHORT_WAIT && !waits_for_room(c, now))
		return;
	c->idle_until = 0;
	if (next <= now + 1)
		return;
	component_sleep_until(self, next);
}

struct dram_channel *dram_new(struct simulator *sim, const struct dram_config *config,
	const struct dram_sched *scheduler, uint16_t number, struct port *in, struct port *out,
	struct stat_tree *stats)
{
	struct dram_channel *c = xcalloc_lines(sizeof(*c));
	char message[512];

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
	dram_queue_init(
		&c->queue, config->read_queue, config->write_queue, scheduler->class->priorities, &c->device);
	c->sched = policy_new(scheduler);
	c->sched->config = &c->config;
	if (config->check)
		c->checker = dram_checker_new(config);
	c->next_refresh = config->tREFI ? config->tREFI : SIM_NEVER;
	if (stats)
		stat_register(stats, "dram", number, dram_stats_table, &c->stats, sizeof(c->stats));
	policy_start(&dram_sched_interface, c->sched, stats, "dram.scheduler", number);
	return c;
}

void dram_free(struct dram_channel *c)
{
	if (!c)
		return;
	ring_fini(&c->pipe);
	ring_fini(&c->replies);
	dram_queue_fini(&c->queue);
	policy_free(c->sched);
	dram_checker_free(c->checker);
	free(c);
}

void dram_kernel_started(struct dram_channel *c, const char *name, uint64_t launch)
{
	policy_kernel_started(c->sched, name, launch, sim_cycle(c->component.sim, CLOCK_DRAM));
}

void dram_set_trace(struct dram_channel *c, FILE *stream)
{
	c->trace = stream;
}

bool dram_is_idle(const struct dram_channel *c)
{
	return port_is_empty(c->in) && !c->pipe.count && !c->queue.count[DRAM_READS] &&
		!c->queue.count[DRAM_WRITES] && !c->replies.count;
}

void dram_print_state(const struct dram_channel *c, FILE *stream)
{
	static const char *const waits[] = { "", ", the first of them for room in the read queue",
		", the first of them for room in the write queue",
		", the first of them for an older read of its bytes",
		", the first of them for room among the replies" };
	const struct dram_request *r = dram_queue_oldest(&c->queue);

	fprintf(stream,
		"  dram[%u]: %u waiting outside, %u in the pipe%s, %u of %u reads, %u of %u writes queued; "
		"%u replies%s\n",
		c->number, c->in->count, c->pipe.count, waits[c->waits_for], c->queue.count[DRAM_READS],
		c->queue.capacity[DRAM_READS], c->queue.count[DRAM_WRITES], c->queue.capacity[DRAM_WRITES],
		c->replies.count, c->out->was_full ? ", no room for them" : "");
	if (r)
		fprintf(stream,
			"    oldest: %s of bank %u, row %" PRIu64 " (open: %lld), since cycle %" PRIu64 "\n",
			r->direction == DRAM_WRITES ? "write" : "read", r->bank, r->row,
			(long long)c->device.bank[r->bank].open_row, r->arrived);
}
