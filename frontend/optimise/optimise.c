/* frontend/optimise/optimise.c -- the passes in their order. */
#include "frontend/allocate/registers.h"
#include "frontend/optimise/optimise.h"

#include <string.h>

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

/* Registers for values up to which instructions move up: with those that the compiler has for itself 32,
 * which leave room for all warps of most chips. The choice matters little: with 16, 32, 48 or 64 the
 * registers of tests/ptx/instructions.sh for sm_80 and sm_90, held-out kernels among them, are at most half a
 * point further from ptxas. */
#define LEAST_BUDGET 24u

/* Of each register how many of a thread it takes: none if it is one of the warp. */
static const uint8_t *find_sizes(struct lower *l, const struct cfg *flow)
{
	uint8_t *size = arena_alloc(l->scratch, l->vreg_count + 1);
	const bool *is_uniform = find_uniform(l, flow);

	for (uint32_t v = 0; v < l->vreg_count; v++)
		size[v] = is_uniform[v] ? 0 : rows_of(l->vregs[v].bits);
	return size;
}

/* A function may take as many as it takes at its peak anyway. */
static uint32_t budget_of(const struct lower *l, const struct liveness *live, const uint8_t *size)
{
	uint32_t peak = liveness_pressure(live, size, l->scratch);

	return smaller(peak < LEAST_BUDGET ? LEAST_BUDGET : peak, most_values(l));
}

/* Loads of what was spilled move up where there is room. */
static void order_again(struct lower *l)
{
	const struct cfg *flow = find_flow(l);
	const struct liveness *live = find_liveness(l, flow);
	struct code *code = code_take(l, flow);

	schedule_list(code, live, find_sizes(l, flow), most_values(l));
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

/* Marks what is in blocks that the program forbids to unroll: blocks are merged and move, but their drafts
 * keep it. */
static void mark_rolled(struct lower *l, const struct cfg *cfg)
{
	const struct ptx_function *f = l->units[l->unit].function;
	bool *is_rolled = arena_alloc(l->scratch, cfg->count + 1);

	for (const struct ptx_remark *r = f->remarks; r; r = r->next)
		if (r->kind == PTX_PRAGMA && r->insn < f->insn_count &&
			l->first_draft[r->insn] < l->draft_count && strstr(r->text, "nounroll"))
			is_rolled[cfg->block_of[l->first_draft[r->insn]]] = true;
	for (uint32_t b = 0; b < cfg->count; b++)
		for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++)
			l->drafts[i].is_rolled = is_rolled[b];
}

void optimise(struct lower *l, const struct cfg *cfg, bool may_spill)
{
	struct code *code;
	const struct liveness *live;
	const struct cfg *flow;
	const uint8_t *size;

	mark_rolled(l, cfg);
	code = code_take(l, cfg);
	if (turn_loops(code)) {
		code_finish(code);
		code = code_take(l, find_flow(l));
	}
	simplify_values(code);
	coalesce_copies(code);
	if (unroll_counted(code)) {
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
	share_reciprocals(code);
	load_parameters(code);
	code_finish(code);
	flow = find_flow(l);
	live = find_liveness(l, flow);
	size = find_sizes(l, flow);
	code = code_take(l, flow);
	schedule_list(code, live, size, budget_of(l, live, size));
	code_finish(code);
	if (may_spill && spill(l))
		order_again(l);
	code = code_take(l, find_flow(l));
	insert_convergence_barriers(code);
	aggregate_atomics(code);
	move_addresses(code);
	expand(code);
	add_prologue(code);
	code_finish(code);
}
