/* core/kernel/kernel_stats.h -- what one kernel counts. Kernels that run at once share SMs and caches, so the
 * difference of the machine's counters does not tell them apart: every warp counts for its kernel as well. */
#ifndef CORE_KERNEL_KERNEL_STATS_H
#define CORE_KERNEL_KERNEL_STATS_H

#include "core/kernel/load_stage.h"
#include "core/kernel/slot_cause.h"
#include "frontend/uop.h"
#include "sim/stats/stat.h"

/* Which limit has ended the timing of a kernel (timing_limit.h). */
enum timing_limit_kind {
	TIMING_LIMIT_INSTRUCTIONS,
	TIMING_LIMIT_CYCLES,
	TIMING_LIMIT_CTAS,
	TIMING_LIMIT_RUN,
	TIMING_LIMITS,
	TIMING_LIMIT_NONE = TIMING_LIMITS
};
extern const char *const timing_limit_names[TIMING_LIMITS + 1]; /* "instructions" ... */

/* All fields are uint64_t counters: kernel_stats_add knows them as an array. */
struct kernel_stats {
	uint64_t warp_instructions, thread_instructions;
	uint64_t issued[UNIT_COUNT];
	uint64_t issue_slots[SLOT_COUNT]; /* scheduler slots of its warps, by cause */
	uint64_t cycles, launch_cycles;
	uint64_t branches, divergent_branches, barriers;
	uint64_t loads, stores, atomics, shared_accesses, shared_conflict_cycles, line_requests;
	uint64_t l1_hits, l1_misses, l1_merged;
	uint64_t load_samples, load_cycles; /* loads that came back, and what they took together */
	uint64_t load_stages[LOAD_STAGES];  /* load_cycles by where they went */
	uint64_t ctas;
	uint64_t timing_limit[TIMING_LIMITS]; /* 1: by this limit */
	uint64_t drain_cycles;
	uint64_t untimed_ctas, untimed_warp_instructions, untimed_thread_instructions;
};

extern const struct sim_stat kernel_stat_table[];

/* Adds counter by counter. */
void kernel_stats_add(struct kernel_stats *to, const struct kernel_stats *more);

#endif
