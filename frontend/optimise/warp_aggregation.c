/* frontend/optimise/warp_aggregation.c -- warp-aggregated atomics: additions of a warp to one word, which one
 * lane makes for all.
 *
 * Where all lanes add the same to the same word, ptxas counts the lanes that are there, lets the first add
 * the product, and hands each its own sum: the old value, which a shuffle brings, and the product for the
 * lanes before it (seen in what ptxas of CUDA 13 makes of atom.add and red.add of 32 bits for sm_75, global
 * and shared, with addresses and numbers that are the same for all lanes). These are the values that the
 * lanes get one after the other, and so they are computed as PTX has it: the instructions before and behind
 * are steps (expand.c), and the access is timed as that of its first lane (MOD_ONE_LANE).
 *
 * Not modelled: sums of values that differ (five shuffles, if all lanes are there), minima, maxima and logic,
 * which one lane does if all are there; loaded addresses that are the same for all. Older chips are left as
 * they are, since no compiler for them is at hand. */
#include "frontend/optimise/optimise.h"

/* Before the access: who is there, who is the first, how many; whether it is this lane. Behind it, where the
 * old value is read: which lanes are before this one, how many, the old value, the sum. */
#define BEFORE "iiiii"
#define BEHIND "iivvx"
#define MOST   (sizeof BEFORE + sizeof BEHIND)

static bool is_same_in_warp(ref r, const bool *is_varying)
{
	return is_register(r) ? !is_varying[r] : !is_lane(r);
}

static bool one_lane_does(const struct draft *d, const bool *is_varying)
{
	return d->uop.code == UOP_ATOM && d->uop.compare == ATOM_ADD && d->uop.vector <= 1 &&
		d->uop.bytes == 4 && (d->uop.type == PTX_U32 || d->uop.type == PTX_S32) &&
		!(d->uop.flags & UOP_VOLATILE) && is_same_in_warp(d->src[0], is_varying) &&
		is_same_in_warp(d->src[1], is_varying);
}

static uint32_t add_steps(struct code *c, uint32_t draft, const char *letters, bool is_chain, uint32_t *ops)
{
	uint32_t n = 0;

	for (; *letters; letters++) {
		ops[n++] = new_step(c, draft, *letters);
		if (!is_chain)
			c->l->drafts[ops[n - 1]].dst[0] = c->l->drafts[ops[n - 1]].src[0] = REF_NONE;
	}
	return n;
}

static void agree_in_block(struct code *c, uint32_t block, const bool *is_varying)
{
	struct code_block *b = &c->blocks[block];
	uint32_t *ops = arena_alloc(c->l->scratch, b->count * MOST * sizeof *ops), n = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		uint32_t draft = b->ops[i];
		uint64_t value;

		if (!one_lane_does(&c->l->drafts[draft], is_varying)) {
			ops[n++] = draft;
			continue;
		}
		n += add_steps(c, draft, BEFORE, false, ops + n);
		if (!immediate(c->l, c->l->drafts[draft].src[1], false, &value) || value != 1)
			n += add_steps(c, draft, "x", false, ops + n);
		ops[n++] = draft;
		c->l->drafts[draft].uop.mods |= MOD_ONE_LANE;
		if (c->l->drafts[draft].dst[0] != REF_NONE && c->reads[c->l->drafts[draft].dst[0]])
			n += add_steps(c, draft, BEHIND, true, ops + n);
	}
	b->ops = ops;
	b->count = n;
}

void aggregate_atomics(struct code *c)
{
	const bool *is_varying = find_varying(c, false);

	if (c->l->lowering->sm < 70)
		return;
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++)
			if (one_lane_does(code_draft(c, b, i), is_varying)) {
				agree_in_block(c, b, is_varying);
				break;
			}
}
