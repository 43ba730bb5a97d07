/* frontend/optimise/optimise.c -- the passes in their order. */
#include "frontend/optimise/optimise.h"
#include "frontend/allocate/schedule.h"

/* Operands and what nobody needs. Narrow registers leave copies, and offsets that nobody saw before. */
static void simplify_values(struct code *code)
{
	split_live_ranges(code);
	propagate_copies(code);
	eliminate_dead_code(code);
	narrow_types(code);
	reduce_strength(code);
	propagate_copies(code);
	eliminate_dead_code(code);
	propagate_copies(code);
	absorb_negations(code);
	eliminate_common_subexpressions(code);
	eliminate_redundant_loads(code);
	propagate_copies(code);
	combine_predicates(code);
	eliminate_dead_code(code);
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

	schedule_list(code, live, most_values(l));
	code_finish(code);
}

/* Blocks in the order in which they will stand. */
static struct code *lay_out(struct lower *l, struct code *code)
{
	combine_instructions(code);
	eliminate_dead_code(code);
	thread_jumps(code);
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
	coalesce_copies(code);
	if (unroll_counted(code, is_rolled)) {
		code_finish(code);
		code = code_take(l, find_flow(l));
		simplify_values(code);
		coalesce_copies(code);
	}
	code = lay_out(l, code);
	if (unroll_fully(code)) {
		code_finish(code);
		code = code_take(l, find_flow(l));
		simplify_values(code);
		code = lay_out(l, code);
	}
	convert_ifs(code);
	vectorise_loads(code);
	code_finish(code);
	code = code_take(l, find_flow(l));
	select_addressing_modes(code);
	hoist_constants(code);
	load_parameters(code);
	code_finish(code);
	flow = find_flow(l);
	live = find_liveness(l, flow, NULL);
	code = code_take(l, flow);
	schedule_list(code, live, budget_of(l));
	code_finish(code);
	if (spill(l))
		order_again(l);
	code = code_take(l, find_flow(l));
	insert_convergence_barriers(code);
	aggregate_atomics(code);
	move_addresses(code);
	expand(code);
	add_prologue(code);
	code_finish(code);
}
