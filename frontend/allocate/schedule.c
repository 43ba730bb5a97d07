/* frontend/allocate/schedule.c -- how many registers a basic block takes once a compiler for the machine has
 * ordered it.
 *
 * Such a compiler issues loads as early as it can, to have many on their way at once: each moves up, with
 * what its address is made from, to the last store or barrier that it may not pass. It unrolls short loops
 * that load for the same reason. What it loads waits in registers until it is used: that, and not the order
 * of the PTX, is where pressure is highest. */
#include "frontend/allocate/schedule.h"

#include <string.h>

/* What ordering may bring the pressure to: with 64 registers a thread, what estimate.c adds included, an SM
 * of sm_75 (65536 registers) is full. */
#define MOST_PRESSURE 54u

/* A value: what one instruction writes into one register, or what the block finds there. */
struct value {
	uint32_t reads;  /* still to come */
	uint32_t writer; /* instruction; UINT32_MAX: none of this block */
	uint8_t weight;
	bool is_kept; /* lives on behind the block */
	bool is_free; /* lies in constant memory, or can be made where it is needed */
};

struct op {
	const struct draft *draft;
	uint32_t first, reads, writes; /* operands[first ..]: values read, then written */
	uint32_t edges;                /* 1 + the first in scheduler.edges; 0: none */
	uint32_t waits;                /* for so many */
	uint64_t ready;                /* cycle */
};

struct edge {
	uint32_t to, next; /* next: 1 + index, 0: none */
};

struct scheduler {
	struct lower *l;
	const struct cfg *cfg;
	const struct liveness *live;
	const uint8_t *weight;
	const bool *needed;
	struct live_range **range; /* of each register: the first that ends behind the block's beginning */
	uint32_t *current;         /* of each register: its value + 1; 0: none in this block yet */
	uint32_t start;            /* position of the block's first instruction */
	uint32_t *touched;
	uint32_t touched_count;
	struct value *values;
	uint32_t value_count, value_room;
	struct op *ops;
	uint32_t op_count, op_room;
	uint32_t *operands;
	uint32_t operand_count, operand_room;
	struct edge *edges;
	uint32_t edge_count, edge_room;
	uint32_t *order;
	const bool *is_rolled;
};

static bool is_alive_at(struct scheduler *s, uint32_t reg, uint32_t position)
{
	const struct live_range *r;

	while (s->range[reg] && s->range[reg]->end <= s->start) /* blocks come in order */
		s->range[reg] = s->range[reg]->next;
	for (r = s->range[reg]; r && r->end <= position;)
		r = r->next;
	return r && r->start <= position;
}

static uint32_t new_value(struct scheduler *s, uint32_t reg)
{
	s->values =
		arena_enlarge(s->l->scratch, s->values, s->value_count, &s->value_room, sizeof *s->values);
	if (!s->current[reg])
		s->touched[s->touched_count++] = reg;
	s->values[s->value_count] = (struct value){ .writer = UINT32_MAX, .weight = s->weight[reg] };
	return s->current[reg] = ++s->value_count;
}

static void add_operand(struct scheduler *s, uint32_t value)
{
	s->operands = arena_enlarge(
		s->l->scratch, s->operands, s->operand_count, &s->operand_room, sizeof *s->operands);
	s->operands[s->operand_count++] = value - 1;
}

static void add_read(struct scheduler *s, struct op *op, ref r)
{
	uint32_t v = s->current[r];

	if (!v) { /* the block finds it there, if anything ever wrote it */
		v = new_value(s, r);
		if (!is_alive_at(s, r, s->start))
			s->values[v - 1].weight = 0;
	}
	s->values[v - 1].reads++;
	add_operand(s, v);
	op->reads++;
}

/* A kernel parameter, a constant, or what is the same as one of these. */
static bool makes_free(const struct scheduler *s, const struct op *op)
{
	const struct draft *d = op->draft;

	switch (d->uop.code) {
	case UOP_LD_PARAM:
		return d->src[0] == REF_NONE && !(d->uop.flags & UOP_GUARDED);
	case UOP_MOV_B32:
	case UOP_MOV_B64:
	case UOP_CVTA:
	case UOP_CVTA_TO:
		return !(d->uop.flags & UOP_GUARDED) &&
			(op->reads ? s->values[s->operands[op->first]].is_free
				   : (d->src[0] & REF_CONSTANT) != 0);
	default:
		return false;
	}
}

static void add_op(struct scheduler *s, const struct draft *d)
{
	ref list[DRAFT_REGISTERS];
	uint32_t writes = draft_writes(d, list);
	struct op *op;

	s->ops = arena_enlarge(s->l->scratch, s->ops, s->op_count, &s->op_room, sizeof *s->ops);
	op = &s->ops[s->op_count++];
	*op = (struct op){ .draft = d, .first = s->operand_count };
	for (uint32_t w = 0; (d->uop.flags & UOP_GUARDED) && w < writes; w++)
		if (s->current[list[w]])
			add_read(s, op, list[w]); /* where the guard is false the old value stays */
	uint32_t reads = draft_reads(d, list);
	for (uint32_t r = 0; r < reads; r++)
		add_read(s, op, list[r]);
	writes = draft_writes(d, list);
	bool is_free = makes_free(s, op);
	for (uint32_t w = 0; w < writes; w++, op->writes++) {
		uint32_t v = new_value(s, list[w]);

		s->values[v - 1].is_free = is_free;
		add_operand(s, v);
	}
}

/* Cycles until its results may be read, roughly as on NVIDIA's chips since 2017 (Jia et al., "Dissecting the
 * NVIDIA Volta GPU architecture via microbenchmarking", 2018: 4 to 6 for arithmetic, about 20 for shared
 * memory). */
static uint32_t latency_of(const struct draft *d)
{
	if (draft_is_load(d))
		return d->uop.code == UOP_LD && (d->uop.space == SPACE_SHARED || d->uop.space == SPACE_CONST)
			? 24
			: 200;
	return d->uop.unit == UNIT_SFU || d->uop.unit == UNIT_DP ? 16 : 5;
}

/* `to` may not issue before `from` has, or its results are there. */
static void add_edge(struct scheduler *s, uint32_t from, uint32_t to)
{
	s->edges = arena_enlarge(s->l->scratch, s->edges, s->edge_count, &s->edge_room, sizeof *s->edges);
	s->edges[s->edge_count] = (struct edge){ to, s->ops[from].edges };
	s->ops[from].edges = ++s->edge_count;
	s->ops[to].waits++;
}

static uint32_t base_of(const struct scheduler *s, const struct op *op)
{
	return op->reads && !(op->draft->src[0] & REF_KIND) ? s->operands[op->first] : UINT32_MAX;
}

/* Whether a load may be moved up past it: a store to another space, or to another place by the same address
 * register. */
static bool may_pass(const struct scheduler *s, const struct op *load, const struct op *effect)
{
	const struct uop *u = &load->draft->uop, *e = &effect->draft->uop;

	if (u->code == UOP_TEX || u->space == SPACE_CONST || u->combine == CACHE_NC)
		return true;
	if (e->unit == UNIT_SP)
		return true;
	if (e->code != UOP_ST)
		return false;
	return (u->space != e->space && u->space != SPACE_GENERIC && e->space != SPACE_GENERIC) ||
		(base_of(s, load) != UINT32_MAX && base_of(s, load) == base_of(s, effect));
}

/* Order in memory: stores and barriers among themselves, loads before the next of them and behind the last
 * that they may not pass. */
static void add_memory_edges(struct scheduler *s)
{
	uint32_t *effects = arena_alloc(s->l->scratch, (s->op_count + 1) * sizeof *effects), count = 0,
		 loads = 0;

	for (uint32_t i = 0; i < s->op_count; i++) {
		if (draft_is_load(s->ops[i].draft)) {
			uint32_t e = count, steps = 64;

			while (e && steps-- && may_pass(s, &s->ops[i], &s->ops[effects[e - 1]]))
				e--;
			if (e)
				add_edge(s, effects[e - 1], i);
			continue;
		}
		if (!draft_has_effect(s->ops[i].draft))
			continue;
		if (count)
			add_edge(s, effects[count - 1], i);
		for (; loads < i; loads++)
			if (draft_is_load(s->ops[loads].draft))
				add_edge(s, loads, i);
		effects[count++] = i;
	}
}

/* Exact division and roots have a rare path of their own, behind a branch: nothing moves from before it to
 * behind it or back. */
static bool splits(const struct draft *d)
{
	unsigned class = d->uop.latency_class;

	return class == CLASS_DP_DIV || class == CLASS_FP_DIV ||
		(class == CLASS_INT_DIV && draft_temporaries(d) > 5);
}

static void add_split_edges(struct scheduler *s)
{
	uint32_t split = UINT32_MAX, first = 0;

	for (uint32_t i = 0; i < s->op_count; i++) {
		if (split != UINT32_MAX)
			add_edge(s, split, i);
		if (!splits(s->ops[i].draft))
			continue;
		for (; first < i; first++)
			add_edge(s, first, i);
		first = split = i;
	}
}

static void add_value_edges(struct scheduler *s)
{
	for (uint32_t i = 0; i < s->op_count; i++) {
		const struct op *op = &s->ops[i];

		for (uint32_t r = 0; r < op->reads; r++)
			if (s->values[s->operands[op->first + r]].writer != UINT32_MAX)
				add_edge(s, s->values[s->operands[op->first + r]].writer, i);
		for (uint32_t w = 0; w < op->writes; w++)
			s->values[s->operands[op->first + op->reads + w]].writer = i;
	}
}

/* A heap: the smallest on top. */
static void push_key(uint64_t *heap, uint32_t *count, uint64_t key)
{
	uint32_t i = (*count)++;

	for (; i && heap[(i - 1) / 2] > key; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = key;
}

static uint64_t pop_key(uint64_t *heap, uint32_t *count)
{
	uint64_t top = heap[0], key = heap[--*count];
	uint32_t i = 0;

	for (uint32_t c; (c = 2 * i + 1) < *count; i = c) {
		c += c + 1 < *count && heap[c + 1] < heap[c];
		if (heap[c] >= key)
			break;
		heap[i] = heap[c];
	}
	heap[i] = key;
	return top;
}

/* Cycle by cycle the first instruction, in the order of the PTX, whose operands are there. The last stays the
 * last. */
static void order_ops(struct scheduler *s)
{
	uint64_t *waiting = arena_alloc(s->l->scratch, (s->op_count + 1) * sizeof *waiting);
	uint64_t *ready = arena_alloc(s->l->scratch, (s->op_count + 1) * sizeof *ready);
	uint32_t waiting_count = 0, ready_count = 0, done = 0;

	s->order = arena_alloc(s->l->scratch, (s->op_count + 1) * sizeof *s->order);
	for (uint32_t i = 0; i < s->op_count; i++)
		if (!s->ops[i].waits)
			push_key(ready, &ready_count, i);
	for (uint64_t now = 0; done < s->op_count; now++) {
		if (!ready_count)
			now = waiting[0] >> 32 > now ? waiting[0] >> 32 : now;
		while (waiting_count && waiting[0] >> 32 <= now)
			push_key(ready, &ready_count, (uint32_t)pop_key(waiting, &waiting_count));
		uint32_t i = (uint32_t)pop_key(ready, &ready_count);
		uint64_t then = now + latency_of(s->ops[i].draft);

		s->order[done++] = i;
		for (uint32_t e = s->ops[i].edges; e; e = s->edges[e - 1].next) {
			struct op *to = &s->ops[s->edges[e - 1].to];
			uint64_t at = s->ops[i].draft->uop.unit == UNIT_CONTROL || !s->ops[i].writes ? now + 1
												     : then;

			to->ready = at > to->ready ? at : to->ready;
			if (!--to->waits)
				push_key(waiting, &waiting_count, to->ready << 32 | s->edges[e - 1].to);
		}
	}
}

/* The largest sum of weights on the way through the block, which begins with `now`. */
static uint32_t walk(struct scheduler *s, uint32_t now)
{
	uint32_t most = now;

	for (uint32_t o = 0; o < s->op_count; o++) {
		const struct op *op = &s->ops[s->order[o]];
		const uint32_t *list = s->operands + op->first;

		for (uint32_t r = 0; r < op->reads; r++) {
			struct value *v = &s->values[list[r]];

			if (!--v->reads && !v->is_kept)
				now -= v->weight;
		}
		uint32_t written = 0;
		for (uint32_t w = op->reads; w < op->reads + op->writes; w++)
			written += s->values[list[w]].weight;
		written = draft_temporaries(op->draft) > written ? draft_temporaries(op->draft) : written;
		most = now + written > most ? now + written : most;
		for (uint32_t w = op->reads; w < op->reads + op->writes; w++)
			if (s->values[list[w]].reads || s->values[list[w]].is_kept)
				now += s->values[list[w]].weight;
	}
	return most;
}

static void read_block(struct scheduler *s, const struct cfg_block *block, uint32_t copies)
{
	s->start = 2 * block->first;
	s->edge_count = s->value_count = s->op_count = s->operand_count = s->touched_count = 0;
	for (uint32_t copy = 1; copy <= copies; copy++)
		for (uint32_t i = block->first; i < block->end; i++)
			if (s->needed[i] && (copy == copies || s->l->drafts[i].uop.unit != UNIT_CONTROL))
				add_op(s, &s->l->drafts[i]);
	for (uint32_t t = 0; t < s->touched_count; t++) {
		uint32_t reg = s->touched[t];

		s->values[s->current[reg] - 1].is_kept = is_alive_at(s, reg, 2 * block->end - 1);
		s->current[reg] = 0;
	}
	for (uint32_t v = 0; v < s->value_count; v++)
		if (s->values[v].is_free && !s->values[v].is_kept)
			s->values[v].weight = 0;
}

/* In the order of the PTX. */
static uint32_t pressure_in_ptx_order(struct scheduler *s, const struct cfg_block *block, uint32_t live_in)
{
	read_block(s, block, 1);
	s->order = arena_alloc(s->l->scratch, (s->op_count + 1) * sizeof *s->order);
	for (uint32_t i = 0; i < s->op_count; i++)
		s->order[i] = i;
	return walk(s, live_in);
}

static uint32_t ordered_pressure(
	struct scheduler *s, const struct cfg_block *block, uint32_t copies, uint32_t live_in)
{
	read_block(s, block, copies);
	add_value_edges(s);
	add_memory_edges(s);
	add_split_edges(s);
	order_ops(s);
	return walk(s, live_in);
}

/* Reordering and unrolling stop where they would cost occupancy. */
static uint32_t schedule_block(struct scheduler *s, uint32_t b, uint32_t live_in)
{
	const struct cfg_block *block = &s->cfg->blocks[b];
	uint32_t copies = s->is_rolled[b] ? 1 : copies_unrolled(s->l, s->cfg, b, s->needed),
		 pressure = ordered_pressure(s, block, copies, live_in), unordered;

	while (copies > 1 && pressure > MOST_PRESSURE)
		pressure = ordered_pressure(s, block, copies /= 2, live_in);
	if (pressure <= MOST_PRESSURE)
		return pressure;
	unordered = pressure_in_ptx_order(s, block, live_in);
	return unordered < MOST_PRESSURE ? MOST_PRESSURE : unordered < pressure ? unordered : pressure;
}

/* The sum of weights of what is alive before each block's first instruction. */
static uint32_t *find_live_in(const struct scheduler *s)
{
	uint32_t *live_in = arena_alloc(s->l->scratch, s->cfg->count * sizeof *live_in);
	int32_t *change = arena_alloc(s->l->scratch, ((size_t)s->live->positions + 1) * sizeof *change),
		now = 0;

	for (uint32_t v = 0; v < s->live->registers; v++)
		for (const struct live_range *r = s->live->ranges[v]; r; r = r->next) {
			change[r->start] += s->weight[v];
			change[r->end] -= s->weight[v];
		}
	for (uint32_t b = 0, p = 0; b < s->cfg->count; b++)
		for (; p < 2 * s->cfg->blocks[b].end; p++) {
			now += change[p];
			if (p == 2 * s->cfg->blocks[b].first)
				live_in[b] = (uint32_t)now;
		}
	return live_in;
}

uint32_t scheduled_pressure(struct lower *l, const struct cfg *cfg, const struct liveness *live,
	const uint8_t *weight, const bool *needed)
{
	struct scheduler s = { .l = l, .cfg = cfg, .live = live, .weight = weight, .needed = needed };
	const uint32_t *live_in;
	uint32_t most = 0;

	s.range = arena_alloc(l->scratch, l->vreg_count * sizeof *s.range);
	s.current = arena_alloc(l->scratch, l->vreg_count * sizeof *s.current);
	s.touched = arena_alloc(l->scratch, l->vreg_count * sizeof *s.touched);
	for (uint32_t v = 0; v < l->vreg_count; v++)
		s.range[v] = live->ranges[v];
	s.is_rolled = find_rolled(l, cfg);
	live_in = find_live_in(&s);
	for (uint32_t b = 0; b < cfg->count; b++) {
		uint32_t pressure = cfg->blocks[b].is_reachable ? schedule_block(&s, b, live_in[b]) : 0;

		most = pressure > most ? pressure : most;
	}
	return most;
}
