/* core/gpu/run_ahead.h -- whether the SMs of this machine may run ahead of it (core/lookahead), and how far.
 */
#ifndef CORE_GPU_RUN_AHEAD_H
#define CORE_GPU_RUN_AHEAD_H

#include "core/lookahead/lookahead.h"

struct gpu;
struct machine_config;

/* How far the memory side of such a machine works ahead of its SMs. */
struct lookahead run_ahead_of(const struct machine_config *config);
/* To be called between two steps of time when kernels have come or gone, or the livelock detector has been
 * switched: sets the length of epochs and windows, and what threads may share. */
void run_ahead_renew(struct gpu *gpu);

#endif
