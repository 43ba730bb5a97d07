/* memsys/partition_map.c -- partitions by a hash or in parts of the address, and the way back. */
#include "memsys/partition_map.h"

/* The partition number in the address, before the hash. */
static uint32_t split_address(const struct partition_map *m, addr offset, addr *local)
{
	uint32_t number = 0, below = 0;

	*local = 0;
	for (uint32_t i = 0; i < m->parts; i++) {
		const struct bit_slice *p = &m->part[i];
		uint32_t bits = p->from - below;

		*local |= (offset & bit_mask(bits)) << below;
		number |= (uint32_t)(offset >> bits & bit_mask(p->bits)) << p->to;
		offset >>= bits + p->bits;
		below = p->from;
	}
	*local |= offset << below;
	return number;
}

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

uint32_t map_partition_hashed(const struct partition_map *m, addr offset, addr *local)
{
	struct partition_map unhashed = { m->partitions, m->interleave, .parts = 0 };
	uint32_t number =
		m->parts ? split_address(m, offset, local) : map_partition(&unhashed, offset, local);

	if (bit_hash_is_none(&m->hash))
		return number;
	if (m->hash.adds)
		return (uint32_t)((number + bit_hash_of(&m->hash, *local)) % m->partitions);
	return number ^ (uint32_t)(bit_hash_of(&m->hash, *local) & (m->partitions - 1));
}

addr map_offset(const struct partition_map *m, uint32_t partition, addr local)
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
