/* core/gpu/launch/grid_order.h -- kernels that start before those on which they depend have ended
 * (programmatic dependence; PTX ISA, griddepcontrol; CUDA C Programming Guide, "Programmatic Dependent
 * Launch").
 *
 * A kernel has triggered when each of its CTAs has executed launch_dependents or ended; then whoever starts
 * launches is told, if it has asked, and may start what depends on it. That kernel's griddepcontrol.wait
 * waits until all its prerequisites have ended, their drain included, and so does its own end. Kernels
 * trigger only on a machine that times them whole: what is executed without time runs in the order of
 * launches. */
#ifndef CORE_GPU_LAUNCH_GRID_ORDER_H
#define CORE_GPU_LAUNCH_GRID_ORDER_H

#include "sim/base/types.h"

struct gpu;
struct kernel_run;
struct sm;

/* In the commit phase: CTAs on this SM have triggered, or some of the kernel have ended that had not. */
void grid_order_commit(struct gpu *gpu, struct sm *sm);
void grid_order_count(struct gpu *gpu, struct kernel_run *run, uint32_t ctas);
/* The kernel has ended, with its drain. */
void grid_order_ended(struct gpu *gpu, const struct kernel_run *run);

#endif
