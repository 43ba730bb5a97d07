/* core/issue/guards.c -- predicates that guard instructions: see guards.h. */
#include "core/issue/guards.h"
#include "core/issue/issue_table.h"
#include "core/issue/operands.h"
#include "core/issue/scoreboard.h"
#include "sim/base/xalloc.h"
#include <string.h>

struct guards {
	cycles due[MAX_WARPS][GUARD_PLACES];
	warp_mask waits; /* have an event at that time */
};

struct guards *guards_new(void)
{
	return xcalloc(1, sizeof(struct guards));
}

void guards_start(struct guards *g, uint32_t slot)
{
	memset(g->due[slot], 0, sizeof(g->due[slot]));
}

void guards_written(struct sm *sm, uint32_t slot, uint32_t uop, cycles due)
{
	uint32_t places = sm->timing[slot].run->issue->guards[uop];

	sm->guards->due[slot][guard_place(places)] = due;
	sm->guards->due[slot][guard_place(places >> GUARD_BITS)] = due;
}

static bool is_old(struct sm *sm, uint32_t slot, uint32_t pc)
{
	struct guards *g = sm->guards;
	cycles due = g->due[slot][guard_place(sm->timing[slot].run->uops[pc].guard)];
	warp_mask bit = UINT64_C(1) << slot;

	if (due <= sm->local.cycle)
		return true;
	if (!(g->waits & bit))
		timing_wheel_add(&sm->wheel, due, WHEEL_GUARD, slot, 0);
	g->waits |= bit;
	return false;
}

enum slot_cause guards_second_look(struct sm *sm, uint32_t slot, uint32_t pc)
{
	const struct issue_entry *e = &sm->timing[slot].entry[pc];

	if (e->is_guarded && !is_old(sm, slot, pc))
		return SLOT_arithmetic;
	return e->has_constant && !operand_is_here(sm, slot, pc) ? SLOT_constant : SLOT_issued;
}

void guards_due(struct sm *sm, uint32_t slot)
{
	warp_mask bit = UINT64_C(1) << slot;

	if (!(sm->guards->waits & bit))
		return;
	sm->guards->waits &= ~bit;
	if (sm->present & bit)
		sm_renew(sm, slot);
}
