/* frontend/analyse/live_sets.c -- backward dataflow for what is live, and forward dataflow for what has been
 * written at all: a guarded first write would otherwise keep its register live from the entry on.
 *
 * Sets hold only the registers that matter between blocks (a small part: most live and die within one), and
 * there are two of them a block: what a block itself does to them is a list. A block is looked at again only
 * if what it depends on has changed. So time and memory grow with blocks times words of a set. */
#include "frontend/analyse/live_sets.h"
#include "frontend/parse/arena.h"

#include <string.h>

/* What a block does with one register of the sets. */
struct touch {
	uint32_t global;
	bool is_exposed; /* read before it is surely written */
	bool is_killed;  /* surely written */
	bool is_written; /* perhaps written */
};

struct flow {
	const struct live_code *code;
	const struct cfg *cfg;
	struct ptx_arena *arena;
	struct live_sets *sets;
	struct touch *touches;
	uint32_t *first_touch; /* of each block; one more at the end */
	uint64_t *now;         /* the set that is being computed */
	bool *is_due;          /* blocks that must be looked at */
};

static uint64_t *set_of(const struct live_sets *s, uint64_t *sets, uint32_t block)
{
	return sets + (size_t)block * s->words;
}

static uint64_t bit_of(uint32_t global)
{
	return (uint64_t)1 << (global % LIVE_WORD_BITS);
}

static bool is_write(const struct live_code *code, uint32_t instruction, uint32_t operand)
{
	return operand >= code->first[instruction] + code->reads[instruction];
}

static bool is_sure(const struct live_code *code, uint32_t instruction)
{
	return !(code->flags[instruction] & LIVE_CONDITIONAL);
}

static void make_global(struct live_sets *s, uint32_t reg)
{
	if (s->global[reg] != CFG_NONE)
		return;
	s->global[reg] = s->globals;
	s->global_register[s->globals++] = reg;
}

/* Finds the registers that occur in more than one block or are read in theirs before they are surely written.
 */
static void find_globals(const struct flow *f)
{
	const struct live_code *code = f->code;
	uint32_t *home = arena_alloc(f->arena, code->registers * sizeof *home); /* block + 1 */
	uint32_t *killer = arena_alloc(f->arena, code->registers * sizeof *killer);

	for (uint32_t b = 0; b < f->cfg->count; b++) {
		if (!f->cfg->blocks[b].is_reachable)
			continue;
		for (uint32_t i = f->cfg->blocks[b].first; i < f->cfg->blocks[b].end; i++)
			for (uint32_t o = code->first[i]; o < code->first[i + 1]; o++) {
				uint32_t reg = code->operands[o];

				if (home[reg] && home[reg] != b + 1)
					make_global(f->sets, reg);
				home[reg] = b + 1;
				if (is_write(code, i, o) && is_sure(code, i))
					killer[reg] = b + 1;
				else if (killer[reg] != b + 1)
					make_global(f->sets, reg);
			}
	}
}

/* Adds to the touches from `first` on; place[g] is where the last touch of a register stands. */
static void summarise_block(const struct flow *f, uint32_t b, uint32_t *place, uint32_t *count)
{
	const struct live_code *code = f->code;
	uint32_t first = *count;

	for (uint32_t i = f->cfg->blocks[b].first; i < f->cfg->blocks[b].end; i++)
		for (uint32_t o = code->first[i]; o < code->first[i + 1]; o++) {
			uint32_t g = f->sets->global[code->operands[o]];
			struct touch *t;

			if (g == CFG_NONE)
				continue;
			if (place[g] < first || place[g] >= *count || f->touches[place[g]].global != g) {
				place[g] = (*count)++;
				f->touches[place[g]].global = g;
			}
			t = &f->touches[place[g]];
			t->is_exposed |= !is_write(code, i, o) && !t->is_killed;
			t->is_written |= is_write(code, i, o);
			t->is_killed |= is_write(code, i, o) && is_sure(code, i);
		}
}

static void summarise_blocks(struct flow *f)
{
	const struct cfg *cfg = f->cfg;
	uint32_t operands = cfg->instruction_count ? f->code->first[cfg->instruction_count] : 0, count = 0;
	uint32_t *place = arena_alloc(f->arena, f->sets->globals * sizeof *place);

	f->touches = arena_alloc(f->arena, operands * sizeof *f->touches);
	f->first_touch = arena_alloc(f->arena, (cfg->count + 1) * sizeof *f->first_touch);
	for (uint32_t b = 0; b < cfg->count; b++) {
		f->first_touch[b] = count;
		if (cfg->blocks[b].is_reachable)
			summarise_block(f, b, place, &count);
	}
	f->first_touch[cfg->count] = count;
}

static void unite(
	const struct live_sets *s, uint64_t *to, uint64_t *sets, const uint32_t *blocks, uint32_t count)
{
	memset(to, 0, s->words * sizeof *to);
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t *from = set_of(s, sets, blocks[i]);

		for (uint32_t w = 0; w < s->words; w++)
			to[w] |= from[w];
	}
}

/* The union of the successors' in. */
static void unite_successors(const struct live_sets *s, uint32_t b, uint64_t *to)
{
	unite(s, to, s->in, s->cfg->blocks[b].successor, s->cfg->blocks[b].successor_count);
}

/* The union of the predecessors' reach_out. */
static void unite_predecessors(const struct live_sets *s, uint32_t b, uint64_t *to)
{
	const struct cfg_block *block = &s->cfg->blocks[b];

	unite(s, to, s->reach_out, s->cfg->predecessors + block->predecessors, block->predecessor_count);
}

/* in = exposed + (out - killed) */
static void flow_backward(struct flow *f, uint32_t b)
{
	unite_successors(f->sets, b, f->now);
	for (uint32_t t = f->first_touch[b]; t < f->first_touch[b + 1]; t++) {
		const struct touch *touch = &f->touches[t];
		uint64_t *word = &f->now[touch->global / LIVE_WORD_BITS], bit = bit_of(touch->global);

		*word = touch->is_exposed ? *word | bit : touch->is_killed ? *word & ~bit : *word;
	}
}

/* reach_out = reach_in + written */
static void flow_forward(struct flow *f, uint32_t b)
{
	unite_predecessors(f->sets, b, f->now);
	for (uint32_t t = f->first_touch[b]; t < f->first_touch[b + 1]; t++)
		if (f->touches[t].is_written)
			f->now[f->touches[t].global / LIVE_WORD_BITS] |= bit_of(f->touches[t].global);
}

/* Takes over the set that was computed. False: it was the same before. */
static bool take_over(const struct flow *f, uint64_t *set)
{
	size_t bytes = f->sets->words * sizeof *set;

	if (!memcmp(set, f->now, bytes))
		return false;
	memcpy(set, f->now, bytes);
	return true;
}

static void make_due(const struct flow *f, const uint32_t *blocks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		f->is_due[blocks[i]] = true;
}

static bool step_backward(struct flow *f, uint32_t b)
{
	const struct cfg_block *block = &f->cfg->blocks[b];

	if (!f->is_due[b])
		return false;
	f->is_due[b] = false;
	flow_backward(f, b);
	if (!take_over(f, set_of(f->sets, f->sets->in, b)))
		return false;
	make_due(f, f->cfg->predecessors + block->predecessors, block->predecessor_count);
	return true;
}

static bool step_forward(struct flow *f, uint32_t b)
{
	const struct cfg_block *block = &f->cfg->blocks[b];

	if (!f->is_due[b])
		return false;
	f->is_due[b] = false;
	flow_forward(f, b);
	if (!take_over(f, set_of(f->sets, f->sets->reach_out, b)))
		return false;
	make_due(f, block->successor, block->successor_count);
	return true;
}

static void solve_flow(struct flow *f)
{
	const struct cfg *cfg = f->cfg;

	make_due(f, cfg->order, cfg->order_count);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = cfg->order_count; i-- > 0;)
			changed |= step_backward(f, cfg->order[i]);
	}
	make_due(f, cfg->order, cfg->order_count);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < cfg->order_count; i++)
			changed |= step_forward(f, cfg->order[i]);
	}
}

struct live_sets *live_sets_find(const struct live_code *code, struct ptx_arena *arena)
{
	struct live_sets *s = arena_alloc(arena, sizeof *s);
	struct flow f = { .code = code, .cfg = code->cfg, .arena = arena, .sets = s };
	size_t bytes;

	s->cfg = code->cfg;
	s->global = arena_alloc(arena, code->registers * sizeof(uint32_t));
	s->global_register = arena_alloc(arena, code->registers * sizeof(uint32_t));
	memset(s->global, 0xff, code->registers * sizeof(uint32_t)); /* CFG_NONE */
	find_globals(&f);
	s->words = (s->globals + LIVE_WORD_BITS - 1) / LIVE_WORD_BITS;
	bytes = (size_t)s->words * f.cfg->count * sizeof(uint64_t);
	s->in = arena_alloc(arena, bytes);
	s->reach_out = arena_alloc(arena, bytes);
	f.now = arena_alloc(arena, s->words * sizeof(uint64_t));
	f.is_due = arena_alloc(arena, f.cfg->count);
	summarise_blocks(&f);
	solve_flow(&f);
	return s;
}

static void intersect_successors(const struct live_sets *s, uint64_t *set, uint64_t *sets, uint32_t block)
{
	const uint64_t *with = set_of(s, sets, block);

	for (uint32_t w = 0; w < s->words; w++)
		set[w] &= with[w];
}

void live_sets_at_begin(const struct live_sets *s, uint32_t block, uint64_t *set)
{
	unite_predecessors(s, block, set);
	intersect_successors(s, set, s->in, block);
}

void live_sets_at_end(const struct live_sets *s, uint32_t block, uint64_t *set)
{
	unite_successors(s, block, set);
	intersect_successors(s, set, s->reach_out, block);
}
