/* frontend/allocate/schedule.h -- internal to the lowering: the order that a compiler for the machine would
 * choose, for the estimate of registers alone (the model executes instructions in the order of the PTX). */
#ifndef FRONTEND_ALLOCATE_SCHEDULE_H
#define FRONTEND_ALLOCATE_SCHEDULE_H

#include "frontend/lower/lower.h"

/* More than the drafts read or write at most. */
#define DRAFT_REGISTERS 160

/* assemble.c: the virtual registers, predicates included, that a draft reads and writes; returns how many. */
uint32_t draft_reads(const struct draft *d, ref *list);
uint32_t draft_writes(const struct draft *d, ref *list);

/* assemble.c: live ranges of the unit's registers; needed, if not NULL, says of each draft whether it counts.
 */
struct liveness *find_liveness(struct lower *l, const struct cfg *cfg, const bool *needed);

/* More than its results: memory, control flow, other threads. */
bool draft_has_effect(const struct draft *d);

/* Reads memory, or a texture, and does nothing else. */
bool draft_is_load(const struct draft *d);

/* Registers that the sequence or subroutine behind one instruction takes for itself, its results among them.
 */
uint32_t draft_temporaries(const struct draft *d);

/* unroll.c: of each block: the program forbids to unroll the loop that it is. */
bool *find_rolled(struct lower *l, const struct cfg *cfg);

/* How often block b stands in a row once a compiler has unrolled the loop that it is; 1 if it is none. */
uint32_t copies_unrolled(const struct lower *l, const struct cfg *cfg, uint32_t b, const bool *needed);

/* Of each draft of the unit: has an effect, or something that has one depends on it. */
bool *find_needed(struct lower *l);

/* A copy of the unit's drafts in which operands are what a compiler for the machine would read (simplify.c).
 */
struct draft *simplify_drafts(struct lower *l);

/* Of each register of 64 bits: something that is needed reads its upper half. */
bool *find_wide(struct lower *l, const bool *needed);

/* The largest sum of weight[register] over the registers alive at one time, if the needed drafts are ordered
 * so. */
uint32_t scheduled_pressure(struct lower *l, const struct cfg *cfg, const struct liveness *live,
	const uint8_t *weight, const bool *needed);

#endif
