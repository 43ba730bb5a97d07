/* core/scoreboard.c -- which warps may issue: registers and predicates that are still to be written (read after write, write
 * after write), kept as masks that are renewed only for a warp to which something happened. */
#include "core/sm.h"

/* Tells the warp's scheduler, if it wants to know, when the warp comes to wait for something long, and when it can go on. */
static void tell_scheduler(struct sm *sm, uint32_t slot, bool waits)
{
	warp_mask bit = UINT64_C(1) << slot;

	if (!sm->schedulers[0]->class->stalled || waits == (sm->long_waits >> slot & 1))
		return;
	sm->long_waits ^= bit;
	for (uint32_t i = 0; i < sm->config->schedulers; i++) {
		struct sched *s = sm->schedulers[i];

		if (s->owned & bit)
			(waits ? s->class->stalled : s->class->woken)(s, slot);
	}
}

/* The warp cannot issue its next instruction because of a result that memory has to bring. */
static bool awaits_memory(const struct sm *sm, uint32_t slot, const struct kernel_run *run, uint32_t pc)
{
	const uint64_t *needs = run->needs + (size_t)pc * run->words;
	const uint64_t *from_memory = sm->timing[slot].pending + run->words;

	for (uint32_t i = 0; i < run->words; i++)
		if (needs[i] & from_memory[i])
			return true;
	return false;
}

static bool has_hazard(const struct sm *sm, uint32_t slot, const struct kernel_run *run, uint32_t pc)
{
	const uint64_t *needs = run->needs + (size_t)pc * run->words, *pending = sm->timing[slot].pending;
	uint64_t conflict = 0;

	for (uint32_t i = 0; i < run->words; i++)
		conflict |= needs[i] & pending[i];
	return conflict != 0;
}

void sm_renew(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct warp *w = &sm->warps[slot];
	warp_mask bit = UINT64_C(1) << slot;

	sm->ready[t->ready_unit] &= ~bit;
	if (w->state == WARP_EXITED) {
		tell_scheduler(sm, slot, true);
		return;
	}
	if (!t->buffered) {
		tell_scheduler(sm, slot, w->state != WARP_RUNNING || !(sm->allowed & bit));
		if (!t->fetching)
			sm->fetch_wanted |= bit;
		return;
	}
	if (w->state != WARP_RUNNING || has_hazard(sm, slot, w->cta->run, w->pc)) {
		tell_scheduler(sm, slot,
			w->state != WARP_RUNNING || !(sm->allowed & bit) ||
				awaits_memory(sm, slot, w->cta->run, w->pc));
		return;
	}
	t->ready_unit = w->cta->run->uops[w->pc].unit;
	sm->ready[t->ready_unit] |= bit;
	sm->loads &= ~bit;
	if (sm_loads_through_l1(&w->cta->run->uops[w->pc]))
		sm->loads |= bit;
	tell_scheduler(sm, slot, sm_is_throttled(sm, slot));
}

void sm_release(struct sm *sm, uint32_t slot, uint32_t uop)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const uint64_t *writes = run->writes + (size_t)uop * run->words;

	for (uint32_t i = 0; i < run->words; i++)
		sm->timing[slot].pending[i] &= ~writes[i];
	for (uint32_t i = 0; i < run->words; i++)
		sm->timing[slot].pending[run->words + i] &= ~writes[i];
	sm->timing[slot].in_flight--;
	if (sm->warps[slot].state == WARP_EXITED)
		sm_retire_if_done(sm, slot);
	else if (!(sm->ready[sm->timing[slot].ready_unit] >> slot & 1))
		sm_renew(sm, slot);
}
