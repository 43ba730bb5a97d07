/* memsys/l2.c -- one L2 slice, the component: queues, pipelines, the cycle, sleep and wake.
 *
 *   request port -> ROP pipeline -> tags -+- hit, store, atomic -> data port -> done pipeline -> reply port
 *   (xbar)          one a cycle,    one   |                           ^                          (xbar)
 *                   rop_latency     a     +- miss -> MSHR -> dram port |
 *                                   cycle                 fill port -> drain, one request a cycle
 *
 * Requests pass the tags in order; what the oldest lacks is named and counted, cycle by cycle, also while the slice
 * sleeps. A reply leaves hit_latency cycles after its look-up, later by what its bytes need at the data port (and an
 * atomic by its time in the atomic unit); replies leave in the order in which they passed the port. The data port
 * serves hits, stores, answers to fetches and the reading of dirty victims; a fill writes the array through a port of
 * its own.
 *
 * No deadlock, whatever the sizes. The SM always takes a reply; so the reply port, then the done pipeline, empty in
 * finite time. Draining a fetch needs only the done pipeline and units that are busy for a known time; so the fill
 * port empties, the DRAM channel can always deliver, and so takes from the dram port. The oldest request waits for
 * these alone: an MSHR or a reserved line is freed by draining; a dirty victim leaves first, by itself, in one slot of
 * the dram port, and leaves an empty line that none but the oldest request can take; the fetch needs the next slot.
 * Nothing on the way back waits for anything on the way in.
 *
 * Departures from hardware: the chip's banks, arbitration and replacement are not published; one look-up a cycle and
 * exact LRU stand for them. Written bytes are kept by mask, and DRAM is assumed to write partial sectors by mask
 * (GDDR5 can, WDM). */
#include "memsys/l2_internal.h"
#include "sim/xalloc.h"
#include <inttypes.h>

#define SHORT_WAIT 2            /* cycles: sleeping through fewer costs more than ticking */
#define HEADER_BYTES 8

static void delay_init(struct delay_line *d, uint32_t capacity)
{
	*d = (struct delay_line){ .capacity = capacity, .ring = xcalloc(capacity, sizeof(*d->ring)) };
}

/* ---- the stages ---- */

static void note_arrivals(struct l2_slice *s, cycles now)
{
	for (; s->stamped < s->request.count; s->stamped++)
		s->arrived[(s->request.head + s->stamped) % s->request.capacity] = now;
}

static void send_reply(struct l2_slice *s, cycles now)
{
	struct delayed *head = delay_peek(&s->done);
	struct packet *p;

	if (!head || head->ready > now || !port_room(&s->reply))
		return;
	p = delay_pop(&s->done);
	p->is_reply = true;
	p->route = p->source;
	p->wire_bytes = HEADER_BYTES;
	if (p->kind == PACKET_READ || (p->kind == PACKET_ATOMIC && p->wants_data))
		p->wire_bytes = (uint16_t)(HEADER_BYTES + p->bytes);
	p->stamp = sim_now(s->component.sim);
	s->stats.replies++;
	port_push(&s->reply, p);
}

static void note_stall(struct l2_slice *s, enum l2_stall stall, cycles now)
{
	if (s->stall == stall)
		return;
	if (s->stall)
		s->stats.stalls[s->stall - 1] += now - s->stall_since;
	s->stall = stall;
	s->stall_since = now;
}

static void serve(struct l2_slice *s, cycles now)
{
	struct delayed *head = delay_peek(&s->rop);
	cycles arrived;
	enum l2_stall stall;

	if (!head || head->ready > now)
		return;
	arrived = head->arrived;
	stall = l2_access(s, head->packet, now);
	note_stall(s, stall, now);
	if (stall)
		return;
	delay_pop(&s->rop);
	s->stats.accesses++;
	sim_hist_add(&s->stats.queue_delay, now - arrived - s->config.rop_latency);
}

static void accept(struct l2_slice *s, cycles now)
{
	cycles arrived;

	if (port_is_empty(&s->request) || !delay_room(&s->rop))
		return;
	arrived = s->arrived[s->request.head];
	delay_push(&s->rop, (struct delayed){ port_pop(&s->request), now + s->config.rop_latency, arrived });
	s->stamped--;
}

/* ---- the next cycle at which a stage can move by itself; SIM_NEVER: a port will wake it, or another stage's move ---- */

static cycles next_reply(struct l2_slice *s, cycles now)
{
	const struct delayed *head = delay_peek(&s->done);

	if (!head)
		return SIM_NEVER;
	if (head->ready > now)
		return head->ready;
	return port_room(&s->reply) ? now + 1 : SIM_NEVER;
}

/* When the unit that p lacks at the next cycle comes free. */
static cycles unit_free(const struct l2_slice *s, enum l2_stall lacks, cycles now)
{
	switch (lacks) {
	case L2_STALL_NONE:
	case L2_WRITE_BACK:
		return now + 1;
	case L2_DATA_PORT:
		return s->port_free;
	case L2_ATOMIC_UNIT:
		return s->atomic_free;
	default:
		return SIM_NEVER;
	}
}

static cycles next_drain(const struct l2_slice *s, cycles now)
{
	const struct packet *p;

	if (s->draining == MSHR_NONE)
		return port_is_empty(&s->fill) ? SIM_NEVER : now + 1;
	p = mshr_waiters(&s->mshrs, s->draining)[s->drained].packet;
	return unit_free(s, l2_answer_lacks(s, p, now + 1), now);
}

static cycles next_serve(const struct l2_slice *s, cycles now)
{
	const struct delayed *head = delay_peek(&s->rop);

	if (!head)
		return SIM_NEVER;
	return head->ready > now ? head->ready : unit_free(s, s->stall, now);
}

static cycles next_accept(const struct l2_slice *s, cycles now)
{
	return port_is_empty(&s->request) || !delay_room(&s->rop) ? SIM_NEVER : now + 1;
}

static cycles earlier(cycles a, cycles b)
{
	return a < b ? a : b;
}

static void settle(struct l2_slice *s, cycles now)
{
	cycles next = earlier(earlier(next_reply(s, now), next_drain(s, now)),
		earlier(next_serve(s, now), next_accept(s, now)));

	if (next <= now + SHORT_WAIT)
		return;
	component_sleep(&s->component);
	if (next != SIM_NEVER)
		component_wake_at(&s->component, next);
}

/* From the way out to the way in, so that what leaves makes room in the same cycle. */
static void l2_tick(struct component *self, cycles now)
{
	struct l2_slice *s = (struct l2_slice *)self;

	note_arrivals(s, now);
	send_reply(s, now);
	l2_drain(s, now);
	serve(s, now);
	accept(s, now);
	settle(s, now);
}

/* ---- construction ---- */

struct l2_slice *l2_new(struct simulator *sim, const struct l2_config *config, uint16_t number, struct stat_tree *stats)
{
	struct l2_slice *s = xcalloc(1, sizeof(*s));
	struct tags_config tags;

	component_init(&s->component, sim, PHASE_L2, l2_tick);
	s->config = *config;
	s->number = number;
	port_init(&s->request, config->request_queue, NULL, &s->component);
	port_init(&s->reply, config->reply_queue, &s->component, NULL);
	port_init(&s->dram, config->dram_queue, &s->component, NULL);
	port_init(&s->fill, config->fill_queue, NULL, &s->component);
	packet_pool_init(&s->pool);
	delay_init(&s->rop, config->rop_latency);
	delay_init(&s->done, config->hit_latency + 1);
	s->arrived = xcalloc(config->request_queue, sizeof(*s->arrived));
	tags = l2_tags_config(config);
	tags.stream = UINT64_C(1) << 48 | number;
	tags_init(&s->tags, &tags);
	s->device_address = xcalloc((size_t)config->sets * config->ways, sizeof(*s->device_address));
	mshr_init(&s->mshrs, config->mshrs, config->mshr_merge);
	s->draining = MSHR_NONE;
	stat_register(stats, "l2", number, l2_stat_table, &s->stats, sizeof(s->stats));
	return s;
}

void l2_free(struct l2_slice *s)
{
	if (!s)
		return;
	port_fini(&s->request);
	port_fini(&s->reply);
	port_fini(&s->dram);
	port_fini(&s->fill);
	free(s->rop.ring);
	free(s->done.ring);
	free(s->arrived);
	tags_fini(&s->tags);
	free(s->device_address);
	mshr_fini(&s->mshrs);
	packet_pool_fini(&s->pool);
	free(s);
}

struct l2_ports l2_ports(struct l2_slice *s)
{
	return (struct l2_ports){ &s->request, &s->reply, &s->dram, &s->fill };
}

bool l2_is_idle(const struct l2_slice *s)
{
	return !s->request.count && !s->rop.count && !s->done.count && !s->reply.count && !s->dram.count && !s->fill.count &&
		!s->mshrs.in_use;
}

void l2_print_state(const struct l2_slice *s, FILE *stream)
{
	const struct delayed *head = delay_peek(&s->rop);

	fprintf(stream, "l2[%u]: %u requests queued, %u in the ROP pipeline, %u of %u MSHRs in use, %u replies on their way, "
		"%u queued, %u packets to DRAM, %u from DRAM\n", s->number, s->request.count, s->rop.count, s->mshrs.in_use,
		s->mshrs.count, s->done.count, s->reply.count, s->dram.count, s->fill.count);
	if (head && s->stall)
		fprintf(stream, "l2[%u]: the oldest request (SM %u, warp %u, offset 0x%" PRIx64 ") waits for %s since L2 cycle %"
			PRIu64 "\n", s->number, head->packet->source, head->packet->warp, head->packet->address,
			l2_stall_name(s->stall), s->stall_since);
}
