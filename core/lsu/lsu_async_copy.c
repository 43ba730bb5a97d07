/* core/lsu/lsu_async_copy.c -- cp.async: warps that wait for groups of copies. */
#include "core/sm/sm.h"
#include "frontend/lower/memory/mbarrier.h"

/* Are copies of the warp on the way, of groups up to this one? */
static bool awaits_copies(const struct sm *sm, uint32_t slot, uint32_t until)
{
	for (uint32_t i = 1; i <= sm->config->lsu_in_flight; i++) {
		const struct memory_op *op = &sm->lsu.ops[i];

		if (op->group && op->slot == slot && op->group <= until)
			return true;
	}
	return false;
}

void lsu_await_copies(struct sm *sm, uint32_t slot, int64_t groups)
{
	struct sm_warp *t = &sm->timing[slot];

	t->copies_until = groups == CP_WAIT_ALL    ? t->copy_groups + 1
		: groups < (int64_t)t->copy_groups ? t->copy_groups - (uint32_t)groups
						   : 0;
	if (awaits_copies(sm, slot, t->copies_until))
		sm->warps[slot].state = WARP_AT_COPIES;
}

void lsu_copy_landed(struct sm *sm, struct memory_op *op)
{
	struct warp *w = &sm->warps[op->slot];

	op->group = 0;
	if (w->state != WARP_AT_COPIES || awaits_copies(sm, op->slot, sm->timing[op->slot].copies_until))
		return;
	w->state = WARP_RUNNING;
	sm_renew(sm, op->slot);
}
