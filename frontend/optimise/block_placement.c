/* frontend/optimise/block_placement.c -- block placement: the order in which blocks stand, so that few jumps
 * are left.
 *
 * A program may jump into the middle of a loop whose end stands before it, or leave a block for one that
 * nothing else runs into. Compilers for the machine put such a block where the jump stands: block after
 * block, the one that runs on comes first, then what is jumped to, if what stands before it does not run into
 * it anyway; where only the target of a conditional branch is left, the branch is turned around. The rest
 * follows as it is written. */
#include "frontend/optimise/optimise.h"

enum way {
	WAY_STOPS, /* nothing follows, or what a table says */
	WAY_JUMPS, /* to its target */
	WAY_FORKS, /* to its target, or on */
	WAY_RUNS   /* on */
};

struct placer {
	struct code *code;
	uint32_t *order, count; /* blocks with instructions, as they are placed */
	bool *is_placed;
};

static struct draft *last_draft(const struct code *c, uint32_t block)
{
	return code_draft(c, block, c->blocks[block].count - 1);
}

static enum way way_of(const struct code *c, uint32_t block)
{
	const struct draft *last = last_draft(c, block);

	switch (last->uop.code) {
	case UOP_BRA:
		return last->guard == REF_NONE ? WAY_JUMPS : WAY_FORKS;
	case UOP_BRX:
	case UOP_EXIT:
	case UOP_RET:
		return last->guard == REF_NONE ? WAY_STOPS : WAY_RUNS;
	default:
		return WAY_RUNS;
	}
}

static bool runs_on(const struct code *c, uint32_t block)
{
	enum way way = way_of(c, block);

	return way == WAY_FORKS || way == WAY_RUNS;
}

/* The block itself if it has instructions, else the next that has. */
static uint32_t filled(const struct code *c, uint32_t block)
{
	while (block < c->block_count && !c->blocks[block].count)
		block++;
	return block;
}

static uint32_t behind(const struct code *c, uint32_t block)
{
	return filled(c, block + 1);
}

/* Whether the block can stand behind any other: what stands before it does not run into it, has its place, or
 * ends in a branch that can be turned around. */
static bool is_free(const struct placer *p, uint32_t block)
{
	uint32_t before = block;

	do
		if (!before--)
			return false; /* it begins the function */
	while (!p->code->blocks[before].count);
	return p->is_placed[before] || !runs_on(p->code, before) ||
		(way_of(p->code, before) == WAY_FORKS &&
			!p->is_placed[filled(p->code, last_draft(p->code, before)->uop.target)]);
}

/* The block to stand behind one that has just been placed; CFG_NONE: any. */
static uint32_t follower(const struct placer *p, uint32_t block)
{
	const struct code *c = p->code;
	enum way way = way_of(c, block);
	uint32_t next = way == WAY_FORKS || way == WAY_RUNS ? behind(c, block) : CFG_NONE;
	uint32_t target =
		way == WAY_JUMPS || way == WAY_FORKS ? filled(c, last_draft(c, block)->uop.target) : CFG_NONE;

	if (next != CFG_NONE && next < c->block_count && !p->is_placed[next])
		return next;
	return target != CFG_NONE && !p->is_placed[target] && is_free(p, target) ? target : CFG_NONE;
}

static void find_order(struct placer *p)
{
	uint32_t block = filled(p->code, 0), first = block;

	while (block < p->code->block_count) {
		p->is_placed[block] = true;
		p->order[p->count++] = block;
		block = follower(p, block);
		if (block != CFG_NONE)
			continue;
		while (first < p->code->block_count && (!p->code->blocks[first].count || p->is_placed[first]))
			first++;
		block = first;
	}
}

/* Jumps that are left if the blocks stand like this. */
static uint32_t count_jumps(const struct code *c, const uint32_t *order, uint32_t count)
{
	uint32_t jumps = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t next = i + 1 < count ? order[i + 1] : CFG_NONE;
		uint32_t target = filled(c, last_draft(c, order[i])->uop.target);

		switch (way_of(c, order[i])) {
		case WAY_STOPS:
			break;
		case WAY_JUMPS:
			jumps += target != next;
			break;
		case WAY_FORKS:
			jumps += behind(c, order[i]) != next && target != next;
			break;
		case WAY_RUNS:
			jumps += behind(c, order[i]) != next;
		}
	}
	return jumps;
}

static void add_jump(struct code *c, uint32_t block, uint32_t target)
{
	struct code_block *b = &c->blocks[block];
	uint32_t *ops = arena_alloc(c->l->scratch, (b->count + 1) * sizeof *ops),
		 line = last_draft(c, block)->uop.line;
	struct draft *jump = emit(c->l, UOP_BRA);

	jump->uop.flags = 0;
	jump->uop.line = line;
	jump->uop.target = target;
	jump->guard = REF_NONE;
	for (uint32_t i = 0; i < b->count; i++)
		ops[i] = b->ops[i];
	ops[b->count++] = c->l->draft_count - 1;
	b->ops = ops;
}

/* The block keeps its ways though another stands behind it. */
static void lead_on(struct code *c, uint32_t block, uint32_t next)
{
	struct draft *last = last_draft(c, block);
	uint32_t on = behind(c, block);

	if (!runs_on(c, block) || on == next)
		return;
	if (way_of(c, block) == WAY_FORKS && filled(c, last->uop.target) == next) {
		last->uop.flags ^= UOP_GUARD_NEGATED;
		last->uop.target = on;
	} else {
		add_jump(c, block, on);
	}
}

static void move_blocks(struct placer *p)
{
	struct code *c = p->code;
	struct unit *u = &c->l->units[c->l->unit];
	struct code_block *blocks = arena_alloc(c->l->scratch, c->block_count * sizeof *blocks);
	uint32_t *number = arena_alloc(c->l->scratch, c->block_count * sizeof *number);

	for (uint32_t i = 0; i < p->count; i++) {
		lead_on(c, p->order[i], i + 1 < p->count ? p->order[i + 1] : CFG_NONE);
		number[p->order[i]] = i;
	}
	for (uint32_t t = 0; t < u->target_count; t++)
		u->targets[t] = number[filled(c, u->targets[t])];
	for (uint32_t i = 0; i < p->count; i++) {
		blocks[i] = c->blocks[p->order[i]];
		for (uint32_t o = 0; o < blocks[i].count; o++) { /* a jump may have been added behind a branch
								  */
			struct uop *op = &c->l->drafts[blocks[i].ops[o]].uop;

			if (op->code == UOP_BRA)
				op->target = number[filled(c, op->target)];
		}
	}
	c->blocks = blocks; /* those behind are empty */
	code_index(c);
}

void place_blocks(struct code *c)
{
	struct placer p = { .code = c,
		.order = arena_alloc(c->l->scratch, c->block_count * sizeof *p.order),
		.is_placed = arena_alloc(c->l->scratch, c->block_count) };
	uint32_t *written = arena_alloc(c->l->scratch, c->block_count * sizeof *written), count = 0;

	for (uint32_t b = 0; b < c->block_count; b++)
		if (c->blocks[b].count)
			written[count++] = b;
	find_order(&p);
	if (count_jumps(c, p.order, p.count) < count_jumps(c, written, count))
		move_blocks(&p);
}
