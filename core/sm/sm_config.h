/* core/sm/sm_config.h -- the parameters of an SM (sections sm, sm.latency, sm.interval). */
#ifndef CORE_SM_SM_CONFIG_H
#define CORE_SM_SM_CONFIG_H

#include "core/kernel/carve_out.h"
#include "core/kernel/occupancy.h"
#include "core/sm/tensor.h"
#include "frontend/uop.h"
#include "sim/config/param.h"

#define MAX_SCHEDULERS  8
#define MAX_UNIT_COPIES 8
#define MAX_ISSUE_WIDTH 2

#define LSU_QUEUE_MAX 64

/* What makes a memory instruction go again (core/issue/replays.h). */
enum replay_kind { REPLAY_LINES, REPLAY_CONFLICTS, REPLAY_MISSES, REPLAY_KINDS };
extern const char *const replay_names[REPLAY_KINDS + 1]; /* "lines" ... */

struct sm_config {
	/* sm: resources */
	uint32_t max_threads, max_warps, max_ctas, registers, shared_bytes, barriers;
	uint32_t register_granularity, shared_granularity, max_registers_per_thread, max_threads_per_cta,
		max_shared_per_cta;
	uint32_t register_allocation, warp_granularity, max_registers_per_cta, registers_override,
		shared_reserved, barriers_per_sm;
	bool register_double_units;
	const char *shared_carve_outs; /* the list; carve_outs: what it says (machine_config.c reads it) */
	struct carve_outs carve_outs;
	/* sm: front end */
	uint32_t schedulers, warp_split, starvation_limit;
	bool has_gates; /* no parameter: sm.coalescer.policy decides when warps may access memory */
	uint32_t fetch_width, fetch_latency, fetch_prefetch, instruction_buffer, instruction_bytes;
	bool fetch_per_scheduler, operand_cache;
	/* sm: units */
	uint32_t issue_width;
	bool sub_cores, dp_shared, issue_other_units, dp_exclusive, barrier_exclusive;
	bool replay[REPLAY_KINDS]; /* sm.replay */
	uint32_t sp_units, int_units, sfu_units, dp_units, convert_unit, exchange_unit, count_unit, half_unit;
	struct tensor_config tensor; /* sm.tensor */
	uint32_t register_banks, sp_collectors, sfu_collectors, dp_collectors, ldst_collectors, result_buses;
	bool register_write_port;
	/* sm: load/store unit */
	uint32_t lsu_queue, lsu_in_flight, shared_banks, shared_wide_load, shared_latency,
		shared_conflict_latency, generic_shared_latency, mbarrier_test_latency, mbarrier_wait_limit,
		mbarrier_wake_latency, constant_latency, response_queue;
	uint32_t global_loads, texture_queue, texture_interval;
	bool specialised, lsu_replay, shared_pairs, coalesce_parts, nc_through_texture, texture_in_l1,
		stores_hold_cta, fence_invalidates, fence_cta_waits, flush;
	uint32_t fence_cta_latency, fence_gpu_latency, fence_sys_latency, fence_store_latency;
	uint32_t cluster_barrier_latency, cluster_barrier_cta_latency;
	/* bulk copies */
	uint32_t cancel_latency;
	uint32_t bulk_latency, bulk_miss_latency, bulk_interval, bulk_cluster_interval, bulk_in_flight,
		bulk_multicast_latency;
	/* sm.latency, sm.interval */
	uint32_t latency[CLASS_COUNT], interval[CLASS_COUNT], constant_operand_interval, compare_interval,
		barrier_latency, guard_latency, branch_latency, barrier_interval;
};

enum global_loads { GLOBAL_LOADS_CA, GLOBAL_LOADS_CG };
enum warp_split { SPLIT_MODULO, SPLIT_BLOCK };
enum work_unit { BY_SP, BY_SFU, BY_MIXED }; /* convert_unit, exchange_unit, count_unit */
enum half_unit { HALF_BY_SP, HALF_BY_TENSOR };

extern const struct sim_param sm_params[], sm_latency_params[], sm_interval_params[], sm_replay_params[];
void sm_config_complete(struct sm_config *config); /* latencies and intervals that are as others' */
void sm_limits_from(const struct sm_config *config, struct sm_limits *limits);

#endif
