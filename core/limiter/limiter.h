/* core/limiter/limiter.h -- the policy interface of warp limiters: which warps of an SM may issue at all,
 * which may issue loads, and whose loads bypass the L1.
 *
 * A policy is one file that ends in its struct limiter_class, and one line in limiter.def
 * (sim/policy/policy.h). Each SM has its own object; it works under any warp scheduler, which sees only warps
 * that it lets go. Nothing here runs for each instruction: hooks note what happened, and `decide` answers
 * anew, at most once a cycle, when something did.
 *
 * A limiter cannot stop progress (core/pipeline/throttle.c): if of the warps that wait at no barrier none may
 * both issue and load, the SM lets the oldest of them; and a warp that has not issued for sm.starvation_limit
 * cycles goes before all others, whatever the limiter says. */
#ifndef CORE_LIMITER_LIMITER_H
#define CORE_LIMITER_LIMITER_H

#include "core/sched/sched.h"
#include "memsys/l1/cache_stats.h"

struct limiter_class;

/* Counted for every limiter by the SM. */
struct limiter_stats {
	uint64_t decisions;   /* calls of decide */
	uint64_t let_through; /* warps that the answer held back but progress needed */
	uint64_t cycles;      /* in which warps were there; added up over those cycles: */
	uint64_t warps, allowed, loads, bypassing; /* warps there, that may issue, may load, bypass */
};

/* Base of every policy's struct; first in it. */
struct limiter {
	const struct limiter_class *class;
	/* connection: set before init is called, and constant */
	uint32_t sm, sms; /* number of this SM, and how many there are */
	uint32_t schedulers;
	const warp_mask *owned;       /* warp slots of each scheduler */
	const uint64_t *instructions; /* warp instructions that this SM has issued so far, which it also
					 commits */
	/* thread instructions, counted likewise: the sum of the two (limiter_threads), at any time */
	const uint64_t *threads, *more_threads;
	const struct cache_stats *l1; /* what the SM's L1 data cache has counted so far */
	void *shared; /* one object of class->shared_size bytes, zeroed at first, for all SMs of the GPU; or
			 NULL */
	/* what is there, kept by the SM */
	warp_mask present;       /* warps that have not exited */
	warp_mask waiting;       /* those of them that wait at a barrier */
	uint64_t age[MAX_WARPS]; /* launch number of the warp in each slot: smaller is older */
	/* the answer; all ones, all ones, none to begin with. Slots without a warp do not matter. */
	warp_mask may_issue, may_load, bypass;
	/* decide is called before the next issue at or after this cycle; 0: as soon as possible. Set to
	 * SIM_NEVER just before the call. Where no warp is there, or all wait at barriers, it may be called
	 * later than asked: the SM does not wake for it, so that a deadlock is seen as one. */
	cycles next;
	cycles now; /* of the SM's turn: when the hooks of l1 are called */
	struct limiter_stats stats;
	struct cache_listener listener; /* for l1 below */
};

/* Hooks are called when the SM, which alone may touch the object, has its turn in a cycle. Those of SMs that
 * share an object are called in the order of the SMs' numbers within a cycle. All but decide may be NULL;
 * without decide nothing is limited and none of them is called. */
struct limiter_class {
	POLICY_CLASS;
	size_t shared_size; /* of what all SMs share; 0: nothing */
	bool needs_l1;      /* decides by what the L1 data cache hits and misses: refused where that is off */
	/* Sets may_issue, may_load and bypass. Called when warps have come, exited, begun or ceased to wait
	 * at a barrier, and when `next` says so: a hook asks for it by setting next = 0, a policy that
	 * samples sets next to the end of its period. */
	void (*decide)(struct limiter *l, cycles now);
	/* A launch has ended, after the SM's turn in cycle `now`: each SM is notified, also of those that
	 * sent it no CTA. */
	void (*kernel_ended)(struct limiter *l, uint64_t launch, cycles now);
	/* A warp has been put into a slot, or has exited after so many instructions. present and age are up
	 * to date. */
	void (*started)(struct limiter *l, uint32_t warp, cycles now);
	void (*finished)(struct limiter *l, uint32_t warp, uint64_t instructions, cycles now);
	struct cache_hooks l1; /* what happens in the SM's L1 data cache (memsys/listener.h) */
};

extern const struct policy_interface limiter_interface;

/* policy_read, with the object that the copies share, which the prototype owns; so it must
 * outlive them. */
struct limiter *limiter_read(struct config *config, const char *path, struct diag_list *diags);
void limiter_prototype_free(struct limiter *prototype);
/* policy_new, nothing limited so far. */
struct limiter *limiter_new(const struct limiter *prototype);

/* The oldest warp of a non-empty mask. */
uint32_t limiter_oldest(const struct limiter *l, warp_mask warps);
/* Of each scheduler's warps that wait at no barrier the `most` oldest: those that wait give up their places,
 * else those that they wait for might never come. Where a scheduler has no more slots than that, all of them:
 * nobody is limited. */
warp_mask limiter_oldest_of_each(const struct limiter *l, uint32_t most);
/* The slots of the scheduler that has the most: a limit of so many limits nobody. */
uint32_t limiter_most_slots(const struct limiter *l);

/* Thread instructions that the SM has issued so far. */
static inline uint64_t limiter_threads(const struct limiter *l)
{
	return *l->threads + *l->more_threads;
}

#endif
