/* core/sm/sm_stats.h -- what an SM counts. */
#ifndef CORE_SM_SM_STATS_H
#define CORE_SM_SM_STATS_H

#include "core/kernel/slot_cause.h"
#include "frontend/uop.h"
#include "sim/stats/stat.h"

enum bulk_direction { BULK_TO_SHARED, BULK_TO_GLOBAL, BULK_TO_CLUSTER, BULK_TO_L2, BULK_DIRECTIONS };

struct sm_stats {
	/* counted most often: together in one line of the host's cache */
	uint64_t issue_cycles, fetches, bank_conflict_cycles, write_conflict_cycles, result_bus_cycles,
		flushes, line_requests, lsu_waiting_cycles;
	uint64_t warp_instructions, thread_instructions;
	uint64_t issued[UNIT_COUNT];
	uint64_t issue_slots[SLOT_COUNT];
	uint64_t replays[3]; /* by enum replay_kind */
	uint64_t branches, divergent_branches, barriers;
	uint64_t loads, stores, atomics, shared_accesses, constant_accesses, parameter_accesses;
	uint64_t shared_words[2]; /* read, written: of runs whose activity is counted; activity.shared_words
				   */
	uint64_t shared_conflict_cycles, lsu_stall_cycles, lsu_in_flight_cycles;
	uint64_t texture_accesses, texture_lines;
	uint64_t ctas, warp_cycles;
	uint64_t dual_issues, prefetches;
	uint64_t bulk_copies[BULK_DIRECTIONS], bulk_bytes[BULK_DIRECTIONS], bulk_requests[BULK_DIRECTIONS];
	uint64_t bulk_busy, bulk_stalls, bulk_under_way, bulk_byte_cycles;
	struct sim_histogram lines_per_access, load_latency;
};
extern const struct sim_stat sm_stats[];

#endif
