/* memsys/l2/halves.c -- the way between the halves of an L2, and what a slice does for it. */
#include "memsys/l2/halves.h"
#include "memsys/l2/l2_internal.h"
#include <stdlib.h>

enum { MOST_ON_THE_WAY = 64 }; /* requests to one slice; replies: as many as there are MSHRs */

/* ---- of a slice ---- */

void l2_init_across(struct l2_slice *s)
{
	const struct l2_config *c = &s->config;
	struct l2_across *a = s->across = xcalloc(1, sizeof(*a));

	port_init(&a->requests, c->dram_queue, &s->component, NULL);
	port_init(&a->replies, c->mshrs, &s->component, NULL);
	port_init(&a->inbound, c->request_queue, NULL, &s->component);
	a->is_copied = xcalloc((size_t)c->sets * c->ways, sizeof(*a->is_copied));
}

void l2_fini_across(struct l2_slice *s)
{
	struct l2_across *a = s->across;

	if (!a)
		return;
	port_fini(&a->requests);
	port_fini(&a->replies);
	port_fini(&a->inbound);
	free(a->is_copied);
	free(a->drops);
	free(a);
}

enum l2_stall l2_copy_lacks(const struct l2_slice *s, addr key, bool has_line)
{
	uint32_t first = tags_set(&s->tags, key) * s->tags.ways, pinned = 0, kept = (s->config.mshrs + 3) / 4;

	if (s->across->fetches >= s->config.mshrs - kept)
		return L2_MSHR_ENTRY;
	for (uint32_t i = first; !has_line && i < first + s->tags.ways; i++)
		pinned += s->tags.pins[i] && (s->tags.key[i] & MAP_COPY);
	return pinned + 1 < s->tags.ways ? L2_STALL_NONE : L2_LINE_ALLOC;
}

void l2_send_across(struct l2_slice *s, struct packet *p)
{
	p->local &= ~MAP_COPY;
	p->slice ^= 1;
	p->is_across = true;
	p->is_internal = false; /* it is to be answered */
	s->across->has_more = true;
	port_push(&s->across->requests, p);
}

void l2_note_copy(struct l2_slice *s, addr key, enum packet_kind kind, bool is_across)
{
	struct l2_across *a = s->across;
	uint32_t line;

	if (!is_across && kind == PACKET_READ)
		return;
	line = tags_find(&s->tags, key);
	if (line == TAGS_NONE || a->is_copied[line] == is_across)
		return;
	a->is_copied[line] = is_across;
	if (is_across)
		return;
	if (a->drop_count == a->drop_room) {
		a->drop_room += 64;
		a->drops = xrealloc(a->drops, a->drop_room * sizeof(*a->drops));
	}
	a->drops[a->drop_count++] = key;
	a->has_more = true;
	component_wake(a->carrier);
}

void l2_serve_across(struct l2_slice *s, cycles now)
{
	for (uint32_t i = 0; i < s->config.input_width && !port_is_empty(&s->across->inbound); i++) {
		struct packet *p = port_peek(&s->across->inbound);
		struct l2_bank *b = &s->banks[l2_bank_for(s, p)];
		bool is_store = p->kind == PACKET_WRITE;

		if (b->look_up_free[b->next_port] > now || l2_access(s, b, p, now))
			return;
		if (is_store)
			p->is_across = false; /* the answer goes to the SM */
		port_pop(&s->across->inbound);
		b->look_up_free[b->next_port] = now + s->config.lookup_cycles;
		b->next_port = b->next_port + 1 == s->config.bank_ports ? 0 : b->next_port + 1;
		b->stats.look_ups++;
		s->stats.entered++;
		s->stats.accesses++;
	}
}

/* ---- the way ---- */

struct list {
	struct packet *first, *last;
	uint32_t count;
};

struct l2_halves {
	struct component component;
	struct l2_slice **slices;
	uint32_t count, latency;
	struct list *requests, *replies; /* [count], by the slice that they go to; packet.due: when they are
					    there */
	uint64_t *arriving;              /* bit set: of slices with any of either */
};

static void append_packet(struct list *l, struct packet *p, cycles due)
{
	p->due = due;
	p->next = NULL;
	*(l->last ? &l->last->next : &l->first) = p;
	l->last = p;
	l->count++;
}

static struct packet *take_packet(struct list *l)
{
	struct packet *p = l->first;

	l->first = p->next;
	if (!l->first)
		l->last = NULL;
	l->count--;
	return p;
}

static void drop_copies(struct l2_halves *h, uint32_t number)
{
	struct l2_across *a = h->slices[number]->across;
	struct l2_slice *other = h->slices[number ^ 1];

	for (uint32_t i = 0; i < a->drop_count; i++) {
		uint32_t line = tags_find(&other->tags, a->drops[i] | MAP_COPY);

		if (line == TAGS_NONE || other->tags.pins[line])
			continue;
		if (listeners_any(&other->notification.listeners))
			l2_notify_flushed(other, line);
		tags_drop(&other->tags, line);
		other->stats.copies_dropped++;
	}
	a->drop_count = 0;
}

/* Takes what the slice has for the other half. */
static void halves_collect(struct l2_halves *h, uint32_t number, cycles now)
{
	struct l2_across *a = h->slices[number]->across;
	struct list *requests = &h->requests[number ^ 1], *replies = &h->replies[number ^ 1];

	while (!port_is_empty(&a->requests) && requests->count < MOST_ON_THE_WAY)
		append_packet(requests, port_pop(&a->requests), now + h->latency);
	while (!port_is_empty(&a->replies))
		append_packet(replies, port_pop(&a->replies), now + h->latency);
	a->has_more = !port_is_empty(&a->requests);
	if (requests->count || replies->count)
		h->arriving[number / 64] |= UINT64_C(1) << (number % 64 ^ 1);
}

/* Hands over what has arrived, as far as there is room; when to look again. */
static cycles deliver_due(struct list *l, struct port *to, bool is_fill, cycles now)
{
	while (l->first && l->first->due <= now && port_room(to)) {
		struct packet *p = take_packet(l);

		if (is_fill) { /* a fetch of the slice again */
			p->is_across = p->is_reply = false;
			p->is_internal = true;
			p->local |= MAP_COPY;
			p->slice ^= 1;
		}
		port_push(to, p);
	}
	if (!l->first)
		return SIM_NEVER;
	return l->first->due > now ? l->first->due : now + 1;
}

/* What is on the way to a slice; when to look again. */
static cycles halves_arrive(struct l2_halves *h, uint32_t number, cycles now)
{
	struct l2_slice *s = h->slices[number];
	cycles requests = deliver_due(&h->requests[number], &s->across->inbound, false, now);
	cycles replies = deliver_due(&h->replies[number], &s->fill, true, now);

	if (requests == SIM_NEVER && replies == SIM_NEVER)
		h->arriving[number / 64] &= ~(UINT64_C(1) << number % 64);
	return requests < replies ? requests : replies;
}

static void halves_tick(struct component *self, cycles now)
{
	struct l2_halves *h = (struct l2_halves *)self;
	cycles next = SIM_NEVER;

	for (uint32_t i = 0; i < h->count; i++) {
		if (!h->slices[i]->across->has_more)
			continue;
		drop_copies(h, i);
		halves_collect(h, i, now);
		if (h->slices[i]->across->has_more)
			next = now + 1;
	}
	for (uint32_t word = 0; word < (h->count + 63) / 64; word++)
		for (uint64_t left = h->arriving[word]; left; left &= left - 1) {
			uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(left);
			cycles then = halves_arrive(h, i, now);

			next = then < next ? then : next;
		}
	if (next == SIM_NEVER)
		component_sleep(self);
	else if (next > now + 1)
		component_sleep_until(self, next);
}

struct l2_halves *l2_halves_new(
	struct simulator *sim, struct l2_slice **slices, uint32_t count, uint32_t latency)
{
	struct l2_halves *h = xcalloc(1, sizeof(*h));

	component_init(&h->component, sim, PHASE_XBAR, halves_tick);
	h->slices = slices;
	h->count = count;
	h->latency = latency;
	h->requests = xcalloc(count, sizeof(*h->requests));
	h->replies = xcalloc(count, sizeof(*h->replies));
	h->arriving = xcalloc((count + 63) / 64, sizeof(*h->arriving));
	for (uint32_t i = 0; i < count; i++) {
		struct l2_across *a = slices[i]->across;

		a->requests.consumer = a->replies.consumer = a->carrier = &h->component;
	}
	return h;
}

static void free_list(struct list *l)
{
	while (l->first)
		packet_free(take_packet(l));
}

void l2_halves_free(struct l2_halves *h)
{
	for (uint32_t i = 0; h && i < h->count; i++) {
		free_list(&h->requests[i]);
		free_list(&h->replies[i]);
	}
	if (!h)
		return;
	free(h->requests);
	free(h->replies);
	free(h->arriving);
	free(h);
}
