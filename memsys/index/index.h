/* memsys/index/index.h -- the policy interface of set-index functions: which set of a cache a line belongs
 * to.
 *
 * A function is one file that ends in its struct index_class, and one line in index.def
 * (sim/policy/policy.h). Each cache has its own object, which holds the function's parameters and is constant
 * once made. tags.h calls `set` for every look-up, unless the class says that tags.h has the rule inline. */
#ifndef MEMSYS_INDEX_INDEX_H
#define MEMSYS_INDEX_INDEX_H

#include "sim/policy/policy.h"

struct index_class;

/* Base of every function's struct; first in it. */
struct index {
	const struct index_class *class;
	uint32_t sets;
	uint32_t bits; /* log2(sets); rounded down if that is no whole number */
};

/* Rules that tags.h computes itself, because a call would cost too much: `set` says the same. */
enum index_inline {
	INDEX_CALLED,      /* none of these */
	INDEX_LOWEST_BITS, /* the lowest bits of the line number; if sets is no power of two, `set` is called
			    */
	INDEX_FERMI_HASH   /* fermi_hash */
};

struct index_class {
	POLICY_CLASS;
	enum index_inline rule;
	bool is_optional;            /* a mechanism beyond what a cache needs: refused where the L1 is off */
	bool (*fits)(uint32_t sets); /* whether it can serve a cache of this many sets */
	const char *needs;           /* what fits asks for, for the message */
	/* Whether the parameters, which have just been read, go with this many sets, which it fits; false: a
	 * sentence in message, and in *key the parameter that it is about. NULL: they always do. */
	bool (*check)(const struct index *index, uint32_t sets, const char **key, char *message, size_t size);
	/* The set of a line; line_number is the line's address divided by the line size. Less than sets. */
	uint32_t (*set)(const struct index *index, addr line_number);
};

extern const struct policy_interface index_interface;
extern const char *index_names[];   /* for parameters: their values are positions in the list */
enum { INDEX_LINEAR, INDEX_FERMI }; /* positions that defaults and tests name */
static inline const struct index_class *index_class(uint32_t position)
{
	return (const struct index_class *)index_interface.classes[position];
}

/* policy_read_chosen, checked for a cache of so many sets. */
struct index *index_read(
	struct config *config, const char *path, uint32_t chosen, uint32_t sets, struct diag_list *diags);
/* policy_new and policy_start for a cache of so many sets. prototype: of the same class, or NULL for the
 * defaults. */
struct index *index_new(uint32_t chosen, const struct index *prototype, uint32_t sets);

#endif
