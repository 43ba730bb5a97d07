/* frontend/analyse/cfg.c -- basic blocks, reverse post-order, and post-dominators by the iteration of Cooper,
 * Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) on the reverse graph.
 *
 * The reverse graph has a virtual exit as its root: every block that ends the thread leads to it. A block
 * from which no end can be reached (an infinite loop) is tied to it as well, so that every reachable block
 * has a place in the tree. */
#include "frontend/analyse/cfg.h"
#include "frontend/parse/arena.h"

static bool ends_block(uint8_t flow)
{
	return flow != CFG_NEXT;
}

static bool has_target(uint8_t flow)
{
	return flow == CFG_BRANCH || flow == CFG_JUMP;
}

/* The instructions with their kinds of flow. */
struct code {
	const uint8_t *flow;
	const uint32_t *target;
	const struct cfg_switch *switches;
	uint32_t count;
};

/* Numbers the blocks: block_of[i] of each instruction. Returns how many there are. */
static uint32_t find_blocks(const struct code *code, uint32_t *block_of, uint8_t *leader)
{
	uint32_t blocks = 0;

	for (uint32_t i = 0; i < code->count; i++) {
		if (has_target(code->flow[i]))
			leader[code->target[i]] = 1;
		if (code->flow[i] == CFG_SWITCH) {
			const struct cfg_switch *s = &code->switches[code->target[i]];

			for (uint32_t t = 0; t < s->count; t++)
				leader[s->targets[t]] = 1;
		}
		if (ends_block(code->flow[i]) && i + 1 < code->count)
			leader[i + 1] = 1;
	}
	leader[0] = 1;
	for (uint32_t i = 0; i < code->count; i++) {
		blocks += leader[i];
		block_of[i] = blocks - 1;
	}
	return blocks;
}

static void add_successor(struct cfg_block *block, uint32_t to)
{
	for (uint32_t s = 0; s < block->successor_count; s++)
		if (block->successor[s] == to)
			return;
	block->successor[block->successor_count++] = to;
}

static bool goes_on(const struct code *code, uint32_t i)
{
	if (code->flow[i] == CFG_SWITCH)
		return code->switches[code->target[i]].goes_on;
	return code->flow[i] != CFG_JUMP && code->flow[i] != CFG_STOP;
}

static void connect(struct cfg *cfg, const struct code *code, struct ptx_arena *arena)
{
	for (uint32_t b = 0; b < cfg->count; b++) {
		struct cfg_block *block = &cfg->blocks[b];
		uint32_t last = block->end - 1;
		const struct cfg_switch *s =
			code->flow[last] == CFG_SWITCH ? &code->switches[code->target[last]] : NULL;
		uint32_t room = 2 + (s ? s->count : 0);

		block->post_dominator = CFG_NONE;
		block->successor = arena_alloc(arena, room * sizeof *block->successor);
		if (goes_on(code, last) && block->end < cfg->instruction_count)
			add_successor(block, b + 1);
		if (has_target(code->flow[last]))
			add_successor(block, cfg->block_of[code->target[last]]);
		for (uint32_t t = 0; s && t < s->count; t++)
			add_successor(block, cfg->block_of[s->targets[t]]);
		for (uint32_t n = block->successor_count; n < room; n++)
			block->successor[n] = CFG_NONE;
	}
}

static void list_predecessors(struct cfg *cfg, struct ptx_arena *arena)
{
	uint32_t total = 0;

	for (uint32_t b = 0; b < cfg->count; b++)
		for (uint32_t s = 0; s < cfg->blocks[b].successor_count; s++, total++)
			cfg->blocks[cfg->blocks[b].successor[s]].predecessor_count++;
	cfg->predecessors = arena_alloc(arena, total * sizeof *cfg->predecessors);
	total = 0;
	for (uint32_t b = 0; b < cfg->count; b++) {
		cfg->blocks[b].predecessors = total;
		total += cfg->blocks[b].predecessor_count;
		cfg->blocks[b].predecessor_count = 0;
	}
	for (uint32_t b = 0; b < cfg->count; b++)
		for (uint32_t s = 0; s < cfg->blocks[b].successor_count; s++) {
			struct cfg_block *to = &cfg->blocks[cfg->blocks[b].successor[s]];

			cfg->predecessors[to->predecessors + to->predecessor_count++] = b;
		}
}

/* A depth-first walk without recursion: next[b] is the edge of block b to follow next. */
struct walk {
	uint32_t *stack, *next;
	uint32_t depth;
};

static void find_order(struct cfg *cfg, struct walk *walk)
{
	uint32_t location = cfg->count;

	walk->depth = 0;
	walk->stack[walk->depth++] = 0;
	cfg->blocks[0].is_reachable = true;
	while (walk->depth > 0) {
		uint32_t b = walk->stack[walk->depth - 1], s = walk->next[b]++;
		uint32_t to = s < cfg->blocks[b].successor_count ? cfg->blocks[b].successor[s] : CFG_NONE;

		if (to == CFG_NONE) {
			cfg->order[--location] = b;
			walk->depth--;
		} else if (!cfg->blocks[to].is_reachable) {
			cfg->blocks[to].is_reachable = true;
			walk->stack[walk->depth++] = to;
		}
	}
	cfg->order_count = cfg->count - location;
	for (uint32_t i = 0; i < cfg->order_count; i++)
		cfg->order[i] = cfg->order[location + i];
}

/* The reverse graph during the search for post-dominators. Node cfg->count is the virtual exit. number[] is
 * the post-order number of a node (the root has the highest), node[] its inverse. */
struct reverse {
	const struct cfg *cfg;
	uint32_t *number, *node, *dominator;
	bool *is_tied; /* to the virtual exit */
	uint32_t count;
};

/* Walks backwards from one block that leads to the virtual exit and numbers what it meets. */
static void number_from(struct reverse *r, struct walk *walk, uint32_t start)
{
	r->is_tied[start] = true;
	if (r->number[start] != CFG_NONE)
		return;
	r->number[start] = CFG_NONE - 1;
	walk->depth = 0;
	walk->stack[walk->depth++] = start;
	while (walk->depth > 0) {
		uint32_t b = walk->stack[walk->depth - 1];
		const struct cfg_block *block = &r->cfg->blocks[b];

		if (walk->next[b] == block->predecessor_count) {
			r->node[r->count] = b;
			r->number[b] = r->count++;
			walk->depth--;
			continue;
		}
		uint32_t from = r->cfg->predecessors[block->predecessors + walk->next[b]++];

		if (r->cfg->blocks[from].is_reachable && r->number[from] == CFG_NONE) {
			r->number[from] = CFG_NONE - 1;
			walk->stack[walk->depth++] = from;
		}
	}
}

static void number_reverse(struct reverse *r, struct walk *walk)
{
	const struct cfg *cfg = r->cfg;

	for (uint32_t b = 0; b < cfg->count; b++)
		if (cfg->blocks[b].is_reachable && cfg->blocks[b].successor[0] == CFG_NONE)
			number_from(r, walk, b);
	/* Infinite loops: tie the block that comes last in the forward order, which is the loop's back edge.
	 */
	for (uint32_t i = cfg->order_count; i-- > 0;)
		if (r->number[cfg->order[i]] == CFG_NONE)
			number_from(r, walk, cfg->order[i]);
	r->node[r->count] = cfg->count;
	r->number[cfg->count] = r->count++;
}

static uint32_t intersect_dominators(const struct reverse *r, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (r->number[a] < r->number[b])
			a = r->dominator[a];
		while (r->number[b] < r->number[a])
			b = r->dominator[b];
	}
	return a;
}

/* The meet of what the successors of block b (the virtual exit included) have so far. */
static uint32_t meet(const struct reverse *r, uint32_t b)
{
	uint32_t result = r->is_tied[b] ? r->cfg->count : CFG_NONE;

	for (uint32_t s = 0; s < r->cfg->blocks[b].successor_count; s++) {
		uint32_t to = r->cfg->blocks[b].successor[s];

		if (r->dominator[to] == CFG_NONE)
			continue;
		result = result == CFG_NONE ? to : intersect_dominators(r, to, result);
	}
	return result;
}

static void find_post_dominators(struct cfg *cfg, struct walk *walk, struct ptx_arena *arena)
{
	uint32_t nodes = cfg->count + 1;
	struct reverse r = { .cfg = cfg,
		.number = arena_alloc(arena, nodes * sizeof(uint32_t)),
		.node = arena_alloc(arena, nodes * sizeof(uint32_t)),
		.dominator = arena_alloc(arena, nodes * sizeof(uint32_t)),
		.is_tied = arena_alloc(arena, nodes * sizeof(bool)) };

	for (uint32_t i = 0; i < nodes; i++)
		r.number[i] = r.dominator[i] = CFG_NONE;
	number_reverse(&r, walk);
	r.dominator[cfg->count] = cfg->count;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = r.count - 1; i-- > 0;) {
			uint32_t b = r.node[i], found = meet(&r, b);

			changed |= found != r.dominator[b];
			r.dominator[b] = found;
		}
	}
	for (uint32_t b = 0; b < cfg->count; b++)
		if (r.dominator[b] != cfg->count)
			cfg->blocks[b].post_dominator = r.dominator[b];
}

struct cfg *cfg_build_switches(const uint8_t *flow, const uint32_t *target, const struct cfg_switch *switches,
	uint32_t count, struct ptx_arena *arena)
{
	struct cfg *cfg = arena_alloc(arena, sizeof *cfg);
	const struct code code = { flow, target, switches, count };

	cfg->instruction_count = count;
	if (count == 0)
		return cfg;
	cfg->block_of = arena_alloc(arena, count * sizeof *cfg->block_of);
	cfg->count = find_blocks(&code, cfg->block_of, arena_alloc(arena, count));
	cfg->blocks = arena_alloc(arena, cfg->count * sizeof *cfg->blocks);
	for (uint32_t i = count; i-- > 0;) {
		struct cfg_block *block = &cfg->blocks[cfg->block_of[i]];

		block->first = i;
		if (block->end == 0)
			block->end = i + 1;
	}
	connect(cfg, &code, arena);
	list_predecessors(cfg, arena);
	cfg->order = arena_alloc(arena, cfg->count * sizeof *cfg->order);
	struct walk walk = { .stack = arena_alloc(arena, cfg->count * sizeof(uint32_t)),
		.next = arena_alloc(arena, cfg->count * sizeof(uint32_t)) };

	find_order(cfg, &walk);
	for (uint32_t b = 0; b < cfg->count; b++)
		walk.next[b] = 0;
	find_post_dominators(cfg, &walk, arena);
	return cfg;
}

struct cfg *cfg_build(const uint8_t *flow, const uint32_t *target, uint32_t count, struct ptx_arena *arena)
{
	return cfg_build_switches(flow, target, NULL, count, arena);
}
