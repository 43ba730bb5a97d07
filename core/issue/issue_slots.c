/* core/issue/issue_slots.c -- issue-slot accounting. */
#include "core/issue/issue_slots.h"
#include "core/sm/gpu_for_sm.h"
#include "core/diagnose/profile.h"
#include "core/issue/poll_loops.h"
#include "core/issue/readiness.h"
#include "core/issue/replays.h"
#include "core/issue/scoreboard.h"
#include <string.h>

const char *const slot_names[] = {
#define SLOT(name, help) #name,
#include "core/kernel/slot_causes.def"
#undef SLOT
	NULL
};

const char *const slot_help[] = {
#define SLOT(name, help) help,
#include "core/kernel/slot_causes.def"
#undef SLOT
	NULL
};

static struct kernel_run *run_of(const struct sm *sm, uint32_t slot)
{
	return sm->host.sole_run ? sm->host.sole_run : sm->state.timing[slot].run;
}

/* For a profile: the instruction that waits, and the one whose result it awaits. */
static __attribute__((noinline)) void name_instructions(const struct sm *sm, struct stall_attribution *a)
{
	bool awaits = a->cause >= SLOT_arithmetic && a->cause <= SLOT_l1_miss;

	a->uop = sm->state.warps[a->slot].pc;
	a->producer = awaits ? sm_awaited(sm, a->slot) : NO_PRODUCER;
}

static struct stall_attribution attribution(const struct sm *sm, enum slot_cause cause, warp_mask warps)
{
	uint32_t slot = (uint32_t)__builtin_ctzll(warps);
	struct stall_attribution a = { .cause = (uint8_t)cause, .slot = (uint8_t)slot };

	if (__builtin_expect(run_of(sm, slot)->profile != NULL, 0))
		name_instructions(sm, &a);
	return a;
}

/* Why an instruction that has all it needs is not taken by its unit. */
static enum slot_cause unit_cause(const struct sm *sm, uint32_t unit, uint32_t scheduler, cycles now)
{
	static const uint8_t busy[] = { [UNIT_SP] = SLOT_sp_busy,
		[UNIT_SFU] = SLOT_sfu_busy,
		[UNIT_DP] = SLOT_dp_busy,
		[UNIT_LDST] = SLOT_ldst_busy };

	if (sm->state.dp_lock && (sm->state.dp_lock == DP_LOCKS || unit == UNIT_DP))
		return SLOT_dp_busy;
	if (unit == UNIT_LDST && !lsu_has_room(&sm->state.lsu))
		return SLOT_ldst_busy;
	return collectors_wait_for_unit(sm_collectors(sm, unit, scheduler), unit, now) ? busy[unit]
										       : SLOT_collector_full;
}

/* A profile wants to know for which result a warp waits, and one may come that does not end the wait. */
static struct stall_attribution lasting(const struct sm *sm, struct stall_attribution a)
{
	if (sm_has_gates(sm) || !run_of(sm, a.slot)->profile)
		a.lasts = LASTS;
	return a;
}

/* Warps are ready for the unit, which takes none. */
static struct stall_attribution attribution_to_unit(const struct sm *sm, uint32_t unit, uint32_t scheduler,
	warp_mask ready, warp_mask can_issue, cycles now)
{
	struct stall_attribution a = attribution(sm, unit_cause(sm, unit, scheduler, now), ready);

	if (unit == UNIT_LDST && ready == can_issue && sm->state.dp_lock != DP_LOCKS &&
		!lsu_has_room(&sm->state.lsu))
		a.lasts = LASTS_WITHOUT_ROOM;
	return a;
}

/* The coalescer holds these back, of those that can issue. */
static struct stall_attribution attribution_to_gates(
	const struct sm *sm, warp_mask gated, warp_mask can_issue)
{
	warp_mask crowded = gated & ~sm->state.gates.room;
	struct stall_attribution a = crowded ? attribution(sm, SLOT_ldst_busy, crowded)
					     : attribution(sm, SLOT_memory_order, gated);

	a.lasts = gated == can_issue ? LASTS : LASTS_NOT;
	return a;
}

/* Of these warps some are perhaps in loops that ask for a phase. */
static __attribute__((noinline)) struct stall_attribution waiting_beside_polls(
	const struct sm *sm, uint32_t i, warp_mask owned)
{
	warp_mask polling = poll_loops_waiting(sm, sm->state.polls & owned);

	for (uint32_t cause = SLOT_arithmetic; cause < SLOT_no_warp; cause++) {
		warp_mask waiting = sm_waiting(sm, cause) & owned,
			  warps = cause == SLOT_phase ? waiting | polling : waiting & ~polling;

		if (warps)
			return lasting(sm, attribution(sm, cause, warps));
	}
	bug("SM %u: scheduler %u has warps, and none of them waits", sm->spec.number, i);
}

/* None of the scheduler's warps, of which there are some, is ready. */
static inline struct stall_attribution waiting(const struct sm *sm, uint32_t i, warp_mask owned)
{
	if (__builtin_expect((sm->state.polls & owned) != 0, 0))
		return waiting_beside_polls(sm, i, owned);
	for (uint32_t cause = SLOT_arithmetic; cause < SLOT_no_warp; cause++)
		if (sm_waiting(sm, cause) & owned)
			return lasting(sm, attribution(sm, cause, sm_waiting(sm, cause) & owned));
	bug("SM %u: scheduler %u has warps, and none of them waits or is ready", sm->spec.number, i);
}

static inline __attribute__((always_inline)) struct stall_attribution find_cause_by(
	const struct sm *sm, uint32_t i, cycles now, bool has_gates)
{
	warp_mask owned = sm->spec.owned[i] & sm->state.present, free = 0,
		  can_issue = sm->state.ready & owned, gated;

	if (!owned)
		return (struct stall_attribution){ .cause = SLOT_no_warp, .lasts = LASTS };
	gated = has_gates ? sm_gated(sm) : 0;
	for (uint32_t unit = 0; can_issue && unit < UNIT_COUNT; unit++) {
		warp_mask ready = sm_unthrottled_by(sm, unit, has_gates, gated) & owned;

		if (ready && !sm_unit_takes(sm, unit, i, now))
			return attribution_to_unit(sm, unit, i, ready, can_issue, now);
		free |= ready;
	}
	gated &= can_issue;
	if (gated)
		return attribution_to_gates(sm, gated, can_issue);
	if (sm->state.barrier_taken && sm->state.warps_in_state[READY_BARRIER] & owned)
		return attribution(sm, SLOT_barrier, sm->state.warps_in_state[READY_BARRIER] & owned);
	if (can_issue & ~free)
		return attribution(sm, SLOT_throttled, can_issue & ~free);
	if (free)
		return attribution(sm, SLOT_not_selected, free);
	return waiting(sm, i, owned);
}

/* The cause for which scheduler i cannot issue in cycle now; with gates. */
static __attribute__((noinline)) struct stall_attribution find_cause(
	const struct sm *sm, uint32_t i, cycles now)
{
	return find_cause_by(sm, i, now, false);
}
static __attribute__((noinline)) struct stall_attribution find_cause_with_gates(
	const struct sm *sm, uint32_t i, cycles now)
{
	return find_cause_by(sm, i, now, true);
}

/* Whether the cause still holds, if none of the scheduler's warps has changed. */
static inline bool stall_persists(const struct sm *sm, const struct stall_attribution *b)
{
	return b->lasts == LASTS ||
		(b->lasts == LASTS_WITHOUT_ROOM && !lsu_has_room(&sm->state.lsu) &&
			sm->state.dp_lock != DP_LOCKS && !sm_is_limited(sm));
}

/* Finds the cause for cycle now, unless the last one still holds. */
static inline const struct stall_attribution *renew_cause(struct sm *sm, uint32_t i, cycles now)
{
	struct stall_attribution *b = &sm->host.attribution[i];
	warp_mask owned = sm->spec.owned[i];

	if (!(sm->host.changed & owned) && stall_persists(sm, b))
		return b;
	sm->host.changed &= ~owned;
	owned &= sm->state.present;
	if (owned && !(sm->state.ready & owned))
		*b = waiting(sm, i, owned);
	else
		*b = __builtin_expect(sm_has_gates(sm), 0) ? find_cause_with_gates(sm, i, now)
							   : find_cause(sm, i, now);
	return b;
}

/* The lines of the kernel share in them; what no instruction lost goes behind the last one. */
static __attribute__((noinline)) void charge_line(
	const struct kernel_run *run, const struct stall_attribution *b, cycles count)
{
	if (b->producer != NO_PRODUCER)
		profile_wait(run, b->uop, b->producer, b->cause, count);
	else
		profile_slots(
			run, b->cause == SLOT_drained ? run->kernel->uop_count : b->uop, b->cause, count);
}

/* If only one kernel runs, slots without a warp are charged to it. */
static void charge_no_warp(const struct gpu *gpu, cycles count)
{
	const struct kernel_run *run = gpu_sole_run(gpu);

	if (run)
		profile_slots(run, run->kernel->uop_count, SLOT_no_warp, count);
}

static inline void charge_issue_slots(struct sm *sm, const struct stall_attribution *b, cycles count)
{
	struct kernel_run *run;

	if (b->cause == SLOT_no_warp) {
		sm->stats.issue_slots[SLOT_no_warp] += count;
		if (__builtin_expect(*sm->host.is_profiled, 0))
			charge_no_warp(sm->spec.gpu, count);
		return;
	}
	run = run_of(sm, b->slot);
	if (sm->host.counts.run != run)
		issue_counts_turn(sm, run);
	sm->host.counts.slots[b->cause] += count;
	if (__builtin_expect(run->profile != NULL, 0))
		charge_line(run, b, count);
}

/* Cycles in which the SM sleeps, up to `until`, exclusive: replays come first. */
static void charge_sleep(struct sm *sm, uint32_t i, cycles until)
{
	cycles count = until - sm->state.slots_next;

	if (__builtin_expect(sm->state.replaying != 0, 0))
		count -= replays_sleep(sm, i, count);
	if (count)
		charge_issue_slots(sm, &sm->host.attribution[i], count);
}

static uint64_t charged(struct sm *sm)
{
	uint64_t sum = 0;

	issue_counts_sync_stats(sm);
	for (uint32_t cause = 0; cause < SLOT_COUNT; cause++)
		sum += sm->stats.issue_slots[cause];
	return sum;
}

void slots_begin(struct sm *sm, cycles from)
{
	bug_if(sm->state.present, "SM %u: accounting begins while warps are resident", sm->spec.number);
	sm->state.slots_on = true;
	sm->state.slots_next = sm->state.slots_from = from;
	sm->state.slots_before = charged(sm);
	for (uint32_t i = 0; i < sm_schedulers(sm); i++)
		sm->host.attribution[i] = (struct stall_attribution){ .cause = SLOT_no_warp };
}

void slots_wake(struct sm *sm, cycles now)
{
	bug_if(now < sm->state.slots_next, "SM %u: a cycle is accounted twice", sm->spec.number);
	for (uint32_t i = 0; i < sm_schedulers(sm); i++)
		charge_sleep(sm, i, now);
}

void slots_lost(struct sm *sm, uint32_t i, cycles now)
{
	charge_issue_slots(sm, renew_cause(sm, i, now), 1);
}

void slots_sleep(struct sm *sm, cycles now)
{
	for (uint32_t i = 0; i < sm_schedulers(sm); i++)
		renew_cause(sm, i, now + 1);
}

void slots_sync_stats(struct sm *sm, cycles until)
{
	if (!sm->state.slots_on || sm->state.slots_next >= until)
		return;
	for (uint32_t i = 0; i < sm_schedulers(sm); i++)
		charge_sleep(sm, i, until);
	sm->state.slots_next = until;
}

void slots_end(struct sm *sm, cycles until)
{
	if (!sm->state.slots_on)
		return;
	bug_if(until < sm->state.slots_next, "SM %u: cycles were accounted that have not been",
		sm->spec.number);
	slots_sync_stats(sm, until);
	bug_if(charged(sm) - sm->state.slots_before != (until - sm->state.slots_from) * sm_schedulers(sm),
		"SM %u: the issue slots of %llu cycles do not add up", sm->spec.number,
		(unsigned long long)(until - sm->state.slots_from));
	sm->state.slots_on = false;
}
