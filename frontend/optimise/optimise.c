/* frontend/optimise/optimise.c -- the passes in their order. */
#include "frontend/optimise/optimise.h"
#include "frontend/allocate/schedule.h"

/* Operands and what nobody needs. Narrow registers leave copies, and offsets that nobody saw before. */
static void simplify_values(struct code *code)
{
	fold(code);
	remove_dead(code);
	narrow(code);
	fold(code);
	remove_dead(code);
}

void optimise(struct lower *l, const struct cfg *cfg)
{
	struct code *code = code_take(l, cfg);

	simplify_values(code);
	straighten(code);
	code_finish(code);
	code = code_take(l, find_flow(l));
	guard_short_blocks(code);
	code_finish(code);
	code = code_take(l, find_flow(l));
	converge(code);
	expand(code);
	code_finish(code);
}
