/* memsys/l2/l2_cycle.c -- an L2 slice's cycle: its stages from the way out to the way in, sleep and wake. */
#include "memsys/l2/l2_internal.h"

#define SHORT_WAIT 2 /* cycles: sleeping through fewer costs more than ticking */

/* ---- the stages ---- */

static void note_arrivals(struct l2_slice *s, cycles now)
{
	for (; s->stamped < s->request.count; s->stamped++) {
		uint32_t index = s->request.head + s->stamped;

		s->arrived[index >= s->request.capacity ? index - s->request.capacity : index] = now;
	}
}

/* The bank whose answer is sent next. At least one bank must have an answer that is ready. */
static struct l2_bank *next_answer(struct l2_slice *s, cycles now)
{
	struct l2_bank *first = NULL;

	for (uint64_t left = s->answering; left;) {
		uint32_t bank = l2_next_bank(left, s->reply_turn);
		struct l2_bank *b = &s->banks[bank];
		cycles ready = delay_peek(&b->done)->ready;

		left &= ~(UINT64_C(1) << bank);
		if (ready > now || (first && ready >= delay_peek(&first->done)->ready))
			continue;
		first = b;
		if (s->config.arbitration == L2_ROUND_ROBIN)
			break;
	}
	return first;
}

static void renew_next_answer(struct l2_slice *s)
{
	s->next_answer = SIM_NEVER;
	for (uint64_t left = s->answering; left; left &= left - 1) {
		cycles ready = delay_peek(&s->banks[__builtin_ctzll(left)].done)->ready;

		s->next_answer = ready < s->next_answer ? ready : s->next_answer;
	}
}

/* Sends one answer, if the reply port has room. At least one must be ready. */
static void send_reply(struct l2_slice *s, cycles now)
{
	struct l2_bank *b;
	uint32_t bank;
	struct packet *p;

	if (!port_room(&s->reply))
		return;
	b = next_answer(s, now);
	bank = (uint32_t)(b - s->banks);
	s->stats.reply_time += now - delay_peek(&b->done)->arrived;
	p = delay_pop(&b->done);
	s->reply_turn = bank == s->config.banks ? 0 : bank + 1;
	if (!b->done.count)
		s->answering &= ~(UINT64_C(1) << bank);
	renew_next_answer(s);
	p->is_reply = true;
	p->route = p->by.sm;
	p->wire_bytes = HEADER_BYTES;
	if ((p->kind == PACKET_READ && !p->no_data) || (p->kind == PACKET_ATOMIC && p->wants_data))
		p->wire_bytes = (uint16_t)(HEADER_BYTES + p->bytes);
	if (!p->is_across)
		s->stats.reply_bytes += p->wire_bytes - HEADER_BYTES;
	p->stamp = sim_now(s->component.sim);
	packet_stamp(p, AT_L2_REPLIED, p->stamp);
	s->stats.replies++;
	if (__builtin_expect(p->is_across, 0))
		s->across->has_more = true;
	port_push(p->is_across ? &s->across->replies : &s->reply, p);
}

/* Counts the cycles of the bank's stall before `until`. */
static void sync_bank(struct l2_slice *s, struct l2_bank *b, cycles until)
{
	cycles waited = until - b->stall_counted;

	if (!b->stall || until <= b->stall_counted)
		return;
	s->stats.stalls[b->stall - 1] += waited;
	*(b->stall == L2_BANK_BUSY ? &b->stats.busy_wait : &b->stats.stall_wait) += waited;
	b->stall_counted = until;
}

static void note_stall(struct l2_slice *s, struct l2_bank *b, enum l2_stall stall, cycles now)
{
	if (b->stall == stall)
		return;
	sync_bank(s, b, now);
	b->stall = stall;
	b->stall_since = b->stall_counted = now;
}

uint64_t l2_evictions(const struct l2_slice *s)
{
	return s->stats.evictions;
}

uint64_t l2_accesses(const struct l2_slice *s)
{
	return s->stats.accesses;
}

void l2_sync_stats(struct l2_slice *s, cycles until)
{
	rop_count(&s->rop, until);
	for (uint32_t i = 0; i < s->config.banks; i++)
		sync_bank(s, &s->banks[i], until);
	if (s->bypass && s->bypass->class->sync_stats)
		s->bypass->class->sync_stats(s->bypass, until);
}

/* The bank's oldest request was looked up. */
static void leave_queue(
	struct l2_slice *s, struct l2_bank *b, addr local, bool writes, uint8_t warp_type, cycles now)
{
	const struct delayed *head = delay_peek(&b->queue);
	cycles delay = now + s->config.lead - head->arrived - s->config.rop_latency;

	s->stats.accesses++;
	b->stats.look_ups++;
	sim_hist_add(&s->stats.queue_delay, delay);
	if (s->classifier)
		classifier_served(s->classifier, warp_type, delay);
	if (listeners_any(&s->notification.listeners))
		listeners_served(&s->notification.listeners, &s->notification.event.by, delay,
			sim_now(s->component.sim) + s->lead_time - s->notification.sent);
	b->stats.delay += delay;
	s->stats.bank_queue_time += now - head->ready;
	delay_pop(&b->queue);
	if (s->inside) {
		s->inside->all[l2_line_hash(local)]--;
		if (writes)
			s->inside->writing[l2_line_hash(local)]--;
	}
	b->look_up_free[b->next_port] = now + s->config.lookup_cycles;
	b->next_port = b->next_port + 1 == s->config.bank_ports ? 0 : b->next_port + 1;
}

/* As many look-ups as the bank has ports for, in order. Whether there was one. */
static bool serve_bank(struct l2_slice *s, struct l2_bank *b, cycles now)
{
	bool served = false;

	while (b->queue.count) {
		struct packet *p = delay_peek(&b->queue)->packet;
		addr local = p->local; /* the packet may have been freed afterwards */
		bool writes = p->kind != PACKET_READ;
		uint8_t warp_type = p->warp_type;
		enum l2_stall stall = L2_BANK_BUSY;

		if (b->stall == L2_DATA_PORT && l2_port_free(b, p) > now)
			return served; /* still busy. Below: only a free MSHR or a fill can help */
		if (b->stall == L2_MSHR_ENTRY && !b->is_filled && !mshr_has_free(&s->mshrs))
			return served;
		if (b->look_up_free[b->next_port] <= now) {
			packet_stamp(p, AT_L2_LOOKED_UP, sim_now(s->component.sim));
			b->is_filled = false;
			stall = l2_access(s, b, p, now);
		}
		note_stall(s, b, stall, now);
		if (stall)
			return served;
		leave_queue(s, b, local, writes, warp_type, now);
		served = true;
	}
	s->waiting &= ~(UINT64_C(1) << (b - s->banks));
	return served;
}

/* The bank whose oldest request arrived first, of those in a mask that is not empty. */
static uint32_t oldest_bank(const struct l2_slice *s, uint64_t banks)
{
	uint32_t oldest = (uint32_t)__builtin_ctzll(banks);

	for (; banks; banks &= banks - 1) {
		uint32_t bank = (uint32_t)__builtin_ctzll(banks);

		if (delay_peek(&s->banks[bank].queue)->arrived < delay_peek(&s->banks[oldest].queue)->arrived)
			oldest = bank;
	}
	return oldest;
}

/* Banks one after the other, since they compete for MSHRs, the queue to DRAM and, if it is the slice's, the
 * data port. In round robin the bank behind the first that was served goes first next time. */
static void serve_banks(struct l2_slice *s, cycles now)
{
	uint32_t turn = s->turn;
	bool any = false;

	for (uint64_t left = s->waiting; left;) {
		uint32_t bank =
			s->config.arbitration == L2_OLDEST ? oldest_bank(s, left) : l2_next_bank(left, turn);

		left &= ~(UINT64_C(1) << bank);
		if (serve_bank(s, &s->banks[bank], now) && !any) {
			s->turn = bank + 1 == s->config.banks ? 0 : bank + 1;
			any = true;
		}
	}
}

/* ---- the next cycle in which each stage can make progress; SIM_NEVER: only after a port or another stage
 * has ---- */

static cycles earlier(cycles a, cycles b)
{
	return a < b ? a : b;
}

static cycles next_reply(struct l2_slice *s, cycles now)
{
	if (s->next_answer > now)
		return s->next_answer;
	return port_room(&s->reply) ? now + 1 : SIM_NEVER;
}

/* When the unit that a request lacks at the next cycle comes free. */
static cycles unit_free(const struct l2_bank *b, const struct packet *p, enum l2_stall lacks, cycles now)
{
	switch (lacks) {
	case L2_STALL_NONE:
	case L2_WRITE_BACK:
		return now + 1;
	case L2_BANK_BUSY:
		return b->look_up_free[b->next_port];
	case L2_DATA_PORT:
		return l2_port_free(b, p);
	case L2_ATOMIC_UNIT:
		return b->units->atomic_free;
	default:
		return SIM_NEVER;
	}
}

static cycles next_fill(const struct l2_slice *s, cycles now)
{
	const struct packet *p = port_peek(&s->fill);
	bool can_move;

	if (!p)
		return SIM_NEVER;
	if (l2_is_bypass_path(p))
		can_move = delay_room(&l2_bypass_path(s)->done);
	else
		can_move = !(s->draining >> l2_bank_of(s, s->mshrs.entries[p->token].key) & 1);
	return can_move ? now + 1 : SIM_NEVER;
}

static cycles next_drain(const struct l2_slice *s, cycles now)
{
	cycles next = next_fill(s, now);

	for (uint64_t left = s->draining; left; left &= left - 1) {
		const struct l2_bank *b = &s->banks[__builtin_ctzll(left)];
		const struct packet *p = mshr_waiters(&s->mshrs, b->draining)[b->drained].packet;

		next = earlier(next, unit_free(b, p, l2_answer_lacks(b, p, now + 1), now));
	}
	return next;
}

static cycles next_serve(const struct l2_slice *s, cycles now)
{
	cycles next = SIM_NEVER;

	for (uint64_t left = s->waiting; left; left &= left - 1) {
		const struct l2_bank *b = &s->banks[__builtin_ctzll(left)];

		next = earlier(next, unit_free(b, delay_peek(&b->queue)->packet, b->stall, now));
	}
	return next;
}

static cycles next_to_banks(const struct l2_slice *s, cycles now)
{
	const struct delayed *head = delay_peek(&s->rop.line);

	if (!head)
		return SIM_NEVER;
	if (head->ready > now)
		return head->ready;
	if (s->full_since != SIM_NEVER && !delay_room(&s->banks[l2_bank_for(s, head->packet)].queue))
		return SIM_NEVER;
	return now + 1; /* or the wait begins, which is counted */
}

static cycles next_bypass(struct l2_slice *s, cycles now)
{
	const struct delayed *head = delay_peek(&s->bypass_queue);

	if (!head || head->ready > now)
		return head ? head->ready : SIM_NEVER;
	if (l2_sectors_of(head->packet) && head->packet->kind == PACKET_WRITE)
		return port_room(l2_write_port(s)) ? now + 1 : SIM_NEVER;
	if (head->packet->kind == PACKET_WRITE)
		return delay_room(&l2_bypass_path(s)->done) ? now + 1 : SIM_NEVER;
	return port_room(l2_read_port(s, head->packet)) ? now + 1 : SIM_NEVER;
}

static void sync_slice_stats(struct l2_slice *s, cycles now)
{
	cycles soon = now + SHORT_WAIT, next = l2_next_accept(s, now);

	if (next > soon)
		next = earlier(next, next_reply(s, now));
	if (next > soon)
		next = earlier(next, next_drain(s, now));
	if (next > soon)
		next = earlier(next, next_serve(s, now));
	if (next > soon)
		next = earlier(next, next_to_banks(s, now));
	if (next > soon && s->bypass_queue.count)
		next = earlier(next, next_bypass(s, now));
	if (next <= soon || (s->across && !port_is_empty(&s->across->inbound)))
		return;
	component_sleep_until(&s->component, next);
}

/* The stages run from the output to the input, so that what leaves makes room in the same cycle; but requests
 * enter the bank queues before the banks look up. Banks and bypass queue compete for the queue to DRAM, to
 * which each sends first after the other has. */
void l2_tick(struct component *self, cycles now)
{
	struct l2_slice *s = (struct l2_slice *)self;
	bool bypass_is_next = false;

	note_arrivals(s, now);
	if (s->next_answer <= now)
		send_reply(s, now);
	if (s->draining || !port_is_empty(&s->fill))
		l2_drain(s, now);
	if (s->rop.line.count && delay_peek(&s->rop.line)->ready <= now)
		l2_to_banks(s, now);
	if (__builtin_expect(s->bypass_queue.count != 0, 0))
		bypass_is_next = !l2_bypass_goes_first(s, now);
	if (s->across && !port_is_empty(&s->across->inbound))
		l2_serve_across(s, now);
	if (s->waiting)
		serve_banks(s, now);
	if (bypass_is_next)
		l2_send_bypassing(s, now);
	if (!port_is_empty(&s->request))
		l2_accept(s, now);
	sync_slice_stats(s, now);
}
