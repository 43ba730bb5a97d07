/* frontend/schedule.c -- how many registers a basic block takes once a compiler for the machine has ordered it.
 *
 * Such a compiler issues loads as early as it can, to have many on their way at once: each moves up, with what its address
 * is made from, to the last store or barrier that it may not pass. It unrolls short loops that load for the same reason.
 * What it loads waits in registers until it is used: that, and not the order of the PTX, is where pressure is highest. */
#include "frontend/schedule.h"

#include <string.h>

/* A loop of one block is unrolled up to so often, and to so many instructions in all. */
#define MOST_COPIES       4u
#define MOST_UNROLLED     96u

/* A value: what one instruction writes into one register, or what the block finds there. */
struct value {
	uint32_t reads;    /* still to come */
	uint32_t reader;   /* key of the earliest reader that moves up; UINT32_MAX: none does */
	uint32_t ready;    /* instructions before this key may not read it: its own earliest place */
	uint8_t weight;
	bool is_kept;      /* lives on behind the block */
	bool is_free;      /* lies in constant memory, or can be made where it is needed */
};

struct op {
	const struct draft *draft;
	uint32_t first, reads, writes; /* operands[first ..]: values read, then written */
	uint32_t key;                  /* its place: behind instruction key - 1 of the block as it was */
	uint32_t ready;
};

struct scheduler {
	struct lower *l;
	const struct cfg *cfg;
	const struct liveness *live;
	const uint8_t *weight;
	const bool *needed;
	struct live_range **range; /* of each register: the first that ends behind the block */
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
	uint32_t *order, *bucket;
	uint32_t order_room;
};

/* Twice the room, at least. */
static void *enlarge(struct scheduler *s, void *array, uint32_t *room, size_t element)
{
	uint32_t more = *room ? 2 * *room : 256;
	void *copy = arena_alloc(s->l->scratch, more * element);

	if (*room)
		memcpy(copy, array, *room * element);
	*room = more;
	return copy;
}

static bool is_alive_at(struct scheduler *s, uint32_t reg, uint32_t position)
{
	while (s->range[reg] && s->range[reg]->end <= position)
		s->range[reg] = s->range[reg]->next;
	return s->range[reg] && s->range[reg]->start <= position;
}

static uint32_t new_value(struct scheduler *s, uint32_t reg)
{
	if (s->value_count == s->value_room)
		s->values = enlarge(s, s->values, &s->value_room, sizeof *s->values);
	if (!s->current[reg])
		s->touched[s->touched_count++] = reg;
	s->values[s->value_count] = (struct value){ .reader = UINT32_MAX, .weight = s->weight[reg] };
	return s->current[reg] = ++s->value_count;
}

static void add_operand(struct scheduler *s, uint32_t value)
{
	if (s->operand_count == s->operand_room)
		s->operands = enlarge(s, s->operands, &s->operand_room, sizeof *s->operands);
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
		       (op->reads ? s->values[s->operands[op->first]].is_free : (d->src[0] & REF_CONSTANT) != 0);
	default:
		return false;
	}
}

static void add_op(struct scheduler *s, const struct draft *d)
{
	ref list[DRAFT_REGISTERS];
	uint32_t writes = draft_writes(d, list);
	struct op *op;

	if (s->op_count == s->op_room)
		s->ops = enlarge(s, s->ops, &s->op_room, sizeof *s->ops);
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

static bool is_load(const struct draft *d)
{
	return (d->uop.code == UOP_LD && !(d->uop.flags & UOP_VOLATILE)) || d->uop.code == UOP_TEX ||
	       d->uop.code == UOP_LDMATRIX;
}

/* Whether a load may pass it; no-one else moves. */
static bool is_fence(const struct draft *d, const struct draft *load)
{
	unsigned from = load->uop.space, to = d->uop.space;

	if (load->uop.code == UOP_TEX)
		return false;
	if (d->uop.code == UOP_ST)
		return from != SPACE_CONST && load->uop.combine != CACHE_NC &&
		       (from == to || from == SPACE_GENERIC || to == SPACE_GENERIC);
	return draft_has_effect(d) && d->uop.unit != UNIT_SP;
}

/* The earliest place of each instruction: behind those whose values it reads and, for a load, behind the last fence. */
static void find_ready(struct scheduler *s)
{
	uint32_t fence[SPACE_GENERIC + 2] = { 0 };

	for (uint32_t i = 0; i < s->op_count; i++) {
		struct op *op = &s->ops[i];
		const struct draft *d = op->draft;

		for (uint32_t r = 0; r < op->reads; r++) {
			uint32_t ready = s->values[s->operands[op->first + r]].ready;

			op->ready = ready > op->ready ? ready : op->ready;
		}
		if (is_load(d)) {
			unsigned space = d->uop.code == UOP_LD ? d->uop.space : SPACE_GENERIC + 1;

			op->ready = fence[space] > op->ready ? fence[space] : op->ready;
		} else if (draft_has_effect(d)) {
			struct draft load = { .uop = { .code = UOP_LD } };

			for (unsigned space = 0; space <= SPACE_GENERIC; space++) {
				load.uop.space = (uint8_t)space;
				if (is_fence(d, &load))
					fence[space] = i + 1;
			}
			op->ready = i + 1;
		}
		for (uint32_t w = 0; w < op->writes; w++)
			s->values[s->operands[op->first + op->reads + w]].ready = op->ready;
	}
}

/* Where each goes: loads to their earliest place, what they read before them, the rest stays. */
static void find_keys(struct scheduler *s)
{
	for (uint32_t i = s->op_count; i-- > 0;) {
		struct op *op = &s->ops[i];

		op->key = is_load(op->draft) ? op->ready : i + 1;
		for (uint32_t w = 0; w < op->writes; w++) {
			uint32_t reader = s->values[s->operands[op->first + op->reads + w]].reader;

			op->key = reader < op->key ? reader : op->key;
		}
		if (draft_has_effect(op->draft))
			op->key = i + 1;
		for (uint32_t r = 0; op->key <= i && r < op->reads; r++) {
			struct value *v = &s->values[s->operands[op->first + r]];

			v->reader = op->key < v->reader ? op->key : v->reader;
		}
	}
}

/* By key, then as they stood. */
static void sort(struct scheduler *s)
{
	while (s->order_room < s->op_count + 2)
		s->order = enlarge(s, s->order, &s->order_room, sizeof *s->order);
	s->bucket = arena_alloc(s->l->scratch, (s->op_count + 2) * sizeof *s->bucket);
	for (uint32_t i = 0; i < s->op_count; i++)
		s->bucket[s->ops[i].key + 1]++;
	for (uint32_t k = 1; k <= s->op_count + 1; k++)
		s->bucket[k] += s->bucket[k - 1];
	for (uint32_t i = 0; i < s->op_count; i++)
		s->order[s->bucket[s->ops[i].key]++] = i;
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
		most = now + written > most ? now + written : most;
		for (uint32_t w = op->reads; w < op->reads + op->writes; w++)
			if (s->values[list[w]].reads || s->values[list[w]].is_kept)
				now += s->values[list[w]].weight;
	}
	return most;
}

static bool is_loop(const struct scheduler *s, uint32_t b)
{
	const struct cfg_block *block = &s->cfg->blocks[b];

	for (uint32_t i = 0; i < block->successor_count; i++)
		if (block->successor[i] == b)
			return true;
	return false;
}

/* The value that register r has at the end of the block is its old one plus a constant. */
static bool counts(const struct scheduler *s, const struct cfg_block *block, ref r)
{
	const struct draft *by = NULL;

	for (uint32_t i = block->first; i < block->end; i++)
		for (int w = 0; w < 4; w++)
			if (s->l->drafts[i].dst[w] == r)
				by = &s->l->drafts[i];
	return by && (by->uop.code == UOP_ADD_B32 || by->uop.code == UOP_ADD_B64 || by->uop.code == UOP_SUB_B32) &&
	       by->src[0] == r && (by->src[1] & REF_KIND) == REF_CONSTANT;
}

/* How often the loop runs can be computed before it begins: it ends by a comparison of what counts. */
static bool is_counted(const struct scheduler *s, const struct cfg_block *block)
{
	ref guard = s->l->drafts[block->end - 1].guard;

	for (uint32_t i = block->end; i-- > block->first;) {
		const struct draft *d = &s->l->drafts[i];

		if (d->dst[0] == guard)
			return (!(d->src[0] & REF_KIND) && counts(s, block, d->src[0])) ||
			       (!(d->src[1] & REF_KIND) && counts(s, block, d->src[1]));
	}
	return false;
}

/* How often the block stands in a row once it is unrolled. */
static uint32_t copies_of(const struct scheduler *s, uint32_t b)
{
	const struct cfg_block *block = &s->cfg->blocks[b];
	uint32_t size = 0, copies = 1;
	bool loads = false;

	if (!is_loop(s, b) || !is_counted(s, block))
		return 1;
	for (uint32_t i = block->first; i < block->end; i++) {
		const struct draft *d = &s->l->drafts[i];

		if (d->uop.code == UOP_BAR_SYNC || d->uop.code == UOP_CALL)
			return 1;
		loads |= is_load(d);
		size += s->needed[i];
	}
	while (loads && copies < MOST_COPIES && 2 * copies * size <= MOST_UNROLLED)
		copies *= 2;
	return copies;
}

static uint32_t schedule_block(struct scheduler *s, uint32_t b, uint32_t live_in)
{
	const struct cfg_block *block = &s->cfg->blocks[b];
	uint32_t copies = copies_of(s, b), most;

	s->start = 2 * block->first;
	s->value_count = s->op_count = s->operand_count = s->touched_count = 0;
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
	find_ready(s);
	find_keys(s);
	sort(s);
	most = walk(s, live_in);
	return most;
}

/* The sum of weights of what is alive before each block's first instruction. */
static uint32_t *find_live_in(const struct scheduler *s)
{
	uint32_t *live_in = arena_alloc(s->l->scratch, s->cfg->count * sizeof *live_in);
	int32_t *change = arena_alloc(s->l->scratch, ((size_t)s->live->positions + 1) * sizeof *change), now = 0;

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

uint32_t scheduled_pressure(struct lower *l, const struct cfg *cfg, const struct liveness *live, const uint8_t *weight,
	const bool *needed)
{
	struct scheduler s = { .l = l, .cfg = cfg, .live = live, .weight = weight, .needed = needed };
	const uint32_t *live_in;
	uint32_t most = 0;

	s.range = arena_alloc(l->scratch, l->vreg_count * sizeof *s.range);
	s.current = arena_alloc(l->scratch, l->vreg_count * sizeof *s.current);
	s.touched = arena_alloc(l->scratch, l->vreg_count * sizeof *s.touched);
	for (uint32_t v = 0; v < l->vreg_count; v++)
		s.range[v] = live->ranges[v];
	live_in = find_live_in(&s);
	for (uint32_t b = 0; b < cfg->count; b++) {
		uint32_t pressure = cfg->blocks[b].is_reachable ? schedule_block(&s, b, live_in[b]) : 0;

		most = pressure > most ? pressure : most;
	}
	return most;
}

/* ---- what is computed for nothing ---- */

bool draft_has_effect(const struct draft *d)
{
	switch (d->uop.unit) {
	case UNIT_CONTROL:
		return d->uop.code != UOP_NOP;
	case UNIT_LDST:
		return !(is_load(d) || d->uop.code == UOP_LD_PARAM || d->uop.code == UOP_PREFETCH);
	default:
		return d->uop.code >= UOP_VOTE_ALL && d->uop.code <= UOP_SYSCALL;
	}
}

bool *find_needed(struct lower *l)
{
	bool *needed = arena_alloc(l->scratch, l->draft_count + 1), *read = arena_alloc(l->scratch, l->vreg_count + 1);
	ref list[DRAFT_REGISTERS];
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = l->draft_count; i-- > 0;) {
			const struct draft *d = &l->drafts[i];
			bool is_needed = draft_has_effect(d);
			uint32_t n = needed[i] ? 0 : draft_writes(d, list);

			for (uint32_t w = 0; w < n; w++)
				is_needed |= read[list[w]];
			if (needed[i] || !is_needed)
				continue;
			needed[i] = more = true;
			n = draft_reads(d, list);
			for (uint32_t r = 0; r < n; r++)
				read[list[r]] = true;
		}
	}
	return needed;
}
