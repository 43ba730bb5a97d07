/* frontend/optimise/memory/redundant_loads.c -- redundant load elimination: what a block has loaded from an
 * address is not loaded from it again.
 *
 * What ends the life of a loaded value is what ptxas of CUDA 13 lets end it: a store or an atomic to the same
 * state space, wherever it goes, or to generic addresses; and any barrier, fence or call. ld.global.nc reads
 * what nobody writes. For example a filter with 17 coefficients, unrolled for eight outputs that lie eight
 * elements apart, loads 73 elements of shared memory, and not 8 * 17. A thread that waits for another one's
 * store without a fence or a volatile load has no promise that it sees it (PTX ISA, memory consistency
 * model). */
#include "frontend/optimise/optimise.h"
#include <string.h>

#define MOST_LOADED 512u /* of a block, at a time */

struct live_loads {
	const struct code *code;
	uint32_t drafts[MOST_LOADED], count;
};

/* A load whose value is there for as long as nothing ends its life: one register, under no guard */
static bool is_plain_load(const struct code *c, uint32_t draft)
{
	const struct draft *d = &c->l->drafts[draft];

	return d->uop.code == UOP_LD && (d->uop.space == SPACE_SHARED || d->uop.space == SPACE_GLOBAL) &&
		!(d->uop.flags & (UOP_GUARDED | UOP_VOLATILE | UOP_SPILL)) && d->uop.combine != CACHE_CV &&
		d->uop.vector == 1 && !d->uop.extra_dests && !d->uop.extra_sources &&
		is_register(d->dst[0]) && c->writer[d->dst[0]] == draft &&
		c->l->vregs[d->dst[0]].bits <= 64 && is_register(d->src[0]) &&
		c->writer[d->src[0]] < WRITER_MANY;
}

static bool is_same_load(const struct code *c, const struct draft *a, const struct draft *b)
{
	struct uop x = a->uop, y = b->uop;

	x.line = y.line = 0;
	return a->src[0] == b->src[0] && !memcmp(&x, &y, sizeof x) &&
		c->l->vregs[a->dst[0]].bits == c->l->vregs[b->dst[0]].bits;
}

/* Forgets what was loaded from the space, or from any (SPACE_GENERIC). */
static void forget(struct live_loads *l, uint8_t space)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->count; i++) {
		const struct draft *d = &l->code->l->drafts[l->drafts[i]];

		if (d->uop.combine == CACHE_NC || (space != SPACE_GENERIC && d->uop.space != space))
			l->drafts[kept++] = l->drafts[i];
	}
	l->count = kept;
}

static bool is_exchange(const struct draft *d)
{
	return d->uop.code == UOP_SHFL || (d->uop.code >= UOP_VOTE_ALL && d->uop.code <= UOP_VOTE_BALLOT);
}

static void look_for(struct live_loads *l, uint32_t draft)
{
	struct draft *d = &l->code->l->drafts[draft];

	for (uint32_t i = 0; i < l->count; i++) {
		const struct draft *earlier = &l->code->l->drafts[l->drafts[i]];

		if (!is_same_load(l->code, earlier, d))
			continue;
		d->src[0] = earlier->dst[0];
		d->uop = (struct uop){ .line = d->uop.line };
		d->is_early = false;
		draft_recode(d, l->code->l->vregs[d->dst[0]].bits == 64 ? UOP_MOV_B64 : UOP_MOV_B32);
		return;
	}
	if (l->count < MOST_LOADED)
		l->drafts[l->count++] = draft;
}

void eliminate_redundant_loads(struct code *c)
{
	struct live_loads l = { .code = c };

	for (uint32_t b = 0; b < c->block_count; b++) {
		l.count = 0;
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			uint32_t draft = c->blocks[b].ops[i];
			const struct draft *d = &c->l->drafts[draft];

			if (is_plain_load(c, draft))
				look_for(&l, draft);
			else if (d->uop.code == UOP_ST || d->uop.code == UOP_ATOM)
				forget(&l, d->uop.space);
			else if (draft_has_effect(d) && !is_exchange(d))
				forget(&l, SPACE_GENERIC);
		}
	}
}
