/* core/gpu/gpu_internal.h -- the GPU as its own files see it. */
#ifndef CORE_GPU_GPU_INTERNAL_H
#define CORE_GPU_GPU_INTERNAL_H

#include "core/diagnose/livelock.h"
#include "core/simt/warnings.h"
#include "core/chip/chip.h"
#include "core/gpu/cta_turnaround.h"
#include "core/gpu/gpu.h"
#include "core/lookahead/epoch.h"
#include "core/sm/gpu_for_sm.h"
#include "core/gpu/machine_config.h"
#include "core/gpu/point.h"
#include "core/kernel/occupancy.h"
#include "core/lsu/load_time.h"
#include "memsys/l2/set_aside.h"
#include "sim/event/event_kernel.h"

struct activity;
struct dispatch_machine;
struct energy;
struct execution_listener;
struct functional;
struct observers;
struct sampling;
struct services;
struct sm;
struct timeline;
struct warming;

/* Files of observers, open while they are written; NULL: not asked for. */
struct gpu_reports {
	FILE *series;
};

struct gpu {
	struct chip chip; /* first: its parts */
	struct machine_config config;
	struct gpu_properties properties;
	struct sm_limits limits;
	struct services *services;

	struct l2_halves *halves; /* NULL: the L2 has none */
	struct set_aside aside;
	uint64_t aside_bytes; /* of the L2 are set aside, as the program says */
	struct dram_channel **channels;
	struct network *requests, *replies;
	struct cluster_network *clusters;
	struct observers *observers;             /* NULL: none */
	struct paper_observers *paper_observers; /* NULL: none */
	struct activity *activity;               /* NULL: not counted */
	struct energy *energy;                   /* NULL: no model */
	struct series *series;                   /* the first of a list; NULL: none */
	struct timeline *timeline;               /* NULL: none */
	struct gpu_reports reports;

	/* the commit phase: stores become visible, CTAs end and start */
	struct component commit;
	struct cta_turnaround turnaround; /* CTAs that have ended and whose resources are not free yet */
	struct component launch_timer;    /* sleeps until a start-up or drain ends (launch_cost.c) */
	/* by SM, 0 or 1, in whole words of 8: SMs flag pending work, and only flagged SMs are visited */
	uint8_t *needs_commit;
	struct epochs epochs;
	struct kernel_run **runs_by_index; /* the same by run->index; NULL: free */
	struct dispatch *former_dispatch;  /* exchanged (change.h); NULL: none */
	uint64_t ages;
	struct memory_before *memory_before; /* while a launch is taken (launch/copies_under_way.h) */
	uint32_t next_gpc;                   /* where the next cluster is tried first (clusters.c) */
	addr code_end;                       /* where the next kernel's instructions go */

	/* launches.c, run_loop.c */
	struct kernel_run *ended;     /* in order: kernels whose end has not been reported to the host */
	struct kernel_run *abandoned; /* that a fault has ended, and that have CTAs on SMs yet (recover.c) */
	bool broken, interrupted;
	bool some_may_end; /* kernels, since those on which they depend have ended */
	bool yields;       /* the host is to be asked what is to start (gpu_yield) */
	bool is_profiled;  /* some launch has been (host_threads.c) */
	bool is_watched;   /* the livelock detector looks at every instruction */
	struct device_fault fault;
	uint64_t generation; /* of device memory, as the SMs know it */
	picoseconds next_report, accounted;
	cycles accounted_cycle;
	double host_seconds;      /* spent in here */
	double processor_seconds; /* the same of processor time, ... */
	double untimed_seconds;   /* ... without what goes before, between or behind CTAs with timing */
	uint64_t functional_threads, functional_warps;

	struct gpu_point point;
	struct machine_view view;
	struct livelock_detector livelock;
	uint64_t moved;    /* gpu_stands_still: what had moved when it was asked last, ... */
	cycles still_from; /* ... and since when it has been as much */
	struct warnings warnings;

	uint64_t launches;
	gpu_progress_function progress;
	void *progress_user;
	struct load_time load_time; /* of all SMs, as gpu_account has added it up */
};
extern const struct sim_stat gpu_stat_table[];

#define REPORT_PERIOD 20000000   /* ps: 20 us of simulated time between two progress reports */
double gpu_host_time(void);      /* seconds */
double gpu_processor_time(void); /* seconds of processor time of this process, of all threads together */
/* Brings the machine's own statistics up to now. */
void gpu_account(struct gpu *gpu);
/* chip->account of the machine whose part it is. */
void gpu_account_before(struct chip *chip);
/* launches.c: CTAs that are to have timing may start. */
void gpu_begin_timing(struct gpu *gpu, struct kernel_run *run);
/* CTAs that the functional executor has in the middle come back to the SMs, and the others behind them. */
void gpu_come_back(struct gpu *gpu, struct kernel_run *run);
/* What has been executed of a launch without timing has been taken back from memory, and counts no more;
 * or then it is timed from its beginning on. */
void gpu_forget_executed(struct gpu *gpu, struct kernel_run *run);
void gpu_time_after_all(struct gpu *gpu, struct kernel_run *run);
/* run_loop.c: executes CTAs of a launch without timing up to run->untimed_end; with a listener to their
 * memory instructions (functional_set_memory_listener); or up to `end`, with warming of caches
 * (core/sample/warming.h). begun: gpu_host_time() when this step began. */
void gpu_run_untimed(struct gpu *gpu, struct kernel_run *run, double begun);
void gpu_run_heard(
	struct gpu *gpu, struct kernel_run *run, const struct execution_listener *listener, double begun);
void gpu_run_warming(struct gpu *gpu, struct kernel_run *run, uint64_t end, double begun);
/* repeated_launch.c: a launch that is executed without timing since it repeats others. */
void gpu_run_repeated(struct gpu *gpu, struct kernel_run *run, double begun);
/* A kernel has ended: all its CTAs have. */
void gpu_end(struct gpu *gpu, struct kernel_run *run);
/* set_aside.c: a kernel with timing begins, whose window the L2 follows if it has one; it has ended. */
void gpu_window_begins(struct gpu *gpu, const struct kernel_run *run);
void gpu_window_ends(struct gpu *gpu, const struct kernel_run *run);
/* Frees kernels that were not finished. */
void gpu_free_runs(struct gpu *gpu);
void gpu_free_abandoned(struct gpu *gpu);
/* commit.c: what the dispatcher asks the machine; the tick of gpu->commit. */
struct dispatch_machine gpu_dispatch_machine(const struct gpu *gpu);
void gpu_commit_tick(struct component *c, cycles now);
/* Fills in fault: nothing can happen any more; which warps wait for what. */
void gpu_explain_hang(struct gpu *gpu, struct device_fault *fault);
/* Fills in fault: the kernel was stopped at a limit (as fault_begin_limit takes it); where the warps are. */
void gpu_explain_limit(struct gpu *gpu, struct device_fault *fault, const char *limit);
/* gpu_hang.c, as the two above: the machine as reports and the livelock detector see it. */
const struct machine_view *gpu_view(struct gpu *gpu);
/* To be called after each slice of simulated time: whether all warps were found to spin for ever; then
 * gpu->fault says so. is_alone: the host does nothing before the kernels end, and so cannot write what they
 * wait for. */
bool gpu_finds_hang(struct gpu *gpu, bool is_alone);
/* Whether nothing has moved for so long that nothing will, although the machine's clocks go on: no
 * instruction, no packet, no data in DRAM. To be called now and then. */
bool gpu_stands_still(struct gpu *gpu);
/* The length of a slice: at most `most`, less if hangs are searched for more often. */
picoseconds gpu_slice(const struct gpu *gpu, picoseconds most);

#endif
