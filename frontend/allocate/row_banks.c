/* frontend/allocate/row_banks.c -- rows of the functions of a kernel whose lanes make progress independently
 * (from sm_70 on).
 *
 * Functions that do not call each other share rows (unit.c). Where lanes of one warp may be in two of them at
 * once, each in the middle of its own, a row must hold registers of one size in all functions, as it does
 * within each (allocate.c): lane 4 of a 64-bit register lies where lanes 8 and 9 of a 32-bit one would. So
 * the rows of each size are stacked by themselves: first all of 128 bits, then of 64, then of 32. */
#include "frontend/lower/lower.h"

bool has_banks(const struct lower *l)
{
	if (l->unit_count == 1)
		return false;
	for (uint32_t u = 0; u < l->unit_count; u++)
		if (l->units[u].module->sm >= 70)
			return true;
	return false;
}

static uint32_t size_of(const struct unit *u, uint32_t vreg)
{
	return u->live->ranges[vreg] ? rows_of(u->vregs[vreg].bits) : 0;
}

/* Of each place of the unit: how many places before it hold registers of `size`. *count: how many do in all.
 */
static uint32_t *rank_places(struct lower *l, const struct unit *u, uint32_t size, uint32_t *count)
{
	uint32_t *rank = arena_alloc(l->scratch, (u->rows->places + 1) * sizeof(*rank));

	for (uint32_t v = 0; v < u->vreg_count; v++)
		for (uint32_t i = 0; size_of(u, v) == size && i < size; i++)
			rank[u->rows->location[v] + i] = 1;
	*count = 0;
	for (uint32_t p = 0; p < u->rows->places; p++) {
		*count += rank[p];
		rank[p] = *count - rank[p];
	}
	return rank;
}

static void raise(uint32_t *value, uint32_t minimum)
{
	if (*value < minimum)
		*value = minimum;
}

/* The component of node_order[last], its last member, is placed: its callees begin behind it. */
static void raise_callees(const struct lower *l, uint32_t last, uint32_t *row)
{
	uint32_t component = l->nodes[l->node_order[last]].component;

	for (uint32_t m = last + 1; m-- > 0 && l->nodes[l->node_order[m]].component == component;) {
		const struct call_node *n = &l->nodes[l->node_order[m]];

		for (uint32_t c = 0; c < n->callee_count; c++)
			raise(&row[l->nodes[n->callees[c]].component], row[component]);
	}
}

/* The unit's registers of one size get rows from `first` on. Returns how many they take. */
static uint32_t stack_unit(struct lower *l, struct unit *u, uint32_t size, uint32_t first)
{
	uint32_t count;
	const uint32_t *rank = rank_places(l, u, size, &count);

	for (uint32_t v = 0; v < u->vreg_count; v++)
		if (size_of(u, v) == size)
			u->placed[v] = first + rank[u->rows->location[v]];
	return count;
}

/* Registers of one size get rows of the kernel, from `base` on. Returns how many rows they take. */
static uint32_t stack_rows(struct lower *l, uint32_t size, uint32_t base)
{
	uint32_t *row = arena_alloc(l->scratch, l->component_count * sizeof(*row)), total = 0;

	for (uint32_t i = 0; i < l->node_count; i++) {
		const struct call_node *n = &l->nodes[l->node_order[i]];
		uint32_t *own = &row[n->component];

		if (n->unit != NO_UNIT)
			*own += stack_unit(l, &l->units[n->unit], size, base + *own);
		raise(&total, *own);
		if (is_last_member(l, i))
			raise_callees(l, i, row);
	}
	return total;
}

void place_banks(struct lower *l)
{
	uint32_t rows = 0;

	for (uint32_t u = 0; u < l->unit_count; u++)
		l->units[u].placed = arena_alloc(l->scratch, l->units[u].vreg_count * sizeof(uint32_t));
	for (uint32_t size = 4; size; size /= 2)
		rows += stack_rows(l, size, rows);
	for (uint32_t u = 0; u < l->unit_count; u++) {
		struct unit *unit = &l->units[u];

		for (uint32_t v = 0; v < unit->vreg_count; v++)
			if (unit->vregs[v].bits)
				unit->rows->location[v] = unit->placed[v];
		unit->first_row = 0;
	}
	l->kernel->rows = rows;
}
