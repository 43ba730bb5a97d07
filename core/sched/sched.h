/* core/sched/sched.h -- the policy interface of warp schedulers: which of the ready warps issues next.
 *
 * A policy is one file that ends in its struct sched_class, and one line in sched.def (sim/policy/policy.h).
 * An SM has several schedulers, each with its own object; warps are split over them. A policy sees only masks
 * of warp slots: bit w is slot w. */
#ifndef CORE_SCHED_SCHED_H
#define CORE_SCHED_SCHED_H

#include "core/sched/warp_mask.h"
#include "memsys/listener.h"
#include "sim/policy/policy.h"

struct sched_class;

/* Base of every policy's struct; first in it. */
struct sched {
	const struct sched_class *class;
	warp_mask owned;                /* slots that this scheduler serves */
	warp_mask older[MAX_WARPS];     /* of each slot: those whose warps started before the one there */
	struct cache_listener listener; /* for l1 below */
};

struct sched_class {
	POLICY_CLASS;
	/* One of `ready` (a non-empty subset of owned: buffered, no hazard, unit free), or WARP_NONE to issue
	 * nothing. Changes nothing. */
	uint32_t (*pick)(struct sched *s, warp_mask ready);
	/* The warp picked has issued. */
	void (*issued)(struct sched *s, uint32_t warp);
	/* A warp has been put into a slot (sched_put), or has left it. May be NULL. */
	void (*started)(struct sched *s, uint32_t warp);
	void (*finished)(struct sched *s, uint32_t warp);
	/* A warp has come to wait for something long (data that a load, atomic or texture brings, a barrier,
	 * a membar, copies, a nanosleep, the end of its stores, the warp limiter), and it can go on again. A
	 * warp that has started can go on. Both or neither may be NULL. */
	void (*stalled)(struct sched *s, uint32_t warp);
	void (*woken)(struct sched *s, uint32_t warp);
	struct cache_hooks l1; /* what happens in the SM's L1 data cache (memsys/listener.h) */
};

extern const struct policy_interface sched_interface;

/* A warp that is younger than all others has come into the slot. */
void sched_put(struct sched *s, uint32_t slot);

/* The oldest warp of a non-empty mask. */
static inline uint32_t sched_oldest_of(const struct sched *s, warp_mask warps)
{
	uint32_t oldest;

	do
		oldest = (uint32_t)__builtin_ctzll(warps);
	while (__builtin_expect((warps &= s->older[oldest]) != 0, 0));
	return oldest;
}

/* The youngest warp of a non-empty mask. */
static inline uint32_t sched_youngest_of(const struct sched *s, warp_mask warps)
{
	uint32_t youngest;

	do {
		youngest = (uint32_t)__builtin_ctzll(warps);
		warps &= ~(s->older[youngest] | UINT64_C(1) << youngest);
	} while (warps);
	return youngest;
}

#endif
