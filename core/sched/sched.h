/* core/sched/sched.h -- the warp scheduler slot: which of the ready warps issues next.
 *
 * A policy is one file that ends in its struct sched_class, and one line in sched.def. An SM has several
 * schedulers, each with its own object; warps are split over them. A policy sees only masks of warp slots:
 * bit w is slot w. */
#ifndef CORE_SCHED_SCHED_H
#define CORE_SCHED_SCHED_H

#include "core/sm/warp_mask.h"
#include "sim/config/config.h"
#include "sim/stats/stat.h"
#include "sim/base/types.h"

struct sched_class;

/* Base of every policy's struct; first in it. */
struct sched {
	const struct sched_class *class;
	warp_mask owned;  /* slots that this scheduler serves */
	warp_mask *older; /* of each slot: those whose warps started before the one there */
};

struct sched_class {
	const char *name, *help, *source;
	size_t size;                    /* of the policy's struct */
	const struct sim_param *params; /* fields of the policy's struct; may be just SIM_END */
	const struct sim_stat *stats;
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
};

extern const struct sched_class *const sched_classes[]; /* NULL-terminated */
extern const char *const sched_names[];                 /* the same order, for the parameter */

/* Reads `path` (policy: name, and a subsection of parameters for each policy) and returns a prototype object,
 * from which sched_new copies. */
struct sched *sched_prototype(struct config *config, const char *path, struct diag_list *diags);
struct sched *sched_new(const struct sched *prototype, warp_mask owned);
void sched_free(struct sched *s);

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

#endif
