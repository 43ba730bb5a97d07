/* memsys/l2/l2_enter.c -- requests from the crossbar's port to the queue of their bank, through the ROP
 * pipeline; or into the bypass queue. */
#include "memsys/l2/l2_internal.h"

/* ---- into the ROP pipeline ---- */

/* Whether the request must wait behind one for its line in the bypass queue. */
static bool must_follow(const struct l2_slice *s, const struct packet *p)
{
	return s->inside && s->inside->bypassing[l2_line_hash(p->local)];
}

/* Counts the cycles in which the head of the request port must wait for one in the bypass queue. */
static void count_order_wait(struct l2_slice *s, bool waits, cycles now)
{
	if (waits) {
		s->order_since = s->order_since == SIM_NEVER ? now : s->order_since;
		return;
	}
	if (s->order_since != SIM_NEVER)
		s->stats.bypass_order_wait += now - s->order_since;
	s->order_since = SIM_NEVER;
}

static bool into_rop(struct l2_slice *s, struct packet *p, cycles arrived, cycles now)
{
	return rop_enter(&s->rop, p, arrived, now, sim_now(s->component.sim));
}

/* A request that will come is certain to enter if nothing that comes before it waits and there is room, since
 * until then requests only leave the pipeline. */
picoseconds l2_take_ahead(struct port *port, struct packet *p, picoseconds arrival)
{
	struct l2_slice *s = (struct l2_slice *)(void *)((char *)port - offsetof(struct l2_slice, request));
	struct local_time entry = component_edge_from(&s->component, arrival);
	cycles arrived = entry.cycle, next = s->rop.last_entry + 1;

	if (s->has_policies || !port_is_empty(port) || s->config.input_width > 1)
		return SIM_NEVER;
	if (entry.cycle < next) /* one a cycle */
		entry = (struct local_time){ sim_edge(s->component.sim, CLOCK_L2, next), next };
	if (!rop_enter_ahead(&s->rop, p, arrived, entry.cycle, entry.now))
		return SIM_NEVER;
	if (s->rop.line.count == 1)
		component_wake_at(&s->component, delay_peek(&s->rop.line)->ready);
	return entry.now;
}

/* The same where requests may bypass: counts those between entry and look-up, and waits behind those of the
 * line in the bypass queue. */
static bool into_rop_in_order(struct l2_slice *s, struct packet *p, cycles arrived, cycles now)
{
	uint32_t hash = l2_line_hash(p->local);
	bool waits = must_follow(s, p);

	count_order_wait(s, waits, now);
	if (waits || !into_rop(s, p, arrived, now))
		return false;
	s->inside->all[hash]++;
	if (p->kind != PACKET_READ)
		s->inside->writing[hash]++;
	return true;
}

/* The same as into_rop with policies of warp types and bypass. */
static __attribute__((noinline)) bool enter_by_policy(
	struct l2_slice *s, struct packet *p, cycles arrived, cycles now)
{
	l2_decide(s, p, now);
	if (s->head_bypasses)
		return l2_into_bypass_queue(s, p, arrived, now);
	return s->inside ? into_rop_in_order(s, p, arrived, now) : into_rop(s, p, arrived, now);
}

void l2_accept(struct l2_slice *s, cycles now)
{
	for (uint32_t i = 0; i < s->config.input_width && !port_is_empty(&s->request); i++) {
		struct packet *p = port_peek(&s->request);
		cycles arrived = s->arrived[s->request.head];

		if (!(s->has_policies ? enter_by_policy(s, p, arrived, now) : into_rop(s, p, arrived, now)))
			return;
		port_pop(&s->request);
		s->stamped--;
		s->head_decided = s->head_bypasses = false;
		s->stats.entered++;
		s->stats.request_queue_time += now - arrived;
	}
}

cycles l2_next_accept(const struct l2_slice *s, cycles now)
{
	if (port_is_empty(&s->request))
		return SIM_NEVER;
	if (s->has_policies && !s->head_decided)
		return now + 1;
	if (s->head_bypasses)
		return delay_room(&s->bypass_queue) ? now + 1 : SIM_NEVER;
	return s->has_policies && must_follow(s, port_peek(&s->request)) ? SIM_NEVER
									 : rop_next_entry(&s->rop, now);
}

/* ---- from the ROP pipeline into the banks ---- */

static bool into_bank(struct l2_slice *s, cycles now)
{
	const struct delayed head = *delay_peek(&s->rop.line);
	uint32_t bank = l2_bank_for(s, head.packet);

	if (!delay_room(&s->banks[bank].queue)) {
		s->full_since = s->full_since == SIM_NEVER ? now : s->full_since;
		return false;
	}
	if (s->full_since != SIM_NEVER)
		s->stats.bank_queue_full += now - s->full_since;
	s->full_since = SIM_NEVER;
	s->stats.rop_time += now - head.ready + s->config.rop_latency;
	rop_leave(&s->rop, now);
	delay_push(&s->banks[bank].queue, (struct delayed){ head.packet, now, head.arrived });
	s->waiting |= UINT64_C(1) << bank;
	return true;
}

void l2_to_banks(struct l2_slice *s, cycles now)
{
	for (uint32_t i = 0;
		i < s->config.input_width && s->rop.line.count && delay_peek(&s->rop.line)->ready <= now; i++)
		if (!into_bank(s, now))
			return;
}
