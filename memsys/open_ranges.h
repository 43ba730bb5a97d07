/* memsys/open_ranges.h -- virtual addresses that may be accessed: disjoint ranges in order, of which no two
 * touch. */
#ifndef MEMSYS_OPEN_RANGES_H
#define MEMSYS_OPEN_RANGES_H

#include "memsys/memory.h"

struct open_ranges { /* all zero: none */
	struct memory_range *at;
	size_t count, room;
};

void open_ranges_add(struct open_ranges *open, struct memory_range range);
void open_ranges_remove(struct open_ranges *open, struct memory_range range); /* what of it is there */
void open_ranges_fini(struct open_ranges *open);
/* The range that holds address, or an empty one. */
struct memory_range open_ranges_find(const struct open_ranges *open, addr address);
/* The one nearest to address, of which there is at least one. */
struct memory_range open_ranges_nearest(const struct open_ranges *open, addr address);

#endif
