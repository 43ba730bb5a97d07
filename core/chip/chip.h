/* core/chip/chip.h -- the parts of a GPU, as those see them who look at it from outside: sampling, observers,
 * the energy model. core/gpu builds them and lets them work. */
#ifndef CORE_CHIP_CHIP_H
#define CORE_CHIP_CHIP_H

#include "core/chip/gpu_config.h"
#include "core/kernel/kernel_stats.h"
#include "memsys/partition_map.h"
#include "sim/event/event_kernel.h"

struct cache_config;
struct device_memory;
struct dispatch;
struct dram_config;
struct functional;
struct kernel_run;
struct l2_config;
struct l2_slice;
struct network_config;
struct sampling;
struct sm;
struct sm_config;
struct stat_tree;
struct warming;

struct gpu_stats {
	uint64_t kernels, ctas, cycles, launch_cycles, picoseconds, thread_instructions, warp_instructions;
	uint64_t divergent_barriers, barriers_left;
	uint64_t timing_limited_kernels, warmup_kernels, untimed_ctas, untimed_warp_instructions,
		untimed_thread_instructions;
};

struct chip {
	const struct gpu_config *config;
	const struct sm_config *sm;
	const struct cache_config *l1d;
	const struct l2_config *l2;
	const struct network_config *xbar;
	const struct dram_config *dram;
	struct partition_map map;
	struct simulator *sim;
	struct device_memory *memory;
	struct stat_tree *stat_tree;
	struct sm **sms;          /* config->sms */
	struct l2_slice **slices; /* config->partitions */
	struct dispatch *dispatch;
	struct functional *functional;
	struct kernel_run **runs; /* under way, the oldest first: run_count of config->max_kernels */
	uint32_t run_count;
	bool stop;                 /* time is to stand still: a kernel has ended, or somebody has asked */
	struct sampling *sampling; /* NULL: every CTA is timed */
	struct warming *warming;   /* of caches, while it is executed without timing; NULL: none */
	struct gpu_stats stats;
	/* brings all statistics up to a time whose edges have not run yet */
	void (*account)(struct chip *chip);
};

/* What the kernel has done so far on all SMs; its cycles are known once it has ended. */
struct kernel_stats chip_kernel_stats(const struct chip *chip, const struct kernel_run *run);
/* The counts of issue go to the statistics of SMs and kernels. */
void chip_sync_issue_counts(const struct chip *chip);
/* Whether the launch is only counted, or is of a run without timing: its time is in no statistic. */
bool launch_is_untold(const struct kernel_run *run);

#endif
