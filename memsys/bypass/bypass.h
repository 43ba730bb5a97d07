/* memsys/bypass/bypass.h -- the policy interface of L1 bypass: which reads bypass the L1 data cache and go to
 * the L2, before the look-up or because the L1 has refused them.
 *
 * A policy is one file that ends in its struct bypass_class, and one line in bypass.def
 * (sim/policy/policy.h). Each SM has its own object. Two policies of this interface can be combined:
 * sm.bypass has all the hooks; of sm.stall_bypass only `refused` is called, when the first has left the read
 * to the L1 (and what every policy has: init, kernel_started, fini, l1). Asked are cached reads of global
 * memory alone: not stores, not atomics, not local memory (whose lines the L1 may hold dirty), not loads that
 * ask for the L2 anyway. What bypasses asks the L2 for the segment that its lanes touch, or for the whole
 * line (parameter `reply`); the data go to the registers, no line is filled. The L1 counts them as
 * `bypassed`, a part of `sent`.
 *
 * A policy that leaves the L1 aside and yet wants to know how it would fare calls
 * cache_access_tags_only(b->l1, request): the tags are kept up to date without traffic, and count as tags
 * without data once the L1 is used again (stream.c). It does so in `gone`, which comes once for each read;
 * `before` comes again when a read tries again. */
#ifndef MEMSYS_BYPASS_BYPASS_H
#define MEMSYS_BYPASS_BYPASS_H

#include "memsys/l1/cache.h"
#include "sim/policy/policy.h"

struct bypass_class;

/* Counted for every policy by the SM. */
struct bypass_stats {
	uint64_t asked;         /* reads that the policy was asked about */
	uint64_t before, after; /* that bypassed before the look-up; after a refusal */
	uint64_t refused_twice;
};

/* Base of every policy's struct; first in it. */
struct bypass {
	const struct bypass_class *class;
	uint32_t sm;                     /* number of the SM */
	struct cache *l1;                /* its L1 data cache ... */
	uint32_t lines;                  /* ... and how many lines that has: events name them by line_index */
	uint32_t reply, network_entries; /* parameters of every policy */
	struct bypass_stats stats;
	struct cache_listener listener; /* for l1 below */
};

/* Hooks are called when the SM has its turn in a cycle. Each may be NULL; without before and refused there is
 * no policy. */
struct bypass_class {
	POLICY_CLASS;
	/* Why a policy of these parameters can never act before this L1, which is on: the end of a sentence;
	 * NULL: it can. May be NULL. */
	const char *(*why_ineffective)(const struct bypass *prototype, const struct cache_config *l1);
	/* Whether the read bypasses the L1 without a look-up. A read that then finds no room in the miss
	 * queue, or that the L1 refuses, is asked about again when it tries again. */
	bool (*before)(struct bypass *b, const struct cache_request *r, cycles now);
	/* The L1 has refused the read (CACHE_LINE_ALLOC_FAIL .. CACHE_MSHR_WARP_FAIL): whether it bypasses
	 * instead of waiting, in the same cycle. Not asked when the miss queue is full, unless reads that
	 * bypass have network_entries of their own behind it. */
	bool (*refused)(struct bypass *b, const struct cache_request *r, enum cache_outcome why, cycles now);
	/* The read has gone: CACHE_HIT, CACHE_MISS, CACHE_MERGED, or CACHE_SENT if it bypassed. */
	void (*gone)(struct bypass *b, const struct cache_request *r, enum cache_outcome outcome, cycles now);
	/* The statistics are about to be read: what is counted in cycles is to be up to date before cycle
	 * `until`. Changes nothing else. */
	void (*sync_stats)(struct bypass *b, cycles until);
	struct cache_hooks l1; /* what happens in the L1 data cache (memsys/listener.h) */
};

extern const struct policy_interface bypass_interface;

/* Gives a read that bypasses the L1 by this policy its size: sets bytes and byte_mask. */
void bypass_reply(const struct bypass *b, struct cache_request *r);
/* Places in the queue to the network behind those of the miss queue, for reads that bypass the L1 by either
 * policy: the more of the two. Prototypes. */
uint32_t bypass_network_entries(const struct bypass *first, const struct bypass *second);

/* policy_new and policy_start; NULL where the class has nothing to say. Statistics under `group`. */
struct bypass *bypass_new(const struct bypass *prototype, uint32_t sm, struct cache *l1,
	struct stat_tree *stats, const char *group);

#endif
