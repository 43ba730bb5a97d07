/* frontend/optimise/jump_threading.c -- jump threading: branches as a compiler for the machine lays them out:
 * none leads to a jump, none leads around a jump, and what leads to an exit exits itself. */
#include "frontend/optimise/optimise.h"

static const struct draft *only_draft(const struct code *c, uint32_t block)
{
	return c->blocks[block].count == 1 ? code_draft(c, block, 0) : NULL;
}

static bool is_jump(const struct draft *d)
{
	return d && d->uop.code == UOP_BRA && d->guard == REF_NONE;
}

/* The next block that has instructions; block_count: none. */
static uint32_t next_block(const struct code *c, uint32_t block)
{
	do
		block++;
	while (block < c->block_count && !c->blocks[block].count);
	return block;
}

static uint32_t filled_block(const struct code *c, uint32_t block)
{
	return c->blocks[block].count ? block : next_block(c, block);
}

static uint32_t jumped_to(const struct code *c, uint32_t block)
{
	for (uint32_t steps = 0; steps < 8; steps++) {
		block = filled_block(c, block);
		if (!is_jump(only_draft(c, block)))
			break;
		block = only_draft(c, block)->uop.target;
	}
	return filled_block(c, block);
}

/* A loop keeps its way out: where lanes wait for each other is found from that (analyse/cfg.c). */
static void end_here(struct draft *branch, const struct draft *end)
{
	branch->uop.code = end->uop.code;
	branch->uop.unit = end->uop.unit;
	branch->uop.latency_class = end->uop.latency_class;
	branch->uop.target = end->uop.target;
	branch->uop.flags &= (uint8_t)~UOP_BRANCH_UNI;
}

/* @p bra far; bra near; far: ... becomes @!p bra near. At the end of a loop, to whose beginning the jump
 * leads, the two change places wherever far is: one branch a round is enough. */
static void turn_around(struct code *c, uint32_t block, struct draft *branch)
{
	uint32_t between = next_block(c, block), far = filled_block(c, branch->uop.target), near;
	struct draft *jump;

	if (branch->guard == REF_NONE || between >= c->block_count || !is_jump(only_draft(c, between)) ||
		c->cfg->blocks[between].predecessor_count != 1)
		return;
	jump = code_draft(c, between, 0);
	near = filled_block(c, jump->uop.target);
	if (next_block(c, between) == far)
		c->blocks[between].count = 0;
	else if (near <= block && (far > block || far < near))
		jump->uop.target = branch->uop.target;
	else
		return;
	branch->uop.flags ^= UOP_GUARD_NEGATED;
	branch->uop.target = near;
}

static void mark_as_rolled(struct code *c, uint32_t block)
{
	for (uint32_t i = 0; i < c->blocks[block].count; i++)
		code_draft(c, block, i)->is_rolled = true;
}

bool turn_loops(struct code *c)
{
	bool any = false;

	for (uint32_t b = 0; b < c->block_count; b++) {
		struct draft *last = c->blocks[b].count ? code_draft(c, b, c->blocks[b].count - 1) : NULL;
		uint32_t between = next_block(c, b);
		const struct draft *jump = between < c->block_count ? only_draft(c, between) : NULL;
		bool goes_on = last && last->uop.code == UOP_BRA && last->uop.target == b,
		     leaves = last && last->uop.code == UOP_BRA && is_jump(jump) && jump->uop.target == b,
		     is_next = leaves && next_block(c, between) == filled_block(c, last->uop.target);

		if (last && last->guard != REF_NONE && (goes_on || leaves) &&
			(last->uop.flags & UOP_GUARD_NEGATED || is_next))
			mark_as_rolled(c, b);
		if (!leaves || is_next)
			continue;
		turn_around(c, b, last);
		any |= last->uop.target == b;
	}
	return any;
}

void thread_jumps(struct code *c)
{
	for (uint32_t b = 0; b < c->block_count; b++) {
		struct draft *last = c->blocks[b].count ? code_draft(c, b, c->blocks[b].count - 1) : NULL;
		const struct draft *end;

		if (!last || last->uop.code != UOP_BRA)
			continue;
		last->uop.target = jumped_to(c, last->uop.target);
		turn_around(c, b, last);
		end = only_draft(c, filled_block(c, last->uop.target));
		if (end && (end->uop.code == UOP_EXIT || end->uop.code == UOP_RET) &&
			end->guard == REF_NONE && (last->guard == REF_NONE || !code_repeats(c, b, CFG_NONE)))
			end_here(last, end);
	}
	code_index(c);
}
