/* frontend/analyse/liveness.c -- live ranges by backward dataflow over basic blocks.
 *
 * Bit sets hold only the registers that matter between blocks (a small part: most live and die within one),
 * so that modules of 100 000 instructions stay cheap. A second, forward dataflow finds where a register may
 * have been written at all: a guarded first write would otherwise keep its register live from the entry on.
 */
#include "frontend/analyse/liveness.h"
#include "frontend/parse/arena.h"

#define WORD_BITS 64u

struct sets {
	uint32_t words;     /* of one set */
	uint64_t *exposed;  /* read before it is surely written: one set a block, as the following */
	uint64_t *killed;   /* surely written */
	uint64_t *written;  /* perhaps written */
	uint64_t *in, *out; /* live */
	uint64_t *reach_in, *reach_out; /* a write may have reached */
};

struct finder {
	const struct live_code *code;
	const struct cfg *cfg;
	struct ptx_arena *arena;
	struct liveness *live;
	uint32_t *global;          /* number among the registers that matter between blocks, or CFG_NONE */
	uint32_t *global_register; /* its inverse */
	uint32_t globals;
	struct sets sets;
	struct live_range **open; /* of each register: the range being built in the current block, or NULL */
	uint32_t *touched;        /* registers with an open range at some time in the current block */
	uint32_t touched_count;
};

static uint64_t *set_of(const struct finder *f, uint64_t *sets, uint32_t block)
{
	return sets + (size_t)block * f->sets.words;
}

static bool has(const uint64_t *set, uint32_t bit)
{
	return set[bit / WORD_BITS] >> (bit % WORD_BITS) & 1;
}

static void add(uint64_t *set, uint32_t bit)
{
	set[bit / WORD_BITS] |= (uint64_t)1 << (bit % WORD_BITS);
}

static bool is_conditional(const struct live_code *code, uint32_t instruction)
{
	return code->flags[instruction] & LIVE_CONDITIONAL;
}

static void make_global(struct finder *f, uint32_t reg)
{
	if (f->global[reg] != CFG_NONE)
		return;
	f->global[reg] = f->globals;
	f->global_register[f->globals++] = reg;
}

/* Finds the registers that occur in more than one block or are read in theirs before they are surely written.
 */
static void find_globals(struct finder *f)
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
				bool writes = o >= code->first[i] + code->reads[i];

				if (home[reg] && home[reg] != b + 1)
					make_global(f, reg);
				home[reg] = b + 1;
				if (writes && !is_conditional(code, i))
					killer[reg] = b + 1;
				else if (killer[reg] != b + 1)
					make_global(f, reg);
			}
	}
}

static void make_sets(struct finder *f)
{
	struct sets *s = &f->sets;
	size_t bytes;

	s->words = (f->globals + WORD_BITS - 1) / WORD_BITS;
	bytes = (size_t)s->words * f->cfg->count * sizeof(uint64_t);
	s->exposed = arena_alloc(f->arena, bytes);
	s->killed = arena_alloc(f->arena, bytes);
	s->written = arena_alloc(f->arena, bytes);
	s->in = arena_alloc(f->arena, bytes);
	s->out = arena_alloc(f->arena, bytes);
	s->reach_in = arena_alloc(f->arena, bytes);
	s->reach_out = arena_alloc(f->arena, bytes);
}

static void summarise_block(struct finder *f, uint32_t b)
{
	const struct live_code *code = f->code;
	uint64_t *exposed = set_of(f, f->sets.exposed, b), *killed = set_of(f, f->sets.killed, b);
	uint64_t *written = set_of(f, f->sets.written, b);

	for (uint32_t i = f->cfg->blocks[b].first; i < f->cfg->blocks[b].end; i++)
		for (uint32_t o = code->first[i]; o < code->first[i + 1]; o++) {
			uint32_t g = f->global[code->operands[o]];
			bool writes = o >= code->first[i] + code->reads[i];

			if (g == CFG_NONE)
				continue;
			if (writes)
				add(written, g);
			if (writes && !is_conditional(code, i))
				add(killed, g);
			else if (!writes && !has(killed, g))
				add(exposed, g);
		}
}

/* out = union of the successors' in; in = exposed + (out - killed). */
static bool flow_backward(struct finder *f, uint32_t b)
{
	const struct cfg_block *block = &f->cfg->blocks[b];
	uint64_t *in = set_of(f, f->sets.in, b), *out = set_of(f, f->sets.out, b);
	const uint64_t *exposed = set_of(f, f->sets.exposed, b), *killed = set_of(f, f->sets.killed, b);
	bool changed = false;

	for (uint32_t w = 0; w < f->sets.words; w++) {
		for (uint32_t s = 0; s < block->successor_count; s++)
			out[w] |= set_of(f, f->sets.in, block->successor[s])[w];
		uint64_t now = exposed[w] | (out[w] & ~killed[w]);

		changed |= now != in[w];
		in[w] = now;
	}
	return changed;
}

/* reach_in = union of the predecessors' reach_out; reach_out = reach_in + written. */
static bool flow_forward(struct finder *f, uint32_t b)
{
	const struct cfg_block *block = &f->cfg->blocks[b];
	uint64_t *in = set_of(f, f->sets.reach_in, b), *out = set_of(f, f->sets.reach_out, b);
	const uint64_t *written = set_of(f, f->sets.written, b);
	bool changed = false;

	for (uint32_t w = 0; w < f->sets.words; w++) {
		for (uint32_t p = 0; p < block->predecessor_count; p++)
			in[w] |= set_of(
				f, f->sets.reach_out, f->cfg->predecessors[block->predecessors + p])[w];
		uint64_t now = in[w] | written[w];

		changed |= now != out[w];
		out[w] = now;
	}
	return changed;
}

static void solve(struct finder *f)
{
	const struct cfg *cfg = f->cfg;

	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = cfg->order_count; i-- > 0;)
			changed |= flow_backward(f, cfg->order[i]);
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < cfg->order_count; i++)
			changed |= flow_forward(f, cfg->order[i]);
	}
}

/* Starts a range that ends at `end`; its start is the earliest touch so far. */
static void open_range(struct finder *f, uint32_t reg, uint32_t start, uint32_t end)
{
	struct live_range *range = arena_alloc(f->arena, sizeof *range);

	range->start = start;
	range->end = end;
	f->open[reg] = range;
	f->touched[f->touched_count++] = reg;
}

/* Puts the register's open range, which starts where it says, before the later ones. */
static void close_range(struct finder *f, uint32_t reg)
{
	struct live_range *range = f->open[reg], *later = f->live->ranges[reg];

	f->open[reg] = NULL;
	if (later && later->start <= range->end) {
		later->start = range->start;
		return;
	}
	range->next = later;
	f->live->ranges[reg] = range;
}

static void step_write(struct finder *f, uint32_t reg, uint32_t instruction)
{
	uint32_t position = 2 * instruction + (f->code->flags[instruction] & LIVE_EARLY ? 0 : 1);

	if (!f->open[reg])
		open_range(f, reg, position, 2 * instruction + 2);
	f->open[reg]->start = position;
	if (!is_conditional(f->code, instruction))
		close_range(f, reg);
}

static void step_read(struct finder *f, uint32_t reg, uint32_t instruction)
{
	if (!f->open[reg])
		open_range(f, reg, 2 * instruction, 2 * instruction + 1);
	f->open[reg]->start = 2 * instruction;
}

static void open_live_out(struct finder *f, uint32_t b)
{
	const uint64_t *out = set_of(f, f->sets.out, b), *reach = set_of(f, f->sets.reach_out, b);
	uint32_t end = 2 * f->cfg->blocks[b].end;

	for (uint32_t w = 0; w < f->sets.words; w++)
		for (uint64_t set = out[w] & reach[w]; set; set &= set - 1)
			open_range(f, f->global_register[w * WORD_BITS + (uint32_t)__builtin_ctzll(set)], end,
				end);
}

/* What is still open at the start of the block is live in, or has never been written before its first touch.
 */
static void close_live_in(struct finder *f, uint32_t b)
{
	const uint64_t *in = set_of(f, f->sets.in, b), *reach = set_of(f, f->sets.reach_in, b);

	for (uint32_t t = 0; t < f->touched_count; t++) {
		uint32_t reg = f->touched[t], g = f->global[reg];

		if (!f->open[reg])
			continue;
		if (g != CFG_NONE && has(in, g) && has(reach, g))
			f->open[reg]->start = 2 * f->cfg->blocks[b].first;
		close_range(f, reg);
	}
	f->touched_count = 0;
}

static void build_ranges(struct finder *f, uint32_t b)
{
	const struct live_code *code = f->code;
	const struct cfg_block *block = &f->cfg->blocks[b];

	open_live_out(f, b);
	for (uint32_t i = block->end; i-- > block->first;) {
		uint32_t first = code->first[i], writes = first + code->reads[i], end = code->first[i + 1];

		for (uint32_t o = writes; o < end; o++)
			step_write(f, code->operands[o], i);
		for (uint32_t o = first; o < writes; o++)
			step_read(f, code->operands[o], i);
	}
	close_live_in(f, b);
}

struct liveness *liveness_find(const struct live_code *code, struct ptx_arena *arena)
{
	struct liveness *live = arena_alloc(arena, sizeof *live);
	struct finder f = { .code = code, .cfg = code->cfg, .arena = arena, .live = live };
	uint32_t operands = code->cfg->instruction_count ? code->first[code->cfg->instruction_count] : 0;

	live->registers = code->registers;
	live->positions = 2 * code->cfg->instruction_count;
	live->ranges = arena_alloc(arena, code->registers * sizeof(struct live_range *));
	f.global = arena_alloc(arena, code->registers * sizeof(uint32_t));
	f.global_register = arena_alloc(arena, code->registers * sizeof(uint32_t));
	for (uint32_t r = 0; r < code->registers; r++)
		f.global[r] = CFG_NONE;
	find_globals(&f);
	make_sets(&f);
	for (uint32_t i = 0; i < f.cfg->order_count; i++)
		summarise_block(&f, f.cfg->order[i]);
	solve(&f);
	f.open = arena_alloc(arena, code->registers * sizeof(struct live_range *));
	f.touched = arena_alloc(arena, ((size_t)operands + code->registers) * sizeof(uint32_t));
	for (uint32_t b = f.cfg->count; b-- > 0;)
		if (f.cfg->blocks[b].is_reachable)
			build_ranges(&f, b);
	return live;
}

bool liveness_is_live(const struct liveness *live, uint32_t reg, uint32_t position)
{
	for (const struct live_range *r = live->ranges[reg]; r; r = r->next)
		if (position >= r->start && position < r->end)
			return true;
	return false;
}

/* What the sum changes by at each position. */
static int32_t *find_changes(const struct liveness *live, const uint8_t *weight, struct ptx_arena *arena)
{
	int32_t *change = arena_alloc(arena, ((size_t)live->positions + 1) * sizeof *change);

	for (uint32_t reg = 0; reg < live->registers; reg++)
		for (const struct live_range *r = live->ranges[reg]; r; r = r->next) {
			change[r->start] += weight[reg];
			change[r->end] -= weight[reg];
		}
	return change;
}

uint32_t liveness_pressure(const struct liveness *live, const uint8_t *weight, struct ptx_arena *arena)
{
	const int32_t *change = find_changes(live, weight, arena);
	int32_t now = 0, most = 0;

	for (uint32_t p = 0; p < live->positions; p++) {
		now += change[p];
		most = now > most ? now : most;
	}
	return (uint32_t)most;
}

uint16_t *liveness_profile(const struct liveness *live, const uint8_t *weight, struct ptx_arena *arena)
{
	const int32_t *change = find_changes(live, weight, arena);
	uint16_t *profile = arena_alloc(arena, ((size_t)live->positions / 2 + 1) * sizeof *profile);
	int32_t now = 0;

	for (uint32_t p = 0; p < live->positions; p++) {
		now += change[p];
		if (now > profile[p / 2])
			profile[p / 2] = (uint16_t)(now > UINT16_MAX ? UINT16_MAX : now);
	}
	return profile;
}
