/* frontend/allocate/unroll.c -- which loops a compiler for the machine would unroll, for the estimate of
 * registers: those of one block that load and whose number of rounds is known before they begin, unless the
 * program says .pragma "nounroll". */
#include "frontend/allocate/schedule.h"

#include <string.h>

/* A loop is unrolled up to so often, and to so many instructions in all. */
#define MOST_COPIES   4u
#define MOST_UNROLLED 128u

bool *find_rolled(struct lower *l, const struct cfg *cfg)
{
	const struct ptx_function *f = l->units[l->unit].function;
	bool *is_rolled = arena_alloc(l->scratch, cfg->count + 1);

	for (const struct ptx_remark *r = f->remarks; r; r = r->next)
		if (r->kind == PTX_PRAGMA && r->insn < f->insn_count &&
			l->first_draft[r->insn] < l->draft_count && strstr(r->text, "nounroll"))
			is_rolled[cfg->block_of[l->first_draft[r->insn]]] = true;
	return is_rolled;
}

static bool is_loop(const struct cfg *cfg, uint32_t b)
{
	const struct cfg_block *block = &cfg->blocks[b];

	for (uint32_t i = 0; i < block->successor_count; i++)
		if (block->successor[i] == b)
			return true;
	return false;
}

/* The value that register r has at the end of the block is its old one plus a constant. */
static bool is_counter(const struct lower *l, const struct cfg_block *block, ref r)
{
	const struct draft *by = NULL;

	for (uint32_t i = block->first; i < block->end; i++)
		for (int w = 0; w < 4; w++)
			if (l->drafts[i].dst[w] == r)
				by = &l->drafts[i];
	return by &&
		(by->uop.code == UOP_ADD_B32 || by->uop.code == UOP_ADD_B64 || by->uop.code == UOP_SUB_B32) &&
		by->src[0] == r && (by->src[1] & REF_KIND) == REF_CONSTANT;
}

/* How often the loop runs can be computed before it begins: it ends by a comparison of what counts. */
static bool is_counted(const struct lower *l, const struct cfg_block *block)
{
	ref guard = l->drafts[block->end - 1].guard;

	for (uint32_t i = block->end; i-- > block->first;) {
		const struct draft *d = &l->drafts[i];

		if (d->dst[0] == guard)
			return (!(d->src[0] & REF_KIND) && is_counter(l, block, d->src[0])) ||
				(!(d->src[1] & REF_KIND) && is_counter(l, block, d->src[1]));
	}
	return false;
}

uint32_t copies_unrolled(const struct lower *l, const struct cfg *cfg, uint32_t b, const bool *needed)
{
	const struct cfg_block *block = &cfg->blocks[b];
	uint32_t size = 0, copies = 1;
	bool loads = false;

	if (!is_loop(cfg, b) || !is_counted(l, block))
		return 1;
	for (uint32_t i = block->first; i < block->end; i++) {
		const struct draft *d = &l->drafts[i];

		if ((draft_has_effect(d) && i + 1 < block->end) || draft_temporaries(d))
			return 1; /* loads would not pass it, or it is long itself */
		loads |= draft_is_load(d);
		size += needed[i];
	}
	while (loads && copies < MOST_COPIES && 2 * copies * size <= MOST_UNROLLED)
		copies *= 2;
	return copies;
}
