/* frontend/optimise/dependence_graph.c -- the dependence graph: which instruction of a block must come before
 * which.
 *
 * Registers: what reads comes behind what writes, and what writes again behind both. Memory: whatever has an
 * effect stays in its order. A load stays behind each effect that may concern it, and before each that
 * follows it; it passes a store to another space, and one to other bytes by the same address register.
 * Constants pass everything. Clocks stay where they are among all others. */
#include "frontend/optimise/list_scheduling.h"

#include <string.h>

static void add_edge(struct block_graph *g, uint32_t from, uint32_t to, uint32_t latency)
{
	g->edges =
		arena_enlarge(g->code->l->scratch, g->edges, g->edge_count, &g->edge_room, sizeof *g->edges);
	g->edges[g->edge_count] = (struct block_edge){ to, g->ops[from].edges, latency };
	g->ops[from].edges = ++g->edge_count;
	g->ops[to].waits++;
}

static const struct draft *draft_of(const struct block_graph *g, uint32_t op)
{
	return &g->code->l->drafts[g->ops[op].draft];
}

/* ---- latencies ---- */

/* Cycles until a result can be read, roughly: Wong et al., "Demystifying GPU microarchitecture through
 * microbenchmarking", ISPASS 2010 (and Fermi: 18 to 22); Jia et al., "Dissecting the NVIDIA Volta GPU
 * architecture via microbenchmarking", 2018, tables on Kepler (9), Maxwell and Pascal (6), Volta (4). */
static uint32_t arithmetic_latency(uint32_t sm)
{
	return sm >= 70 ? 4 : sm >= 50 ? 6 : sm >= 30 ? 9 : 18;
}

static uint32_t latency_of(const struct block_graph *g, const struct draft *d)
{
	uint32_t alu = arithmetic_latency(g->code->l->lowering->sm);

	if (draft_is_load(d) || d->uop.code == UOP_ATOM || d->uop.unit == UNIT_LDST)
		return d->uop.code != UOP_LD || (d->uop.space != SPACE_SHARED && d->uop.space != SPACE_CONST)
			? 200
			: alu >= 18 ? 30
				    : 24;
	if (draft_temporaries(d))
		return 10 * alu;
	return d->uop.unit == UNIT_SFU || d->uop.unit == UNIT_DP ? alu + 12 : alu;
}

/* ---- registers ---- */

static void touch(struct block_graph *g, ref r)
{
	if (!g->value[r] && !g->writer[r] && !g->reader[r])
		g->touched[g->touched_count++] = r;
}

static uint32_t new_value(struct block_graph *g, ref r)
{
	g->values = arena_enlarge(
		g->code->l->scratch, g->values, g->value_count, &g->value_room, sizeof *g->values);
	g->values[g->value_count] = (struct block_value){ .weight = g->size[r] };
	return g->value[r] = ++g->value_count;
}

static void add_operand(struct block_graph *g, uint32_t value)
{
	g->operands = arena_enlarge(
		g->code->l->scratch, g->operands, g->operand_count, &g->operand_room, sizeof *g->operands);
	g->operands[g->operand_count++] = value - 1;
}

static void read_register(struct block_graph *g, uint32_t op, ref r)
{
	touch(g, r);
	if (!g->value[r])
		new_value(g, r);
	g->values[g->value[r] - 1].reads++;
	add_operand(g, g->value[r]);
	g->ops[op].reads++;
	if (g->writer[r])
		add_edge(g, g->writer[r] - 1, op, latency_of(g, draft_of(g, g->writer[r] - 1)));
	g->read_by = arena_enlarge(
		g->code->l->scratch, g->read_by, g->read_by_count, &g->read_by_room, sizeof *g->read_by);
	g->read_by[g->read_by_count] = (struct reader){ op, g->reader[r] };
	g->reader[r] = ++g->read_by_count;
}

static void write_register(struct block_graph *g, uint32_t op, ref r)
{
	touch(g, r);
	for (uint32_t i = g->reader[r]; i; i = g->read_by[i - 1].next)
		if (g->read_by[i - 1].op != op)
			add_edge(g, g->read_by[i - 1].op, op, 1);
	if (g->writer[r] && g->writer[r] - 1 != op)
		add_edge(g, g->writer[r] - 1, op, latency_of(g, draft_of(g, g->writer[r] - 1)));
	g->reader[r] = 0;
	g->writer[r] = op + 1;
	new_value(g, r);
	add_operand(g, g->value[r]);
	g->ops[op].writes++;
}

/* ---- memory ---- */

/* What nothing passes: clocks; the wait for products, behind which their results are there, and the fence
 * before them. */
static bool is_clock(const struct draft *d)
{
	return d->uop.code == UOP_MOV_SREG || d->uop.code == UOP_WGMMA_WAIT || uop_holds_order(&d->uop);
}

static bool is_effect(const struct draft *d)
{
	return draft_has_effect(d) || d->uop.code == UOP_ST || is_clock(d);
}

static uint32_t bytes_of(const struct draft *d)
{
	return (uint32_t)d->uop.bytes * (d->uop.vector ? d->uop.vector : 1);
}

/* Whether the other's bytes do not begin within those of a, as addresses of so many bits go round. */
static bool begins_outside(const struct draft *a, const struct draft *other)
{
	uint64_t distance = (uint64_t)other->uop.imm - (uint64_t)a->uop.imm;

	return (a->uop.mods & MOD_SAT ? (uint32_t)distance : distance) >= bytes_of(a);
}

/* Whether both name their bytes by the same value of a register, and these do not overlap. */
static bool is_apart(const struct block_graph *g, uint32_t load, uint32_t store)
{
	const struct draft *a = draft_of(g, load), *b = draft_of(g, store);
	uint32_t flags = MOD_SAT | MOD_FRAME;

	if (a->src[0] != b->src[0] || (a->uop.mods & flags) != (b->uop.mods & flags) ||
		a->uop.space != b->uop.space || a->uop.scale != b->uop.scale)
		return false;
	if (is_register(a->src[0]) && g->operands[g->ops[load].first] != g->operands[g->ops[store].first])
		return false;
	return begins_outside(a, b) && begins_outside(b, a);
}

static bool may_pass(const struct block_graph *g, uint32_t load, uint32_t effect)
{
	const struct uop *u = &draft_of(g, load)->uop, *e = &draft_of(g, effect)->uop;

	if (is_clock(draft_of(g, effect)) || u->code != UOP_LD)
		return false;
	if (u->space == SPACE_CONST)
		return true;
	if (e->code != UOP_ST || u->space == SPACE_PARAM || e->space == SPACE_PARAM)
		return false;
	if (u->space != e->space)
		return u->space != SPACE_GENERIC && e->space != SPACE_GENERIC;
	return is_apart(g, load, effect);
}

#define MOST_STEPS 64u /* effects that one load is compared with */

static void order_memory(struct block_graph *g)
{
	uint32_t *effects = arena_alloc(g->code->l->scratch, (g->op_count + 1) * sizeof *effects), count = 0,
		 loads = 0, clock = UINT32_MAX;

	for (uint32_t i = 0; i < g->op_count; i++) {
		const struct draft *d = draft_of(g, i);

		if (clock != UINT32_MAX)
			add_edge(g, clock, i, 1);
		if (!is_effect(d)) {
			uint32_t e = count, steps = MOST_STEPS;

			while (draft_is_load(d) && e && steps-- && may_pass(g, i, effects[e - 1]))
				e--;
			if (draft_is_load(d) && e)
				add_edge(g, effects[e - 1], i, 1);
			continue;
		}
		if (count)
			add_edge(g, effects[count - 1], i, 1);
		for (; loads < i; loads++)
			if (is_clock(d) || draft_is_load(draft_of(g, loads)))
				add_edge(g, loads, i, 1);
		effects[count++] = i;
		clock = is_clock(d) ? i : clock;
	}
}

/* ---- the graph ---- */

static void add_op(struct block_graph *g, uint32_t draft)
{
	const struct draft *d = &g->code->l->drafts[draft];
	ref list[DRAFT_REGISTERS];
	uint32_t op = g->op_count++, n;

	g->ops[op] = (struct block_op){ .draft = draft, .first = g->operand_count };
	n = draft_reads(d, list);
	for (uint32_t i = 0; i < n; i++)
		read_register(g, op, list[i]);
	n = draft_writes(d, list);
	for (uint32_t i = 0; (d->uop.flags & UOP_GUARDED) && !d->is_whole && i < n; i++)
		read_register(g, op, list[i]); /* where the guard does not hold the old value stays */
	for (uint32_t i = 0; i < n; i++)
		write_register(g, op, list[i]);
}

/* What ends the block comes last. */
static void keep_last(struct block_graph *g)
{
	uint32_t last = g->op_count - 1;

	if (draft_of(g, last)->uop.unit != UNIT_CONTROL)
		return;
	for (uint32_t i = 0; i < last; i++)
		add_edge(g, i, last, 1);
}

void block_graph_read(struct block_graph *g, uint32_t block, const struct liveness *live)
{
	const struct code_block *b = &g->code->blocks[block];
	uint32_t end = 2 * g->code->cfg->blocks[block].end - 1;

	g->op_count = g->value_count = g->operand_count = g->edge_count = g->read_by_count =
		g->touched_count = 0;
	for (uint32_t i = 0; i < b->count; i++)
		add_op(g, b->ops[i]);
	order_memory(g);
	keep_last(g);
	for (uint32_t t = 0; t < g->touched_count; t++) {
		ref r = g->touched[t];

		if (g->value[r])
			g->values[g->value[r] - 1].is_kept = liveness_is_live(live, r, end);
		g->value[r] = g->writer[r] = g->reader[r] = 0;
	}
}

struct block_graph *block_graph_new(struct code *code, const uint8_t *size)
{
	struct ptx_arena *arena = code->l->scratch;
	struct block_graph *g = arena_alloc(arena, sizeof *g);
	uint32_t longest = 0;

	*g = (struct block_graph){ .code = code, .size = size };
	for (uint32_t b = 0; b < code->block_count; b++)
		longest = code->blocks[b].count > longest ? code->blocks[b].count : longest;
	g->ops = arena_alloc(arena, (longest + 1) * sizeof *g->ops);
	g->value = arena_alloc(arena, (code->l->vreg_count + 1) * sizeof *g->value);
	g->writer = arena_alloc(arena, (code->l->vreg_count + 1) * sizeof *g->writer);
	g->reader = arena_alloc(arena, (code->l->vreg_count + 1) * sizeof *g->reader);
	g->touched = arena_alloc(arena, (code->l->vreg_count + 1) * sizeof *g->touched);
	return g;
}
