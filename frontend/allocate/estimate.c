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

/* Along a chain of calls the callers' live registers add to the callee's own, up to what fits: beyond, a
 * compiler saves them on the stack, as it does for recursion. Components are numbered callees first. */
uint32_t estimate_kernel(const struct lower *l)
{
	uint32_t n = l->unit_count, most = 0;
	uint32_t *needed = arena_alloc(l->scratch, n * sizeof *needed); /* by a component, its callees
									   included */

	for (uint32_t c = 0; c < n; c++)
		for (uint32_t i = 0; i < n; i++) {
			const struct unit *u = &l->units[i];
			uint32_t below = 0;

			if (u->component != c)
				continue;
			for (uint32_t t = 0; t < u->callee_count; t++)
				if (l->units[u->callees[t]].component != c &&
					needed[l->units[u->callees[t]].component] > below)
					below = needed[l->units[u->callees[t]].component];
			below = below ? (below > CALL_CLOBBERED ? below : CALL_CLOBBERED) + u->kept : 0;
			below = below > MOST_FOR_CALLS ? MOST_FOR_CALLS : below;
			below = below > u->registers ? below : u->registers;
			needed[c] = below > needed[c] ? below : needed[c];
		}
	for (uint32_t c = 0; c < n; c++)
		most = needed[c] > most ? needed[c] : most;
	return most;
}
