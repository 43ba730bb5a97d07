/* core/issue/guards.c -- predicates that guard instructions, and branches: see guards.h. */
#include "core/issue/guards.h"
#include "core/issue/issue_table.h"
#include "core/issue/operands.h"
#include "core/issue/products.h"
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
	uint32_t places = sm->state.timing[slot].run->issue->guards[uop];

	sm->state.guards->due[slot][guard_place(places)] = due;
	sm->state.guards->due[slot][guard_place(places >> GUARD_BITS)] = due;
}

/* Whether the cycle has come; if not, the warp looks again then. */
static bool has_come(struct sm *sm, uint32_t slot, cycles due)
{
	struct guards *g = sm->state.guards;
	warp_mask bit = UINT64_C(1) << slot;

	if (due <= sm->state.local.cycle)
		return true;
	if (!(g->waits & bit))
		timing_wheel_add(&sm->state.wheel, due, WHEEL_GUARD, slot, 0);
	g->waits |= bit;
	return false;
}

enum slot_cause guards_second_look(struct sm *sm, uint32_t slot, uint32_t pc)
{
	const struct issue_entry *e = &sm->state.timing[slot].entry[pc];
	const struct uop *u = &sm->state.timing[slot].run->uops[pc];

	if (sm_has_guards(sm) && !has_come(sm, slot, sm->state.guards->branch[slot]))
		return SLOT_control_hazard;
	if (e->is_guarded && sm_has_guards(sm) &&
		!has_come(sm, slot, sm->state.guards->due[slot][guard_place(u->guard)]))
		return SLOT_arithmetic;
	if (e->has_constant && !operand_is_here(sm, slot, pc))
		return SLOT_constant;
	return e->is_product ? products_look(sm, slot, pc) : SLOT_issued;
}

void guards_due(struct sm *sm, uint32_t slot)
{
	warp_mask bit = UINT64_C(1) << slot;

	if (!(sm->state.guards->waits & bit))
		return;
	sm->state.guards->waits &= ~bit;
	if (sm->state.present & bit)
		sm_renew(sm, slot);
}
