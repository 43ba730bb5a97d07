/* memsys/index/fermi.h -- the hash itself, for those who call it for every look-up. */
#ifndef MEMSYS_INDEX_FERMI_H
#define MEMSYS_INDEX_FERMI_H

#include "sim/types.h"

/* Bit of the address, from the number of its 128-byte line. */
static inline uint32_t fermi_bit(addr line_number, unsigned address_bit)
{
	return (uint32_t)(line_number >> (address_bit - 7)) & 1;
}

/* sets: 32 or 64. */
static inline uint32_t fermi_hash(addr n, uint32_t sets)
{
	uint32_t hash = fermi_bit(n, 13) | fermi_bit(n, 14) << 1 | fermi_bit(n, 15) << 2 | fermi_bit(n, 17) << 3 |
			fermi_bit(n, 19) << 4;
	uint32_t low = ((uint32_t)n & 31) ^ hash;

	return sets == 64 ? low | fermi_bit(n, 12) << 5 : low;
}

#endif
