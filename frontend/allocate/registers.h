/* frontend/allocate/registers.h -- internal to the lowering: the registers per thread of a function and of a
 * kernel. */
#ifndef FRONTEND_ALLOCATE_REGISTERS_H
#define FRONTEND_ALLOCATE_REGISTERS_H

#include "frontend/lower/draft.h"

/* registers.c: sets the unit's `registers`, those of a thread that its drafts take as they are, and `kept`,
 * how many of them are live across a call. live: the drafts' live ranges. */
void count_registers(struct lower *l, const struct cfg *cfg, const struct liveness *live);
/* trial.c: sets the same for drafts that are as the PTX writes them, to what they would be if the chip's
 * compiler had optimised them. The drafts stay as they are. */
void count_on_trial(struct lower *l);
/* kernel_registers.c: of the whole kernel, from those of its units. */
uint32_t registers_of_kernel(const struct lower *l);
/* uniform.c: for each register whether it is one of a warp, for the drafts as they are. */
bool *find_uniform(struct lower *l, const struct cfg *cfg);

#endif
