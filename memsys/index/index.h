/* memsys/index/index.h -- the set-index slot: which set of a cache a line belongs to.
 *
 * A function is one file that ends in its struct index_class, and one line in index.def. */
#ifndef MEMSYS_INDEX_INDEX_H
#define MEMSYS_INDEX_INDEX_H

#include "sim/types.h"

struct index_class {
	const char *name, *help, *source;
	/* Whether it can serve a cache of this many sets (a power of two). */
	bool (*fits)(uint32_t sets);
	/* The set of a line; line_number is the line's address divided by the line size. Less than sets. */
	uint32_t (*set)(addr line_number, uint32_t sets);
};

extern const struct index_class *const index_classes[]; /* NULL-terminated */
extern const char *const index_names[];                 /* the same order, for parameters */
enum { INDEX_LINEAR, INDEX_FERMI };                     /* positions that defaults name */

#endif
