/* frontend/analyse/loops.c -- which branches close loops that may wait for what other threads write.
 *
 * A branch that leads backwards closes a loop; what lies between its target and itself counts as the body.
 * Every instruction of a loop lies within such a body, however the compiler has laid out the blocks. From
 * sm_70 on the lanes of a warp may wait for each other in these loops (core/simt/forward_progress.c); nothing
 * is marked for earlier targets. */
#include "frontend/lower/lower.h"
#include "frontend/tables/opcode.h"

static bool is_load(const struct uop *u)
{
	return u->code == UOP_LD && u->space != SPACE_PARAM && u->space != SPACE_CONST;
}

/* What a loop around u does, by u alone. Functions that it calls may do anything. */
static enum uop_loop loop_effect_of(const struct uop *u)
{
	switch (u->code) {
	case UOP_ATOM:
		return u->dst[0] == UOP_NONE ? LOOP_NONE : LOOP_POLLS;
	case UOP_MBARRIER_TEST:
	case UOP_NANOSLEEP:
	case UOP_CALL:
		return LOOP_POLLS;
	case UOP_SULD:
	case UOP_LDMATRIX:
		return LOOP_READS;
	default:
		return !is_load(u) ? LOOP_NONE : u->flags & UOP_VOLATILE ? LOOP_POLLS : LOOP_READS;
	}
}

/* The first place, within the function, to which the branch may lead; count: it is no branch. */
static uint32_t first_target(const struct unit *unit, const struct uop *u, uint32_t count)
{
	uint32_t first = count;

	if (u->code == UOP_BRA)
		return u->target - unit->first_uop;
	if (u->code != UOP_BRX)
		return count;
	for (uint32_t i = 0; i < u->target; i++) {
		uint32_t target = unit->targets[(uint32_t)u->imm - unit->first_target + i];

		first = target < first ? target : first;
	}
	return first;
}

void mark_loops(struct lower *l, const struct unit *unit)
{
	uint32_t count = unit->draft_count;
	uint32_t(*before)[LOOP_POLLS + 1] = arena_alloc(l->scratch, (count + 1) * sizeof(*before));
	struct uop *uops = l->kernel->uops + unit->first_uop;

	if (unit->module->sm < 70)
		return;
	before[0][LOOP_READS] = before[0][LOOP_POLLS] = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first = first_target(unit, &uops[i], count);
		enum uop_loop kind = loop_effect_of(&uops[i]);

		for (unsigned k = LOOP_READS; k <= LOOP_POLLS; k++)
			before[i + 1][k] = before[i][k] + (kind == k);
		if (first <= i)
			uops[i].combine = before[i][LOOP_POLLS] != before[first][LOOP_POLLS] ? LOOP_POLLS
				: before[i][LOOP_READS] != before[first][LOOP_READS]         ? LOOP_READS
											     : LOOP_NONE;
	}
}
