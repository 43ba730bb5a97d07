/* frontend/optimise/loops/counted_loops.h -- loops of one block that count: what unrolling.c may make of
 * several rounds one.
 */
#ifndef FRONTEND_OPTIMISE_LOOPS_COUNTED_LOOPS_H
#define FRONTEND_OPTIMISE_LOOPS_COUNTED_LOOPS_H

#include "frontend/optimise/optimise.h"

/* A loop that goes on while its counter, after its step, compares with its bound as `compare` says. */
struct loop {
	uint32_t block;
	uint32_t test; /* the draft that decides whether to go on */
	ref counter, bound;
	uint8_t compare; /* CMP_NE, or by size in the direction of the step */
	int64_t step;    /* of the counter in a round; never 0 */
	bool is_wide;    /* 64 bits */
	ref going_on;    /* the predicate of the branch */
	uint8_t negated; /* UOP_GUARD_NEGATED, if it goes on where that is false */
	uint32_t line;   /* of the branch */
};

/* Whether the block is such a loop. */
bool is_countable(const struct code *c, uint32_t block, struct loop *loop);
/* The draft at this place of the block adds *step to a register that nothing else in the block writes. */
bool counts(const struct code *c, uint32_t block, uint32_t place, int64_t *step);
bool is_wide_step(const struct draft *d); /* of 64 bits */

#endif
