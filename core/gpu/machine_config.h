/* core/gpu/machine_config.h -- everything that a machine reads from its configuration. */
#ifndef CORE_GPU_MACHINE_CONFIG_H
#define CORE_GPU_MACHINE_CONFIG_H

#include "core/chip/gpcs.h"
#include "core/chip/gpu_config.h"
#include "core/energy/energy.h"
#include "core/lookahead/lookahead.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/gpu/launch/timing_limit.h"
#include "core/sample/sampling.h"
#include "core/observe/paper_observers.h"
#include "core/observe/series.h"
#include "core/observe/timeline.h"
#include "core/lsu/tlb.h"
#include "core/sm/sm_config.h"
#include "dram/channel.h"
#include "frontend/ptx.h"
#include "interconnect/cluster_network.h"
#include "interconnect/network.h"
#include "memsys/l1/cache_config.h"
#include "memsys/l2/l2.h"
#include "memsys/observe/observe.h"

struct bypass;
struct dispatch;
struct dram_sched;
struct limiter;
struct coalescer;
struct request_buffer;
struct sched;

enum functional_clock { FUNCTIONAL_CLOCK_NONE, FUNCTIONAL_CLOCK_PEAK };
enum functional_order { FUNCTIONAL_SEQUENTIAL, FUNCTIONAL_INTERLEAVED };
struct functional_config {
	uint32_t order; /* enum functional_order */
	uint32_t clock; /* enum functional_clock */
};

struct output_config {
	uint32_t instances; /* enum gpu_instances */
	bool kernels;       /* statistics of the machine for each kernel */
	bool activity;      /* core/energy/activity.h */
};

/* Everything that was read from the configuration. */
struct machine_config {
	char *plugins; /* paths of the plug-ins, one a line */
	struct gpu_config gpu;
	struct memory_config memory;
	struct gpcs gpcs; /* gpu.gpcs, as read */
	struct ptx_lowering frontend;
	struct sm_config sm;
	struct sched *scheduler;               /* prototype */
	struct limiter *limiter;               /* prototype */
	struct dispatch *dispatch;             /* prototype */
	struct coalescer *coalescer;           /* prototype */
	struct request_buffer *request_buffer; /* prototype */
	struct bypass *bypass, *stall_bypass;  /* prototypes */
	struct cache_config l1d, constant, instruction, l15, texture;
	struct tlb_config tlb;
	struct l2_config l2;
	struct network_config xbar;
	struct cluster_network_config cluster;
	struct dram_config dram;
	struct dram_sched *dram_scheduler; /* prototype */
	struct observe_config observe;
	struct observer *observer; /* prototype */
	struct paper_observers_config paper_observers;
	struct series_config series;
	struct timeline_config timeline;
	struct output_config output;
	struct functional_config functional;
	struct energy_config energy;
	struct launch_cost_config launch;
	struct timing_limit_config timing_limit;
	struct warmup_config warmup;
	struct sample_config sample;
	struct lookahead lookahead; /* follows from the others */
};

bool machine_config_read(struct machine_config *m, struct config *config, struct diag_list *diags);
void machine_config_fini(struct machine_config *m);

/* combinations.c: reports an error for each mechanism that cannot work together with the others. */
void combinations_check(const struct machine_config *m, const struct config *config, struct diag_list *diags);

#endif
