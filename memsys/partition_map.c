/* memsys/partition_map.c -- partitions by a hash or in parts of the address. */
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
