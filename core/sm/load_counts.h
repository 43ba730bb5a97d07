/* core/sm/load_counts.h -- the time of loads, as an SM counts it (core/lsu/load_time.h). */
#ifndef CORE_SM_LOAD_COUNTS_H
#define CORE_SM_LOAD_COUNTS_H

#include "core/kernel/load_stage.h"
#include "sim/stats/stat.h"

#define LOAD_CLASSES 13 /* by latency: below 32 cycles, 32 to 63, ... from 65536 on */
#define LOAD_BINS    80 /* by latency: below 16 each value, then four to an octave, the last without end */

/* What an SM counts: no more than the rest can be derived from. */
struct load_counts {
	uint64_t from[LOAD_CLASSES][LOAD_STAGES]; /* cycles of loads of this latency */
	uint64_t latency[LOAD_BINS];              /* loads */
	uint64_t loads_from[LOAD_CLASSES];
	uint64_t elsewhere; /* cycles */
	uint64_t spent[LOAD_STAGES][SIM_HIST_BUCKETS], longest[LOAD_STAGES];
};

#endif
