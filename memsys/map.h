/* memsys/map.h -- which memory partition (L2 slice and DRAM channel) owns an address.
 *
 * Consecutive chunks of `interleave` bytes go round the partitions; `local` is the address with the partition taken
 * out, dense, so that L2 sets and DRAM rows see no holes. Any number of partitions (6 on a GTX 480). */
#ifndef MEMSYS_MAP_H
#define MEMSYS_MAP_H

#include "sim/types.h"

struct partition_map { uint32_t partitions, interleave; };

static inline uint32_t map_partition(const struct partition_map *m, addr offset, addr *local)
{
	addr chunk = offset / m->interleave;

	*local = chunk / m->partitions * m->interleave + offset % m->interleave;
	return (uint32_t)(chunk % m->partitions);
}
static inline addr map_offset(const struct partition_map *m, uint32_t partition, addr local)
{
	return (local / m->interleave * m->partitions + partition) * m->interleave + local % m->interleave;
}

#endif
