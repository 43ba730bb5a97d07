/* memsys/insertion/insertion.h -- the L2 insertion slot: where in its set's order of replacement a new line
 * enters, and to which class of lines it belongs.
 *
 * A policy is one file that ends in its struct insertion_class, and one line in insertion.def. Each slice has
 * its own object. It is asked when a line is allocated: by the read or atomic that misses (the line is
 * reserved from then on, until its data have come) or by a store. A line keeps the 2-bit tag that the policy
 * gives it; if the class says so, victims are chosen by the rank of their tag first. Among equals the line
 * unused for longest goes.
 *
 * Nothing ticks for a policy: one that works in periods looks at `now` (L2 cycles) when it is called. What
 * policies of several slots share travels in the packet (warp_type). */
#ifndef MEMSYS_INSERTION_INSERTION_H
#define MEMSYS_INSERTION_INSERTION_H

#include "memsys/l2/l2.h"
#include "memsys/tags.h"
#include "sim/config/config.h"

#define INSERTION_TAGS 4

struct insertion_class;

struct insertion_choice {
	enum tags_position position;
	uint8_t tag; /* 0 to 3 */
};

/* Base of every policy's struct; first in it. */
struct insertion {
	const struct insertion_class *class;
	/* wiring: set before the first call, and constant */
	const struct l2_config *machine; /* geometry of the slice; sms and warps, to size tables by */
	uint32_t slice;
	/* class->ranks: lines whose tag has the lowest rank go first. All 0 to begin with; init may set them
	 */
	uint8_t rank[INSERTION_TAGS];
};

/* All but the name may be NULL or 0; without place every line enters as the last to go, and no hook is
 * called. */
struct insertion_class {
	const char *name, *help, *source;
	size_t size;                    /* of the policy's struct */
	const struct sim_param *params; /* fields of the policy's struct; may be just SIM_END */
	const struct sim_stat *stats;   /* also fields of it; may be just SIM_STAT_END */
	bool ranks;
	/* Makes and frees what a slice's object owns. */
	void (*init)(struct insertion *i);
	void (*fini)(struct insertion *i);
	struct insertion_choice (*place)(struct insertion *i, const struct packet *p, cycles now);
	/* What became of a request: once for each that was looked up (before place, if it allocates). */
	void (*looked_up)(struct insertion *i, const struct packet *p, enum l2_outcome outcome, cycles now);
	/* A line (address inside the partition) with this tag went because another took its place. */
	void (*evicted)(struct insertion *i, addr line, uint8_t tag, cycles now);
};

extern const struct insertion_class *const insertion_classes[]; /* NULL-terminated */
extern const char *const insertion_names[];                     /* the same order, for the parameter */

/* Reads `path` (policy: name, and a subsection of parameters for each policy) and returns a prototype object.
 */
struct insertion *insertion_prototype(struct config *config, const char *path, struct diag_list *diags);
/* A prototype whose parameters are all 0: for classes that are in no list (tests). */
struct insertion *insertion_blank(const struct insertion_class *class);
void insertion_prototype_free(struct insertion *prototype);
/* A slice's object; machine must outlive it. NULL if the policy is plain MRU. Statistics under
 * "l2.insertion.NAME". */
struct insertion *insertion_new(const struct insertion *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats);
void insertion_free(struct insertion *i);
/* The victim among the lines of key's set: an empty one, else by rank, then by age; TAGS_NONE: all are
 * reserved. tag[line]: the lines' tags. The tags must keep ages (tags->used). */
uint32_t insertion_victim(const struct insertion *i, const struct tags *tags, const uint8_t *tag, addr key);

#endif
