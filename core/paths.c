/* core/paths.c -- the paths into which a warp has diverged, where one has to wait for another: at barriers
 * (barrier.c), and at warp-level operations whose masks name lanes that are elsewhere. */
#include "core/warp.h"
#include <string.h>

uint32_t path_pending(const struct warp *w)
{
	lane_mask above = w->active;

	for (uint32_t i = w->depth - 1; i-- > 0;) {
		const struct simt_entry *e = &w->stack[i];

		if (!e->parked && e->mask && !(e->mask & above))
			return i;
		above |= e->mask;
	}
	return NO_PATH;
}

void path_park(struct warp *w, uint8_t parked, uint32_t path)
{
	struct simt_entry *top = &w->stack[w->depth - 1], next = w->stack[path];

	top->pc = w->pc;
	top->reconverge = w->reconverge;
	top->mask = w->active;
	top->parked = parked;
	memmove(&w->stack[path], &w->stack[path + 1], (w->depth - 1 - path) * sizeof(*top));
	*top = next;
	warp_load_top(w);
	warp_settle(w);
}

/* Lanes that wait, or have yet to run, where nothing is left for them but to exit. */
static lane_mask lanes_leaving(const struct warp *w)
{
	lane_mask above = w->active, leaving = 0;

	for (uint32_t i = w->depth - 1; i-- > 0;) {
		const struct simt_entry *e = &w->stack[i];
		const struct uop *u = &w->cta->run->uops[e->pc];

		if (e->pc < w->cta->run->kernel->uop_count && u->code == UOP_EXIT &&
			!(u->flags & UOP_GUARDED))
			leaving |= e->mask & ~above;
		above |= e->mask;
	}
	return leaving;
}

static void forget_fault(struct exec *x)
{
	x->faulted = x->unmet = false;
	x->fault->kind = FAULT_NONE;
	x->fault->detail[0] = 0;
}

/* bar.warp.sync at different places: whether all lanes that the executing ones miss are parked at one too.
 * They go on. */
static bool meet_at_sync(struct warp *w, const struct exec *x, lane_mask mask)
{
	const struct uop *uops = w->cta->run->uops;
	lane_mask there = 0;

	for (uint32_t i = 0; i + 1 < w->depth; i++)
		if (w->stack[i].parked == PARKED_AT_MEMBERS && uops[w->stack[i].pc].code == UOP_WARP_SYNC)
			there |= w->stack[i].mask;
	if (x->missing & ~there || mask != w->active)
		return false;
	for (uint32_t i = 0; i + 1 < w->depth; i++)
		if (w->stack[i].parked == PARKED_AT_MEMBERS && w->stack[i].mask & x->missing) {
			w->stack[i].parked = 0;
			w->stack[i].pc++;
		}
	return true;
}

enum path_members path_await_members(
	struct warp *w, struct exec *x, const struct uop *u, lane_mask mask, exec_function execute)
{
	lane_mask leaving = lanes_leaving(w);
	uint32_t pending = path_pending(w);

	if (leaving & x->live) {
		forget_fault(x);
		x->live = w->live & ~leaving;
		execute(x, u, mask);
		x->live = w->live;
		if (!x->faulted)
			return MEMBERS_MET;
	}
	if (pending != NO_PATH) {
		forget_fault(x);
		path_park(w, PARKED_AT_MEMBERS, pending);
		return MEMBERS_AWAITED;
	}
	if (u->code != UOP_WARP_SYNC || !meet_at_sync(w, x, mask))
		return MEMBERS_MISSING;
	forget_fault(x);
	return MEMBERS_MET;
}
