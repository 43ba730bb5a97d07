/* core/lookahead/epoch.h -- epochs: stretches of core cycles in which no SM sees what another stores.
 *
 * While all kernels that run access device memory by plain loads and stores alone (core/kernel/plain.h),
 * their stores take effect together at the end of the epoch, in the order of cycles and in each cycle of SMs.
 * An SM's own loads see them from the next cycle on (core/lookahead/pending.h). Hardware makes no promise
 * before: so early no store has even passed the L2. A device fault stops the machine at the end of its epoch,
 * the first one by cycle and SM counting. So nothing that happens within an epoch depends on how far other
 * SMs have got in it, and each may run through it alone (core/lookahead/window.h).
 *
 * This is a rule of the model. An epoch is most of l2.rop_latency long, and begins at multiples of its
 * length; policies, observers, limits, the host's threads and how long SMs really run alone change nothing
 * about it. It ends early where stores must have taken effect: when the last CTA that runs has ended, when a
 * kernel starts or ends or the host goes on, and before CTAs are executed without timing.
 *
 * While a kernel of another kind runs, epochs are single cycles: stores take effect in the commit phase of
 * their cycle. */
#ifndef CORE_LOOKAHEAD_EPOCH_H
#define CORE_LOOKAHEAD_EPOCH_H

#include "sim/base/types.h"

struct component;
struct livelock_detector;
struct sm;

/* Of all SMs of a machine. */
struct epochs {
	struct sm **sms;
	uint32_t count;
	struct component *commit; /* of the commit phase: it ticks in the last cycle of an epoch that has
				     stores */
	struct livelock_detector *livelock; /* hears of each store when it takes effect */
	uint32_t length;                    /* in core cycles, now; 1: stores take effect in their cycle */
	uint32_t window;                    /* most cycles that an SM runs alone, now */
	struct sm **storing; /* [count], filled by epochs_flush: SMs with stores that have not taken effect */
};

/* The epochs are single cycles at first. The SMs are the caller's and have windows. */
void epochs_init(struct epochs *epochs, struct sm **sms, uint32_t count, struct component *commit,
	struct livelock_detector *livelock);
void epochs_fini(struct epochs *epochs);
/* To be called between two steps of time: the length of epochs, and that of the SMs' windows, which is 1
 * where more than the memory side can matter to an SM within an epoch. */
void epochs_set(struct epochs *epochs, uint32_t length, uint32_t window);
/* Before the livelock detector reaches a verdict: it hears of the stores that have not taken effect yet. */
void epochs_foresee(struct epochs *epochs);
/* All stores so far take effect. No SM may be ahead of the machine. */
void epochs_flush(struct epochs *epochs);
/* In the commit phase: if an epoch of several cycles ends, its stores take effect. Returns the SM that had
 * the first fault in it; NULL: there was none. */
const struct sm *epochs_commit(struct epochs *epochs, cycles now);

#endif
