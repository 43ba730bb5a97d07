/* core/slots_trial.c -- TRIAL, to be left out: a crude issue-slot accounting, to have data for profiles. */
#include "core/gpu_internal.h"
#include "core/profile.h"

void trial_issued(struct sm *sm, uint32_t slot);
void trial_lost(struct sm *sm, uint32_t scheduler, uint64_t slots);
void trial_gap(struct sm *sm, cycles now);
void trial_end(struct sm *sm, cycles now);

void trial_issued(struct sm *sm, uint32_t slot)
{
	profile_slots(sm->warps[slot].cta->run, sm->warps[slot].pc, SLOT_issued, 1);
}

static bool meets(const struct kernel_run *run, uint32_t consumer, uint32_t producer)
{
	for (uint32_t i = 0; i < run->words; i++)
		if (run->needs[(size_t)consumer * run->words + i] & run->writes[(size_t)producer * run->words + i])
			return true;
	return false;
}

static bool wait_for_memory(struct sm *sm, uint32_t slot, const struct kernel_run *run, uint32_t pc, uint64_t slots)
{
	for (uint32_t i = 1; i <= sm->config->lsu_in_flight; i++) {
		const struct memory_op *op = &sm->lsu.ops[i];
		bool is_free = false;

		for (uint32_t f = sm->lsu.free_op; f; f = sm->lsu.ops[f].next_free)
			is_free |= f == i;
		if (is_free || op->slot != slot || !meets(run, pc, op->uop))
			continue;
		profile_wait(run, pc, op->uop,
			run->uops[op->uop].space == SPACE_SHARED ? SLOT_shared
			: run->uops[op->uop].code == UOP_LD_PARAM ? SLOT_constant
			: op->pending ? SLOT_l1_miss : SLOT_l1_hit, slots);
		return true;
	}
	return false;
}

static void classify(struct sm *sm, uint32_t slot, uint64_t slots)
{
	static const uint8_t states[] = { [WARP_AT_BARRIER] = SLOT_barrier, [WARP_AT_MEMBAR] = SLOT_membar,
		[WARP_AT_COPIES] = SLOT_copies, [WARP_ASLEEP] = SLOT_asleep };
	const struct warp *w = &sm->warps[slot];
	const struct kernel_run *run = w->cta->run;
	bool waits = false;

	for (uint32_t i = 0; i < run->words; i++)
		waits |= (run->needs[(size_t)w->pc * run->words + i] & sm->timing[slot].pending[i]) != 0;
	if (w->state != WARP_RUNNING) {
		profile_slots(run, w->pc, states[w->state], slots);
	} else if (!sm->timing[slot].buffered) {
		profile_slots(run, w->pc, SLOT_buffer_empty, slots);
	} else if (!waits) {
		profile_slots(run, w->pc, run->uops[w->pc].unit == UNIT_LDST ? SLOT_ldst_busy : SLOT_sp_busy, slots);
	} else if (!wait_for_memory(sm, slot, run, w->pc, slots)) {
		uint32_t p = w->pc;

		while (p && !meets(run, w->pc, p - 1))
			p--;
		profile_wait(run, w->pc, p ? p - 1 : w->pc, SLOT_arithmetic, slots);
	}
}

void trial_lost(struct sm *sm, uint32_t scheduler, uint64_t slots)
{
	const struct sched *s = sm->schedulers[scheduler];
	const struct kernel_run *run = sm->gpu->run;
	uint32_t oldest = WARP_NONE;

	if (!slots || !run || !run->profile)
		return;
	for (warp_mask m = sm->present & s->owned; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);

		if (sm->warps[slot].state != WARP_EXITED && (oldest == WARP_NONE || s->age[slot] < s->age[oldest]))
			oldest = slot;
	}
	if (oldest != WARP_NONE)
		classify(sm, oldest, slots);
	else
		profile_slots(run, run->kernel->uop_count, sm->present & s->owned ? SLOT_drained : SLOT_no_warp, slots);
}

void trial_gap(struct sm *sm, cycles now)
{
	for (uint32_t i = 0; i < sm->config->schedulers && now > sm->accounted + 1; i++)
		trial_lost(sm, i, now - 1 - sm->accounted);
	sm->accounted = now;
}

void trial_end(struct sm *sm, cycles now)
{
	trial_gap(sm, now + 1);
}
