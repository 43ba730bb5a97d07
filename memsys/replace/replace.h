/* memsys/replace/replace.h -- the replacement slot: which line of a full set goes.
 *
 * A policy is one file that ends in its struct replace_class, and one line in replace.def. It keeps its state
 * in a struct that begins with struct replace, one for each tag array (tags->replace). Lines are named as in
 * tags.h; those of a set stand in a row from set * ways on. Nothing here runs on a look-up that misses. */
#ifndef MEMSYS_REPLACE_REPLACE_H
#define MEMSYS_REPLACE_REPLACE_H

#include "memsys/tags.h"
#include "sim/config/config.h"

struct replace {
	const struct replace_class *class;
};

struct replace_class {
	const char *name, *help, *source;
	size_t size;                    /* of the policy's struct */
	const struct sim_param *params; /* fields of the policy's struct; may be just SIM_END */
	bool (*fits)(uint32_t ways);    /* NULL: serves any number of ways */
	const char *needs;              /* what fits asks for, for the message */
	/* tags->replace holds the parameters; sizes are set, all lines are empty. Sets tags->touching, and
	 * what its state needs; with TAGS_TOUCH_CLOCK also tags->used. */
	void (*init)(struct tags *tags, const struct tags_config *config);
	void (*fini)(struct tags *tags); /* frees what init took, but not tags->replace; may be NULL */
	void (*touch)(struct tags *tags, uint32_t line); /* TAGS_TOUCH_CALL alone: a line in use was used */
	/* The line, so far empty, holds tags->key[line] now. */
	void (*insert)(struct tags *tags, uint32_t line, enum tags_position position);
	void (*remove)(struct tags *tags, uint32_t line); /* it becomes empty, or another's; may be NULL */
	/* The line to go next among those of a full set that have no pins; TAGS_NONE: there are none. Calling
	 * it again changes nothing further. */
	uint32_t (*victim)(struct tags *tags, uint32_t set);
};

extern const struct replace_class *const replace_classes[]; /* NULL-terminated */
extern const char *const replace_names[];                   /* the same order, for parameters */
enum { REPLACE_LRU, REPLACE_FIFO, REPLACE_RANDOM };         /* positions that defaults and tests name */

/* Reads the parameters of all policies, path.<policy>.*, and returns those of the chosen one; replace_free.
 */
struct replace *replace_prototype(
	struct config *config, const char *path, uint32_t chosen, struct diag_list *diags);
void replace_free(struct replace *prototype);

/* For tags.c: the policy's object, and its end. */
void replace_init(struct tags *tags, const struct tags_config *config);
void replace_fini(struct tags *tags);

#endif
