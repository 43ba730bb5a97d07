/* memsys/l2/l2.c -- one L2 slice: construction, conservation check, state for hang reports.
 *
 *   request port -> ROP -> bank queue -> tags --+- hit, store, atomic -> data port -> done -> reply port
 *   (xbar) |                                    |                          ^          ^        (xbar)
 *          |                                    +- miss -> MSHR, dram port |          |
 *          +- bypass queue -> dram port                                    |          |
 *                          fill port -+- a line: to its bank, one answer per cycle    |
 *                                     +- a read that bypassed ------------------------+
 *
 * A bank looks its requests up in order, bank_ports at a time; each look-up occupies a port for
 * lookup_cycles. (This limits the rate; the time of a look-up is part of hit_latency.) What the oldest
 * request of a bank lacks is counted cycle by cycle, also while the slice sleeps. Banks do not wait for each
 * other, but a full bank queue stops the ROP pipeline when a request for this bank is at its head. A reply
 * leaves hit_latency cycles after its look-up, plus the cycles that its bytes need at the data port and, for
 * an atomic, those in the atomic unit. Replies of one bank leave in the order in which they passed the data
 * port; the slice sends one per cycle. The data port serves hits, stores, answers to fetches and the reading
 * of dirty victims; a fill writes the array through a port of its own. Requests that bypass use neither banks
 * nor data port (memsys/l2_bypass/l2_bypass.h).
 *
 * There is no deadlock, whatever the sizes of the queues:
 *   - The SM always accepts a reply, and the reply port takes from each bank in turn (or the oldest
 *     first). So every `done` queue empties in finite time.
 *   - The head of the fill port needs an entry of the `done` queue of the bypass path, or that its bank has
 *     handed out the data of the fetch before. The latter needs only the bank's own `done` queue, and units
 *     that are busy for a known time. So the fill port empties, the DRAM channel can always deliver, and
 *     therefore it always takes from the dram port, or each of them, in finite time.
 *   - The oldest request of a bank waits only for an MSHR or a reserved line, which become free when data
 *     are handed out; for its dirty victim, which is written back run by run, each run with one entry of
 *     the dram port, and leaves an empty line; and for an entry of the dram port for its fetch. If another
 *     bank takes this entry or (where banks share sets) the line, then that bank's request has been served.
 *     As there are finitely many requests, one of them is always served. So the bank queues and the ROP
 *     pipeline advance.
 *   - The head of the bypass queue needs entries of the dram port and, for a store, of a `done` queue. Banks
 *     and bypass queue take turns in the dram port. What waits at the request port for a place in the bypass
 *     queue, or behind a request of its line there, goes on when that queue does.
 * Nothing on the way back waits for anything on the way in.
 *
 * Departures from hardware: the chip's bank structure, arbitration and replacement are not published. The
 * model has exact LRU, first come first served in each bank, and one input for all banks of a slice. Written
 * bytes are recorded by mask, and DRAM is assumed to write partial sectors by mask (GDDR5 can, WDM). */
#include "memsys/l2/l2_internal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

/* ---- construction ---- */

static void init_bank(struct l2_slice *s, uint32_t number, struct stat_tree *stats)
{
	const struct l2_config *c = &s->config;
	struct l2_bank *b = &s->banks[number];
	char group[32];

	b->draining = MSHR_NONE;
	b->units = c->units == L2_UNITS_OF_BANK ? &b->own : &s->units;
	delay_init(&b->done, c->hit_latency + 1);
	if (number == c->banks) /* only for answers that bypass the cache */
		return;
	delay_init(&b->queue, c->bank_queue);
	b->look_up_free = c->bank_ports > 1 ? xcalloc(c->bank_ports, sizeof(*b->look_up_free)) : &b->of_one;
	snprintf(group, sizeof(group), "l2.bank%u", number);
	stat_register(stats, group, s->number, l2_bank_stat_table, &b->stats, sizeof(b->stats));
}

static void fini_bank(struct l2_bank *b)
{
	free(b->queue.ring);
	free(b->done.ring);
	if (b->look_up_free != &b->of_one)
		free(b->look_up_free);
}

static void at_least_1(uint32_t *size)
{
	*size += !*size;
}

static void init_policies(struct l2_slice *s, struct stat_tree *stats)
{
	s->classifier = classifier_new(s->config.classifier, &s->config, s->number, stats);
	s->bypass = l2_bypass_new(s->config.bypass, &s->config, s->number, stats);
	s->has_policies = s->classifier || s->bypass;
	s->insertion = insertion_new(s->config.insertion, &s->config, s->number, stats);
	if (s->bypass) {
		s->inside = xcalloc(1, sizeof(*s->inside));
		delay_init(&s->bypass_queue, s->config.bypass_queue);
		if (listener_of_policy(&s->bypass->listener, s->bypass, &s->bypass->class->l2))
			l2_listen(s, &s->bypass->listener);
	}
	if (s->insertion &&
		listener_of_policy(&s->insertion->listener, s->insertion, &s->insertion->class->l2))
		l2_listen(s, &s->insertion->listener);
}

static void init_ports(struct l2_slice *s)
{
	const struct l2_config *c = &s->config;

	port_init(&s->request, c->request_queue, NULL, &s->component);
	port_init(&s->reply, c->reply_queue, &s->component, NULL);
	port_init(&s->dram[0], c->dram_queue, &s->component, NULL);
	port_init(&s->fill, c->fill_queue, NULL, &s->component);
	s->arrived = xcalloc(c->request_queue, sizeof(*s->arrived));
}

struct l2_slice *l2_new(
	struct simulator *sim, const struct l2_config *config, uint16_t number, struct stat_tree *stats)
{
	struct l2_slice *s = xcalloc_lines(sizeof(*s));
	struct l2_config *c = &s->config;
	struct tags_config tags;

	component_init(&s->component, sim, PHASE_L2, l2_tick);
	*c = *config;
	s->number = number;
	at_least_1(&c->input_width);
	at_least_1(&c->banks);
	at_least_1(&c->bank_ports);
	at_least_1(&c->bank_queue);
	at_least_1(&c->lookup_cycles);
	at_least_1(&c->bypass_queue);
	at_least_1(&c->miss_places);
	c->store_miss_places = c->store_miss_places > 2 ? c->store_miss_places : 2; /* it sends two packets */
	c->bank_shift = c->bank_shift ? c->bank_shift : 7;
	bug_if(c->banks > L2_MAX_BANKS, "l2[%u]: %u banks", number, c->banks);
	s->bank_mask = c->banks & (c->banks - 1) ? UINT64_MAX : c->banks - 1;
	s->port_bytes = divisor_of(c->port_bytes);
	init_ports(s);
	packet_pool_init(&s->pool);
	bug_if(c->lead && c->lead >= c->rop_latency, "l2[%u]: a lead of %u cycles", number, c->lead);
	s->lead_time = (picoseconds)(c->lead / sim_mhz(sim, CLOCK_L2) * 1e6);
	rop_init(&s->rop, c->rop_latency * c->input_width, c->rop_latency, c->lead, sim_mhz(sim, CLOCK_L2),
		&s->stats.entered, &s->stats.request_queue_time);
	s->full_since = s->order_since = s->next_answer = SIM_NEVER;
	tags = l2_tags_config(c, number);
	tags.stats = stats;
	tags.group = "l2";
	tags.number = number;
	tags_init(&s->tags, &tags);
	s->device_address = xcalloc((size_t)c->sets * c->ways, sizeof(*s->device_address));
	mshr_init(&s->mshrs, c->mshrs, c->mshr_merge);
	s->mshr_since = xcalloc(c->mshrs, sizeof(*s->mshr_since));
	stat_register(stats, "l2", number, l2_stat_table, &s->stats, sizeof(s->stats));
	if (c->sets_aside)
		stat_register(stats, "l2.persisting", number, l2_persisting_stat_table, &s->persisting,
			sizeof(s->persisting));
	s->banks = xcalloc_lines((c->banks + 1) * sizeof(*s->banks));
	for (uint32_t i = 0; i <= c->banks; i++)
		init_bank(s, i, stats);
	init_policies(s, stats);
	if (c->halves)
		l2_init_across(s);
	return s;
}

void l2_free(struct l2_slice *s)
{
	if (!s)
		return;
	port_fini(&s->request);
	port_fini(&s->reply);
	for (uint32_t i = 0; i <= s->last_input; i++)
		port_fini(&s->dram[i]);
	port_fini(&s->fill);
	rop_fini(&s->rop);
	free(s->bypass_queue.ring);
	free(s->arrived);
	for (uint32_t i = 0; i <= s->config.banks; i++)
		fini_bank(&s->banks[i]);
	free(s->banks);
	classifier_free(s->classifier);
	l2_bypass_free(s->bypass);
	insertion_free(s->insertion);
	free(s->inside);
	tags_fini(&s->tags);
	free(s->device_address);
	mshr_fini(&s->mshrs);
	l2_fini_across(s);
	free(s->mshr_since);
	listeners_fini(&s->notification.listeners);
	packet_pool_fini(&s->pool);
	free(s);
}

/* Empties all lines but those with a fetch in flight. */
static void empty_lines(struct l2_slice *s)
{
	listeners_invalidated(&s->notification.listeners, sim_now(s->component.sim));
	for (uint32_t line = 0; line < s->config.sets * s->config.ways; line++) {
		if (s->tags.key[line] == TAGS_FREE || s->tags.pins[line])
			continue;
		if (listeners_any(&s->notification.listeners))
			l2_notify_flushed(s, line);
		tags_drop(&s->tags, line);
	}
}

void l2_kernel_started(struct l2_slice *s, const char *name, uint64_t launch, bool alone)
{
	cycles now = sim_cycle(s->component.sim, CLOCK_L2);

	if (alone && s->config.flush)
		empty_lines(s);
	policy_kernel_started(s->classifier, name, launch, now);
	policy_kernel_started(s->bypass, name, launch, now);
	policy_kernel_started(s->insertion, name, launch, now);
	policy_kernel_started(s->tags.replace, name, launch, now);
}

void l2_set_dram_inputs(struct l2_slice *s, uint32_t inputs, l2_input_function function, const void *context)
{
	bug_if(inputs > L2_DRAM_INPUTS || (inputs > 1 && !function), "l2[%u]: %u inputs of its DRAM channel",
		s->number, inputs);
	if (inputs < 2)
		return;
	s->dram_input = function;
	s->input_context = context;
	for (; s->last_input + 1 < inputs; s->last_input++)
		port_init(&s->dram[s->last_input + 1], s->config.dram_queue, &s->component, NULL);
}

void l2_raise_merged(struct l2_slice *s)
{
	s->raises = s->dram_input;
}

struct l2_ports l2_ports(struct l2_slice *s)
{
	struct l2_ports ports = { .request = &s->request, .reply = &s->reply, .fill = &s->fill };

	for (uint32_t i = 0; i <= s->last_input; i++)
		ports.dram[i] = &s->dram[i];
	return ports;
}

static uint32_t to_dram(const struct l2_slice *s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i <= s->last_input; i++)
		count += s->dram[i].count;
	return count;
}

/* ---- what is inside ---- */

static uint32_t queued(const struct l2_slice *s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->config.banks; i++)
		count += s->banks[i].queue.count;
	return count;
}

static uint32_t answers(const struct l2_slice *s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i <= s->config.banks; i++)
		count += s->banks[i].done.count;
	return count;
}

bool l2_is_idle(const struct l2_slice *s)
{
	return !s->request.count && !s->rop.line.count && !s->bypass_queue.count && !s->waiting &&
		!s->answering && !s->reply.count && !to_dram(s) && !s->fill.count && !s->mshrs.in_use &&
		!s->bypass_reads && (!s->across || !s->across->inbound.count);
}

static void print_bank(const struct l2_slice *s, uint32_t number, FILE *stream)
{
	const struct l2_bank *b = &s->banks[number];
	const struct delayed *head = delay_peek(&b->queue);

	if (head && b->stall)
		fprintf(stream,
			"l2[%u]: the oldest request of bank %u (SM %u, warp %u, offset 0x%" PRIx64
			") waits for %s since L2 "
			"cycle %" PRIu64 "\n",
			s->number, number, head->packet->by.sm, head->packet->by.warp, head->packet->address,
			l2_stall_name(b->stall), b->stall_since);
}

void l2_print_state(const struct l2_slice *s, FILE *stream)
{
	fprintf(stream,
		"l2[%u]: %u requests queued%s, %u in the ROP pipeline, %u in front of the banks, %u of %u "
		"MSHRs in use, %u requests in the bypass queue, %u "
		"reads that bypass, %u replies on their way, %u queued, %u packets to DRAM, %u from "
		"DRAM\n",
		s->number, s->request.count,
		s->head_bypasses && s->head_decided ? " (the oldest waits to bypass)" : "", s->rop.line.count,
		queued(s), s->mshrs.in_use, s->mshrs.count, s->bypass_queue.count, s->bypass_reads,
		answers(s), s->reply.count, to_dram(s), s->fill.count);
	for (uint32_t i = 0; i < s->config.banks; i++)
		print_bank(s, i, stream);
}

void l2_view_queues(const struct l2_slice *s, const struct queue_visitor *v)
{
	queue_visit(v, "L2 requests", s->request.count, s->request.limit);
	queue_visit(v, "L2 MSHRs", s->mshrs.in_use, s->mshrs.count);
	queue_visit(v, "L2 replies", s->reply.count, s->reply.limit);
	for (uint32_t i = 0; i < L2_DRAM_INPUTS; i++)
		if (s->dram[i].ring)
			queue_visit(v, "L2 to DRAM", s->dram[i].count, s->dram[i].limit);
	queue_visit(v, "DRAM to L2", s->fill.count, s->fill.limit);
}
