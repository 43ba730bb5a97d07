/* frontend/optimise/list_scheduling.c -- list scheduling: the order in which a compiler for the machine
 * issues a block.
 *
 * Cycle by cycle the first instruction, in the order of the PTX, whose operands are there: what waits lets
 * others go first, so that loads move up with what their addresses are made from. An instruction that would
 * take the block beyond the registers that the kernel is estimated to have waits until others have died. */
#include "frontend/optimise/list_scheduling.h"

#define WINDOW 512u /* instructions from the first that has not issued */

struct scheduler {
	struct block_graph *g;
	uint64_t now;
	uint32_t first; /* that has not issued */
	int32_t live;   /* registers */
	int32_t budget;
};

/* What issuing it adds to the registers that are live. */
static int32_t growth(const struct block_graph *g, const struct block_op *op)
{
	const uint32_t *list = g->operands + op->first;
	int32_t change = 0;

	for (uint32_t r = 0; r < op->reads; r++) {
		const struct block_value *v = &g->values[list[r]];

		change -= v->reads == 1 && !v->is_kept ? v->weight : 0;
	}
	for (uint32_t w = op->reads; w < op->reads + op->writes; w++) {
		const struct block_value *v = &g->values[list[w]];

		change += v->reads || v->is_kept ? v->weight : 0;
	}
	return change;
}

static bool fits(const struct scheduler *s, const struct block_op *op)
{
	int32_t change = growth(s->g, op);

	return change <= 0 || s->live + change <= s->budget;
}

/* The next instruction; time passes until it can issue. */
static uint32_t choose_op(struct scheduler *s)
{
	const struct block_graph *g = s->g;
	uint32_t end = s->first + WINDOW < g->op_count ? s->first + WINDOW : g->op_count, soonest = s->first;
	uint64_t at = UINT64_MAX;

	for (uint32_t i = s->first; i < end; i++) {
		const struct block_op *op = &g->ops[i];

		if (op->is_issued || op->waits || op->ready >= at || !fits(s, op))
			continue;
		if (op->ready <= s->now)
			return i;
		at = op->ready;
		soonest = i;
	}
	at = g->ops[soonest].ready;
	s->now = at > s->now ? at : s->now;
	return soonest;
}

static void issue_op(struct scheduler *s, uint32_t i)
{
	struct block_graph *g = s->g;
	struct block_op *op = &g->ops[i];

	s->live += growth(g, op);
	for (uint32_t r = 0; r < op->reads; r++)
		g->values[g->operands[op->first + r]].reads--;
	for (uint32_t e = op->edges; e; e = g->edges[e - 1].next) {
		struct block_op *to = &g->ops[g->edges[e - 1].to];
		uint64_t at = s->now + g->edges[e - 1].latency;

		to->ready = at > to->ready ? at : to->ready;
		to->waits--;
	}
	op->is_issued = true;
	while (s->first < g->op_count && g->ops[s->first].is_issued)
		s->first++;
	s->now++;
}

/* The most registers that the block takes as it stands. */
static int32_t program_order_pressure(const struct block_graph *g, int32_t live_in)
{
	struct block_value *values = arena_alloc(g->code->l->scratch, (g->value_count + 1) * sizeof *values);
	struct block_graph copy = *g;
	int32_t live = live_in, most = live_in;

	copy.values = values;
	for (uint32_t v = 0; v < g->value_count; v++)
		values[v] = g->values[v];
	for (uint32_t i = 0; i < g->op_count; i++) {
		live += growth(&copy, &g->ops[i]);
		for (uint32_t r = 0; r < g->ops[i].reads; r++)
			values[g->operands[g->ops[i].first + r]].reads--;
		most = live > most ? live : most;
	}
	return most;
}

static void order_block(
	struct block_graph *g, uint32_t block, const struct liveness *live, int32_t live_in, int32_t budget)
{
	struct code_block *b = &g->code->blocks[block];
	struct scheduler s = { .g = g, .live = live_in };

	block_graph_read(g, block, live);
	s.budget = program_order_pressure(g, live_in);
	s.budget = budget > s.budget ? budget : s.budget;
	for (uint32_t n = 0; n < g->op_count; n++) {
		uint32_t i = choose_op(&s);

		b->ops[n] = g->ops[i].draft;
		issue_op(&s, i);
	}
}

/* Registers that are live where each block begins. */
static int32_t *find_live_in(const struct code *c, const struct liveness *live, const uint8_t *size)
{
	int32_t *at = arena_alloc(c->l->scratch, ((size_t)live->positions + 2) * sizeof *at), now = 0;
	int32_t *live_in = arena_alloc(c->l->scratch, c->block_count * sizeof *live_in);

	for (uint32_t v = 0; v < live->registers; v++)
		for (const struct live_range *r = live->ranges[v]; r; r = r->next) {
			at[r->start] += size[v];
			at[r->end] -= size[v];
		}
	for (uint32_t p = 0; p <= live->positions; p++)
		at[p] = now += at[p];
	for (uint32_t b = 0; b < c->block_count; b++)
		live_in[b] = at[2 * c->cfg->blocks[b].first];
	return live_in;
}

void schedule_list(struct code *c, const struct liveness *live, const uint8_t *size, uint32_t budget)
{
	struct block_graph *g = block_graph_new(c, size);
	const int32_t *live_in = find_live_in(c, live, size);

	for (uint32_t b = 0; b < c->block_count; b++)
		if (c->blocks[b].count > 1)
			order_block(g, b, live, live_in[b], (int32_t)budget);
	code_index(c);
}
