/* core/gpu/launch/launch_cost.h -- launch overhead: the time that the chip takes to start a grid and to end
 * one (gpu.launch).
 *
 *   the host asks   may start            first CTA          last CTA ends       end
 *        |             |                     |                     |             |
 *        +-- waited ---+------ start-up -----+------- work --------+--- drain ---+
 *        +------------ at least `first` -----+
 *                      +- at least `queued` -+
 *
 * Start-up: the front end fetches the launch, hands its parameters and state to the SMs and enables the
 * distribution of CTAs. A launch that waits, for the work before it in its stream or for room among the
 * kernels under way, is fetched meanwhile, so that only the rest (`queued`, or in a graph `graph`) comes
 * after its wait. What a kernel launches starts up in `device` instead of `first`, counted from its call.
 * Drain: the last stores of the grid are made visible and its end is reported. Start-ups and drains of
 * kernels in different streams overlap with each other and with the work of other kernels.
 *
 * These are times, not cycles: the front end does not run with the SM clock, and the published figures are
 * near each other in time on chips whose clocks differ by a factor of two (docs/design/deviations-chip.md).
 * They are rounded up to whole core cycles. Nothing ticks while a kernel waits: a component sleeps until the
 * next start or end is due. Kernels without timing start and end at once; a kernel whose timing has ended at
 * a limit has no drain. */
#ifndef CORE_GPU_LAUNCH_LAUNCH_COST_H
#define CORE_GPU_LAUNCH_LAUNCH_COST_H

#include "sim/base/types.h"
#include "sim/config/param.h"

struct component;
struct gpu;
struct kernel_run;

struct launch_cost_config {
	double first, queued, graph, device, drain; /* microseconds */
};
extern const struct sim_param launch_cost_params[];

/* The kernel has entered the machine (its warm-up is over): it starts up, after which gpu_begin_timing. */
void launch_start_up(struct gpu *gpu, struct kernel_run *run);
/* Its last CTA has ended: it drains, after which gpu_end. */
void launch_drain(struct gpu *gpu, struct kernel_run *run);
/* It has been executed: so much time passes, and then gpu_end. */
void launch_passes(struct gpu *gpu, struct kernel_run *run, cycles length);
/* Its timing ends at a limit in this cycle: if it is starting up, the rest of the start-up is left out. */
void launch_cancel(struct kernel_run *run, cycles now);
/* Whether kernels are under way and each of them starts up or drains: no SM has anything to do. */
bool launches_only_wait(const struct gpu *gpu);
/* Whether all kernels under way, if there are any, are only counted or have no timing: their time is in no
 * statistic. */
bool launches_are_known(const struct gpu *gpu);
/* the tick of gpu->launch_timer. */
void launch_tick(struct component *c, cycles now);

#endif
