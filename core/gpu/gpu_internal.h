/* core/gpu/gpu_internal.h -- the parts of the GPU that its own files see. */
#ifndef CORE_GPU_GPU_INTERNAL_H
#define CORE_GPU_GPU_INTERNAL_H

#include "core/gpu/timing_limit.h"
#include "core/dispatch/dispatch.h"
#include "core/observe/paper_observers.h"
#include "core/functional/functional.h"
#include "core/gpu/gpu.h"
#include "core/diagnose/warnings.h"
#include "core/observe/observers.h"
#include "core/observe/series.h"
#include "core/runtime/services.h"
#include "core/sm/sm.h"
#include "core/diagnose/livelock.h"
#include "dram/sched/sched.h"
#include "interconnect/network.h"
#include "memsys/l2/l2.h"
#include "memsys/observe/observe.h"

struct gpu_config {
	const char *name;
	uint32_t sms, partitions, interleave;
	uint32_t compute_major, compute_minor;
	double core_mhz, xbar_mhz, l2_mhz, dram_mhz, shader_mhz;
	uint64_t memory;                     /* bytes */
	double pcie_bandwidth, pcie_latency; /* GB/s, microseconds */
	uint32_t copy_engines;
	uint32_t max_kernels, ctas_per_cycle;
	uint32_t max_grid_x;
	uint64_t hang_cycles, hang_instructions, hang_check, seed;
};

struct output_config {
	uint32_t instances; /* enum gpu_instances */
};

/* Everything that was read from the configuration. */
struct machine_config {
	struct gpu_config gpu;
	struct sm_config sm;
	struct sched *scheduler;               /* prototype */
	struct limiter *limiter;               /* prototype */
	struct dispatch *dispatch;             /* prototype */
	struct request_buffer *request_buffer; /* prototype */
	struct bypass *bypass, *stall_bypass;  /* prototypes */
	struct cache_config l1d, constant, instruction, texture;
	struct l2_config l2;
	struct network_config xbar;
	struct dram_config dram;
	struct dram_sched *dram_scheduler; /* prototype */
	struct observe_config observe;
	struct paper_observers_config paper_observers;
	struct series_config series;
	struct output_config output;
	struct timing_limit_config timing_limit;
	struct warmup_config warmup;
};

bool machine_config_read(struct machine_config *m, struct config *config, struct diag_list *diags);
void machine_config_fini(struct machine_config *m);

/* combinations.c: an error for each mechanism that cannot do what it is for beside the others, at its place.
 */
void combinations_check(const struct machine_config *m, const struct config *config, struct diag_list *diags);

struct gpu_stats {
	uint64_t kernels, ctas, cycles, picoseconds, thread_instructions, warp_instructions;
	uint64_t divergent_barriers, barriers_left;
	uint64_t timing_limited_kernels, warmup_kernels, untimed_ctas, untimed_warp_instructions,
		untimed_thread_instructions;
};

/* Files of observers, open while they are written; NULL: not asked for. */
struct gpu_reports {
	FILE *series;
};

struct gpu {
	struct machine_config config;
	struct gpu_properties properties;
	struct sm_limits limits;
	struct partition_map map;
	struct simulator *sim;
	struct device_memory *memory;
	struct services *services;
	struct stat_tree *stat_tree;

	struct sm **sms;
	struct l2_slice **slices;
	struct dram_channel **channels;
	struct network *requests, *replies;
	struct observers *observers;             /* NULL: none */
	struct paper_observers *paper_observers; /* NULL: none */
	struct series *series;                   /* NULL: none */
	struct gpu_reports reports;
	picoseconds next_row; /* of the series; SIM_NEVER: none is written */

	/* the commit phase: stores become visible, CTAs end and start */
	struct component commit;
	uint8_t *needs_commit; /* by SM, 0 or 1, in whole words of 8: set by the SM, so that nobody need look
				  at the others */
	struct kernel_run **runs; /* under way, oldest first: run_count of max_kernels */
	uint32_t run_count;
	struct kernel_run **order_size; /* the same by run->place; NULL: free */
	struct dispatch *dispatch;
	uint64_t ages;
	addr code_end; /* where the next kernel's instructions go */

	/* launches.c, run_loop.c */
	struct kernel_run *ended; /* in order; their ends have not been told */
	bool stop;                /* a kernel has ended, or the machine is broken */
	bool broken, interrupted;
	bool is_profiled, is_watched; /* host_threads.c: some launch has been; the watch looks at every
				       * instruction
				       */
	struct device_fault fault;
	uint64_t generation; /* of device memory, as the SMs know it */
	picoseconds next_report, accounted;
	cycles accounted_cycle;
	double host_seconds;      /* spent in here */
	double processor_seconds; /* the same of processor time */
	uint64_t functional_threads, functional_warps;

	struct machine_view view;
	struct livelock_detector livelock;
	struct warnings warnings;

	struct functional *functional;
	uint64_t launches;
	gpu_progress_function progress;
	void *progress_user;
	struct gpu_stats stats;
	struct load_time load_time; /* of all SMs, as gpu_account has added it up */
};
extern const struct sim_stat gpu_stat_table[];

struct component *gpu_commit_component(struct gpu *gpu);
uint32_t gpu_sm_count(const struct gpu *gpu);
uint64_t gpu_next_age(struct gpu *gpu);
#define REPORT_PERIOD 20000000   /* 20 us of simulated time between two reports, and looks at limits */
double gpu_host_time(void);      /* seconds */
double gpu_processor_time(void); /* the same that this process has had, all threads together */
/* What the kernel has done so far on all SMs; cycles once it has ended. */
struct kernel_stats gpu_kernel_stats(const struct gpu *gpu, const struct kernel_run *run);
/* reports.c: a file of an observer, opened (NULL with diagnostics) and closed; false: not all was written. */
FILE *report_open(const char *folder, const char *name, struct diag_list *diags);
bool report_close(FILE **file);
/* Brings the machine's own statistics up to now. */
void gpu_account(struct gpu *gpu);
/* The same at a time whose edges have not run yet (series.c). */
void gpu_account_before(struct gpu *gpu);
/* launches.c: CTAs that are to have timing may start. */
void gpu_begin_timing(struct gpu *gpu, struct kernel_run *run);
/* A kernel has ended: all its CTAs have. */
void gpu_end(struct gpu *gpu, struct kernel_run *run);
/* Those that nobody has finished. */
void gpu_free_runs(struct gpu *gpu);
/* commit.c: what the dispatcher asks; the tick of gpu->commit. */
struct dispatch_machine gpu_dispatch_machine(const struct gpu *gpu);
void gpu_commit_tick(struct component *c, cycles now);
/* Fills in fault: nothing can happen any more; who waits on what. */
void gpu_explain_hang(struct gpu *gpu, struct device_fault *fault);
/* Fills in fault: the kernel was stopped at a limit (as fault_begin_limit takes it); where the warps are. */
void gpu_explain_limit(struct gpu *gpu, struct device_fault *fault, const char *limit);
/* gpu_hang.c; the two above too. The machine for reports and the watch: made once. */
const struct machine_view *gpu_view(struct gpu *gpu);
/* To be called after each slice of simulated time: whether all warps were found to spin for ever. Then
 * gpu->fault tells. is_alone: the host does nothing before the kernels end, so that nobody else can write
 * what they wait for. */
bool gpu_finds_hang(struct gpu *gpu, bool is_alone);
/* The length of a slice: `most`, or less if hangs are looked for more often. */
picoseconds gpu_slice(const struct gpu *gpu, picoseconds most);

#endif
