/* core/gpu/host_threads.h -- the machine's phases over host threads (sim_set_threads): which, and from how
 * many components on. */
#ifndef CORE_GPU_HOST_THREADS_H
#define CORE_GPU_HOST_THREADS_H

#include "core/gpu/gpu_internal.h"

/* The SMs' windows have another length, or something has begun or ended that keeps a phase on one thread. */
void threads_renew(struct gpu *gpu);
/* A profiled launch begins: all SMs write the same counters of lines. */
void threads_profiled(struct gpu *gpu);
/* The livelock detector begins or ends to look at instructions: its state is shared by all SMs. */
void threads_watch(struct gpu *gpu, bool is_watched);

#endif
