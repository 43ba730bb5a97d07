/* sim/bits.h -- numbers made of bits of an address, and hashes of them: what address mappings are written with. */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include "sim/types.h"

/* Bits [from, from + bits) of an address are bits [to, to + bits) of a number. */
struct bit_slice {
	uint8_t from, bits, to;
};

/* The sum, or the exclusive or, of slices of one address. All zeros: no hash. */
struct bit_hash {
	struct bit_slice slice[8];
	uint8_t count;
	bool adds;
};

static inline uint64_t bit_mask(uint32_t bits)
{
	return bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
}
static inline uint64_t bit_slice_of(struct bit_slice s, addr address)
{
	return (address >> s.from & bit_mask(s.bits)) << s.to;
}
static inline uint64_t bit_hash_of(const struct bit_hash *h, addr address)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		uint64_t slice = bit_slice_of(h->slice[i], address);

		value = h->adds ? value + slice : value ^ slice;
	}
	return value;
}

#endif
