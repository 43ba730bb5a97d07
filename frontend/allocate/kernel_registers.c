/* frontend/allocate/kernel_registers.c -- registers per thread of a kernel, from those of its functions: what
 * callers keep across a call adds to what the callee takes. */
#include "frontend/allocate/registers.h"

/* A called function may destroy so many: what its caller still needs lies beyond (ABI of sm_75 and its kin).
 */
#define CALL_CLOBBERED 16u
/* Registers that a chain of calls takes at most for the sake of its callers. */
#define MOST_FOR_CALLS 63u

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
uint32_t registers_of_kernel(const struct lower *l)
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
