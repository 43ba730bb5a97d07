/* core/gpu/epoch.h -- epochs: stretches of core cycles in which no SM sees what another stores.
 *
 * While all kernels that run access device memory by plain loads and stores alone (core/kernel/plain.h),
 * their stores take effect together at the end of the epoch, in the order of cycles and in each cycle of SMs.
 * An SM's own loads see them from the next cycle on (core/exec/pending.h). Hardware makes no promise before:
 * so early no store has even passed the L2. A device fault stops the machine at the end of its epoch, the
 * first one by cycle and SM counting. So nothing that happens within an epoch depends on how far other SMs
 * have got in it, and each may run through it alone (core/sm/window.h).
 *
 * This is a rule of the model. An epoch is most of l2.rop_latency long, and begins at multiples of its
 * length; policies, observers, limits, the host's threads and how long SMs really run alone change nothing
 * about it. It ends early where stores must have taken effect: when the last CTA that runs has ended, when a
 * kernel starts or ends or the host goes on, and before CTAs are executed without timing.
 *
 * While a kernel of another kind runs, epochs are single cycles: stores take effect in the commit phase of
 * their cycle. */
#ifndef CORE_GPU_EPOCH_H
#define CORE_GPU_EPOCH_H

#include "sim/base/types.h"

struct gpu;

/* To be called between two steps of time when kernels have come or gone, or the livelock detector has been
 * switched: sets the length of epochs, and that of the SMs' windows: 1 where more than the memory side can
 * matter to an SM within an epoch. */
void epochs_renew(struct gpu *gpu);
/* Before the livelock detector reaches a verdict: it hears of the stores that have not taken effect yet. */
void epochs_foresee(struct gpu *gpu);
/* All stores so far take effect. No SM may be ahead of the machine. */
void epochs_flush(struct gpu *gpu);
/* In the commit phase: if the epoch ends, its stores take effect, and its first fault stops the machine. */
void epochs_commit(struct gpu *gpu, cycles now);

#endif
