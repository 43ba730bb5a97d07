/* memsys/coalescer/warppool_select.c -- WarpPool's request selector (MICRO 2015, section 3.5): which request
 * goes to the L1. */
#include "memsys/coalescer/warppool.h"
#include "memsys/l1/cache_stats.h"

enum { PORT_LOADS, PORT_OTHERS };

/* ---- which policy ---- */

static void begin_quantum(struct warppool *w)
{
	const struct cache_stats *s = cache_counts(w->base.l1);

	w->quantum_loads = s->hits + s->misses + s->merged;
	w->quantum_misses = s->misses;
}

/* Toggles the policy after a quantum whose miss rate was above the limit. Quanta in which the SM slept change
 * nothing. */
static void end_quanta(struct warppool *w, cycles now)
{
	const struct cache_stats *s = cache_counts(w->base.l1);
	uint64_t loads = s->hits + s->misses + s->merged - w->quantum_loads;
	uint64_t misses = s->misses - w->quantum_misses;

	w->quanta++;
	w->warp_id_quanta += w->by_warp_id;
	if (loads && (double)misses > w->miss_rate * (double)loads) {
		w->by_warp_id = !w->by_warp_id;
		w->toggles++;
	}
	w->quantum_end += (now - w->quantum_end) / w->quantum * w->quantum + w->quantum;
	begin_quantum(w);
}

/* ---- which request ---- */

static bool has_waited(const struct warppool *w, cycles since, cycles now)
{
	return w->base.starvation_limit && now > since && now - since > w->base.starvation_limit;
}

/* A load's request in the queues, by the policy; WARPPOOL_NONE: none may go yet. */
static uint32_t choose_load(struct warppool *w, cycles now)
{
	uint32_t first = w->oldest, best = WARPPOOL_NONE;

	if (first == WARPPOOL_NONE || w->requests[first].since > now)
		return WARPPOOL_NONE;
	if (!w->by_warp_id)
		return first;
	if (has_waited(w, w->requests[first].since, now)) {
		w->starved++;
		return first;
	}
	for (uint32_t i = first; i != WARPPOOL_NONE && w->requests[i].since <= now; i = w->requests[i].newer)
		if (best == WARPPOOL_NONE || w->requests[i].lowest_warp < w->requests[best].lowest_warp)
			best = i;
	return best;
}

/* The coalescer whose store or direct load has waited longest; NULL: there is none. */
static struct intra_warp_coalescer *choose_other(struct warppool *w, cycles now)
{
	struct intra_warp_coalescer *best = NULL;
	for (uint32_t m = w->direct; m; m &= m - 1) {
		struct intra_warp_coalescer *k = &w->coalescer[__builtin_ctz(m)];

		if (k->since <= now && (!best || k->since < best->since))
			best = k;
	}
	return best;
}

/* ---- to the L1 ---- */

/* Whether it makes sense to offer this one: it is not the one that was refused last, or that may go now. */
static bool may_offer(struct warppool *w, uint32_t port, uint32_t number, cycles now)
{
	return w->refused[port] != number || w->base.services->may_retry(w->base.owner, port, now);
}

static bool offer_to_l1(
	struct warppool *w, uint32_t port, uint32_t number, struct buffered_request *b, cycles now)
{
	enum cache_outcome outcome = w->base.services->offer(w->base.owner, port, b, now);

	w->refused[port] = cache_is_failure(outcome) ? number : WARPPOOL_NONE;
	w->moved |= !cache_is_failure(outcome) || cache_is_brief(outcome);
	return !cache_is_failure(outcome);
}

/* The request leaves the queues. */
static void leave_queue(struct warppool *w, uint32_t number)
{
	struct warppool_request *r = &w->requests[number];
	uint32_t *tag = &w->tag[(size_t)r->queue * w->tags];

	while (*tag != number)
		tag++;
	*tag = WARPPOOL_NONE;
	w->used_tags--;
	warppool_wake_for_tag(w, r->queue);
	*(r->older == WARPPOOL_NONE ? &w->oldest : &w->requests[r->older].newer) = r->newer;
	*(r->newer == WARPPOOL_NONE ? &w->newest : &w->requests[r->newer].older) = r->older;
}

static void send_load(struct warppool *w, uint32_t number, cycles now)
{
	struct coalesced *c = &w->base.requests[number];

	if (!offer_to_l1(w, PORT_LOADS, number, &c->request, now))
		return;
	w->selected_loads++;
	leave_queue(w, number);
	for (uint32_t i = 0; i < c->count; i++)
		warppool_sent(w, c->by[i].warp);
}

static void send_other(struct warppool *w, struct intra_warp_coalescer *k, cycles now)
{
	struct buffered_request *b = &w->accesses[k->access].request;
	uint32_t warp = b->request.by.warp;

	if (!offer_to_l1(w, PORT_OTHERS, k->access, b, now))
		return;
	w->selected_others++;
	warppool_line_gone(w, k, now);
	warppool_sent(w, warp);
}

void warppool_select(struct warppool *w, cycles now)
{
	uint32_t load;
	struct intra_warp_coalescer *other;
	bool others_first;

	if (w->selector == SELECT_ADAPTIVE && now >= w->quantum_end)
		end_quanta(w, now);
	if (warppool_writeback_is_full(w)) /* the L1 stalls */
		return;
	load = choose_load(w, now);
	other = choose_other(w, now);
	others_first = other && has_waited(w, other->since, now);
	w->starved += others_first;
	if (load != WARPPOOL_NONE && !others_first && may_offer(w, PORT_LOADS, load, now)) {
		send_load(w, load, now);
		w->moved |= other != NULL; /* which may go in the next cycle if the load must wait */
	} else if (other && may_offer(w, PORT_OTHERS, other->access, now)) {
		send_other(w, other, now);
		w->moved |= load != WARPPOOL_NONE;
	}
}
