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
	share_roots(code);
	fold(code);
	remove_dead(code);
	fold(code);
	merge_common(code);
	merge_conditions(code);
	remove_dead(code);
}

/* Registers that hold values, of those that the kernel is estimated to have: some are the compiler's own. */
static uint32_t budget_of(const struct lower *l)
{
	uint32_t registers = l->units[l->unit].registers, most = most_values(l);

	registers = registers > 8 ? registers - 4 - registers / 10 : registers;
	return registers < most ? registers : most;
}

/* Loads of what was spilled move up where there is room. */
static void order_again(struct lower *l)
{
	const struct cfg *flow = find_flow(l);
	const struct liveness *live = find_liveness(l, flow, NULL);
	struct code *code = code_take(l, flow);

	order(code, live, most_values(l));
	code_finish(code);
}

/* Blocks in the order in which they will stand. */
static struct code *lay_out(struct lower *l, struct code *code)
{
	join_triples(code);
	remove_dead(code);
	straighten(code);
	place_blocks(code);
	code_finish(code);
	return code_take(l, find_flow(l));
}

/* Blocks are merged and move, but drafts keep what the program says of the loop that they are in. */
static void mark_rolled(struct lower *l, const struct cfg *cfg, const bool *is_rolled)
{
	for (uint32_t b = 0; b < cfg->count; b++)
		for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++)
			l->drafts[i].is_rolled = is_rolled[b];
}

void optimise(struct lower *l, const struct cfg *cfg)
{
	const bool *is_rolled = find_rolled(l, cfg);
	struct code *code;
	const struct liveness *live;
	const struct cfg *flow;

	mark_rolled(l, cfg, is_rolled);
	code = code_take(l, cfg);
	simplify_values(code);
	join_copies(code);
	if (unroll(code, is_rolled)) {
		code_finish(code);
		code = code_take(l, find_flow(l));
		simplify_values(code);
		join_copies(code);
	}
	code = lay_out(l, code);
	if (unroll_fixed(code)) {
		code_finish(code);
		code = code_take(l, find_flow(l));
		simplify_values(code);
		code = lay_out(l, code);
	}
	guard_short_blocks(code);
	widen(code);
	code_finish(code);
	code = code_take(l, find_flow(l));
	scale_addresses(code);
	keep_factors(code);
	load_parameters(code);
	code_finish(code);
	flow = find_flow(l);
	live = find_liveness(l, flow, NULL);
	code = code_take(l, flow);
	order(code, live, budget_of(l));
	code_finish(code);
	if (spill(l))
		order_again(l);
	code = code_take(l, find_flow(l));
	converge(code);
	agree(code);
	move_addresses(code);
	expand(code);
	set_up(code);
	code_finish(code);
}
