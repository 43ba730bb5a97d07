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
 * A scheduler may declare several inputs of the channel: each has a port, a pipe and places in the read
 * queue of its own, so that a request which waits delays only those behind it at its input. In a cycle in
 * which requests of several inputs can enter, the first input's does; the same holds for joining. Requests
 * keep their order at their input, but may pass those of the other. A request therefore joins only when no
 * older one of the other input that is still on its way there concerns its bytes, one of the two being a
 * write. (In the queues the order holds anyhow: join_queue.) The older is the one that was pushed to its port
 * at an earlier time; at the same time, the one of the last input, by which writes come: a read that enters
 * together with a write of its bytes sees what that wrote.
 *
 * There is no deadlock: times of pushing, together with this rule, put all requests of both inputs in one
 * order, which agrees with the order at each input. Of the requests in the pipes and on the ports the first
 * in this order is the head of its input and waits for no other input: it waits for a place in a queue or
 * among the replies, or for an older read in the queue, and these come free as commands issue and replies
 * leave, which depends on nothing in the pipes. So it joins, and so does the next.
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
		uint64_t latency;

		if (!port_room(c->out))
			return SIM_NEVER;
		p = ring_pop(&c->replies);
		latency = dram_age_of(c, p);
		sim_hist_add(&c->stats.read_latency, latency);
		if (c->sched->class->replied)
			c->sched->class->replied(c->sched, p, latency);
		p->is_reply = true;
		p->stamp = sim_now(c->component.sim);
		dram_stamp(c, p, AT_DRAM_DATA, p->stamp);
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

static void enqueue(struct dram_channel *c, uint32_t input, struct packet *p, cycles now)
{
	const struct dram_sched_class *class = c->sched->class;
	uint32_t priority = class->priority ? class->priority(c->sched, p) : 0;
	struct dram_request *r;

	c->plan_end = 0;
	r = dram_queue_add(&c->queue, p, dram_map_location(&c->map, p->local), input, priority, now);
	if (class->joined)
		class->joined(c->sched, &c->queue, r);
}

/* Whether an older packet of the other input must join before p, which comes by the input numbered `input`.
 */
static bool precedes(const struct packet *other, const struct packet *p, uint32_t input)
{
	return (other->kind == PACKET_WRITE) != (p->kind == PACKET_WRITE) && other->kind != PACKET_RAISE &&
		dram_packets_overlap(other, p) && (other->stamp < p->stamp || !input);
}

/* Whether p must wait for a request that is still at the other input. The requests there are in the order of
 * their times, so that the search ends at the first that is younger. */
static bool must_wait_for_other(const struct dram_channel *c, uint32_t input, const struct packet *p)
{
	const struct ring *pipe = &c->input[!input].pipe;
	const struct port *in = c->input[!input].in;
	const struct packet *other;

	for (uint32_t i = 0; i < pipe->count; i++) {
		other = ring_at(pipe, i)->packet;
		if (other->stamp > p->stamp)
			return false;
		if (precedes(other, p, input))
			return true;
	}
	for (uint32_t i = 0; i < in->count; i++) {
		other = port_at(in, i);
		if (other->stamp > p->stamp)
			return false;
		if (precedes(other, p, input))
			return true;
	}
	return false;
}

/* Puts the request into its queue, or answers it from a write, or returns what it waits for. */
static enum dram_wait join_queue(struct dram_channel *c, uint32_t input, struct packet *p, cycles now)
{
	enum dram_overlap overlap;

	if (p->kind == PACKET_RAISE) {
		dram_raise(c, p);
		packet_free(p);
		return DRAM_WAIT_NONE;
	}
	if (c->inputs > 1 && must_wait_for_other(c, input, p))
		return DRAM_WAIT_OTHER_INPUT;
	if (p->kind == PACKET_WRITE) {
		if (!dram_queue_write_room(&c->queue))
			return DRAM_WAIT_WRITE_QUEUE;
		if (dram_queue_is_read(&c->queue, p))
			return DRAM_WAIT_OLDER_READ;
		enqueue(c, input, p, now);
		return DRAM_WAIT_NONE;
	}
	overlap = c->queue.count[DRAM_WRITES] ? dram_queue_written(&c->queue, p) : DRAM_APART;
	if (overlap == DRAM_COVERED) {
		if (c->replies.count == c->replies.capacity)
			return DRAM_WAIT_REPLY;
		forward(c, p, now);
		return DRAM_WAIT_NONE;
	}
	if (!dram_queue_read_room(&c->queue, input))
		return DRAM_WAIT_READ_QUEUE;
	c->stats.overlaid += overlap == DRAM_PARTLY;
	enqueue(c, input, p, now);
	return DRAM_WAIT_NONE;
}

/* When a request that is taken now can join a queue. */
static picoseconds joins_at(const struct dram_channel *c, cycles now)
{
	return c->config.counts_cycles ? sim_edge(c->component.sim, CLOCK_DRAM, now + c->config.latency)
				       : sim_now(c->component.sim) + c->pads_time;
}

static void take_request(struct dram_channel *c, struct dram_input *input, cycles now)
{
	struct packet *p = port_pop(input->in);

	dram_stamp(c, p, AT_DRAM_TAKEN, sim_now(c->component.sim));
	dram_stamp(c, p, AT_DRAM_QUEUED, joins_at(c, now));
	bug_if(p->kind > PACKET_WRITE && p->kind != PACKET_RAISE, "dram[%u]: packet of kind %u", c->number,
		p->kind);
	bug_if(!p->bytes || p->local % 128 + p->bytes > 128, "dram[%u]: %u bytes at %llx leave their 128",
		c->number, p->bytes, (unsigned long long)p->local);
	ring_push(&input->pipe, p, now + c->config.latency);
}

static bool can_take(const struct dram_input *input)
{
	return !port_is_empty(input->in) && input->pipe.count < input->pipe.capacity;
}

/* Moves a request from a port into its pipe. */
static void take_one(struct dram_channel *c, cycles now)
{
	if (can_take(&c->input[0]))
		take_request(c, &c->input[0], now);
	else if (c->inputs > 1 && can_take(&c->input[1]))
		take_request(c, &c->input[1], now);
}

/* Moves a request of that input into a queue, or notes what it waits for. Whether one has joined. */
static inline bool join_from(struct dram_channel *c, uint32_t number, cycles now)
{
	struct dram_input *input = &c->input[number];

	if (dram_input_next_join(input) > now)
		return false;
	input->waits_for = join_queue(c, number, input->pipe.entry[input->pipe.head].packet, now);
	if (input->waits_for) {
		c->waits = true;
		return false;
	}
	ring_pop(&input->pipe);
	return true;
}

static bool join_one(struct dram_channel *c, cycles now)
{
	c->waits = false;
	c->input[0].waits_for = c->input[1].waits_for = DRAM_WAIT_NONE;
	return join_from(c, 0, now) || (c->inputs > 1 && join_from(c, 1, now));
}

/* When there is more to do for the input. */
static cycles next_of_input(const struct dram_input *input, cycles now)
{
	if (can_take(input))
		return now + 1;
	return input->waits_for ? SIM_NEVER : dram_later(now + 1, dram_input_next_join(input));
}

/* Moves a request from a port into a pipe and one from a pipe into a queue. Returns when there is more to do.
 * A request that waits does so for a command, a reply or a request of the other input: only the last is a
 * time to wake at. */
static cycles accept(struct dram_channel *c, cycles now)
{
	cycles next = SIM_NEVER;

	take_one(c, now);
	if (join_one(c, now)) {
		if (c->waits)
			next = now + 1;
		else if (c->replies.count && c->replies.entry[c->replies.head].when > now)
			next = c->replies.entry[c->replies.head].when; /* the first may be a read answered
									  from a write */
	}
	next = dram_earlier(next, next_of_input(&c->input[0], now));
	return c->inputs > 1 ? dram_earlier(next, next_of_input(&c->input[1], now)) : next;
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

	if (now < c->idle_until && dram_outside(c) == c->seen)
		return;
	dram_sync_time(c, now);
	dram_catch_up_refresh(c, now);
	next = reply(c, now);
	next = dram_earlier(next, accept(c, now));
	next = dram_earlier(next, dram_command_step(c, now));
	c->had_work = !dram_is_idle(c);
	c->seen = dram_outside(c);
	c->idle_until = next;
	if (next <= now + SHORT_WAIT && !waits_for_room(c, now))
		return;
	c->idle_until = 0;
	if (next <= now + 1)
		return;
	component_sleep_until(self, next);
}

/* The inputs of the channel, and the queues to which they lead. */
static void init_inputs(struct dram_channel *c, struct port *const *in)
{
	const struct dram_sched_class *class = c->sched->class;
	uint32_t reads[DRAM_INPUTS] = { 0 };

	c->inputs = (uint8_t)dram_sched_inputs(c->sched);
	bug_if(c->inputs > DRAM_INPUTS, "dram[%u]: %u inputs", c->number, c->inputs);
	bug_if(!class->rank == !class->choose, "DRAM scheduler %s: it has rank or choose", class->name);
	for (uint32_t i = 0; i < c->inputs; i++) {
		c->input[i].in = in[i];
		in[i]->consumer = &c->component;
		ring_init(&c->input[i].pipe, c->config.latency + 1);
		reads[i] = class->places ? class->places(c->sched, i) : c->config.read_queue;
	}
	dram_queue_init(&c->queue, reads, c->config.write_queue, class->priorities ? class->priorities : 1,
		&c->device);
}

struct dram_channel *dram_new(struct simulator *sim, const struct dram_config *config,
	const struct dram_sched *scheduler, uint16_t number, struct port *const *in, struct port *out,
	struct stat_tree *stats)
{
	struct dram_channel *c = xcalloc_lines(sizeof(*c));
	char message[512];

	bug_if(!dram_config_check(config, message, sizeof(message)), "dram[%u]: %s", number, message);
	component_init(&c->component, sim, PHASE_DRAM, dram_tick);
	c->config = *config;
	dram_map_init(&c->map, config, message, sizeof(message));
	c->number = number;
	c->out = out;
	out->producer = &c->component;
	c->cycles_per_ps = sim_mhz(sim, sim_phase_domain(PHASE_DRAM)) * 1e-6;
	c->pads_time = (picoseconds)(config->latency / c->cycles_per_ps);
	ring_init(&c->replies, config->reply_queue);
	dram_device_init(&c->device, config);
	c->sched = policy_new(scheduler);
	c->sched->config = &c->config;
	init_inputs(c, in);
	if (config->check)
		c->checker = dram_checker_new(config);
	c->next_refresh = config->tREFI ? config->tREFI - config->lead : SIM_NEVER;
	if (stats)
		stat_register(stats, "dram", number, dram_stats_table, &c->stats, sizeof(c->stats));
	policy_start(&dram_sched_interface, c->sched, stats, "dram.scheduler", number);
	return c;
}

void dram_free(struct dram_channel *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->inputs; i++)
		ring_fini(&c->input[i].pipe);
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
	return !dram_outside(c) && !dram_in_pipes(c) && !c->queue.count[DRAM_READS] &&
		!c->queue.count[DRAM_WRITES] && !c->replies.count;
}

uint64_t dram_bursts(const struct dram_channel *c)
{
	return c->stats.read_bursts + c->stats.write_bursts;
}

void dram_print_state(const struct dram_channel *c, FILE *stream)
{
	static const char *const waits[] = { "", ", the first of them for room in the read queue",
		", the first of them for room in the write queue",
		", the first of them for an older read of its bytes",
		", the first of them for room among the replies",
		", the first of them for an older request of the other input" };
	const struct dram_request *r = dram_queue_oldest(&c->queue);

	fprintf(stream, "  dram[%u]: ", c->number);
	for (uint32_t i = 0; i < c->inputs; i++)
		fprintf(stream, "%u waiting outside, %u in the pipe%s; ", c->input[i].in->count,
			c->input[i].pipe.count, waits[c->input[i].waits_for]);
	fprintf(stream,
		"%u of %u reads, %u of %u writes queued; "
		"%u replies%s\n",
		c->queue.count[DRAM_READS], c->queue.capacity[DRAM_READS], c->queue.count[DRAM_WRITES],
		c->queue.capacity[DRAM_WRITES], c->replies.count,
		c->out->was_full ? ", no room for them" : "");
	if (r)
		fprintf(stream,
			"    oldest: %s of bank %u, row %" PRIu64 " (open: %lld), since cycle %" PRIu64 "\n",
			r->direction == DRAM_WRITES ? "write" : "read", r->bank, r->row,
			(long long)c->device.bank[r->bank].open_row, r->arrived);
}

void dram_view_queues(const struct dram_channel *c, const struct queue_visitor *v)
{
	queue_visit(v, "DRAM reads", c->queue.count[DRAM_READS], c->queue.capacity[DRAM_READS]);
	queue_visit(v, "DRAM writes", c->queue.count[DRAM_WRITES], c->queue.capacity[DRAM_WRITES]);
}
