/* core/sm/sm_stats.c -- declared statistics of an SM. */
#include "core/sm/sm.h"

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

#define COUNT(field, unit, help) \
	{ \
		SIM_STAT_COUNT, #field, offsetof(struct sm, stats.field), 0, 0, unit, help \
	}

const struct sim_stat sm_stats[] = {
	COUNT(warp_instructions, "instructions", "warp instructions issued"),
	COUNT(thread_instructions, "instructions",
		"thread instructions: active lanes of the warp instructions"),
	SIM_FORMULA("lanes_per_instruction", lanes_per_instruction, "lanes",
		"active lanes of a warp instruction"),
	{ SIM_STAT_VECTOR, "issued", offsetof(struct sm, stats.issued), unit_names, 0, "instructions",
		"warp instructions by unit" },
	{ SIM_STAT_VECTOR, "issue_slots", offsetof(struct sm, stats.issue_slots), slot_names, 0, "slots",
		"issue slots (a scheduler's cycle) by where they went" },
	COUNT(dual_issues, "instructions", "issued as a second one beside another of the same warp"),
	COUNT(bank_conflict_cycles, "cycles",
		"that instructions waited for operands behind others at a register bank"),
	COUNT(write_conflict_cycles, "cycles", "that results waited for a register bank"),
	COUNT(result_bus_cycles, "cycles", "that results waited for a result bus"),
	COUNT(prefetches, "lines", "of instructions that were prefetched"),
	COUNT(flushes, "flushes", "of an instruction buffer, because the warp went on elsewhere"),
	COUNT(issue_cycles, "cycles", "cycles in which at least one scheduler issued"),
	COUNT(warp_cycles, "cycles", "cycles that warps were resident, added up over warps"),
	COUNT(ctas, "CTAs", "CTAs started"),
	COUNT(fetches, "fetches", "instruction fetches"),
	COUNT(branches, "instructions", "branch instructions"),
	COUNT(divergent_branches, "instructions", "branches on which lanes of the warp disagreed"),
	SIM_FORMULA("divergent_share", divergent_share, "ratio", "divergent branches per branch"),
	COUNT(barriers, "instructions", "barrier waits"),
	COUNT(loads, "instructions", "load instructions but for parameters"),
	COUNT(stores, "instructions", "store instructions"),
	COUNT(atomics, "instructions", "atomic instructions"),
	COUNT(shared_accesses, "instructions", "instructions on shared memory"),
	COUNT(shared_conflict_cycles, "cycles",
		"cycles beyond the first that shared-memory instructions took"),
	COUNT(constant_accesses, "instructions", "loads through the constant cache"),
	COUNT(parameter_accesses, "instructions", "loads of kernel parameters"),
	COUNT(line_requests, "requests", "line requests that the coalescer made"),
	{ SIM_STAT_HIST, "lines_per_access", offsetof(struct sm, stats.lines_per_access), 0, 0, "requests",
		"line requests of a global or local memory instruction" },
	{ SIM_STAT_HIST, "load_latency", offsetof(struct sm, stats.load_latency), 0, 0, "cycles",
		"load instructions, from issue to the last datum" },
	COUNT(lsu_stall_cycles, "cycles", "cycles that a refused request held up the load/store unit"),
	COUNT(lsu_waiting_cycles, "cycles",
		"that memory instructions waited for the coalescer or went through it, from issue on, added "
		"up over instructions"),
	COUNT(lsu_in_flight_cycles, "cycles",
		"from issue to the last datum, added up over memory instructions"),
	COUNT(texture_accesses, "instructions", "texture fetches, and loads through the texture cache"),
	COUNT(texture_lines, "requests", "of the line requests, those to the texture cache"),
	SIM_STAT_END,
};
