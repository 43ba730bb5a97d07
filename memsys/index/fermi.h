/* memsys/index/fermi.h -- the hash itself, for those who call it for every look-up. */
#ifndef MEMSYS_INDEX_FERMI_H
#define MEMSYS_INDEX_FERMI_H

#include "sim/base/types.h"

/* The address bits from..to of the line with this number (bit 0 of the number is bit 7 of the address), put
 * down at bit `at`, which is not above from - 7. */
static inline uint32_t fermi_bits(uint32_t number, unsigned from, unsigned to, unsigned at)
{
	return number >> (from - 7 - at) & ((2u << (to - from)) - 1) << at;
}

/* sets: 32 or 64. */
static inline uint32_t fermi_hash(addr line_number, uint32_t sets)
{
	uint32_t n = (uint32_t)line_number;
	uint32_t hash = fermi_bits(n, 13, 15, 0) | fermi_bits(n, 17, 17, 3) | fermi_bits(n, 19, 19, 4);
	uint32_t low = (n & 31) ^ hash;

	return sets == 64 ? low | fermi_bits(n, 12, 12, 5) : low;
}

#endif
