/* tests/unit/core/gpu/map_offset.h -- the inverse of a partition map: the offset that has these. */
#ifndef TESTS_MAP_OFFSET_H
#define TESTS_MAP_OFFSET_H

#include "memsys/partition_map.h"

static addr join_address(const struct partition_map *m, uint32_t number, addr local)
{
	uint32_t below = 0, place = 0;
	addr offset = 0;

	for (uint32_t i = 0; i < m->parts; i++) {
		const struct bit_slice *p = &m->part[i];
		uint32_t bits = p->from - below;

		offset |= (local >> below & bit_mask(bits)) << place;
		offset |= (number >> p->to & bit_mask(p->bits)) << (place + bits);
		place += bits + p->bits;
		below = p->from;
	}
	return offset | local >> below << place;
}

static addr map_offset(const struct partition_map *m, uint32_t partition, addr local)
{
	uint64_t hash = bit_hash_of(&m->hash, local);

	if (hash && !m->hash.adds)
		partition ^= (uint32_t)(hash & (m->partitions - 1));
	else if (hash)
		partition = (uint32_t)((partition + m->partitions - hash % m->partitions) % m->partitions);
	if (m->parts)
		return join_address(m, partition, local);
	return (local / m->interleave * m->partitions + partition) * m->interleave + local % m->interleave;
}

#endif
