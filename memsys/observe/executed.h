/* memsys/observe/executed.h -- the hit ratio at the L2 of each memory instruction that a warp executes: the
 * share of its requests that hit when the warp issues it once (MeDiC, PACT 2015, Section 2.1 and Figure 2).
 *
 * The requests of one instruction reach different slices at different times. A warp's last instructions are
 * therefore kept open, EXECUTED_OPEN of them, and the oldest is closed when one more sends its first request,
 * or when the warp ends. A request that comes later than that counts as one of another instruction. */
#ifndef MEMSYS_OBSERVE_EXECUTED_H
#define MEMSYS_OBSERVE_EXECUTED_H

#include "memsys/observe/hit_ratios.h"
#include "sim/event/requester.h"
#include <stdbool.h>

#define EXECUTED_OPEN 16

/* An instruction that was executed: the requests that the L2 has looked up so far. */
struct executed_instruction {
	uint32_t uop_index;
	timestamp issued;
	uint32_t requests, hits; /* no requests: the entry is free */
};

/* Of one warp */
struct executed_window {
	struct executed_instruction open[EXECUTED_OPEN];
	uint32_t newest; /* index in open: a ring */
};

/* By the number of requests at the L2: one; several, by the share that hit */
struct executed_stats {
	uint64_t single, divergent[HIT_RATIO_RANGES];
};

void executed_add(struct executed_window *window, struct executed_stats *stats, const struct requester *by,
	bool is_hit);
/* The warp has ended. */
void executed_end(struct executed_window *window, struct executed_stats *stats);

#endif
