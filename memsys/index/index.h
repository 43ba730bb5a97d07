/* memsys/index/index.h -- the set-index slot: which set of a cache a line belongs to.
 *
 * A function is one file that ends in its struct index_class, and one line in index.def. Each cache has its
 * own object, which holds the function's parameters and is constant once made; tags.h calls `set` for every
 * look-up, but for linear with a power of two and fermi, which it has inline. */
#ifndef MEMSYS_INDEX_INDEX_H
#define MEMSYS_INDEX_INDEX_H

#include "sim/config/config.h"
#include "sim/base/types.h"

struct index_class;

/* Base of every function's struct; first in it. */
struct index {
	const struct index_class *class;
	uint32_t sets;
	uint32_t bits; /* log2(sets); rounded down if that is no whole number */
};

struct index_class {
	const char *name, *help, *source;
	size_t size;                    /* of the function's struct */
	const struct sim_param *params; /* fields of the function's struct; may be just SIM_END */
	bool (*fits)(uint32_t sets);    /* whether it can serve a cache of this many sets */
	const char *needs;              /* what fits asks for, for the message */
	/* Whether the parameters, which have just been read, go with this many sets, which it fits; false: a
	 * sentence in message, and in *key the parameter that it is about. NULL: they always do. */
	bool (*check)(const struct index *index, uint32_t sets, const char **key, char *message, size_t size);
	void (*init)(struct index *); /* parameters, sets and bits are set: tables and the like; may be NULL
				       */
	/* The set of a line; line_number is the line's address divided by the line size. Less than sets. */
	uint32_t (*set)(const struct index *index, addr line_number);
};

extern const struct index_class *const index_classes[]; /* NULL-terminated */
extern const char *const index_names[];                 /* the same order, for parameters */
enum { INDEX_LINEAR, INDEX_FERMI };                     /* positions that defaults and tags.h name */

/* Reads the parameters of all functions, path.<function>.*, and returns those of the chosen one, checked for
 * a cache of so many sets; index_free. */
struct index *index_prototype(
	struct config *config, const char *path, uint32_t chosen, uint32_t sets, struct diag_list *diags);
/* An object for a cache of so many sets. prototype: of the same class, or NULL for the defaults. */
struct index *index_new(uint32_t chosen, const struct index *prototype, uint32_t sets);
void index_free(struct index *index);

#endif
