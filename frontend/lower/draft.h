/* frontend/lower/draft.h -- what the parts behind the lowering ask of drafts: the registers of one, its
 * effects, and the control flow and live ranges of a function's. */
#ifndef FRONTEND_LOWER_DRAFT_H
#define FRONTEND_LOWER_DRAFT_H

#include "frontend/lower/lower.h"

static inline bool is_register(ref r)
{
	return !(r & REF_KIND);
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Upper bound of the number of registers that a draft reads or writes. */
#define DRAFT_REGISTERS 160

/* The virtual registers, predicates included, that a draft reads and writes; returns how many. */
uint32_t draft_reads(const struct draft *d, ref *list);
uint32_t draft_writes(const struct draft *d, ref *list);

/* Whether it is a load, a store or an atomic operation. */
static inline bool is_access(const struct draft *d)
{
	return d->uop.code == UOP_LD || d->uop.code == UOP_ST || d->uop.code == UOP_ATOM;
}

/* Makes it another operation, with that one's unit and latency class. */
static inline void draft_recode(struct draft *d, unsigned code)
{
	d->uop.code = (uint16_t)code;
	d->uop.unit = (uint8_t)uop_unit_of(code);
	d->uop.latency_class = (uint8_t)uop_class_of(code);
}

/* unit_copy.c: the unit that is loaded, as it is. Passes afterwards work on a copy; restoring takes back all
 * that they did to the unit and to the constant bank. */
struct unit_copy {
	struct unit unit;
	uint32_t bank_count;
};
struct unit_copy unit_copy_take(struct lower *l);
void unit_copy_restore(struct lower *l, const struct unit_copy *before);

/* Whether the draft has effects besides its results: on memory, control flow or other threads. */
bool draft_has_effect(const struct draft *d);

/* Whether its results stand where something else does that it reads: what it leaves where a guard does not
 * hold, or accumulators. */
bool draft_keeps_results(const struct draft *d);

/* Whether the draft reads memory or a texture and has no other effect. */
bool draft_is_load(const struct draft *d);

/* Number of 32-bit registers that the sequence or subroutine for one instruction uses for itself, including
 * its results. */
uint32_t draft_temporaries(const struct draft *d);

/* assemble.c: the control flow of the unit's drafts, whose branches name drafts. */
struct cfg *find_flow(struct lower *l);

/* assemble.c: live ranges of the unit's registers. */
struct liveness *find_liveness(struct lower *l, const struct cfg *cfg);

#endif
