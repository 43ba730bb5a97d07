/* frontend/lower/draft.c -- the registers that a draft reads and writes, and what else it does. */
#include "frontend/lower/draft.h"

uint32_t draft_reads(const struct draft *d, ref *list)
{
	uint32_t n = 0;

	for (int s = 0; s < 4; s++)
		if (is_register(d->src[s]))
			list[n++] = d->src[s];
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		if (is_register(d->extra[e]))
			list[n++] = d->extra[e];
	if (is_register(d->guard))
		list[n++] = d->guard;
	return n;
}

uint32_t draft_writes(const struct draft *d, ref *list)
{
	uint32_t n = 0;

	for (int s = 0; s < 4; s++)
		if (is_register(d->dst[s]))
			list[n++] = d->dst[s];
	for (uint32_t e = d->uop.extra_sources; e < (uint32_t)d->uop.extra_sources + d->uop.extra_dests; e++)
		if (is_register(d->extra[e]))
			list[n++] = d->extra[e];
	return n;
}

bool draft_keeps_results(const struct draft *d)
{
	return d->uop.code == UOP_WGMMA || (d->uop.flags & UOP_GUARDED) != 0;
}

bool draft_is_load(const struct draft *d)
{
	return (d->uop.code == UOP_LD && !(d->uop.flags & UOP_VOLATILE)) || d->uop.code == UOP_TEX ||
		d->uop.code == UOP_LDMATRIX;
}

bool draft_has_effect(const struct draft *d)
{
	switch (d->uop.unit) {
	case UNIT_CONTROL:
		return d->uop.code != UOP_NOP || uop_holds_order(&d->uop);
	case UNIT_LDST:
		return !(draft_is_load(d) || d->uop.code == UOP_LD_PARAM || d->uop.code == UOP_PREFETCH);
	default:
		return d->uop.code == UOP_WGMMA ||
			(d->uop.code >= UOP_TCGEN05_LD && d->uop.code <= UOP_TCGEN05_COMMIT) ||
			(d->uop.code >= UOP_VOTE_ALL && d->uop.code <= UOP_SYSCALL);
	}
}

uint32_t draft_temporaries(const struct draft *d)
{
	switch (uop_class_of(d->uop.code)) { /* that of the draft itself may be its first instruction's */
	case CLASS_INT_DIV:
		return d->uop.code == UOP_DIV_U64 || d->uop.code == UOP_DIV_S64 ||
				d->uop.code == UOP_REM_U64 || d->uop.code == UOP_REM_S64
			? 14
			: 5;
	case CLASS_FP_DIV:
		return 6;
	case CLASS_DP_DIV:
		return 14;
	default:
		return 0;
	}
}
