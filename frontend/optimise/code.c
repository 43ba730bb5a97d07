/* frontend/optimise/code.c -- the editable form of a function's drafts: blocks, dominators, writers. */
#include "frontend/optimise/code.h"

#include <string.h>

#define FARTHEST 256u /* instructions of a block that are looked through for a change of a register */

/* ---- dominators: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001 ---- */

uint32_t code_common_dominator(const struct code *c, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (c->number[a] > c->number[b])
			a = c->dominator[a];
		while (c->number[b] > c->number[a])
			b = c->dominator[b];
	}
	return a;
}

static uint32_t new_dominator(const struct code *c, uint32_t block)
{
	const struct cfg_block *b = &c->cfg->blocks[block];
	uint32_t found = CFG_NONE;

	for (uint32_t i = 0; i < b->predecessor_count; i++) {
		uint32_t from = c->cfg->predecessors[b->predecessors + i];

		if (!c->cfg->blocks[from].is_reachable || c->dominator[from] == CFG_NONE)
			continue;
		found = found == CFG_NONE ? from : code_common_dominator(c, found, from);
	}
	return found;
}

/* Numbers the tree of dominators so that a block and all that it dominates have tree[b] .. tree[b] + size[b]
 * - 1. A block stands behind its dominator in cfg->order. */
static void number_tree(struct code *c)
{
	uint32_t *next = arena_alloc(c->l->scratch, c->block_count * sizeof *next);

	c->tree = arena_alloc(c->l->scratch, c->block_count * sizeof *c->tree);
	c->size = arena_alloc(c->l->scratch, c->block_count * sizeof *c->size);
	for (uint32_t i = c->cfg->order_count; i-- > 0;) {
		uint32_t b = c->cfg->order[i];

		c->size[b]++;
		if (i)
			c->size[c->dominator[b]] += c->size[b];
	}
	for (uint32_t i = 0; i < c->cfg->order_count; i++) {
		uint32_t b = c->cfg->order[i];

		if (i) {
			c->tree[b] = next[c->dominator[b]];
			next[c->dominator[b]] += c->size[b];
		}
		next[b] = c->tree[b] + 1;
	}
}

static void find_dominators(struct code *c)
{
	bool more = true;

	c->dominator = arena_alloc(c->l->scratch, c->block_count * sizeof *c->dominator);
	c->number = arena_alloc(c->l->scratch, c->block_count * sizeof *c->number);
	for (uint32_t b = 0; b < c->block_count; b++)
		c->dominator[b] = CFG_NONE;
	for (uint32_t i = 0; i < c->cfg->order_count; i++)
		c->number[c->cfg->order[i]] = i;
	c->dominator[0] = 0;
	while (more) {
		more = false;
		for (uint32_t i = 1; i < c->cfg->order_count; i++) {
			uint32_t b = c->cfg->order[i], d = new_dominator(c, b);

			more |= c->dominator[b] != d;
			c->dominator[b] = d;
		}
	}
	number_tree(c);
}

/* ---- blocks ---- */

static void take_block(struct code *c, uint32_t b)
{
	const struct cfg_block *block = &c->cfg->blocks[b];
	struct code_block *to = &c->blocks[b];

	if (!block->is_reachable)
		return;
	to->ops = arena_alloc(c->l->scratch, (block->end - block->first) * sizeof *to->ops);
	for (uint32_t i = block->first; i < block->end; i++) {
		struct uop *u = &c->l->drafts[i].uop;

		to->ops[to->count++] = i;
		if (u->code == UOP_BRA)
			u->target = c->cfg->block_of[u->target];
	}
}

struct code *code_take(struct lower *l, const struct cfg *cfg)
{
	struct code *c = arena_alloc(l->scratch, sizeof *c);
	struct unit *u = &l->units[l->unit];

	*c = (struct code){ .l = l, .cfg = cfg, .block_count = cfg->count };
	c->blocks = arena_alloc(l->scratch, cfg->count * sizeof *c->blocks);
	for (uint32_t b = 0; b < cfg->count; b++)
		take_block(c, b);
	for (uint32_t t = 0; t < u->target_count; t++)
		u->targets[t] = cfg->block_of[u->targets[t]];
	find_dominators(c);
	code_index(c);
	return c;
}

uint32_t *code_make_room(struct code *c, uint32_t block, uint32_t place, uint32_t count)
{
	struct code_block *b = &c->blocks[block];
	uint32_t *ops = arena_alloc(c->l->scratch, (b->count + count) * sizeof *ops);

	for (uint32_t i = 0; i < b->count; i++)
		ops[i < place ? i : i + count] = b->ops[i];
	b->ops = ops;
	b->count += count;
	return &ops[place];
}

uint32_t code_end(const struct code *c, uint32_t block)
{
	uint32_t count = c->blocks[block].count;

	return count && code_draft(c, block, count - 1)->uop.unit == UNIT_CONTROL ? count - 1 : count;
}

uint32_t code_line(const struct code *c, uint32_t block, uint32_t place)
{
	uint32_t count = c->blocks[block].count;

	return count ? code_draft(c, block, place < count ? place : count - 1)->uop.line : 0;
}

uint32_t code_copy(struct code *c, uint32_t draft)
{
	struct draft *d = emit(c->l, UOP_NOP);
	uint32_t extras;

	*d = c->l->drafts[draft];
	extras = (uint32_t)d->uop.extra_sources + d->uop.extra_dests;
	if (extras) {
		d->extra = arena_alloc(c->l->scratch, extras * sizeof *d->extra);
		memcpy(d->extra, c->l->drafts[draft].extra, extras * sizeof *d->extra);
	}
	return c->l->draft_count - 1;
}

/* ---- writers and readers ---- */

static void index_draft(struct code *c, uint32_t draft)
{
	const struct draft *d = &c->l->drafts[draft];
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_reads(d, list);

	for (uint32_t i = 0; i < n; i++)
		c->reads[list[i]]++;
	n = draft_writes(d, list);
	for (uint32_t i = 0; i < n; i++)
		c->writer[list[i]] = c->writer[list[i]] != WRITER_NONE || (d->uop.flags & UOP_GUARDED)
			? WRITER_MANY
			: draft;
}

void code_index(struct code *c)
{
	struct lower *l = c->l;

	c->register_count = l->vreg_count;
	c->draft_count = l->draft_count;
	c->writer = arena_alloc(l->scratch, (l->vreg_count + 1) * sizeof *c->writer);
	c->reads = arena_alloc(l->scratch, (l->vreg_count + 1) * sizeof *c->reads);
	c->block_of = arena_alloc(l->scratch, (l->draft_count + 1) * sizeof *c->block_of);
	c->place = arena_alloc(l->scratch, (l->draft_count + 1) * sizeof *c->place);
	for (uint32_t v = 0; v < l->vreg_count; v++)
		c->writer[v] = WRITER_NONE;
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			uint32_t draft = c->blocks[b].ops[i];

			index_draft(c, draft);
			c->block_of[draft] = b;
			c->place[draft] = i;
		}
}

bool code_block_dominates(const struct code *c, uint32_t from, uint32_t to)
{
	return c->tree[to] - c->tree[from] < c->size[from];
}

bool code_reaches(const struct code *c, uint32_t block, uint32_t goal, bool *is_shut)
{
	uint32_t *stack = arena_alloc(c->l->scratch, (c->block_count + 1) * sizeof *stack), depth = 0;

	stack[depth++] = block;
	while (depth) {
		const struct cfg_block *b = &c->cfg->blocks[stack[--depth]];

		for (uint32_t s = 0; s < b->successor_count; s++) {
			uint32_t to = b->successor[s];

			if (to == goal)
				return true;
			if (to == CFG_NONE || is_shut[to])
				continue;
			is_shut[to] = true;
			stack[depth++] = to;
		}
	}
	return false;
}

bool code_repeats(const struct code *c, uint32_t block, uint32_t end)
{
	bool *is_shut = arena_alloc(c->l->scratch, c->block_count);

	if (end != CFG_NONE)
		is_shut[end] = true;
	return code_reaches(c, block, block, is_shut);
}

uint32_t code_outside_loops(const struct code *c, uint32_t block)
{
	while (code_repeats(c, block, CFG_NONE) && c->dominator[block] != block)
		block = c->dominator[block];
	return block;
}

bool code_dominates(const struct code *c, uint32_t from, uint32_t to)
{
	if (c->block_of[from] == c->block_of[to])
		return c->place[from] < c->place[to];
	return code_block_dominates(c, c->block_of[from], c->block_of[to]);
}

struct draft *code_writer(const struct code *c, ref r, uint32_t reader)
{
	uint32_t writer;

	if (!is_register(r) || r >= c->register_count)
		return NULL;
	writer = c->writer[r];
	return writer < WRITER_MANY && code_dominates(c, writer, reader) ? &c->l->drafts[writer] : NULL;
}

bool code_keeps(const struct code *c, ref r, uint32_t from, uint32_t to)
{
	uint32_t block = c->block_of[from];
	ref list[DRAFT_REGISTERS];

	if (c->block_of[to] != block || c->place[to] < c->place[from] ||
		c->place[to] - c->place[from] > FARTHEST)
		return false;
	for (uint32_t i = c->place[from]; i < c->place[to]; i++) {
		uint32_t n = draft_writes(code_draft(c, block, i), list);

		for (uint32_t w = 0; w < n; w++)
			if (list[w] == r)
				return false;
	}
	return true;
}

/* ---- back to drafts ---- */

/* Where each block begins once all stand one after the other; an empty one where the next begins. A jump to
 * what comes next anyway is dropped. */
static uint32_t lay_out(struct code *c, uint32_t *first)
{
	uint32_t next = CFG_NONE, n = 0;

	for (uint32_t b = c->block_count; b-- > 0;) {
		struct code_block *block = &c->blocks[b];
		const struct draft *last = block->count ? code_draft(c, b, block->count - 1) : NULL;

		if (last && last->uop.code == UOP_BRA && last->guard == REF_NONE && next != CFG_NONE) {
			uint32_t to = last->uop.target;

			while (to < next && to > b && !c->blocks[to].count)
				to++;
			block->count -= to == next;
		}
		next = block->count ? b : next;
	}
	for (uint32_t b = 0; b < c->block_count; n += c->blocks[b++].count)
		first[b] = n;
	return n;
}

void code_finish(struct code *c)
{
	struct lower *l = c->l;
	struct unit *u = &l->units[l->unit];
	uint32_t *first = arena_alloc(l->scratch, c->block_count * sizeof *first);
	uint32_t count = lay_out(c, first), n = 0;
	struct draft *drafts = arena_alloc(l->scratch, (count + 1) * sizeof *drafts);

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			drafts[n] = *code_draft(c, b, i);
			if (drafts[n].uop.code == UOP_BRA)
				drafts[n].uop.target = first[drafts[n].uop.target];
			n++;
		}
	for (uint32_t t = 0; t < u->target_count; t++)
		u->targets[t] = first[u->targets[t]];
	l->drafts = drafts;
	l->draft_count = l->draft_capacity = count;
	unit_store(l);
}

bool *code_spread(const struct code *c, code_rule rule, const void *context)
{
	bool *marks = arena_alloc(c->l->scratch, c->l->vreg_count + 1), more = true;
	ref list[DRAFT_REGISTERS];

	while (more) {
		more = false;
		for (uint32_t b = 0; b < c->block_count; b++)
			for (uint32_t i = 0; i < c->blocks[b].count; i++) {
				uint32_t op = c->blocks[b].ops[i], n = draft_writes(&c->l->drafts[op], list);

				for (uint32_t w = 0; w < n; w++)
					if (!marks[list[w]] && rule(c, op, list[w], marks, context))
						marks[list[w]] = more = true;
			}
	}
	return marks;
}
