/* core/pipeline/fast_forward.c -- CTAs of a kernel whose timing has ended leave their SM: the functional
 * executor continues them (functional_resume.c). Their results, stores and instruction fetches in flight
 * find warps that have exited, and complete as those of exited warps do. */
#include "core/pipeline/fast_forward.h"
#include "core/functional/functional.h"
#include "core/issue/issue_slots.h"
#include "core/issue/phase_waits.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/pipeline/residency.h"
#include "core/sm/sm.h"
#include "core/pipeline/throttle.h"

static void give_up_warp(struct sm *sm, uint32_t slot, cycles now)
{
	struct warp *w = &sm->state.warps[slot];

	if (w->state == WARP_ASLEEP || w->state == WARP_RELEASED)
		timing_wheel_cancel(&sm->state.wheel, slot, WHEEL_AWAKE);
	if (w->state == WARP_AT_MEMBAR)
		lsu_drop_fence(sm, slot);
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
		functional_resume(f, cta, sm->spec.number);
	else if (!live && (!f || cta->run->timing_limit != TIMING_LIMIT_NONE))
		cta->run->ctas_done++;
	cta->live_warps = cta->at_barriers = 0;
	for (; live; live &= live - 1)
		give_up_warp(sm, cta->warps[__builtin_ctzll(live)]->slot, now);
}

enum which { ALL, THOSE_LENT, OTHERS };

static bool is_meant(const struct sm_cta *c, const struct kernel_run *run, enum which which)
{
	return c->used && c->cta.run == run && (which == ALL || c->is_lent == (which == THOSE_LENT));
}

/* Warps have left it. */
static void go_on_without(struct sm *sm, cycles next)
{
	if (sm->state.slots_on)
		slots_sleep(sm, next - 1);
	sm->host.called = true;
	component_wake(&sm->component);
}

static void leave_timing(struct sm *sm, struct kernel_run *run, struct functional *f, enum which which)
{
	cycles next = sim_next_cycle(sm->component.sim, CLOCK_CORE);
	bool any = false;

	for (uint32_t i = 0; i < sm->spec.config->max_ctas; i++) {
		struct sm_cta *c = &sm->state.ctas[i];

		if (!is_meant(c, run, which))
			continue;
		if (!any)
			slots_sync_stats(sm, next); /* to what they waited for */
		any = true;
		c->has_left |= which == THOSE_LENT;
		c->is_lent = false;
		give_up_cta(sm, c, f, next - 1);
	}
	if (any)
		go_on_without(sm, next);
}

void sm_give_up(struct sm *sm, struct kernel_run *run, struct functional *f)
{
	bulk_engine_flush(sm);
	phase_waits_end(sm, run);
	leave_timing(sm, run, f, ALL);
}

static bool all_run(const struct cta *cta)
{
	for (uint64_t m = cta->live_warps; m; m &= m - 1)
		if (cta->warps[__builtin_ctzll(m)]->state != WARP_RUNNING)
			return false;
	return cta->live_warps;
}

void sm_lend(struct sm *sm, struct kernel_run *run, struct functional *f)
{
	bulk_engine_flush(sm);
	phase_waits_end(sm, run);
	for (uint32_t i = 0; i < sm->spec.config->max_ctas; i++) {
		struct sm_cta *c = &sm->state.ctas[i];

		c->is_lent = c->used && c->cta.run == run && all_run(&c->cta);
		if (c->is_lent)
			functional_borrow(f, &c->cta, sm->spec.number);
	}
	leave_timing(sm, run, f, OTHERS);
}

/* One of those lent goes on here, without the warps that have exited meanwhile. */
static void take_back(struct sm *sm, struct sm_cta *c, struct functional *f, cycles next)
{
	uint64_t live = functional_give_back(f, &c->cta), exited = c->cta.live_warps & ~live;

	c->is_lent = false;
	c->cta.live_warps = live;
	if (!exited)
		return;
	slots_sync_stats(sm, next);
	for (; exited; exited &= exited - 1)
		give_up_warp(sm, c->cta.warps[__builtin_ctzll(exited)]->slot, next - 1);
	go_on_without(sm, next);
}

bool sm_take_back(struct sm *sm, struct kernel_run *run, struct functional *f, struct device_fault *fault)
{
	cycles next = sim_next_cycle(sm->component.sim, CLOCK_CORE);

	for (uint32_t i = 0; i < sm->spec.config->max_ctas && fault->kind == FAULT_NONE; i++) {
		struct sm_cta *c = &sm->state.ctas[i];

		if (c->is_lent && functional_land(f, &c->cta, fault))
			take_back(sm, c, f, next);
	}
	sm->spec.exec->warp = NULL; /* its registers have changed */
	leave_timing(sm, run, NULL, THOSE_LENT);
	return fault->kind == FAULT_NONE;
}
