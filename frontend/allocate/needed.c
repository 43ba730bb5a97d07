/* frontend/allocate/needed.c -- which instructions are computed for nothing: what they write is never read,
 * and they do nothing else. */
#include "frontend/allocate/schedule.h"

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
