/* frontend/allocate/needed.c -- which instructions are computed for nothing: what they write is never read,
 * and they do nothing else. */
#include "frontend/allocate/schedule.h"

bool draft_is_load(const struct draft *d)
{
	return (d->uop.code == UOP_LD && !(d->uop.flags & UOP_VOLATILE)) || d->uop.code == UOP_TEX ||
		d->uop.code == UOP_LDMATRIX;
}

bool draft_has_effect(const struct draft *d)
{
	switch (d->uop.unit) {
	case UNIT_CONTROL:
		return d->uop.code != UOP_NOP;
	case UNIT_LDST:
		return !(draft_is_load(d) || d->uop.code == UOP_LD_PARAM || d->uop.code == UOP_PREFETCH);
	default:
		return d->uop.code >= UOP_VOTE_ALL && d->uop.code <= UOP_SYSCALL;
	}
}

bool *find_needed(struct lower *l)
{
	bool *needed = arena_alloc(l->scratch, l->draft_count + 1),
	     *read = arena_alloc(l->scratch, l->vreg_count + 1);
	ref list[DRAFT_REGISTERS];
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = l->draft_count; i-- > 0;) {
			const struct draft *d = &l->drafts[i];
			bool is_needed = draft_has_effect(d);
			uint32_t n = needed[i] ? 0 : draft_writes(d, list);

			for (uint32_t w = 0; w < n; w++)
				is_needed |= read[list[w]];
			if (needed[i] || !is_needed)
				continue;
			needed[i] = more = true;
			n = draft_reads(d, list);
			for (uint32_t r = 0; r < n; r++)
				read[list[r]] = true;
		}
	}
	return needed;
}
