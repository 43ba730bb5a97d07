/* frontend/allocate/estimate.c -- how many registers a compiler for the machine would use: the largest number
 * of live 32-bit values in the order that it would choose (schedule.c), with the operands that it would
 * choose (simplify.c), without what is computed for nothing and without upper halves that nobody reads, plus
 * some that it needs for itself. tests/ptx/registers.sh compares with ptxas. */
#include "frontend/allocate/schedule.h"

/* What ptxas reports of a kernel that does nothing. */
#define LEAST_REGISTERS 4u
/* What ptxas takes beyond the pressure: the stack pointer and three more, and a part that grows with the
 * kernel (pairs and quads must begin at even numbers and multiples of four, an instruction's result seldom
 * takes the place of what it reads). Chosen for ptxas 13 and sm_75 on half of the benchmarks,
 * tests/ptx/registers/tune_*.cu and random programs. */
#define EXTRA_REGISTERS 4u
#define EXTRA_PERCENT   11u
/* A called function may destroy so many: what its caller still needs lies beyond (ABI of sm_75 and its kin).
 */
#define CALL_CLOBBERED 16u
/* Registers that a chain of calls takes at most for the sake of its callers. */
#define MOST_FOR_CALLS 63u

/* The largest weight of what lives across a call. */
static uint32_t weight_across_calls(struct lower *l, const struct liveness *live, const uint8_t *weight)
{
	int32_t *change = arena_alloc(l->scratch, ((size_t)live->positions + 1) * sizeof *change), now = 0,
		most = 0;

	for (uint32_t v = 0; v < l->vreg_count; v++)
		for (const struct live_range *r = live->ranges[v]; r; r = r->next) {
			change[r->start] += weight[v];
			change[r->end] -= weight[v];
		}
	for (uint32_t p = 0; p < live->positions; p++) {
		now += change[p];
		if (p % 2 && l->drafts[p / 2].uop.code == UOP_CALL && now > most)
			most = now;
	}
	return (uint32_t)most;
}

uint32_t estimate_registers(struct lower *l, const struct cfg *cfg)
{
	struct draft *as_written = l->drafts;
	uint8_t *weight = arena_alloc(l->scratch, l->vreg_count);
	const bool *needed, *is_wide;
	const struct liveness *live;
	uint32_t pressure;

	l->drafts = simplify_drafts(l);
	needed = find_needed(l);
	is_wide = find_wide(l, needed);
	live = find_liveness(l, cfg, needed);
	for (uint32_t v = 0; v < l->vreg_count; v++)
		weight[v] = l->vregs[v].bits == 64 && !is_wide[v] ? 1 : rows_of(l->vregs[v].bits);
	l->units[l->unit].kept = weight_across_calls(l, live, weight);
	pressure = scheduled_pressure(l, cfg, live, weight, needed);
	l->drafts = as_written;
	return pressure ? (pressure * (100 + EXTRA_PERCENT) + 50) / 100 + EXTRA_REGISTERS : LEAST_REGISTERS;
}

/* What is needed below the nodes of a call graph. */
struct needs {
	uint32_t *component; /* by a component, its callees included */
	uint32_t *outside; /* + 1: by the callees of a signature's node outside its component; 0: not known */
};

/* The most registers that a callee outside the node's own component needs. A callee through a register stands
 * behind the node of its signature. */
static uint32_t needed_below(const struct lower *l, const struct call_node *n, const struct needs *needs)
{
	uint32_t most = 0;

	for (uint32_t c = 0; c < n->callee_count; c++) {
		const struct call_node *to = &l->nodes[n->callees[c]];
		uint32_t *outside = &needs->outside[n->callees[c]], there = 0;

		if (to->component != n->component) {
			there = needs->component[to->component];
		} else if (to->unit == NO_UNIT) {
			*outside = *outside ? *outside : needed_below(l, to, needs) + 1;
			there = *outside - 1;
		}
		most = there > most ? there : most;
	}
	return most;
}

/* A node of a signature needs what its functions need. */
static uint32_t needed_by(const struct lower *l, const struct call_node *n, const struct needs *needs)
{
	const struct unit *u = n->unit == NO_UNIT ? NULL : &l->units[n->unit];
	uint32_t below = needed_below(l, n, needs);

	if (!u)
		return below;
	below = below ? (below > CALL_CLOBBERED ? below : CALL_CLOBBERED) + u->kept : 0;
	below = below > MOST_FOR_CALLS ? MOST_FOR_CALLS : below;
	return below > u->registers ? below : u->registers;
}

/* Along a chain of calls the callers' live registers add to the callee's own, up to what fits: beyond, a
 * compiler saves them on the stack, as it does for recursion. */
uint32_t estimate_kernel(const struct lower *l)
{
	struct needs needs = { .component = arena_alloc(l->scratch, l->component_count * sizeof(uint32_t)),
		.outside = arena_alloc(l->scratch, l->node_count * sizeof(uint32_t)) };
	uint32_t most = 0;

	for (uint32_t i = l->node_count; i-- > 0;) { /* callees first */
		const struct call_node *n = &l->nodes[l->node_order[i]];
		uint32_t now = needed_by(l, n, &needs), *own = &needs.component[n->component];

		*own = now > *own ? now : *own;
		most = now > most ? now : most;
	}
	return most;
}
