/* memsys/partition_map.h -- which memory partition (L2 slice and DRAM channel) owns an address.
 *
 * Consecutive chunks of `interleave` bytes go round the partitions; `local` is the address with the partition
 * taken out, dense, so that L2 sets and DRAM rows see no holes. Any number of partitions (6 on a GTX 480). A
 * hash of the local address may move the partition on from there; and with a power of two of partitions its
 * number may stand in several parts of the address. Every mapping is one-to-one.
 *
 * Where the numbers come from: the channel field of dram.mapping (dram/map.h), or else gpu.interleave
 * (core/chip/address_map.h). */
#ifndef MEMSYS_PARTITION_MAP_H
#define MEMSYS_PARTITION_MAP_H

#include "sim/base/bits.h"

#define PARTITION_PARTS 4

/* In the local address of a line that a half of the L2 keeps although its home is in the other (l2.halves).
 */
#define MAP_COPY (UINT64_C(1) << 62)

struct partition_map {
	uint32_t partitions, interleave; /* interleave: bytes, a power of two */
	struct bit_hash hash;            /* of the local address; added modulo partitions, or exclusive or */
	uint8_t parts;                   /* 0: the number is one bit field, above `interleave` */
	struct bit_slice part[PARTITION_PARTS]; /* else, low to high; from: bits of the local address below it
						 */
	bool halves;  /* slices of even and odd numbers are the two halves of the L2 ... */
	uint8_t half; /* ... of which the SM asks this one */
};

/* The same with hash or parts. */
uint32_t map_partition_hashed(const struct partition_map *m, addr offset, addr *local);

/* The slice that an SM asks for what is at home in `slice`: that of its own half with the same place. */
static inline uint32_t map_own_half(const struct partition_map *m, uint32_t slice, addr *local)
{
	if (!m->halves || (slice & 1) == m->half)
		return slice;
	*local |= MAP_COPY;
	return slice ^ 1;
}

static inline uint32_t map_partition(const struct partition_map *m, addr offset, addr *local)
{
	uint32_t shift = (uint32_t)__builtin_ctz(m->interleave);
	addr chunk = offset >> shift, low = offset & (m->interleave - 1);

	if (!bit_hash_is_none(&m->hash) || m->parts)
		return map_partition_hashed(m, offset, local);
	if (chunk >> 32) {
		*local = chunk / m->partitions << shift | low;
		return (uint32_t)(chunk % m->partitions);
	}
	*local = (addr)((uint32_t)chunk / m->partitions) << shift | low; /* the shorter division */
	return (uint32_t)chunk % m->partitions;
}

#endif
