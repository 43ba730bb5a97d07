/* memsys/l2_bypass/l2_bypass.h -- the policy interface of L2 bypass: which requests bypass an L2 slice and go
 * directly to its DRAM channel.
 *
 * A policy is one file that ends in its struct l2_bypass_class, and one line in l2_bypass.def
 * (sim/policy/policy.h). Each slice has its own object. It is asked about a request once, when the request
 * enters the slice: before the ROP pipeline and the banks.
 *
 * A bypass is of timing and allocation, never of what a read may see. Atomics, requests whose line is dirty
 * or in flight, and those that would overtake another one for their line take the normal path, whatever the
 * policy says (statistic l2.bypass_refused, memsys/l2/l2_bypass_path.c). A read that bypasses waits for a
 * place in the queue to DRAM; its reply fills nothing. A store that bypasses is written to DRAM and
 * acknowledged once DRAM has taken it.
 *
 * Nothing ticks for a policy: one that works in periods looks at `now` (L2 cycles) when it is called. */
#ifndef MEMSYS_L2_BYPASS_L2_BYPASS_H
#define MEMSYS_L2_BYPASS_L2_BYPASS_H

#include "memsys/l2/l2.h"
#include "memsys/l2/l2_shadow.h"
#include "sim/policy/policy.h"

struct l2_bypass_class;

/* Base of every policy's struct; first in it. */
struct l2_bypass {
	const struct l2_bypass_class *class;
	/* connection: set before init is called, and constant */
	const struct l2_config *machine; /* geometry of the slice; sms and warps, to size tables by */
	uint32_t slice;
	bool clean_lines, stores; /* parameters of every policy */
	/* if wants_shadow: the tags that the slice would have if nothing bypassed; the slice looks up and
	 * fills */
	struct l2_shadow shadow;
	struct cache_listener listener; /* for l2 below */
};

/* All may be NULL or 0; without decide nothing bypasses and none of the others is called. */
struct l2_bypass_class {
	POLICY_CLASS;
	bool wants_shadow;
	bool needs_types; /* decides by warp types: refused where l2.warp_type.policy gives none */
	/* A request enters (atomics too, which never bypass): true to send it past the cache. The packet's
	 * `by` says who asks, its warp_type of which type the warp is (memsys/warp_type). */
	bool (*decide)(struct l2_bypass *b, struct packet *p, cycles now);
	/* What became of it: once for each request, those that bypass included. shadow_hit: its line was in
	 * the shadow directory (false without one). */
	void (*looked_up)(struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome,
		bool shadow_hit, cycles now);
	/* The statistics are about to be read: what is counted in cycles is to be up to date before cycle
	 * `until`. Changes nothing else. */
	void (*sync_stats)(struct l2_bypass *b, cycles until);
	struct cache_hooks l2; /* what happens in the slice (memsys/listener.h) */
};

extern const struct policy_interface l2_bypass_interface;

/* policy_new and policy_start; machine must outlive it. NULL if there is no prototype, or the policy never
 * bypasses. Statistics under "l2.bypass.NAME". */
struct l2_bypass *l2_bypass_new(const struct l2_bypass *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats);
void l2_bypass_free(struct l2_bypass *b);
/* policy_state, with the shadow directory. */
void l2_bypass_state(struct l2_bypass *bypass, struct state *state);

/* What the slice calls. */
static inline bool l2_bypass_asks(struct l2_bypass *b, struct packet *p, cycles now)
{
	return b->class->decide(b, p, now);
}
void l2_bypass_looked_up(struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, cycles now);

#endif
