/* frontend/analyse/liveness.c -- live ranges, from the last block to the first.
 *
 * live_sets.c tells what is live between blocks. A range stays open from block to block for as long as its
 * register is live; at the border of two blocks, only registers of which one set has a bit that the other has
 * not are looked at. */
#include "frontend/analyse/liveness.h"
#include "frontend/analyse/live_sets.h"
#include "frontend/parse/arena.h"

struct finder {
	const struct live_code *code;
	const struct cfg *cfg;
	struct ptx_arena *arena;
	struct liveness *live;
	const struct live_sets *sets;
	struct live_range **open; /* of each register: the range being built, or NULL */
	struct live_range *spare; /* to be used again */
	uint32_t *touched;        /* registers that the current block reads or writes, each once */
	uint32_t touched_count;
	uint32_t *touched_in;     /* of each register: the block + 1 */
	uint64_t *begin, *border; /* sets: live where the block above begins; where the current one ends */
};

static bool is_conditional(const struct live_code *code, uint32_t instruction)
{
	return code->flags[instruction] & LIVE_CONDITIONAL;
}

/* Starts a range that ends at `end`; its start is the earliest touch so far. */
static void open_range(struct finder *f, uint32_t reg, uint32_t start, uint32_t end)
{
	struct live_range *range = f->spare;

	if (range)
		f->spare = range->next;
	else
		range = arena_alloc(f->arena, sizeof *range);
	*range = (struct live_range){ .start = start, .end = end };
	f->open[reg] = range;
}

/* Puts the register's open range, which starts where it says, before the later ones. */
static void close_range(struct finder *f, uint32_t reg)
{
	struct live_range *range = f->open[reg], *later = f->live->ranges[reg];

	f->open[reg] = NULL;
	if (later && later->start <= range->end) {
		later->start = range->start;
		range->next = f->spare;
		f->spare = range;
		return;
	}
	range->next = later;
	f->live->ranges[reg] = range;
}

static void note_register(struct finder *f, uint32_t reg, uint32_t block)
{
	if (f->touched_in[reg] == block + 1)
		return;
	f->touched_in[reg] = block + 1;
	f->touched[f->touched_count++] = reg;
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

/* Between the block that begins at `above` and another one that ends at `end`: f->begin and f->border. What
 * is in the former alone starts there, what is in the latter alone ends. */
static void cross_border(struct finder *f, uint32_t above, uint32_t end)
{
	for (uint32_t w = 0; w < f->sets->words; w++) {
		uint64_t both = above == end ? f->begin[w] & f->border[w] : 0, set;
		const uint32_t *reg = &f->sets->global_register[w * LIVE_WORD_BITS];

		for (set = f->begin[w] & ~both; set; set &= set - 1) {
			uint32_t r = reg[__builtin_ctzll(set)];

			f->open[r]->start = above;
			close_range(f, r);
		}
		for (set = f->border[w] & ~both; set; set &= set - 1)
			open_range(f, reg[__builtin_ctzll(set)], end, end);
	}
}

/* What is still open at the start of the block is live in, or has never been written before its first touch.
 */
static void close_unwritten(struct finder *f)
{
	for (uint32_t t = 0; t < f->touched_count; t++) {
		uint32_t reg = f->touched[t], g = f->sets->global[reg];

		if (f->open[reg] &&
			(g == CFG_NONE || !(f->begin[g / LIVE_WORD_BITS] >> (g % LIVE_WORD_BITS) & 1)))
			close_range(f, reg);
	}
	f->touched_count = 0;
}

/* `above` is where the block behind this one begins that was built before. */
static void build_ranges(struct finder *f, uint32_t b, uint32_t above)
{
	const struct live_code *code = f->code;
	const struct cfg_block *block = &f->cfg->blocks[b];

	live_sets_at_end(f->sets, b, f->border);
	cross_border(f, above, 2 * block->end);
	for (uint32_t i = block->end; i-- > block->first;) {
		uint32_t first = code->first[i], writes = first + code->reads[i], end = code->first[i + 1];

		for (uint32_t o = first; o < end; o++)
			note_register(f, code->operands[o], b);
		for (uint32_t o = writes; o < end; o++)
			step_write(f, code->operands[o], i);
		for (uint32_t o = first; o < writes; o++)
			step_read(f, code->operands[o], i);
	}
	live_sets_at_begin(f->sets, b, f->begin);
	close_unwritten(f);
}

static void build_all(struct finder *f)
{
	uint32_t registers = f->code->registers, above = 0;

	f->open = arena_alloc(f->arena, registers * sizeof(struct live_range *));
	f->touched = arena_alloc(f->arena, registers * sizeof(uint32_t));
	f->touched_in = arena_alloc(f->arena, registers * sizeof(uint32_t));
	f->begin = arena_alloc(f->arena, f->sets->words * sizeof(uint64_t));
	f->border = arena_alloc(f->arena, f->sets->words * sizeof(uint64_t));
	for (uint32_t b = f->cfg->count; b-- > 0;)
		if (f->cfg->blocks[b].is_reachable) {
			build_ranges(f, b, above);
			above = 2 * f->cfg->blocks[b].first;
		}
	for (uint32_t w = 0; w < f->sets->words; w++)
		f->border[w] = 0;
	cross_border(f, above, 0);
}

struct liveness *liveness_find(const struct live_code *code, struct ptx_arena *arena)
{
	struct liveness *live = arena_alloc(arena, sizeof *live);
	struct finder f = { .code = code, .cfg = code->cfg, .arena = arena, .live = live };

	live->registers = code->registers;
	live->positions = 2 * code->cfg->instruction_count;
	live->ranges = arena_alloc(arena, code->registers * sizeof(struct live_range *));
	f.sets = live_sets_find(code, arena);
	build_all(&f);
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
