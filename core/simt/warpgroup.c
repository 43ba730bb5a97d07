/* core/simt/warpgroup.c -- waits of a warpgroup for products: see warpgroup.h. */
#include "core/simt/warpgroup.h"
#include "core/simt/barrier.h"

uint64_t warpgroup_missing(const struct cta *cta, uint32_t index)
{
	uint32_t first = index / 4 * 4;
	uint64_t missing = 0;

	for (uint32_t i = first; i < first + 4 && i < cta->warp_count; i++)
		if (cta->products[i].committed < cta->products[index].awaited)
			missing |= UINT64_C(1) << i;
	return missing;
}

/* Lets those go on that wait for nobody any more. */
static uint64_t release_warpgroup(struct cta *cta, uint32_t first)
{
	struct barrier *b = &cta->barriers[WARPGROUP_BARRIER];
	uint64_t released = 0;

	for (uint64_t m = b->waiting & UINT64_C(15) << first; m; m &= m - 1) {
		uint32_t index = (uint32_t)__builtin_ctzll(m);
		struct warp *w = cta->warps[index];

		if (warpgroup_missing(cta, index))
			continue;
		released |= m & -m;
		w->state = WARP_RUNNING;
		warp_reconverge(w);
	}
	b->waiting &= ~released;
	cta->at_barriers &= ~released;
	return released;
}

struct control_result warpgroup_commit(struct warp *w)
{
	struct barrier *b = &w->cta->barriers[WARPGROUP_BARRIER];

	w->cta->products[w->index].committed++;
	b->arrived = (b->arrived + 1) % WARP_SIZE; /* that somebody came, for core/diagnose/livelock.c */
	warp_next(w);
	return (struct control_result){ .what = CONTROL_NEXT,
		.released = release_warpgroup(w->cta, w->index / 4 * 4) };
}

struct control_result warpgroup_wait(struct warp *w, const struct uop *u)
{
	struct cta *cta = w->cta;
	struct warp_products *p = &cta->products[w->index];
	uint64_t self = UINT64_C(1) << w->index;

	p->awaited = p->committed > u->imm ? p->committed - (uint32_t)u->imm : 0;
	if (!warpgroup_missing(cta, w->index)) {
		warp_next(w);
		return (struct control_result){ .what = CONTROL_NEXT };
	}
	w->pc++;
	w->state = WARP_AT_BARRIER;
	w->barrier = WARPGROUP_BARRIER;
	cta->barriers[WARPGROUP_BARRIER].waiting |= self;
	cta->at_barriers |= self;
	return (struct control_result){ .what = cta_is_deadlocked(cta) ? CONTROL_DEADLOCK : CONTROL_WAITS };
}
