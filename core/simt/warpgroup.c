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
	uint64_t ready = 0;

	for (uint64_t m = cta->barriers[WARPGROUP_BARRIER].waiting & UINT64_C(15) << first; m; m &= m - 1)
		if (!warpgroup_missing(cta, (uint32_t)__builtin_ctzll(m)))
			ready |= m & -m;
	return barrier_let_go(cta, WARPGROUP_BARRIER, ready);
}

struct control_result warpgroup_commit(struct warp *w)
{
	w->cta->products[w->index].committed++;
	warp_next(w);
	return (struct control_result){ .what = CONTROL_NEXT,
		.released = release_warpgroup(w->cta, w->index / 4 * 4) };
}

struct control_result warpgroup_wait(struct warp *w, const struct uop *u)
{
	struct warp_products *p = &w->cta->products[w->index];

	p->awaited = p->committed > u->imm ? p->committed - (uint32_t)u->imm : 0;
	if (warpgroup_missing(w->cta, w->index))
		return barrier_hold(w, WARPGROUP_BARRIER);
	warp_next(w);
	return (struct control_result){ .what = CONTROL_NEXT };
}
