/* core/issue/readiness.h -- which warps of an SM are ready to issue, read from its masks. */
#ifndef CORE_ISSUE_READINESS_H
#define CORE_ISSUE_READINESS_H

#include "core/sm/sm.h"

/* Whether the access goes to global or local memory, through the caches or past them: its data take long. */
static inline bool sm_goes_to_memory(const struct uop *u)
{
	if (u->unit != UNIT_LDST || u->code == UOP_LD_PARAM)
		return false;
	return (u->code >= UOP_TEX && u->code <= UOP_SURED) || u->code == UOP_CP_ASYNC ||
		u->space == SPACE_GLOBAL || u->space == SPACE_LOCAL || u->space == SPACE_GENERIC;
}
/* A load among these that looks into the L1, unless it asks for the L2 (.cg, .cv, volatile). */
static inline bool sm_loads_through_l1(const struct uop *u)
{
	return sm_goes_to_memory(u) && (u->code == UOP_LD || u->code == UOP_SULD || u->code == UOP_CP_ASYNC);
}
/* Warps whose next instruction has no hazard, for this unit. */
static inline warp_mask sm_ready_for(const struct sm *sm, uint32_t unit)
{
	const warp_mask *ready = sm->state.warps_in_state;

	if (unit == UNIT_LDST)
		return ready[UNIT_LDST] | ready[READY_LOAD] | ready[READY_ORDERED_LOAD] | ready[READY_STORE];
	return unit == UNIT_CONTROL ? ready[UNIT_CONTROL] | ready[READY_BARRIER] | ready[READY_FENCE]
				    : ready[unit];
}
/* The unit for which a warp that can issue is ready. */
static inline uint32_t sm_unit_of(uint32_t state)
{
	if (state < UNIT_COUNT)
		return state;
	return state <= READY_STORE ? UNIT_LDST : UNIT_CONTROL;
}
/* Warps that wait for something; cause: from SLOT_arithmetic on. */
static inline warp_mask sm_waiting(const struct sm *sm, uint32_t cause)
{
	return sm->state.warps_in_state[(uint32_t)WARP_STATE_WAITING + cause];
}
/* Warps that are ready but for the coalescer: it has no room, or memory order holds them back. Only with
 * gates. */
static inline warp_mask sm_gated(const struct sm *sm)
{
	const warp_mask *ready = sm->state.warps_in_state;

	return (ready[READY_LOAD] & ~sm->state.gates.load) |
		((ready[READY_ORDERED_LOAD] | ready[READY_STORE]) & ~sm->state.gates.store) |
		((ready[READY_BARRIER] | ready[READY_FENCE]) & ~sm->state.gates.fence);
}
/* Ready warps of a unit that the coalescer and the limiter allow to issue, without those that would need the
 * barrier unit a second time in this cycle. Starvation overrides the limiter, but not the coalescer, which
 * keeps accesses in order. has_gates: sm_has_gates(sm), which callers in a loop ask once. */
static inline __attribute__((always_inline)) warp_mask sm_unthrottled_by(
	const struct sm *sm, uint32_t unit, bool has_gates, warp_mask gated)
{
	const warp_mask *ready = sm->state.warps_in_state;
	warp_mask m = ready[unit], may = sm->state.allowed | sm->state.starved;

	if (unit == UNIT_LDST && !has_gates)
		m |= ready[READY_LOAD] & (sm->state.allowed_loads | sm->state.starved);
	if (unit == UNIT_LDST && has_gates)
		m |= ((ready[READY_LOAD] | ready[READY_ORDERED_LOAD]) &
			     (sm->state.allowed_loads | sm->state.starved)) |
			ready[READY_STORE];
	if (unit == UNIT_CONTROL && !sm->state.barrier_taken)
		m |= ready[READY_BARRIER];
	if (unit == UNIT_CONTROL && has_gates)
		m |= ready[READY_FENCE];
	return m & may & ~gated;
}
static inline warp_mask sm_unthrottled(const struct sm *sm, uint32_t unit)
{
	return __builtin_expect(sm_has_gates(sm), 0) ? sm_unthrottled_by(sm, unit, true, sm_gated(sm))
						     : sm_unthrottled_by(sm, unit, false, 0);
}
/* Whether the warp is ready, and only the limiter keeps it from issuing. */
static inline bool sm_is_throttled(const struct sm *sm, uint32_t slot)
{
	uint32_t state = sm->state.timing[slot].state;
	bool is_load = state == READY_LOAD || state == READY_ORDERED_LOAD;
	warp_mask may = (is_load ? sm->state.allowed & sm->state.allowed_loads : sm->state.allowed) |
		sm->state.starved;

	return state < READY_COUNT && !(may >> slot & 1);
}
/* The collectors before the unit, for warps of that scheduler. */
static inline const struct collectors *sm_collectors(const struct sm *sm, uint32_t unit, uint32_t scheduler)
{
	if (__builtin_expect(sm_has_sub_cores(sm), 0) && sm->spec.own_units >> unit & 1)
		return &sm->state.sub_cores[scheduler];
	return &sm->state.collectors;
}
/* Whether the unit, or a collector before it, can take an instruction of that scheduler now. */
static inline bool sm_unit_takes(const struct sm *sm, uint32_t unit, uint32_t scheduler, cycles now)
{
	if (sm->state.dp_lock && (sm->state.dp_lock == DP_LOCKS || unit == UNIT_DP))
		return false;
	return unit == UNIT_CONTROL ||
		(collector_is_free(sm_collectors(sm, unit, scheduler), unit, now) &&
			(unit != UNIT_LDST || lsu_has_room(&sm->state.lsu)));
}

#endif
