/* frontend/optimise/loops/trip_counts.h -- internal to the unrolling of loops of several blocks whose number
 * of rounds is a constant. */
#ifndef FRONTEND_OPTIMISE_LOOPS_TRIP_COUNTS_H
#define FRONTEND_OPTIMISE_LOOPS_TRIP_COUNTS_H

#include "frontend/optimise/optimise.h"

/* Blocks first .. last, of which the last ends with the branch to the first. */
struct fixed_loop {
	uint32_t first, last;
	ref counter;
	uint32_t step; /* the draft that adds to it, in the last block */
	int64_t start, by;
	uint32_t rounds; /* 0: there is no such loop */
	uint32_t size;   /* instructions of a round */
};

/* trip_counts.c: whether the block ends such a loop. */
bool is_fixed(const struct code *c, uint32_t last, struct fixed_loop *loop);

#endif
