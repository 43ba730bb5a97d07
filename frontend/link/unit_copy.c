/* frontend/link/unit_copy.c -- a function as it was before passes that may have to be taken back. */
#include "frontend/lower/draft.h"

/* A copy of the drafts with operands of their own. */
static struct draft *copy_drafts(const struct lower *l)
{
	struct draft *copy = arena_copy(l->scratch, l->drafts, l->draft_count * sizeof *copy);

	for (uint32_t i = 0; i < l->draft_count; i++) {
		uint32_t extras = (uint32_t)copy[i].uop.extra_sources + copy[i].uop.extra_dests;

		if (extras)
			copy[i].extra = arena_copy(l->scratch, copy[i].extra, extras * sizeof(ref));
	}
	return copy;
}

struct unit_copy unit_copy_take(struct lower *l)
{
	struct unit *u = &l->units[l->unit];
	struct unit_copy before;

	unit_store(l);
	before = (struct unit_copy){ .unit = *u, .bank_count = l->bank.count };
	u->drafts = copy_drafts(l);
	u->vregs = arena_copy(l->scratch, l->vregs, l->vreg_count * sizeof *u->vregs);
	u->targets = arena_copy(l->scratch, u->targets, u->target_count * sizeof *u->targets);
	unit_load(l, l->unit);
	return before;
}

void unit_copy_restore(struct lower *l, const struct unit_copy *before)
{
	l->units[l->unit] = before->unit;
	bank_truncate(&l->bank, before->bank_count);
	unit_load(l, l->unit);
}
