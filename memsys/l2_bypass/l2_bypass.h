/* memsys/l2_bypass/l2_bypass.h -- the L2 bypass slot: which requests go past an L2 slice, straight to its
 * DRAM channel.
 *
 * A policy is one file that ends in its struct l2_bypass_class, and one line in l2_bypass.def. Each slice has
 * its own object. It is asked about a request once, when the request enters the slice: before the ROP
 * pipeline and the banks.
 *
 * A bypass is of timing and allocation, never of what a read may see. A request goes past the cache only if
 * it is a read or a store, its line is neither here nor on its way here, and no request for it is between
 * entry and look-up; else it takes the normal path, whatever the policy says (statistic bypass_refused). A
 * read that bypasses waits for a place in the queue to DRAM; its reply fills nothing. A store that bypasses
 * is written to DRAM and acknowledged once DRAM has taken it.
 *
 * Nothing ticks for a policy: one that works in periods looks at `now` (L2 cycles) when it is called. */
#ifndef MEMSYS_L2_BYPASS_L2_BYPASS_H
#define MEMSYS_L2_BYPASS_L2_BYPASS_H

#include "memsys/l2/l2.h"
#include "memsys/l2_bypass/shadow.h"
#include "sim/config/config.h"

struct l2_bypass_class;

/* Base of every policy's struct; first in it. */
struct l2_bypass {
	const struct l2_bypass_class *class;
	/* wiring: set before the first call, and constant */
	const struct l2_config *machine; /* geometry of the slice; sms and warps, to size tables by */
	uint32_t slice;
	/* if wants_shadow: the tags that the slice would have if nothing bypassed; the slice looks up and
	 * fills */
	struct l2_shadow shadow;
};

/* All but the name may be NULL or 0; without decide nothing bypasses and none of the others is called. */
struct l2_bypass_class {
	const char *name, *help, *source;
	size_t size;                    /* of the policy's struct */
	const struct sim_param *params; /* fields of the policy's struct; may be just SIM_END */
	const struct sim_stat *stats;   /* also fields of it; may be just SIM_STAT_END */
	bool wants_shadow;
	/* Makes and frees what a slice's object owns. */
	void (*init)(struct l2_bypass *b);
	void (*fini)(struct l2_bypass *b);
	/* A request enters (atomics too, which never bypass): true to send it past the cache. The packet's
	 * `by` says who asks; its warp_type is the policy's to set, for the
	 * policies of insertion and DRAM scheduling to read; nothing else of it is. */
	bool (*decide)(struct l2_bypass *b, struct packet *p, cycles now);
	/* What became of it: once for each request, those that bypass included. shadow_hit: its line was in
	 * the shadow directory (false without one). */
	void (*looked_up)(struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome,
		bool shadow_hit, cycles now);
	/* A line (address inside the partition) went because another took its place. */
	void (*evicted)(struct l2_bypass *b, addr line, cycles now);
	/* The statistics are about to be read: what is counted in cycles is to be up to date before cycle
	 * `until`. Changes nothing else. */
	void (*sync_stats)(struct l2_bypass *b, cycles until);
};

extern const struct l2_bypass_class *const l2_bypass_classes[]; /* NULL-terminated */
extern const char *const l2_bypass_names[];                     /* the same order, for the parameter */

/* Reads `path` (policy: name, and a subsection of parameters for each policy) and returns a prototype object.
 */
struct l2_bypass *l2_bypass_prototype(struct config *config, const char *path, struct diag_list *diags);
/* A prototype whose parameters are all 0: for classes that are in no list (tests). */
struct l2_bypass *l2_bypass_blank(const struct l2_bypass_class *class);
void l2_bypass_prototype_free(struct l2_bypass *prototype);
/* A slice's object; machine must outlive it. NULL if the policy never bypasses. Statistics under
 * "l2.bypass.NAME". */
struct l2_bypass *l2_bypass_new(const struct l2_bypass *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats);
void l2_bypass_free(struct l2_bypass *b);

/* What the slice calls. */
static inline bool l2_bypass_asks(struct l2_bypass *b, struct packet *p, cycles now)
{
	return b->class->decide(b, p, now);
}
void l2_bypass_looked_up(struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, cycles now);

#endif
