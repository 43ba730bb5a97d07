/* memsys/l2/l2_bypass_path.c -- requests that bypass an L2 slice: which may, their queue, their way to DRAM.
 *
 * The policies of warp types and bypass are asked when a request has come to the head of the request queue. A
 * request that bypasses waits for DRAM in a queue of its own, so that those behind it can be looked up. It
 * spends a cycle there instead of the ROP latency, as in MeDiC's released simulator.
 *
 * What a read sees must not depend on the way that it takes. The order of requests for one line is kept:
 *   - A request does not bypass while another for its line, which it must not overtake, is between entry and
 *     look-up: for a read a store or an atomic, for a store any.
 *   - It does not bypass while its line is in flight, or present with dirty bytes; a store that bypasses a
 *     clean line invalidates it.
 *   - A request that does not bypass waits at the head of the request queue while one for its line is in the
 *     bypass queue.
 * From the queue to DRAM on, the order is the channel's to keep. */
#include "memsys/l2/l2_internal.h"

/* ---- the decision ---- */

static enum l2_refusal refusal_of(const struct l2_slice *s, const struct packet *p)
{
	uint32_t hash = l2_line_hash(p->local), line;

	if (p->kind == PACKET_ATOMIC)
		return L2_REFUSED_ATOMIC;
	if (p->kind == PACKET_WRITE && !s->bypass->stores)
		return L2_REFUSED_STORE;
	if (p->kind == PACKET_WRITE ? s->inside->all[hash] : s->inside->writing[hash])
		return L2_REFUSED_ENTERED;
	line = tags_find(&s->tags, tags_key(&s->tags, p->local));
	if (line == TAGS_NONE)
		return L2_MAY_BYPASS;
	if (s->tags.pins[line])
		return L2_REFUSED_IN_FLIGHT;
	if (byte_mask_sectors(&s->tags.dirty[line]))
		return L2_REFUSED_DIRTY;
	return s->bypass->clean_lines ? L2_MAY_BYPASS : L2_REFUSED_CLEAN;
}

/* The request goes past its line, which may be present and is clean. */
static void pass_line(struct l2_slice *s, const struct packet *p)
{
	uint32_t line = tags_find(&s->tags, tags_key(&s->tags, p->local));

	if (line == TAGS_NONE)
		return;
	s->stats.bypassed_present++;
	if (p->kind != PACKET_WRITE)
		return;
	s->stats.bypass_invalidations++;
	if (listeners_any(&s->notification.listeners))
		l2_notify_invalidated(s, line, p);
	tags_drop(&s->tags, line);
}

static bool bypasses(struct l2_slice *s, struct packet *p, cycles now)
{
	enum l2_refusal refusal;

	if (!l2_bypass_asks(s->bypass, p, now))
		return false;
	refusal = refusal_of(s, p);
	if (refusal) {
		s->stats.bypass_refused[refusal - 1]++;
		return false;
	}
	pass_line(s, p);
	return true;
}

/* The decision remains valid while the head waits for room: no request that matters to it is inside, and none
 * can overtake it. */
void l2_decide(struct l2_slice *s, struct packet *p, cycles now)
{
	if (s->head_decided)
		return;
	if (s->classifier)
		classifier_classify(s->classifier, p, !s->classifier->has_shadow && l2_would_hit(s, p), now);
	s->head_bypasses = s->bypass && bypasses(s, p, now);
	s->head_decided = true;
}

/* ---- the queue ---- */

bool l2_into_bypass_queue(struct l2_slice *s, struct packet *p, cycles arrived, cycles now)
{
	if (!delay_room(&s->bypass_queue))
		return false;
	packet_stamp(p, AT_L2_TAKEN, sim_now(s->component.sim));
	delay_push(&s->bypass_queue, (struct delayed){ p, now + 1, arrived });
	s->inside->bypassing[l2_line_hash(p->local)]++;
	return true;
}

/* The head leaves the queue for DRAM, which for requests that bypass takes the place of the look-up. */
static void leave_bypass_queue(struct l2_slice *s, struct packet *p, cycles now)
{
	s->stats.bypass_time += now - delay_peek(&s->bypass_queue)->arrived;
	s->stats.accesses++;
	s->stats.bypassed++;
	s->stats.bypassed_stores += p->kind == PACKET_WRITE;
	s->stats.reads += p->kind == PACKET_READ;
	l2_note_outcome(s, p, L2_BYPASSED, now);
	if (listeners_any(&s->notification.listeners))
		l2_notify_bypassed(s, p);
	packet_stamp(p, AT_L2_LOOKED_UP, sim_now(s->component.sim));
	s->inside->bypassing[l2_line_hash(p->local)]--;
	delay_pop(&s->bypass_queue);
}

/* Whether there is room at this input of the DRAM channel. If not, the bypass queue goes first next time. */
static bool has_dram_room(struct l2_slice *s, struct port *to_dram)
{
	s->bypass_first = !port_room(to_dram);
	return !s->bypass_first;
}

static bool send_read(struct l2_slice *s, struct packet *p, cycles now)
{
	struct port *to_dram = l2_read_port(s, p);

	if (!has_dram_room(s, to_dram))
		return false;
	leave_bypass_queue(s, p, now);
	s->stats.bypass_read_bytes += p->bytes;
	s->bypass_reads++;
	p->slice = s->number;
	p->stamp = sim_now(s->component.sim);
	port_push(to_dram, p);
	return true;
}

/* Each run of sectors needs an entry of the queue to DRAM; the packet's mask contains those not sent yet.
 * After the last, the packet becomes its own acknowledgement. */
static bool send_store(struct l2_slice *s, struct packet *p, cycles now)
{
	addr key = tags_key(&s->tags, p->local);

	for (; l2_sectors_of(p); s->stats.bypass_writes++) {
		if (!has_dram_room(s, l2_write_port(s)))
			return false;
		s->stats.bypass_write_bytes +=
			l2_write_run(s, p->byte_mask, key, p->address - (p->local - key));
	}
	if (!p->is_internal && !delay_room(&l2_bypass_path(s)->done))
		return false;
	leave_bypass_queue(s, p, now);
	if (!p->is_internal) {
		l2_answer_at(s, l2_bypass_path(s), p, now + 1, now);
		return true;
	}
	s->stats.posted++;
	packet_free(p);
	return true;
}

void l2_send_bypassing(struct l2_slice *s, cycles now)
{
	for (uint32_t i = 0; i < s->config.input_width; i++) {
		const struct delayed *head = delay_peek(&s->bypass_queue);

		if (!head || head->ready > now)
			return;
		if (!(head->packet->kind == PACKET_READ ? send_read(s, head->packet, now)
							: send_store(s, head->packet, now)))
			return;
	}
}

bool l2_bypass_goes_first(struct l2_slice *s, cycles now)
{
	bool goes = s->bypass_first;

	if (goes)
		l2_send_bypassing(s, now);
	return goes;
}
