/* memsys/coalescer/warppool_coalesce.c -- WarpPool's intra-warp coalescers and inter-warp coalescing queues
 * (MICRO 2015, sections 3.3 and 3.4). */
#include "memsys/coalescer/warppool.h"

/* ---- stage 2: intra-warp coalescers ---- */

static void wait_for_room(
	struct warppool *w, struct intra_warp_coalescer *k, enum warppool_wait what, cycles now)
{
	if (k->wait != WARPPOOL_WAITS)
		w->waits[k->wait] += now - k->wait_since;
	k->wait = what;
	k->wait_since = now;
}

void warppool_wake_for_tag(struct warppool *w, uint32_t queue)
{
	for (uint32_t m = w->held_up; m; m &= m - 1) {
		const struct intra_warp_coalescer *k = &w->coalescer[__builtin_ctz(m)];

		if (k->wait == WAIT_TAG && k->wait_queue == queue)
			w->held_up &= ~(m & -m);
	}
}

void warppool_wake_for(struct warppool *w, enum warppool_wait what)
{
	for (uint32_t m = w->held_up; m; m &= m - 1)
		if (w->coalescer[__builtin_ctz(m)].wait == what)
			w->held_up &= ~(m & -m);
}

void warppool_count_waits(struct warppool *w, cycles until)
{
	for (uint32_t i = 0; i < w->coalescers; i++) {
		struct intra_warp_coalescer *k = &w->coalescer[i];

		if (k->wait != WARPPOOL_WAITS && until > k->wait_since)
			wait_for_room(w, k, k->wait, until);
	}
}

/* The coalescer is done with its instruction. */
static void let_go(struct warppool *w, struct intra_warp_coalescer *k, cycles now)
{
	struct warppool_access *a = &w->accesses[k->access];

	k->busy_until = now + a->more_cycles;
	a->free = w->free_access;
	w->free_access = k->access;
	w->active &= ~(1u << (k - w->coalescer));
}

void warppool_line_gone(struct warppool *w, struct intra_warp_coalescer *k, cycles now)
{
	struct warppool_access *a = &w->accesses[k->access];
	a->is_complete = false;
	w->direct &= ~(1u << (k - w->coalescer));
	k->since = now + 1;
	w->moved = true;
	if (++a->next == a->count)
		let_go(w, k, now);
}

/* The request of the access becomes that of its next line. */
static void complete_request(struct warppool *w, struct warppool_access *a)
{
	struct buffered_request *b = &a->request;

	if (a->is_complete)
		return;
	b->is_first = a->next == 0;
	b->request.coalesced = w->base.services->time(w->base.owner);
	b->request.buffered = 0;
	cache_request_line(&b->request, &a->lines[a->next].request, b->op);
	a->is_complete = true;
	w->moved = true;
}

/* ---- stage 3: inter-warp coalescing queues ---- */

static void append_entry(struct warppool *w, uint32_t number)
{
	struct warppool_request *r = &w->requests[number];

	r->older = w->newest;
	r->newer = WARPPOOL_NONE;
	if (w->newest == WARPPOOL_NONE)
		w->oldest = number;
	else
		w->requests[w->newest].newer = number;
	w->newest = number;
}

/* A new tag for the request. */
static void take_tag(struct warppool *w, uint32_t *tag, struct coalesced *c, uint32_t queue, cycles now)
{
	struct warppool_request *r = &w->requests[c->number];

	*tag = c->number;
	*r = (struct warppool_request){
		.lowest_warp = c->by[0].warp, .queue = (uint16_t)queue, .since = now + 1
	};
	append_entry(w, c->number);
	sim_hist_add(&w->tags_in_use, w->used_tags++);
}

/* The request's place in its queue: a tag of its line that has room, or a free one. NULL: neither. */
static uint32_t *find_tag(struct warppool *w, uint32_t queue, const struct buffered_request *b)
{
	uint32_t *tag = &w->tag[(size_t)queue * w->tags], *free = NULL;
	bool is_full = false;

	for (uint32_t i = 0; i < w->tags; i++) {
		const struct coalesced *c = &w->base.requests[tag[i]];

		if (tag[i] == WARPPOOL_NONE)
			free = free ? free : &tag[i];
		else if (coalesced_may_join(c, b) && c->count < w->merges)
			return &tag[i];
		else
			is_full |= coalesced_may_join(c, b);
	}
	w->full_tags += is_full && free;
	return free;
}

/* Inserts the next line request of the coalescer's load. WARPPOOL_WAITS: done; else what it waits for. */
static enum warppool_wait insert_request(
	struct warppool *w, struct intra_warp_coalescer *k, struct warppool_access *a, cycles now)
{
	uint32_t queue = cache_set_of(w->base.l1, a->lines[a->next].request.line) % w->queues, *tag,
		 which = 0;
	bool needs_map = a->lines[a->next].mapping == MAPPING_TABLE;
	struct coalesced *c;
	k->wait_queue = queue;
	if (w->queue_used[queue] == now)
		return WAIT_QUEUE_PORT;
	if (needs_map && !w->free_maps)
		return WAIT_THREAD_MAP;
	complete_request(w, a);
	tag = find_tag(w, queue, &a->request);
	if (!tag)
		return WAIT_TAG;
	if (*tag != WARPPOOL_NONE) {
		c = &w->base.requests[*tag];
		which = c->count;
		coalesced_join(c, &a->request);
		w->merged++;
		if (a->request.request.by.warp < w->requests[*tag].lowest_warp)
			w->requests[*tag].lowest_warp = a->request.request.by.warp;
	} else {
		c = coalesced_new(&w->base, &a->request);
		if (!c)
			return WAIT_METADATA;
		take_tag(w, tag, c, queue, now);
	}
	w->queue_used[queue] = now;
	warppool_wake_for_tag(w, queue);
	w->mappings[a->lines[a->next].mapping]++;
	w->free_maps -= needs_map;
	w->requests[c->number].table |= (uint16_t)(needs_map << which);
	return WARPPOOL_WAITS;
}

static void coalesce_one(struct warppool *w, struct intra_warp_coalescer *k, cycles now)
{
	struct warppool_access *a = &w->accesses[k->access];
	enum warppool_wait wait;

	if (a->kind != COALESCER_LOAD) {
		complete_request(w, a);
		w->direct |= 1u << (k - w->coalescer);
		return;
	}
	wait = insert_request(w, k, a, now);
	if (wait != k->wait)
		wait_for_room(w, k, wait, now);
	if (wait < WAIT_QUEUE_PORT) /* the port is free in the next cycle */
		w->held_up |= 1u << (k - w->coalescer);
	if (wait == WARPPOOL_WAITS)
		warppool_line_gone(w, k, now);
}

/* Those of the coalescers that have a line request, in turn. An insertion may end the wait of a later one. */
static void coalesce_each(struct warppool *w, uint32_t coalescers, cycles now)
{
	for (uint32_t m = coalescers; m; m &= m - 1) {
		struct intra_warp_coalescer *k = &w->coalescer[__builtin_ctz(m)];

		if (k->since <= now && !(w->held_up & m & -m))
			coalesce_one(w, k, now);
	}
}

/* Which coalescer goes first changes from cycle to cycle. */
void warppool_coalesce(struct warppool *w, cycles now)
{
	uint32_t before = (1u << now % w->coalescers) - 1, active = w->active;

	coalesce_each(w, active & ~before, now);
	coalesce_each(w, active & before, now);
}

/* ---- stage 1 to stage 2 ---- */

/* The queue of highest priority whose oldest instruction may enter a coalescer; NULL: none. */
static struct instruction_queue *next_queue(struct warppool *w, cycles now)
{
	for (uint64_t m = w->filled_queues; m; m &= m - 1) {
		struct instruction_queue *q = &w->instruction_queue[__builtin_ctzll(m)];

		if (q->ready <= now)
			return q;
	}
	return NULL;
}

static uint32_t take_oldest(struct warppool *w, struct instruction_queue *q)
{
	uint32_t access = q->ring[q->head];

	q->head = q->head + 1 < w->instruction_entries ? q->head + 1 : 0;
	if (--q->count)
		q->ready = w->accesses[q->ring[q->head]].ready;
	else
		w->filled_queues &= ~(UINT64_C(1) << (q - w->instruction_queue));
	if (q->count + 1 == w->instruction_entries)
		warppool_renew_gates(w, q->warps);
	return access;
}

void warppool_take_instructions(struct warppool *w, cycles now)
{
	uint32_t idle = w->all & ~w->active;

	for (; idle && w->filled_queues; idle &= idle - 1) {
		struct intra_warp_coalescer *k = &w->coalescer[__builtin_ctz(idle)];
		struct instruction_queue *q;

		if (k->busy_until > now)
			continue;
		q = next_queue(w, now);
		if (!q)
			return;
		k->access = take_oldest(w, q);
		k->since = now + 1;
		w->active |= idle & -idle;
		w->moved = true;
	}
}

/* When the first instruction in the queues may enter a coalescer. */
static cycles first_ready(const struct warppool *w)
{
	cycles next = SIM_NEVER;

	for (uint64_t m = w->filled_queues; m; m &= m - 1) {
		const struct instruction_queue *q = &w->instruction_queue[__builtin_ctzll(m)];

		next = q->ready < next ? q->ready : next;
	}
	return next;
}

cycles warppool_coalesce_next(const struct warppool *w, cycles now)
{
	cycles next = SIM_NEVER, at, ready = w->filled_queues ? first_ready(w) : SIM_NEVER;

	for (uint32_t i = 0; i < w->coalescers; i++) {
		const struct intra_warp_coalescer *k = &w->coalescer[i];
		if (w->active >> i & 1) {
			at = k->since; /* if that has come: it waits for another stage */
			at = at > now ? at : SIM_NEVER;
		} else {
			at = ready == SIM_NEVER || k->busy_until < ready ? ready : k->busy_until;
		}
		next = at < next ? at : next;
	}
	return next;
}
