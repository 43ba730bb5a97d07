/* frontend/optimise/dead_code.c -- dead code elimination: removes instructions whose result nobody reads, and
 * those that say something to the compiler alone. */
#include "frontend/optimise/optimise.h"

/* What must stay though nobody reads a result. Stores to .param memory of calls do not count as accesses. */
static bool is_fixed(const struct draft *d)
{
	return draft_has_effect(d) || d->uop.code == UOP_ST || d->uop.code == UOP_MOV_SREG;
}

/* Marks the draft as needed, and what it reads as read; returns whether that is new. */
static bool mark_needed(const struct draft *d, bool *is_read)
{
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_reads(d, list);

	for (uint32_t r = 0; r < n; r++)
		is_read[list[r]] = true;
	return true;
}

static bool is_wanted(const struct draft *d, const bool *is_read)
{
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_writes(d, list);

	for (uint32_t w = 0; w < n; w++)
		if (is_read[list[w]])
			return true;
	return is_fixed(d);
}

/* Copies to itself, which folding leaves behind. */
static bool does_nothing(const struct draft *d)
{
	return (d->uop.code == UOP_MOV_B32 || d->uop.code == UOP_MOV_B64 ||
		       (d->uop.code == UOP_MOV_PRED && !(d->uop.mods & MOD_NEGATE_C))) &&
		d->dst[0] == d->src[0];
}

void eliminate_dead_code(struct code *c)
{
	struct lower *l = c->l;
	bool *is_read = arena_alloc(l->scratch, l->vreg_count + 1), *is_kept;
	bool more = true;

	is_kept = arena_alloc(l->scratch, l->draft_count + 1);
	while (more) {
		more = false;
		for (uint32_t b = c->block_count; b-- > 0;)
			for (uint32_t i = c->blocks[b].count; i-- > 0;) {
				uint32_t draft = c->blocks[b].ops[i];
				const struct draft *d = &l->drafts[draft];

				if (!is_kept[draft] && !does_nothing(d) && is_wanted(d, is_read))
					is_kept[draft] = more = mark_needed(d, is_read);
			}
	}
	for (uint32_t b = 0; b < c->block_count; b++) {
		struct code_block *block = &c->blocks[b];
		uint32_t n = 0;

		for (uint32_t i = 0; i < block->count; i++)
			if (is_kept[block->ops[i]])
				block->ops[n++] = block->ops[i];
		block->count = n;
	}
	code_index(c);
}
