/* core/gpu/epoch.h -- epochs: stretches of core cycles, as long as the SMs' lookahead, in which no SM sees
 * what another stores.
 *
 * While one kernel runs, and accesses device memory by plain loads and stores alone (core/launch/plain.h),
 * its stores take effect together at the end of the epoch, in the order of cycles and in each cycle of SMs.
 * An SM's own loads see them from the next cycle on (core/exec/pending.h). Hardware makes no promise before:
 * so early no store has even passed the L2. A device fault stops the machine at the end of its epoch, the
 * first one by cycle and SM counting. So nothing that happens within an epoch depends on how far other SMs
 * have got in it, and each may run through it alone (core/sm/window.h).
 *
 * In all other cases epochs are single cycles: stores take effect in the commit phase of their cycle. */
#ifndef CORE_GPU_EPOCH_H
#define CORE_GPU_EPOCH_H

#include "sim/base/types.h"

struct gpu;

/* To be called between two steps of time when kernels have come or gone, or the livelock detector has been
 * switched: sets the length of epochs and of the SMs' windows. */
void epochs_renew(struct gpu *gpu);
/* Before the livelock detector reaches a verdict: it hears of the stores that have not taken effect yet. */
void epochs_foresee(struct gpu *gpu);
/* All stores so far take effect. No SM may be ahead of the machine. */
void epochs_flush(struct gpu *gpu);
/* In the commit phase: if the epoch ends, its stores take effect, and its first fault stops the machine. */
void epochs_commit(struct gpu *gpu, cycles now);

#endif
