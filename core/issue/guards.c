/* core/issue/guards.c -- predicates that guard instructions, and branches: see guards.h. */
#include "core/issue/guards.h"
#include "core/issue/issue_table.h"
#include "core/issue/operands.h"
#include "core/issue/scoreboard.h"
#include "sim/base/xalloc.h"
#include <string.h>

struct guards {
	cycles due[MAX_WARPS][GUARD_PLACES];
	cycles branch[MAX_WARPS]; /* the warp goes on behind its last branch */
	warp_mask waits;          /* have an event at that time */
};

struct guards *guards_new(void)
{
	return xcalloc(1, sizeof(struct guards));
}

void guards_start(struct guards *g, uint32_t slot)
{
	memset(g->due[slot], 0, sizeof(g->due[slot]));
	g->branch[slot] = 0;
}

void guards_branched(struct guards *g, uint32_t slot, cycles due)
{
	g->branch[slot] = due;
}

void guards_written(struct sm *sm, uint32_t slot, uint32_t uop, cycles due)
{
	uint32_t places = sm->timing[slot].run->issue->guards[uop];

	sm->guards->due[slot][guard_place(places)] = due;
	sm->guards->due[slot][guard_place(places >> GUARD_BITS)] = due;
}

/* Whether the cycle has come; if not, the warp looks again then. */
static bool has_come(struct sm *sm, uint32_t slot, cycles due)
{
	struct guards *g = sm->guards;
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
	const struct uop *u = &sm->timing[slot].run->uops[pc];

	if (sm->guards && u->flags & UOP_LEADER && !has_come(sm, slot, sm->guards->branch[slot]))
		return SLOT_control_hazard;
	if (e->is_guarded && sm->guards && !has_come(sm, slot, sm->guards->due[slot][guard_place(u->guard)]))
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
