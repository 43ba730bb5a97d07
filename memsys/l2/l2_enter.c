/* memsys/l2/l2_enter.c -- requests from the crossbar's port to the queue of their bank: through the ROP
 * pipeline, or on the bypass path. */
#include "memsys/l2/l2_internal.h"

/* ---- the bypass path ---- */

/* Whether p may bypass the cache: its line is not present, and no request for it is between entry and
 * look-up. */
static bool may_bypass(const struct l2_slice *s, const struct packet *p)
{
	return p->kind != PACKET_ATOMIC && !*l2_inside_of(s, p->local) &&
		tags_find(&s->tags, tags_key(&s->tags, p->local)) == TAGS_NONE;
}

/* Whether the head of the request port bypasses the cache. The policy decides once. The decision remains
 * valid while the head waits, since no request for its line is inside and none can overtake it. */
static bool bypasses_cache(struct l2_slice *s, struct packet *p, cycles now)
{
	bool asked;

	if (s->head_decided)
		return s->head_bypasses;
	asked = l2_bypass_asks(s->bypass, p, now);
	s->head_decided = true;
	s->head_bypasses = asked && may_bypass(s, p);
	s->stats.bypass_refused += asked && !s->head_bypasses;
	return s->head_bypasses;
}

static void count_bypass(struct l2_slice *s, const struct packet *p, cycles now)
{
	s->stats.accesses++;
	s->stats.bypassed++;
	s->stats.bypassed_stores += p->kind == PACKET_WRITE;
	s->stats.reads += p->kind == PACKET_READ;
	l2_note_outcome(s, p, L2_BYPASSED, now);
	if (listeners_any(&s->notification.listeners))
		l2_notify_bypassed(s, p);
}

/* A request that bypasses leaves the request queue and is looked up at the same time. */
static void stamp_bypass(const struct l2_slice *s, struct packet *p)
{
	packet_stamp(p, AT_L2_TAKEN, sim_now(s->component.sim));
	packet_stamp(p, AT_L2_LOOKED_UP, sim_now(s->component.sim));
}

static bool read_bypass(struct l2_slice *s, struct packet *p, cycles now)
{
	if (!port_room(&s->dram))
		return false;
	count_bypass(s, p, now);
	stamp_bypass(s, p);
	s->stats.bypass_read_bytes += p->bytes;
	s->bypass_reads++;
	p->slice = s->number;
	p->stamp = sim_now(s->component.sim);
	port_push(&s->dram, p);
	return true;
}

/* Each run of sectors needs an entry of the queue to DRAM; the packet's mask contains those not sent yet.
 * After the last, the packet becomes its own acknowledgement. */
static bool write_bypass(struct l2_slice *s, struct packet *p, cycles now)
{
	addr key = tags_key(&s->tags, p->local);

	for (; l2_sectors_of(p); s->stats.bypass_writes++) {
		if (!port_room(&s->dram))
			return false;
		s->stats.bypass_write_bytes +=
			l2_write_run(s, p->byte_mask, key, p->address - (p->local - key));
	}
	if (!p->is_internal && !delay_room(&l2_bypass_path(s)->done))
		return false;
	count_bypass(s, p, now);
	stamp_bypass(s, p);
	if (!p->is_internal) {
		l2_answer_at(s, l2_bypass_path(s), p, now + 1, now);
		return true;
	}
	s->stats.posted++;
	packet_free(p);
	return true;
}

/* ---- into the ROP pipeline ---- */

static bool into_rop(struct l2_slice *s, struct packet *p, cycles arrived, cycles now)
{
	if (!delay_room(&s->rop))
		return false;
	if (s->inside)
		++*l2_inside_of(s, p->local);
	packet_stamp(p, AT_L2_TAKEN, sim_now(s->component.sim));
	packet_stamp(p, AT_ROP_LEFT, sim_now(s->component.sim) + s->rop_time);
	delay_push(&s->rop, (struct delayed){ p, now + s->config.rop_latency, arrived });
	return true;
}

void l2_accept(struct l2_slice *s, cycles now)
{
	for (uint32_t i = 0; i < s->config.input_width && !port_is_empty(&s->request); i++) {
		struct packet *p = port_peek(&s->request);
		cycles arrived = s->arrived[s->request.head];
		bool gone;

		if (s->bypass && bypasses_cache(s, p, now))
			gone = p->kind == PACKET_READ ? read_bypass(s, p, now) : write_bypass(s, p, now);
		else
			gone = into_rop(s, p, arrived, now);
		if (!gone)
			return;
		port_pop(&s->request);
		s->stamped--;
		s->head_decided = false;
		s->stats.entered++;
		s->stats.request_queue_time += now - arrived;
	}
}

bool l2_can_accept(const struct l2_slice *s)
{
	if (port_is_empty(&s->request))
		return false;
	if (!s->bypass)
		return delay_room(&s->rop);
	return !s->head_decided ||
		(s->head_bypasses ? s->dram.count < s->dram.capacity : delay_room(&s->rop));
}

/* ---- from the ROP pipeline into the banks ---- */

static bool into_bank(struct l2_slice *s, cycles now)
{
	const struct delayed head = *delay_peek(&s->rop);
	uint32_t bank = l2_bank_for(s, head.packet);

	if (!delay_room(&s->banks[bank].queue)) {
		s->full_since = s->full_since == SIM_NEVER ? now : s->full_since;
		return false;
	}
	if (s->full_since != SIM_NEVER)
		s->stats.bank_queue_full += now - s->full_since;
	s->full_since = SIM_NEVER;
	s->stats.rop_time += now - head.ready + s->config.rop_latency;
	delay_pop(&s->rop);
	delay_push(&s->banks[bank].queue, (struct delayed){ head.packet, now, head.arrived });
	s->waiting |= UINT64_C(1) << bank;
	return true;
}

void l2_to_banks(struct l2_slice *s, cycles now)
{
	for (uint32_t i = 0; i < s->config.input_width && s->rop.count && delay_peek(&s->rop)->ready <= now;
		i++)
		if (!into_bank(s, now))
			return;
}
