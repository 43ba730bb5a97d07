/* core/gpu_internal.h -- the parts of the GPU that its own files see. */
#ifndef CORE_GPU_INTERNAL_H
#define CORE_GPU_INTERNAL_H

#include "core/functional.h"
#include "core/gpu.h"
#include "core/notes.h"
#include "core/services.h"
#include "core/sm.h"
#include "core/watch.h"
#include "dram/channel.h"
#include "interconnect/xbar.h"
#include "memsys/l2.h"

struct gpu_config {
	const char *name;
	uint32_t sms, partitions, interleave;
	uint32_t compute_major, compute_minor;
	double core_mhz, xbar_mhz, l2_mhz, dram_mhz, shader_mhz;
	uint64_t memory;                     /* bytes */
	double pcie_bandwidth, pcie_latency; /* GB/s, microseconds */
	uint32_t ctas_per_cycle;
	uint32_t max_grid_x;
	uint64_t max_cycles, max_instructions, hang_check, seed;
};

/* Everything that was read from the configuration. */
struct machine_config {
	struct gpu_config gpu;
	struct sm_config sm;
	struct sched *scheduler; /* prototype */
	struct cache_config l1d, constant;
	struct l2_config l2;
	struct xbar_config xbar;
	struct dram_config dram;
};

bool machine_config_read(struct machine_config *m, struct config *config, struct diag_list *diags);
void machine_config_fini(struct machine_config *m);

struct gpu_stats {
	uint64_t kernels, ctas, cycles, picoseconds, thread_instructions, warp_instructions;
	uint64_t divergent_barriers, barriers_left;
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
	struct xbar *requests, *replies;

	/* the commit phase: stores become visible, CTAs end and start */
	struct component commit;
	struct kernel_run *run; /* NULL: none */
	uint32_t next_sm;       /* round robin of the dispatcher */
	uint64_t ages;
	bool stop, broken;
	struct device_fault fault;

	struct machine_view view;
	struct watch watch;
	struct notes notes;

	struct functional *functional;
	uint64_t launches;
	gpu_progress_function progress;
	void *progress_user;
	struct gpu_stats stats;
};
extern const struct sim_stat gpu_stat_table[];

struct component *gpu_commit_component(struct gpu *gpu);
uint32_t gpu_sm_count(const struct gpu *gpu);
uint64_t gpu_next_age(struct gpu *gpu);
/* The tick of gpu->commit (dispatch.c). */
void gpu_commit_tick(struct component *c, cycles now);
/* Fills in fault: nothing can happen any more; who waits on what. */
void gpu_explain_hang(struct gpu *gpu, struct device_fault *fault);
/* Fills in fault: the kernel was stopped at a limit (as fault_begin_limit takes it); where the warps are. */
void gpu_explain_limit(struct gpu *gpu, struct device_fault *fault, const char *limit);
/* gpu_hang.c; the two above too. The machine for reports and the watch: made once. */
const struct machine_view *gpu_view(struct gpu *gpu);
/* To be called after each slice of simulated time: whether all warps were found to spin for ever. Then gpu->fault tells. */
bool gpu_finds_hang(struct gpu *gpu);
/* The length of a slice: `most`, or less if hangs are looked for more often. */
picoseconds gpu_slice(const struct gpu *gpu, picoseconds most);

#endif
