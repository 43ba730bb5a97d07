/* sim/base/bits.h -- numbers that consist of bits of an address, hashes of such bits, and division by
 * constants: the building blocks of address mappings. */
#ifndef SIM_BASE_BITS_H
#define SIM_BASE_BITS_H

#include "sim/base/types.h"

/* Bits [from, from + bits) of an address are bits [to, to + bits) of a number. */
struct bit_slice {
	uint8_t from, bits, to;
};

#define BIT_REMAINDER 12 /* bits of a remainder */
#define BIT_NIBBLES   12 /* of four bits of an address that is divided: 48 bits */

/* The sum, or the exclusive or, of slices of one address, and of the remainder of a division of the address
 * over GF(2). All zeros: no hash. */
struct bit_hash {
	struct bit_slice slice[8];
	const uint16_t (*remainder)[16]; /* of each nibble of the address from bit `from` on, as its place and
					    value give it; BIT_NIBBLES rows; NULL: no remainder */
	uint8_t count, from;
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
static inline uint64_t bit_remainder_of(const struct bit_hash *h, addr address)
{
	uint64_t number = 0, left = (address & bit_mask(4 * BIT_NIBBLES)) >> h->from;

	for (const uint16_t(*row)[16] = h->remainder; left; left >>= 4, row++)
		number ^= (*row)[left & 15];
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
	if (h->remainder) {
		uint64_t number = bit_remainder_of(h, address);

		value = h->adds ? value + bit_spread(number) : value ^ number;
	}
	return value;
}
static inline bool bit_hash_is_none(const struct bit_hash *h)
{
	return !h->count && !h->remainder;
}

#endif
