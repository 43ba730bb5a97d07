/* core/chip/gpu_config.h -- the parameters of the whole chip (section gpu). */
#ifndef CORE_CHIP_GPU_CONFIG_H
#define CORE_CHIP_GPU_CONFIG_H

#include "sim/base/types.h"

struct gpu_config {
	const char *name;
	const char *gpcs; /* SMs of each GPC (core/chip/gpcs.h) */
	uint32_t cluster_ctas;
	uint32_t sms, partitions, interleave;
	uint32_t compute_major, compute_minor;
	double core_mhz, xbar_mhz, l2_mhz, dram_mhz, shader_mhz;
	uint64_t memory;                     /* bytes */
	double pcie_bandwidth, pcie_latency; /* GB/s, microseconds */
	uint32_t copy_engines;
	uint32_t max_kernels, ctas_per_cycle, cta_turnaround, cta_interval;
	uint32_t max_grid_x;
	uint64_t hang_cycles, hang_instructions, hang_check, seed;
	uint32_t window;
	bool lookahead; /* as far as core/lookahead/lookahead.h finds it possible */
};

/* What kernels may access of device memory (section memory). */
enum memory_bounds { BOUNDS_ALLOCATION, BOUNDS_PAGE };
struct memory_config {
	uint32_t bounds; /* enum memory_bounds */
	uint64_t page;
};

/* Where the statistics of each SM, slice and channel are to be printed beside their sums (observe.instances).
 */
enum gpu_instances { INSTANCES_KERNELS, INSTANCES_TOTAL, INSTANCES_NEVER };

#endif
