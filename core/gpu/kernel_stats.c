/* core/gpu/kernel_stats.c -- declared statistics of one kernel (group "kernel"). */
#include "core/gpu/kernel_stats.h"

static const char *const unit_names[UNIT_COUNT + 1] = { "sp", "sfu", "dp", "ldst", "control", NULL };

const char *const timing_limit_names[TIMING_LIMITS + 1] = { "instructions", "cycles", "ctas", "run", NULL };

static double ipc(const void *object)
{
	const struct kernel_stats *s = object;

	return (double)s->thread_instructions / (double)(s->cycles - s->drain_cycles);
}

static double l1_miss_rate(const void *object)
{
	const struct kernel_stats *s = object;

	return (double)s->l1_misses / (double)(s->l1_hits + s->l1_misses + s->l1_merged);
}

static double load_latency(const void *object)
{
	const struct kernel_stats *s = object;

	return (double)s->load_cycles / (double)s->load_samples;
}

#define COUNT(field, unit, help) SIM_COUNT(struct kernel_stats, field, unit, help)

const struct sim_stat kernel_stat_table[] = {
	COUNT(cycles, "cycles", "core cycles from its start to its end"),
	COUNT(warp_instructions, "instructions", "warp instructions of this kernel"),
	COUNT(thread_instructions, "instructions", "thread instructions of this kernel"),
	SIM_FORMULA("ipc", ipc, "instructions/cycle",
		"its thread instructions per core cycle, up to where it was cut"),
	SIM_VECTOR(struct kernel_stats, issued, unit_names, "instructions", "its warp instructions by unit"),
	COUNT(ctas, "CTAs", "CTAs started"),
	COUNT(branches, "instructions", "branch instructions"),
	COUNT(divergent_branches, "instructions", "branches on which lanes of the warp disagreed"),
	COUNT(barriers, "instructions", "barrier waits"),
	COUNT(loads, "instructions", "load instructions but for parameters"),
	COUNT(stores, "instructions", "store instructions"),
	COUNT(atomics, "instructions", "atomic instructions"),
	COUNT(shared_accesses, "instructions", "instructions on shared memory"),
	COUNT(shared_conflict_cycles, "cycles",
		"cycles beyond the first that shared-memory instructions took"),
	COUNT(line_requests, "requests", "line requests that the coalescer made"),
	COUNT(l1_hits, "requests", "loads that found their line in the L1"),
	COUNT(l1_misses, "requests", "loads that asked the L2 for their line"),
	COUNT(l1_merged, "requests", "loads of a line that was in flight"),
	SIM_FORMULA("l1_miss_rate", l1_miss_rate, "ratio", "misses per cached load"),
	COUNT(load_samples, "instructions", "load instructions whose last datum has come"),
	COUNT(load_cycles, "cycles", "from their issue to the last datum, added up"),
	SIM_FORMULA("load_latency", load_latency, "cycles",
		"load instructions, from issue to the last datum, on average"),
	SIM_VECTOR(struct kernel_stats, load_stages, load_stage_names, "cycles",
		"its load_cycles by where they went, as in sm.load_time"),
	SIM_VECTOR(struct kernel_stats, issue_slots, slot_names, "slots",
		"issue slots that its warps used, or that were lost because of what its warps waited for"),
	SIM_VECTOR(struct kernel_stats, timing_limit, timing_limit_names, "kernels",
		"1: it was cut by this limit (gpu.timing_limit), and what remained was executed without "
		"timing"),
	COUNT(drain_cycles, "cycles",
		"of its cycles, those after the cut, in which what was under way came to its end"),
	COUNT(untimed_ctas, "CTAs",
		"that ended without timing: warm-up, and after a cut those that had not ended"),
	COUNT(untimed_warp_instructions, "instructions",
		"warp instructions executed without timing, not counted elsewhere"),
	COUNT(untimed_thread_instructions, "instructions",
		"thread instructions executed without timing, not counted elsewhere"),
	SIM_STAT_END,
};

_Static_assert(sizeof(struct kernel_stats) % sizeof(uint64_t) == 0, "counters alone");

void kernel_stats_add(struct kernel_stats *to, const struct kernel_stats *more)
{
	uint64_t *sum = (uint64_t *)to;
	const uint64_t *part = (const uint64_t *)more;

	for (size_t i = 0; i < sizeof(*to) / sizeof(*sum); i++)
		sum[i] += part[i];
}
