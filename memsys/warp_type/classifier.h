/* memsys/warp_type/classifier.h -- the policy interface of warp-type identification (MeDiC, PACT 2015,
 * Section 3.1): of which type is the warp that makes a request?
 *
 * A policy is one file that ends in its struct classifier_class, and one line in classifier.def
 * (sim/policy/policy.h). Each L2 slice has its own object, as MeDiC counts in each memory partition. It is
 * asked about each request once, when the request enters the slice, before the L2 bypass policy, and writes
 * the answer into the packet (warp_type, warp_hit_ratio). From there the policies of bypass, insertion and
 * DRAM scheduling read it; the fetch of a missing line carries the type of the request that missed.
 *
 * Nothing ticks for a policy: one that works in intervals looks at `now` (L2 cycles) when it is called. */
#ifndef MEMSYS_WARP_TYPE_CLASSIFIER_H
#define MEMSYS_WARP_TYPE_CLASSIFIER_H

#include "memsys/l2/l2.h"
#include "memsys/l2/l2_shadow.h"
#include "sim/policy/policy.h"

/* The names of statistics by enum warp_type. */
#define WARP_TYPE_NAMES \
	{ \
		"untyped", "all_hit", "mostly_hit", "balanced", "mostly_miss", "all_miss", NULL \
	}

struct classifier_class;

/* Base of every policy's struct; first in it. */
struct classifier {
	const struct classifier_class *class;
	/* connection: set before init is called, and constant */
	const struct l2_config *machine; /* geometry of the slice; sms and warps, to size tables by */
	uint32_t slice;
	/* statistics of every policy, by type: requests looked up, and how long they had waited for it */
	uint64_t look_ups[WARP_TYPES], queue_delay[WARP_TYPES];
	bool has_shadow;
	struct l2_shadow shadow; /* if has_shadow */
};

/* All may be NULL or 0; without classify no request has a type. */
struct classifier_class {
	POLICY_CLASS;
	/* Whether each request is looked for in a shadow directory, which it enters, also if it will bypass
	 * the cache. NULL or false: in the tags of the slice, as they are. */
	bool (*wants_shadow)(const struct classifier *c);
	/* Whether the prototype's parameters fit together; false: a sentence in message says why not. */
	bool (*check)(const struct classifier *prototype, char *message, size_t size);
	/* A request enters: sets its warp_type and warp_hit_ratio, which are 0 before. p->probe_hit: the
	 * probe has found its line. */
	void (*classify)(struct classifier *c, struct packet *p, cycles now);
	/* What became of a request that was classified: once for each. */
	void (*looked_up)(struct classifier *c, const struct packet *p, enum l2_outcome outcome, cycles now);
};

extern const struct policy_interface classifier_interface;

/* A request of that type was looked up, so many L2 cycles after its arrival, beyond the ROP latency. */
static inline void classifier_served(struct classifier *c, uint8_t type, cycles delay)
{
	c->look_ups[type]++;
	c->queue_delay[type] += delay;
}

/* policy_new and policy_start; machine must outlive it. NULL if there is no prototype, or the policy gives no
 * types. Statistics under "l2.warp_type.NAME". */
struct classifier *classifier_new(const struct classifier *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats);
void classifier_free(struct classifier *c);
/* policy_state, with the shadow directory. */
void classifier_state(struct classifier *classifier, struct state *state);

/* What the slice calls when a request enters. in_tags: the slice's tags have what it needs (not
 * looked at with a shadow directory). */
void classifier_classify(struct classifier *c, struct packet *p, bool in_tags, cycles now);

#endif
