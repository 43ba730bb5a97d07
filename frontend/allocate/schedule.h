/* frontend/allocate/schedule.h -- internal to the lowering: the order of instructions that a compiler for
 * the machine would choose, used only to estimate register pressure (the model executes instructions in
 * the order of the PTX). */
#ifndef FRONTEND_ALLOCATE_SCHEDULE_H
#define FRONTEND_ALLOCATE_SCHEDULE_H

#include "frontend/lower/draft.h"

/* unroll.c: for each block, whether it is a loop that the program forbids to unroll. */
bool *find_rolled(struct lower *l, const struct cfg *cfg);

/* How many copies of block b there are once a compiler has unrolled the loop that it is; 1 if it is not a
 * loop. */
uint32_t copies_unrolled(const struct lower *l, const struct cfg *cfg, uint32_t b, const bool *needed);

/* For each draft of the unit, whether it has an effect, or a draft that has one depends on it. */
bool *find_needed(struct lower *l);

/* A copy of the unit's drafts with the operands that a compiler for the machine would read (simplify.c). */
struct draft *simplify_drafts(struct lower *l);

/* For each 64-bit register, whether a needed draft reads its upper half. */
bool *find_wide(struct lower *l, const bool *needed);

/* The largest sum of weight[register] over the registers that are live at the same time, when the needed
 * drafts are in this order. */
uint32_t scheduled_pressure(struct lower *l, const struct cfg *cfg, const struct liveness *live,
	const uint8_t *weight, const bool *needed);

/* machine.c: the registers of a thread that the drafts take as they are. */
uint32_t machine_registers(struct lower *l, const struct cfg *cfg, const struct liveness *live);
/* uniform.c: for each register whether it is one of a warp, for the drafts as they are. */
bool *find_uniform(struct lower *l, const struct cfg *cfg);

#endif
