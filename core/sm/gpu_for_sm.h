/* core/sm/gpu_for_sm.h -- what an SM asks of the GPU. */
#ifndef CORE_SM_GPU_FOR_SM_H
#define CORE_SM_GPU_FOR_SM_H

#include <stdbool.h>
#include <stdint.h>

struct component;
struct gpu;
struct kernel_run;
struct sm;
struct sm_limits;

/* The component of the commit phase, which an SM wakes when it has flagged pending work. */
struct component *gpu_commit_component(struct gpu *gpu);
uint32_t gpu_sm_count(const struct gpu *gpu);
struct sm *gpu_sm(const struct gpu *gpu, uint32_t number);
const struct sm_limits *gpu_limits(const struct gpu *gpu);
/* A number for a warp that starts: later warps get higher ones. */
uint64_t gpu_next_age(struct gpu *gpu);
/* The only kernel that runs; NULL: none runs, or several do. */
struct kernel_run *gpu_sole_run(const struct gpu *gpu);
/* Whether there are CTAs to start, and room on the SM for one. */
bool gpu_may_place(const struct gpu *gpu, const struct sm *sm);
/* Core cycles in a nanosecond. */
double gpu_cycles_per_ns(const struct gpu *gpu);

#endif
