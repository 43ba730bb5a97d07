/* core/gpu/host_threads.h -- the machine's phases over host threads (sim_set_threads): which, and from how
 * many components on. */
#ifndef CORE_GPU_HOST_THREADS_H
#define CORE_GPU_HOST_THREADS_H

#include "core/gpu/gpu_internal.h"

/* A launch that is profiled begins: the SMs' counters of lines are the kernel's, not the SM's. */
void threads_profiled(struct gpu *gpu);
/* The watch for hangs (livelock.h) begins or ends: what it knows is the machine's. */
void threads_watch(struct gpu *gpu, bool is_watched);

#endif
