/* core/launch/fast_forward.c -- CTAs of a kernel whose timing has ended leave their SM: the functional
 * executor continues them (functional_resume.c). Their results, stores and instruction fetches in flight
 * find warps that have exited, and complete as those of exited warps do. */
#include "core/gpu/gpu_internal.h"
#include "core/functional/functional.h"
#include "core/launch/kernel_run.h"
#include "core/sm/residency.h"
#include "core/sm/sm.h"
#include "core/sm/throttle.h"

static void give_up_warp(struct sm *sm, uint32_t slot, cycles now)
{
	struct warp *w = &sm->warps[slot];

	if (w->state == WARP_ASLEEP || w->state == WARP_RELEASED)
		timing_wheel_cancel(&sm->wheel, slot, WHEEL_AWAKE);
	w->state = WARP_EXITED;
	throttle_finished(sm, slot, now);
	sm_retire_if_done(sm, slot);
}

/* Of a launch whose timing goes on later, a CTA that has ended is counted when it has left. */
static void give_up_cta(struct sm *sm, struct sm_cta *c, struct functional *f, cycles now)
{
	struct cta *cta = &c->cta;
	uint64_t live = cta->live_warps;

	c->has_left |= live && f;
	if (live && f)
		functional_resume(f, cta, sm->number);
	else if (!live && (!f || cta->run->timing_limit != TIMING_LIMIT_NONE))
		cta->run->ctas_done++;
	cta->live_warps = cta->at_barriers = 0;
	for (; live; live &= live - 1)
		give_up_warp(sm, cta->warps[__builtin_ctzll(live)]->slot, now);
}

void sm_give_up(struct sm *sm, struct kernel_run *run, struct functional *f)
{
	cycles next = sim_next_cycle(sm->component.sim, CLOCK_CORE);
	bool any = false;

	for (uint32_t i = 0; i < sm->config->max_ctas; i++) {
		if (!sm->ctas[i].used || sm->ctas[i].cta.run != run)
			continue;
		if (!any)
			slots_sync_stats(sm, next); /* to what they waited for */
		any = true;
		give_up_cta(sm, &sm->ctas[i], f, next - 1);
	}
	if (!any)
		return;
	if (sm->slots_on)
		slots_sleep(sm, next - 1);
	sm->window.called = true;
	component_wake(&sm->component);
}
