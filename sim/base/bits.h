/* sim/base/bits.h -- numbers that consist of bits of an address, hashes of such bits, and division by
 * constants: the building blocks of address mappings. */
#ifndef SIM_BASE_BITS_H
#define SIM_BASE_BITS_H

#include "sim/base/types.h"

/* Bits [from, from + bits) of an address are bits [to, to + bits) of a number. */
struct bit_slice {
	uint8_t from, bits, to;
};

#define BIT_PARITIES 12

/* The sum, or the exclusive or, of slices of one address, and of a number whose bits are parities: each is
 * the exclusive or of some bits of the address. All zeros: no hash. */
struct bit_hash {
	struct bit_slice slice[8];
	uint64_t parity[BIT_PARITIES]; /* the bits of the address that make bit i of the number */
	uint8_t count, parities;
	bool adds;
};

/* A divisor, for which division is cheap if it is a power of two. */
struct divisor {
	uint32_t by;
	uint8_t shift;
	bool is_power;
};
static inline struct divisor divisor_of(uint32_t by)
{
	return (struct divisor){ by, (uint8_t)__builtin_ctz(by), !(by & (by - 1)) };
}
static inline uint32_t divided_by(uint32_t number, struct divisor d)
{
	return d.is_power ? number >> d.shift : number / d.by;
}

static inline uint64_t bit_mask(uint32_t bits)
{
	return bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
}
static inline uint64_t bit_slice_of(struct bit_slice s, addr address)
{
	return (address >> s.from & bit_mask(s.bits)) << s.to;
}
static inline uint64_t bit_parities_of(const struct bit_hash *h, addr address)
{
	uint64_t number = 0;

	for (uint32_t i = 0; i < h->parities; i++)
		number |= (uint64_t)__builtin_parityll(address & h->parity[i]) << i;
	return number;
}
/* Of a number of 12 bits another one, whose remainder by any divisor depends on all of them (multiplicative
 * hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4). */
static inline uint64_t bit_spread(uint64_t number)
{
	return (number * 40503 & 0xffff) >> 4;
}
static inline uint64_t bit_hash_of(const struct bit_hash *h, addr address)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		uint64_t slice = bit_slice_of(h->slice[i], address);

		value = h->adds ? value + slice : value ^ slice;
	}
	if (h->parities) {
		uint64_t number = bit_parities_of(h, address);

		value = h->adds ? value + bit_spread(number) : value ^ number;
	}
	return value;
}
static inline bool bit_hash_is_none(const struct bit_hash *h)
{
	return !h->count && !h->parities;
}

#endif
