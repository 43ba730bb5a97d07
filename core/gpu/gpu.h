/* core/gpu/gpu.h -- the GPU assembled from a configuration: SMs, crossbars, L2 slices, DRAM channels; and the
 * launches that run on it. They are connected only in gpu.c. */
#ifndef CORE_GPU_GPU_H
#define CORE_GPU_GPU_H

#include "core/chip/gpu_config.h"
#include "core/exec/device_fault.h"
#include "core/kernel/kernel_stats.h"
#include "core/kernel/launch.h"
#include "sim/stats/sample_estimate.h"
#include "sim/base/types.h"
#include <stdio.h>

struct config;
struct cta_resource_request;
struct device_memory;
struct diag_list;
struct dram_config;
struct ptx_lowering;
struct gpu;
struct kernel_run;
struct load_time;
struct sm_limits;
struct stat_tree;
struct stat_estimate;
struct stat_trust;

/* The chip as programs see it: device queries answer from here. Filled in from the configuration section
 * "gpu". */
struct gpu_properties {
	const char *name; /* "GeForce GTX 480 (simulated)" */
	uint32_t compute_major, compute_minor;
	uint32_t sm_count, cluster_ctas;
	uint64_t memory_bytes;
	uint32_t max_threads_per_cta, max_threads_per_sm, max_warps_per_sm, max_ctas_per_sm;
	uint32_t registers_per_sm, registers_per_cta, shared_per_sm, shared_per_cta;
	uint32_t max_grid_x;
	uint32_t l2_bytes, memory_bus_bits;
	double core_mhz, shader_mhz, memory_mhz;
	double pcie_bandwidth, pcie_latency; /* GB/s, microseconds */
	uint32_t copy_engines, max_kernels;
};

/* Reads every section from the configuration and builds the machine. NULL, with diagnostics, if something
 * does not fit (unknown keys are the caller's to check, with config_check_unknown). config must outlive the
 * gpu. */
struct gpu *gpu_new(struct config *config, struct diag_list *diags);
/* Whether gpu_new would build it: NULL, with the same diagnostics, if not. What it builds has one SM and the
 * fewest partitions that there can be, so that thousands of configurations are checked in seconds; it is not
 * to be run. */
struct gpu *gpu_check(struct config *config, struct diag_list *diags);
/* gpu_new with the device memory of a machine that has timed nothing yet, and with what kernels without
 * timing left there: `before` is then only to be freed. NULL, with diagnostics, also if it cannot be: another
 * size of memory, another way to make code. */
struct gpu *gpu_successor(struct gpu *before, struct config *config, struct diag_list *diags);
void gpu_free(struct gpu *gpu);
const struct gpu_properties *gpu_properties(const struct gpu *gpu);
struct device_memory *gpu_memory(struct gpu *gpu);
uint64_t gpu_seed(const struct gpu *gpu);
const struct ptx_lowering *gpu_lowering(const struct gpu *gpu); /* what kernels are to be made of */
const struct dram_config *gpu_dram(const struct gpu *gpu);
uint32_t gpu_partitions(const struct gpu *gpu); /* each an L2 slice and a DRAM channel */
/* The estimate of energy, as of now; NULL: no model is configured. */
struct energy;
const struct energy *gpu_energy(struct gpu *gpu);
/* The paths of its plug-ins, one a line. */
const char *gpu_plugins(const struct gpu *gpu);
/* How the SMs worked ahead of the machine (core/lookahead), and what threads can be worth, for
 * --host-profile. */
void gpu_print_windows(const struct gpu *gpu, FILE *stream);
/* Where the time of all loads so far went. */
const struct load_time *gpu_load_time(struct gpu *gpu);
struct stat_tree *gpu_stats(struct gpu *gpu);
/* All statistics of a run with sampling, as they would be without it (core/sample/sampling.h). False: nothing
 * is estimated. The estimate is to be freed by the caller. */
bool gpu_estimates(struct gpu *gpu, struct stat_estimate *estimate, struct stat_trust *trust);
/* Where the statistics of each SM, slice and channel are to be printed beside their sums. */
enum gpu_instances gpu_instances(const struct gpu *gpu);
/* Whether time passes in launches without timing (functional.clock). */
bool gpu_functional_time(const struct gpu *gpu);
/* Whether the statistics of each kernel, its launches added up, are wanted (observe.kernels). */
bool gpu_wants_kernel_statistics(const struct gpu *gpu);
/* The file in the output folder that dram.trace asks for; NULL: none. gpu_trace_dram: DRAM commands go there
 * from now on; the stream is the caller's, and must outlive the work of the machine. */
const char *gpu_dram_trace(const struct gpu *gpu);
void gpu_trace_dram(struct gpu *gpu, FILE *stream);
const struct sm_limits *gpu_limits(const struct gpu *gpu); /* for occupancy */

/* Grid, block and resources against the chip's limits: NULL if the launch can run, else a sentence (static or
 * in message[size]). */
const char *gpu_check_launch(const struct gpu *gpu, const struct launch *launch, char *message, size_t size);

/* What a CTA of the launch asks an SM for, and how many CTAs fit. */
struct cta_resource_request launch_resource_request(const struct gpu *gpu, const struct launch *launch);

enum gpu_outcome { GPU_DONE, GPU_FAULT, GPU_INTERRUPTED };

/* What a kernel launch came to. */
struct launch_result {
	enum gpu_outcome outcome;
	struct device_fault fault;                             /* GPU_FAULT */
	uint64_t id;                                           /* 1, 2, 3 ... in order of launching */
	picoseconds start, end;                                /* simulated */
	cycles core_cycles;                                    /* 0 in functional mode */
	uint64_t thread_instructions, warp_instructions, ctas; /* with timing; in functional mode all */
	enum timing_limit_kind timing_limit; /* TIMING_LIMIT_NONE, or which limit of gpu.timing_limit ended
						its timing */
	bool is_untimed; /* it had no timing, though the run has: warm-up, or (TIMING_LIMIT_RUN) it came too
			    late */
	uint64_t divergent_barriers, barriers_left;
	uint32_t overlapped;             /* other kernels that were under way while this one was */
	struct sample_estimate estimate; /* of its time, with sampling (core/sample); else all 0 */
	struct kernel_stats stats;       /* its own, all SMs added up */
	double host_seconds;
};

/* Called now and then (by simulated work, not by wall clock) while a kernel runs, of several for the oldest;
 * returning false interrupts what is under way. */
struct gpu_progress {
	const struct launch *launch;
	uint64_t id;      /* of the launch */
	uint32_t running; /* kernels under way */
	uint64_t ctas_done, ctas_total;
	cycles core_cycles;
	uint64_t thread_instructions;
	double host_seconds;
};
typedef bool (*gpu_progress_function)(void *user, const struct gpu_progress *progress);
void gpu_set_progress(struct gpu *gpu, gpu_progress_function function, void *user);
/* The same as if that function had said so now: kernels under way are over, and none starts any more. Not
 * while gpu_advance runs. */
void gpu_interrupt(struct gpu *gpu);

/* Processor time that simulation has taken so far, of all threads together: neither the program's nor that of
 * output, nor, in a run with timing, what was executed without it. */
double gpu_processor_seconds(const struct gpu *gpu);
/* Those of what was executed without timing in launches that have timing (warm-up, sampling, behind a limit),
 * which are not among them. */
double gpu_untimed_seconds(const struct gpu *gpu);

/* --- launches, several at once --- */

/* Puts a launch beside those that are under way; its CTAs start as the SMs have room, older launches' first.
 * NULL if as many kernels are under way as the chip runs at once (gpu.max_kernels), if those leave no device
 * memory for its local memory, or if the machine is broken. What goes wrong with the launch itself (no room
 * for local memory) comes out as the fault of its result. */
struct kernel_run *gpu_start(struct gpu *gpu, const struct launch *launch, bool functional);

/* Both have been started, and have not ended: `run` was allowed to start before `on` has ended, by
 * gpu_has_triggered, and what of it waits for earlier kernels waits for that one (griddepcontrol.wait). */
void gpu_depend(struct kernel_run *run, struct kernel_run *on);
/* Whether kernels may start that depend on this one, which is under way; gpu_advance returns when that comes
 * to be so after it was asked. */
bool gpu_has_triggered(const struct gpu *gpu, struct kernel_run *run);

enum gpu_event {
	GPU_ENDED,   /* a kernel has ended: *ended */
	GPU_REACHED, /* simulated time is `until`; or nothing is under way and time has been moved there; or
			gpu_yield */
	GPU_STOPPED, /* a fault or an interruption: the machine is broken, every kernel under way has ended
			with it */
};
/* Lets simulated time go on until one of these happens. A functional launch ends at once. Of kernels that end
 * at the same time the older is reported first. */
enum gpu_event gpu_advance(struct gpu *gpu, picoseconds until, struct kernel_run **ended);
/* The results of a kernel that has ended, or that a stop has ended; frees it. Of a machine that is broken and
 * so could not start a launch (run is NULL): the fault that broke it. */
void gpu_finish(struct gpu *gpu, struct kernel_run *run, struct launch_result *result);

/* After a fault, when all kernels that it ended are finished: the machine starts kernels again. What they had
 * under way passes first. false: it was interrupted, or nothing moves in it any more, and it stays as it is.
 */
bool gpu_recover(struct gpu *gpu);

/* From now on the machine is simulated by so many host threads (1, as at first, to SIM_MAX_THREADS); results
 * are the same to the last digit. Not while gpu_advance runs. gpu_print_serial: says, a line each, what one
 * thread does nevertheless; is_profiled: launches will be. */
void gpu_set_threads(struct gpu *gpu, uint32_t threads);
void gpu_print_serial(const struct gpu *gpu, bool is_profiled, FILE *to);

/* Lets the memory system finish what the kernels left in it (write-backs), so that totals add up. Does
 * nothing after a fault or an interruption. */
void gpu_drain(struct gpu *gpu);

/* A timeline (core/observe/timeline.h) into a file, which stays the caller's until gpu_close_timeline; title:
 * of the run. false, with diagnostics, if observe.timeline is wrong. gpu_timeline: NULL: none is open. */
struct timeline;
bool gpu_open_timeline(
	struct gpu *gpu, FILE *file, const char *title, struct config *config, struct diag_list *diags);
struct timeline *gpu_timeline(const struct gpu *gpu);
void gpu_close_timeline(struct gpu *gpu);

/* What the machine is at, as a JSON object: time, kernels under way, instructions and issue slots so far, how
 * full queues are, and what warps wait for. For who watches a run (host/session/session_monitor.c). Where SMs
 * or the memory side work ahead of each other, each is told as it is. */
void gpu_print_monitor(struct gpu *gpu, FILE *f);

/* Files that observers write (section observe of the configuration): whether there will be any; opens them in
 * an existing folder, false with diagnostics if that fails; writes what remains, after gpu_drain, and closes
 * them, false if anything could not be written; or removes them, where the run does not begin. */
bool gpu_wants_reports(const struct gpu *gpu);
bool gpu_open_reports(struct gpu *gpu, const char *folder, struct diag_list *diags);
bool gpu_close_reports(struct gpu *gpu);
void gpu_discard_reports(struct gpu *gpu);

/* Sizes in bytes of the heap from which kernels allocate (malloc) and of the buffer into which they print
 * (printf); false once a kernel has used it. */
bool gpu_set_heap(struct gpu *gpu, uint64_t bytes);
bool gpu_set_output(struct gpu *gpu, uint64_t bytes);
/* So many bytes of the L2, rounded up to whole ways of its sets, are for lines that persist; no line
 * persists any more. While no kernel is under way, or between two steps of gpu_advance. */
void gpu_set_aside(struct gpu *gpu, uint64_t bytes);
void gpu_reset_persisting(struct gpu *gpu);
/* Writes what kernels have printed since the last time: printf to out, failed assertions to error. */
void gpu_flush_output(struct gpu *gpu, FILE *out, FILE *error);

/* Who answers what kernels ask of whoever starts them (core/runtime/services.h): launches by kernels, and
 * questions about the device. Called within gpu_advance; gpu_yield has that return, so that what was asked
 * for can start. */
struct device_call;
void gpu_answer_calls(
	struct gpu *gpu, uint64_t (*answer)(void *user, const struct device_call *call), void *user);
void gpu_yield(struct gpu *gpu);

/* Writes warnings about doubtful barriers that kernels have been found to use, each once. */
void gpu_flush_warnings(struct gpu *gpu, FILE *to);

picoseconds gpu_now(const struct gpu *gpu);

/* Whether kernels are under way; whether some have used the heap (malloc). */
bool gpu_is_at_work(const struct gpu *gpu);
bool gpu_has_heap(const struct gpu *gpu);
/* What another machine needs to go on with the one launch that is under way, within gpu_advance at a point
 * (gpu_set_point); the states are malloc'ed (resume_free). local: the local memory of its warps, which is
 * among the allocations of device memory; 0: none. Returns why it is not possible, NULL if it is. */
const char *gpu_take_launch(
	struct gpu *gpu, struct launch_resume *to, const struct launch **launch, addr *local);
/* The device memory, too, has been saved: it holds what copies under way will have done. They are taken back.
 */
void gpu_taken_launch(struct gpu *gpu);
/* The clock that kernels read while they are executed without timing; it never goes back. */
uint64_t gpu_functional_clock(const struct gpu *gpu);
void gpu_set_functional_clock(struct gpu *gpu, uint64_t clock);

/* In a process that was forked: the processor time of its parent up to then, in seconds, counts as its own.
 */
void gpu_forked(struct gpu *gpu, double processor_seconds);

#endif
