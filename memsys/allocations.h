/* memsys/allocations.h -- the ranges of device memory that are allocated: a balanced tree by address.
 *
 * Each allocation knows the gap behind it and the longest gap of its subtree, so that the first gap that is
 * long enough is found in a number of steps that grows with the logarithm of the number of allocations, as
 * do finding, adding and removing one. (An alignment of more than ALLOCATION_GRANULE may pass over gaps that
 * are long enough but begin at the wrong address.) */
#ifndef MEMSYS_ALLOCATIONS_H
#define MEMSYS_ALLOCATIONS_H

#include "memsys/memory.h"

#define ALLOCATION_GRANULE UINT64_C(256) /* what cuMemAlloc promises: all allocations start at multiples */

struct allocation_node {
	struct memory_range range; /* end as requested; the bytes to the next multiple of the granule are its
				    * own
				    */
	bool is_constant;
	/* of the tree */
	uint64_t gap;      /* bytes between its own and the next allocation, or the end of the region */
	uint64_t longest;  /* gap of its subtree */
	uint64_t priority; /* a heap by priority, in which the tree is balanced with near certainty */
	struct allocation_node *left, *right;
};

struct allocations {
	struct allocation_node *root;
	uint64_t added; /* so far, of which priorities are made */
};

/* A region of bytes from `start` on, both multiples of the granule, that is one gap. */
void allocations_init(struct allocations *a, addr start, uint64_t bytes);
void allocations_fini(struct allocations *a);

/* The lowest address, a multiple of align (a power of two, at least the granule), from which a gap has room
 * for bytes; 0: none has. */
addr allocations_fit(const struct allocations *a, uint64_t bytes, uint64_t align);
/* Adds a range that lies in a gap and begins at a multiple of the granule. */
void allocations_add(struct allocations *a, struct memory_range range);
/* Removes the allocation that starts there. False: none does. */
bool allocations_remove(struct allocations *a, addr start, struct memory_range *removed);

/* The last allocation that starts at or below address, and the first that starts above; NULL: none. */
struct allocation_node *allocations_below(const struct allocations *a, addr address);
struct allocation_node *allocations_above(const struct allocations *a, addr address);

#endif
