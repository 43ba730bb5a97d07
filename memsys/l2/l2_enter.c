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

/* ---- requests that the pipeline takes ahead of time ---- */

/* The cycle in which a request entered the pipeline, or will. */
static cycles entry_cycle(const struct l2_slice *s, const struct delayed *request)
{
	return request->ready + s->config.lead - s->config.rop_latency;
}

/* The oldest of those that are not counted yet has entered. */
static void count_entered(struct l2_slice *s)
{
	const struct delayed *d = delay_at(&s->rop, s->rop.count - s->uncounted--);

	s->stats.entered++;
	s->stats.request_queue_time += entry_cycle(s, d) - d->arrived;
}

void l2_count_entered(struct l2_slice *s, cycles until)
{
	while (s->uncounted && entry_cycle(s, delay_at(&s->rop, s->rop.count - s->uncounted)) < until)
		count_entered(s);
}

/* A request that leaves the pipeline early, since the slice works ahead, keeps its place until the time at
 * which it would have left. */
static void leave_rop(struct l2_slice *s, cycles now)
{
	struct vacated *v = &s->rop_places;
	uint32_t tail = v->head + v->count;

	if (s->uncounted == s->rop.count)
		count_entered(s);
	delay_pop(&s->rop);
	if (!s->config.lead)
		return;
	v->count++;
	v->at[tail >= s->rop.capacity ? tail - s->rop.capacity : tail] = now + s->config.lead;
}

static bool rop_room(struct l2_slice *s, cycles now)
{
	struct vacated *v = &s->rop_places;

	if (s->rop.count + v->count < s->rop.capacity)
		return true;
	while (v->count && v->at[v->head] <= now) {
		v->count--;
		if (++v->head == s->rop.capacity)
			v->head = 0;
	}
	return s->rop.count + v->count < s->rop.capacity;
}

/* The next cycle with room, if no request leaves before. */
static cycles next_rop_room(const struct l2_slice *s, cycles now)
{
	const struct vacated *v = &s->rop_places;

	if (s->rop.count + v->count < s->rop.capacity)
		return now + 1;
	if (!v->count)
		return SIM_NEVER;
	return v->at[v->head] > now ? v->at[v->head] : now + 1;
}

/* In the cycle `entry`, which is at the time `when`. */
static void push_into_rop(
	struct l2_slice *s, struct packet *p, cycles arrived, cycles entry, picoseconds when)
{
	packet_stamp(p, AT_L2_TAKEN, when);
	packet_stamp(p, AT_ROP_LEFT, when + s->rop_time);
	delay_push(&s->rop, (struct delayed){ p, entry + s->config.rop_latency - s->config.lead, arrived });
	s->last_entry = entry;
}

/* One request a cycle enters: behind those that are certain to. */
static bool must_wait_for_others(const struct l2_slice *s, cycles now)
{
	return s->uncounted && now <= s->last_entry;
}

static bool into_rop(struct l2_slice *s, struct packet *p, cycles arrived, cycles now)
{
	if (must_wait_for_others(s, now) || !rop_room(s, now))
		return false;
	while (s->uncounted)
		count_entered(s); /* they came before */
	push_into_rop(s, p, arrived, now, sim_now(s->component.sim));
	return true;
}

/* A request that will come is certain to enter if nothing that comes before it waits and there is room, since
 * until then requests only leave the pipeline. */
picoseconds l2_take_ahead(struct port *port, struct packet *p, picoseconds arrival)
{
	struct l2_slice *s = (struct l2_slice *)(void *)((char *)port - offsetof(struct l2_slice, request));
	struct local_time entry = component_edge_from(&s->component, arrival);
	cycles arrived = entry.cycle;

	if (s->has_policies || !port_is_empty(port) || s->config.input_width > 1)
		return SIM_NEVER;
	if (entry.cycle <= s->last_entry) /* one a cycle */
		entry = (struct local_time){ sim_edge(s->component.sim, CLOCK_L2, s->last_entry + 1),
			s->last_entry + 1 };
	if (!rop_room(s, entry.cycle))
		return SIM_NEVER;
	push_into_rop(s, p, arrived, entry.cycle, entry.now);
	s->uncounted++;
	if (s->rop.count == 1)
		component_wake_at(&s->component, delay_peek(&s->rop)->ready);
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
	if (must_wait_for_others(s, now + 1))
		return s->last_entry + 1;
	return s->has_policies && must_follow(s, port_peek(&s->request)) ? SIM_NEVER : next_rop_room(s, now);
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
	leave_rop(s, now);
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
