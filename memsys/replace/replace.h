/* memsys/replace/replace.h -- the policy interface of replacement: which line of a full set goes.
 *
 * A policy is one file that ends in its struct replace_class, and one line in replace.def
 * (sim/policy/policy.h). Each tag array has an object (tags->replace). Lines are named as in tags.h; those of
 * a set stand in a row from set * ways on. Nothing here runs on a look-up that misses. */
#ifndef MEMSYS_REPLACE_REPLACE_H
#define MEMSYS_REPLACE_REPLACE_H

#include "memsys/tags.h"
#include "sim/policy/policy.h"

struct replace {
	const struct replace_class *class;
	/* connection: set before init is called */
	struct tags *tags;     /* sizes are set, all lines are empty. init sets tags->touching; with
				  TAGS_TOUCH_CLOCK also tags->used, which is the tag array's then */
	uint64_t seed, stream; /* for random choices */
};

struct replace_class {
	POLICY_CLASS;
	bool (*fits)(uint32_t ways); /* NULL: serves any number of ways */
	const char *needs;           /* what fits asks for, for the message */
	bool keeps_ages; /* up to TAGS_SCANNED ways, tags->used tells when each line was last used */
	void (*touch)(struct tags *tags, uint32_t line); /* TAGS_TOUCH_CALL alone: a line in use was used */
	/* The line, so far empty, holds tags->key[line] now. */
	void (*insert)(struct tags *tags, uint32_t line, enum tags_position position);
	void (*remove)(struct tags *tags, uint32_t line); /* it becomes empty, or another's; may be NULL */
	/* The line to go next among those of a full set that have no pins; TAGS_NONE: there are none. Calling
	 * it again changes nothing further. */
	uint32_t (*victim)(struct tags *tags, uint32_t set);
};

extern const struct policy_interface replace_interface;
extern const char *replace_names[]; /* for parameters: their values are positions in the list */
enum { REPLACE_LRU, REPLACE_FIFO, REPLACE_RANDOM }; /* positions that defaults and tests name */
static inline const struct replace_class *replace_class(uint32_t position)
{
	return (const struct replace_class *)replace_interface.classes[position];
}
/* Whether the policy at that position keeps ages in sets of so many ways. */
bool replace_keeps_ages(uint32_t position, uint32_t ways);

/* For tags.c: the policy's object, and its end. */
void replace_init(struct tags *tags, const struct tags_config *config);
void replace_fini(struct tags *tags);

#endif
