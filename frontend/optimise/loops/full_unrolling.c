/* frontend/optimise/loops/full_unrolling.c -- full unrolling: loops of several blocks with a constant number
 * of rounds (trip_counts.c) become these rounds, one after the other. In each the counter is a constant, and
 * no branch leads back. */
#include "frontend/optimise/loops/trip_counts.h"

struct unroller {
	struct code *code;
	struct fixed_loop *loops;  /* of each old block: the loop that begins there */
	struct code_block *blocks; /* the new ones */
	uint32_t block_count;
	uint32_t *entry; /* of each old block: where others enter it now */
};

/* Targets of branches that are old blocks still, until all have their numbers. */
#define OLD(block) (UINT32_MAX - (block))

static ref append_constant(struct unroller *u, struct code_block *b, ref to, int64_t value, uint32_t line)
{
	struct lower *l = u->code->l;
	ref constant = constant_ref(l, (uint32_t)value, 32);
	struct draft *d;

	to = to == REF_NONE ? new_vreg(l, 32) : to;
	d = emit(l, UOP_MOV_B32);
	d->guard = REF_NONE;
	d->uop.flags = 0;
	d->uop.line = line;
	d->dst[0] = to;
	d->src[0] = constant;
	b->ops[b->count++] = l->draft_count - 1;
	return to;
}

static void replace_counter(ref *r, ref counter, ref by)
{
	*r = *r == counter ? by : *r;
}

/* A copy for the round whose blocks begin at `first`; a branch within the loop leads to the same round. */
static void append_copy(struct unroller *u, const struct fixed_loop *loop, struct code_block *b,
	uint32_t draft, uint32_t first, ref counter)
{
	uint32_t copy = code_copy(u->code, draft);
	struct draft *d = &u->code->l->drafts[copy];

	b->ops[b->count++] = copy;
	for (int s = 0; s < 4; s++)
		replace_counter(&d->src[s], loop->counter, counter);
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		replace_counter(&d->extra[e], loop->counter, counter);
	if (d->uop.code == UOP_BRA)
		d->uop.target = d->uop.target >= loop->first && d->uop.target <= loop->last
			? first + (d->uop.target - loop->first)
			: OLD(d->uop.target);
}

/* Up to its step the counter is a register of its own in each round; the step sets it for the rest of the
 * round and for what follows the loop. */
static void append_round(struct unroller *u, const struct fixed_loop *loop, uint32_t round)
{
	uint32_t first = u->block_count;
	int64_t value = loop->start + loop->by * (int64_t)round;
	ref counter = REF_NONE;

	for (uint32_t block = loop->first; block <= loop->last; block++) {
		const struct code_block *from = &u->code->blocks[block];
		struct code_block *b = &u->blocks[u->block_count++];
		uint32_t count = from->count - (block == loop->last); /* without the branch back */

		*b = (struct code_block){ .ops = arena_alloc(
						  u->code->l->scratch, (from->count + 1) * sizeof *b->ops) };
		if (block == loop->first)
			counter = append_constant(
				u, b, REF_NONE, value, u->code->l->drafts[loop->step].uop.line);
		for (uint32_t i = 0; i < count; i++) {
			if (from->ops[i] != loop->step) {
				append_copy(u, loop, b, from->ops[i], first, counter);
				continue;
			}
			counter = append_constant(u, b, loop->counter, value + loop->by,
				u->code->l->drafts[loop->step].uop.line);
		}
	}
}

static void append_loop(struct unroller *u, const struct fixed_loop *loop)
{
	for (uint32_t b = loop->first; b <= loop->last; b++)
		u->entry[b] = u->block_count + (b - loop->first);
	for (uint32_t round = 0; round < loop->rounds; round++)
		append_round(u, loop, round);
}

/* How many blocks there will be at most. */
static size_t find_loops(struct unroller *u)
{
	const struct code *c = u->code;
	size_t count = c->block_count;

	for (uint32_t b = 0; b < c->block_count; b++) {
		struct fixed_loop loop;

		if (!is_fixed(c, b, &loop))
			continue;
		u->loops[loop.first] = loop;
		count += (size_t)loop.rounds * (loop.last - loop.first + 1);
	}
	return count;
}

static void retarget_to_entries(struct unroller *u)
{
	struct code *c = u->code;
	struct unit *unit = &c->l->units[c->l->unit];

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);

			if (d->uop.code == UOP_BRA)
				d->uop.target = u->entry[d->uop.target];
		}
	for (uint32_t d = c->draft_count; d < c->l->draft_count; d++)
		if (c->l->drafts[d].uop.code == UOP_BRA && c->l->drafts[d].uop.target > UINT32_MAX / 2)
			c->l->drafts[d].uop.target = u->entry[OLD(c->l->drafts[d].uop.target)];
	for (uint32_t t = 0; t < unit->target_count; t++)
		unit->targets[t] = u->entry[unit->targets[t]];
}

bool unroll_fully(struct code *c)
{
	struct unroller u = { .code = c };
	size_t count;

	code_index(c);
	u.loops = arena_alloc(c->l->scratch, (c->block_count + 1) * sizeof *u.loops);
	count = find_loops(&u);
	if (count == c->block_count)
		return false;
	u.blocks = arena_alloc(c->l->scratch, count * sizeof *u.blocks);
	u.entry = arena_alloc(c->l->scratch, c->block_count * sizeof *u.entry);
	for (uint32_t b = 0; b < c->block_count; b++) {
		if (u.loops[b].rounds) {
			append_loop(&u, &u.loops[b]);
			b = u.loops[b].last;
			continue;
		}
		u.entry[b] = u.block_count;
		u.blocks[u.block_count++] = c->blocks[b];
	}
	retarget_to_entries(&u);
	c->blocks = u.blocks;
	c->block_count = u.block_count;
	return true;
}
