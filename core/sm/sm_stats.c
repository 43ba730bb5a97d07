#include "core/sm/sm.h"
/* core/sm/sm_stats.c -- declared statistics of an SM. */

static const char *const direction_names[BULK_DIRECTIONS + 1] = { "to_shared", "to_global", "to_cluster",
	"to_l2", NULL };
static const char *const unit_names[UNIT_COUNT + 1] = { "sp", "sfu", "dp", "ldst", "control", NULL };

static double lanes_per_instruction(const void *object)
{
	const struct sm *sm = object;

	return (double)sm->stats.thread_instructions / (double)sm->stats.warp_instructions;
}

static double divergent_share(const void *object)
{
	const struct sm *sm = object;

	return (double)sm->stats.divergent_branches / (double)sm->stats.branches;
}

static double instructions_issued(const void *object)
{
	const struct sm *sm = object;

	return (double)(sm->stats.warp_instructions + sm->stats.issue_slots[SLOT_replay]);
}

static double replay_overhead(const void *object)
{
	const struct sm *sm = object;

	return (double)sm->stats.issue_slots[SLOT_replay] / (double)sm->stats.warp_instructions;
}

static double bulk_bytes_under_way(const void *object)
{
	const struct sm *sm = object;

	return (double)sm->stats.bulk_byte_cycles / (double)sm->stats.bulk_under_way;
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct sm, stats.field, #field, unit, help)

const struct sim_stat sm_stats[] = {
	COUNT(warp_instructions, "instructions", "warp instructions that issued"),
	COUNT(thread_instructions, "instructions",
		"thread instructions: the active lanes of the warp instructions, added up"),
	SIM_FORMULA("lanes_per_instruction", lanes_per_instruction, "lanes",
		"mean number of active lanes of a warp instruction"),
	SIM_VECTOR_AS(struct sm, stats.issued, "issued", unit_names, "instructions",
		"warp instructions by the unit that executes them"),
	{ SIM_STAT_VECTOR, "issue_slots", offsetof(struct sm, stats.issue_slots), slot_names, 0, "slots",
		"issue slots (one for each scheduler and cycle) by what they were used for or why they were "
		"lost" },
	SIM_VECTOR_AS(struct sm, stats.replays, "replays", replay_names, "instructions",
		"memory instructions that went again (sm.replay), by the reason: a further line or one that "
		"the L1 had refused, a conflict in shared memory or a further address of constants, data "
		"that arrive after a miss"),
	SIM_FORMULA("instructions_issued", instructions_issued, "instructions",
		"warp instructions that issued, replays included (the profiler's inst_issued; "
		"warp_instructions is its inst_executed)"),
	SIM_FORMULA("replay_overhead", replay_overhead, "ratio",
		"replays that issued per warp instruction (the profiler's inst_replay_overhead)"),
	COUNT(dual_issues, "instructions",
		"warp instructions that issued in one cycle with another instruction of their warp"),
	COUNT(bank_conflict_cycles, "cycles",
		"cycles that instructions waited for operands because a register bank served others"),
	COUNT(write_conflict_cycles, "cycles", "cycles that results waited for a register bank"),
	COUNT(result_bus_cycles, "cycles", "cycles that results waited for a result bus"),
	COUNT(prefetches, "lines", "instruction-cache lines that were prefetched"),
	COUNT(flushes, "flushes", "flushes of an instruction buffer because its warp branched"),
	COUNT(issue_cycles, "cycles", "cycles in which at least one scheduler issued"),
	COUNT(warp_cycles, "cycles", "cycles that warps were resident on the SM, added up over warps"),
	COUNT(ctas, "CTAs", "CTAs started"),
	COUNT(fetches, "fetches", "instruction fetches of one warp each"),
	COUNT(branches, "instructions", "branch instructions"),
	COUNT(divergent_branches, "instructions",
		"branches that diverged: lanes of the warp took both directions"),
	SIM_FORMULA("divergent_share", divergent_share, "ratio", "divergent branches per branch instruction"),
	COUNT(barriers, "instructions", "barrier instructions at which warps waited"),
	COUNT(loads, "instructions", "load instructions, except loads of kernel parameters"),
	COUNT(stores, "instructions", "store instructions"),
	COUNT(atomics, "instructions", "atomic instructions"),
	COUNT(shared_accesses, "instructions", "instructions that access shared memory"),
	COUNT(shared_conflict_cycles, "cycles",
		"cycles that shared-memory instructions took beyond their first, because of bank conflicts "
		"or width"),
	COUNT(constant_accesses, "instructions", "load instructions that access the constant cache"),
	COUNT(parameter_accesses, "instructions", "loads of kernel parameters"),
	COUNT(line_requests, "requests",
		"line requests that the coalescer made of global and local accesses"),
	SIM_HIST_AS(struct sm, stats.lines_per_access, "lines_per_access", "requests",
		"line requests of one global or local memory instruction"),
	SIM_HIST_AS(struct sm, stats.load_latency, "load_latency", "cycles",
		"latency of a load instruction, from issue to its last data"),
	COUNT(lsu_stall_cycles, "cycles",
		"cycles that the load/store unit was blocked by a request that the L1 refused"),
	COUNT(lsu_waiting_cycles, "cycles",
		"cycles from the issue of memory instructions until they had passed the coalescer, added up "
		"over instructions"),
	COUNT(lsu_in_flight_cycles, "cycles",
		"cycles from issue to the last data of memory instructions, added up over instructions"),
	COUNT(texture_accesses, "instructions", "texture fetches, and loads through the texture cache"),
	COUNT(texture_lines, "requests", "line requests to the texture cache"),
	SIM_VECTOR_AS(struct sm, stats.bulk_copies, "bulk_copies", direction_names, "copies",
		"bulk and tensor copies by direction: from global to shared memory, back, from shared memory "
		"to that of the cluster, prefetches into the L2"),
	SIM_VECTOR_AS(struct sm, stats.bulk_bytes, "bulk_bytes", direction_names, "bytes",
		"their bytes, of whole boxes"),
	SIM_VECTOR_AS(struct sm, stats.bulk_requests, "bulk_requests", direction_names, "requests",
		"line requests that they made to the L2"),
	COUNT(bulk_busy, "cycles", "cycles in which the unit of bulk copies was occupied by one"),
	COUNT(bulk_stalls, "cycles",
		"cycles in which it could make no request since the port for requests was full"),
	COUNT(bulk_under_way, "cycles", "cycles in which requests of bulk copies were under way"),
	COUNT(bulk_byte_cycles, "bytes", "their bytes, added up over these cycles"),
	SIM_FORMULA(
		"bulk_bytes_under_way", bulk_bytes_under_way, "bytes", "mean of their bytes in these cycles"),
	SIM_STAT_END,
};
