/* core/kernel/kernel_stats.c -- declared statistics of one kernel (group "kernel"). */
#include "core/kernel/kernel_stats.h"

static const char *const unit_names[UNIT_COUNT + 1] = { "sp", "sfu", "dp", "ldst", "control", NULL };

const char *const timing_limit_names[TIMING_LIMITS + 1] = { "instructions", "cycles", "ctas", "run", NULL };

static double kernel_ipc(const void *object)
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
	COUNT(cycles, "cycles",
		"core cycles from the start of the kernel to its end, start-up and drain of its grid "
		"included"),
	COUNT(launch_cycles, "cycles", "cycles of the start-up and the drain of its grid (gpu.launch)"),
	COUNT(warp_instructions, "instructions", "warp instructions of the kernel"),
	COUNT(thread_instructions, "instructions", "thread instructions of the kernel"),
	SIM_FORMULA("ipc", kernel_ipc, "instructions/cycle",
		"thread instructions of the kernel per core cycle, up to its timing limit if it has reached "
		"one"),
	SIM_VECTOR(struct kernel_stats, issued, unit_names, "instructions",
		"warp instructions of the kernel by the unit that executes them"),
	COUNT(ctas, "CTAs", "CTAs started"),
	COUNT(branches, "instructions", "branch instructions"),
	COUNT(divergent_branches, "instructions",
		"branches that diverged: lanes of the warp took both directions"),
	COUNT(barriers, "instructions", "barrier instructions at which warps waited"),
	COUNT(loads, "instructions", "load instructions, except loads of kernel parameters"),
	COUNT(stores, "instructions", "store instructions"),
	COUNT(atomics, "instructions", "atomic instructions"),
	COUNT(shared_accesses, "instructions", "instructions that access shared memory"),
	COUNT(shared_conflict_cycles, "cycles",
		"cycles that shared-memory instructions took beyond their first, because of bank conflicts "
		"or width"),
	COUNT(line_requests, "requests",
		"line requests that the coalescer made of global and local accesses"),
	COUNT(l1_hits, "requests", "loads that found their line in the L1"),
	COUNT(l1_misses, "requests", "loads that asked the L2 for their line"),
	COUNT(l1_merged, "requests", "loads of a line that was in flight"),
	SIM_FORMULA("l1_miss_rate", l1_miss_rate, "ratio", "misses per load that looked up the L1"),
	COUNT(load_samples, "instructions", "load instructions that have received their last data"),
	COUNT(load_cycles, "cycles", "cycles from issue to the last data of load instructions, added up"),
	SIM_FORMULA("load_latency", load_latency, "cycles",
		"mean latency of a load instruction, from issue to its last data"),
	SIM_VECTOR(struct kernel_stats, load_stages, load_stage_names, "cycles",
		"load_cycles by the stage in which they were spent, as in sm.load_time"),
	SIM_VECTOR(struct kernel_stats, issue_slots, slot_names, "slots",
		"issue slots that the kernel's warps used, or that were lost because of what they waited "
		"for"),
	SIM_VECTOR(struct kernel_stats, timing_limit, timing_limit_names, "kernels",
		"1 if this limit (gpu.timing_limit) ended the timing of the kernel, whose remainder was then "
		"executed without timing"),
	COUNT(drain_cycles, "cycles",
		"cycles of the kernel after its timing limit, in which requests in flight completed"),
	COUNT(untimed_ctas, "CTAs",
		"CTAs that ended without timing: in warm-up, after a timing limit, or skipped by sampling"),
	COUNT(untimed_warp_instructions, "instructions",
		"warp instructions executed without timing; no other statistic counts them"),
	COUNT(untimed_thread_instructions, "instructions",
		"thread instructions executed without timing; no other statistic counts them"),
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
