/* memsys/insertion/insertion.h -- the policy interface of L2 insertion: where in its set's order of
 * replacement a new line enters, and to which class of lines it belongs.
 *
 * A policy is one file that ends in its struct insertion_class, and one line in insertion.def
 * (sim/policy/policy.h). Each slice has its own object. It is asked when a line is allocated: by the read or
 * atomic that misses (the line is reserved from then on, until its data have come) or by a store. A line
 * keeps the 2-bit tag that the policy gives it; if the class says so, victims are chosen by the rank of their
 * tag first. Among equals the line unused for longest goes. A policy may also give each line an age of its
 * own
 * (`stamp`).
 *
 * Nothing ticks for a policy: one that works in periods looks at `now` (L2 cycles) when it is called. What
 * policies of several interfaces share travels in the packet (warp_type). */
#ifndef MEMSYS_INSERTION_INSERTION_H
#define MEMSYS_INSERTION_INSERTION_H

#include "memsys/l2/l2.h"
#include "memsys/tags.h"
#include "sim/policy/policy.h"

#define INSERTION_TAGS 4

struct insertion_class;

struct insertion_choice {
	enum tags_position position;
	uint8_t tag; /* 0 to 3 */
};

/* Base of every policy's struct; first in it. */
struct insertion {
	const struct insertion_class *class;
	/* connection: set before init is called, and constant */
	const struct l2_config *machine; /* geometry of the slice; sms and warps, to size tables by */
	uint32_t slice;
	uint8_t *line_tag; /* the tag of each line, by line_index (memsys/listener.h); the slice writes it */
	/* class->ranks: lines whose tag has the lowest rank go first. All 0 to begin with; init may set them
	 */
	uint8_t rank[INSERTION_TAGS];
	struct cache_listener listener; /* for l2 below */
};

/* All may be NULL or 0; without place every line enters as the last to go, and no hook is
 * called. */
struct insertion_class {
	POLICY_CLASS;
	bool ranks;
	bool needs_types; /* decides by warp types: refused where l2.warp_type.policy gives none */
	struct insertion_choice (*place)(struct insertion *i, const struct packet *p, cycles now);
	/* NULL: a line that is used becomes the last to go. Otherwise the age of a line that the request
	 * uses or inserts, in any unit: the line with the least goes first. position is ignored then. */
	uint64_t (*stamp)(struct insertion *i, const struct packet *p, cycles now);
	/* What became of a request: once for each that was looked up (before place, if it allocates). */
	void (*looked_up)(struct insertion *i, const struct packet *p, enum l2_outcome outcome, cycles now);
	struct cache_hooks l2; /* what happens in the slice (memsys/listener.h) */
};

extern const struct policy_interface insertion_interface;

/* policy_new and policy_start; machine must outlive it. NULL if there is no prototype, or the
 * policy is mru. Statistics under "l2.insertion.NAME". */
struct insertion *insertion_new(const struct insertion *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats);
void insertion_free(struct insertion *i);
/* policy_state, with the lines' tags. */
void insertion_state(struct insertion *i, struct state *state);
/* The victim among the lines of key's set: an empty one, else by rank, then by age; TAGS_NONE: all are
 * reserved. The tags must keep ages (tags->used). */
uint32_t insertion_victim(const struct insertion *i, const struct tags *tags, addr key);

#endif
