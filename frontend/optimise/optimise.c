/* frontend/optimise/optimise.c -- the passes in their order. */
#include "frontend/optimise/optimise.h"
#include "frontend/allocate/schedule.h"

/* Operands and what nobody needs. Narrow registers leave copies, and offsets that nobody saw before. */
static void simplify_values(struct code *code)
{
	rename_values(code);
	fold(code);
	remove_dead(code);
	narrow(code);
	move_offsets(code);
	share_roots(code);
	fold(code);
	remove_dead(code);
	fold(code);
	merge_common(code);
	merge_conditions(code);
	remove_dead(code);
}

/* Registers that hold values, of those that the kernel is estimated to have: some are the compiler's own. */
static uint32_t budget_of(const struct unit *u)
{
	return u->registers > 8 ? u->registers - 4 - u->registers / 10 : u->registers;
}

void optimise(struct lower *l, const struct cfg *cfg)
{
	const bool *is_rolled = find_rolled(l, cfg);
	struct code *code = code_take(l, cfg);
	const struct liveness *live;
	const struct cfg *flow;

	simplify_values(code);
	if (unroll(code, is_rolled)) {
		code_finish(code);
		code = code_take(l, find_flow(l));
		simplify_values(code);
		join_copies(code);
	}
	join_triples(code);
	remove_dead(code);
	straighten(code);
	place_blocks(code);
	code_finish(code);
	code = code_take(l, find_flow(l));
	guard_short_blocks(code);
	widen(code);
	code_finish(code);
	flow = find_flow(l);
	live = find_liveness(l, flow, NULL);
	code = code_take(l, flow);
	order(code, live, budget_of(&l->units[l->unit]));
	converge(code);
	expand(code);
	code_finish(code);
}
