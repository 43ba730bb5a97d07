/* tests/blackwell/tensor_memory.h -- tensor memory, its numbers and the matrices of its products, written
 * down for single elements by the tables of the PTX ISA. Nothing here is the product's. */
#ifndef TESTS_BLACKWELL_TENSOR_MEMORY_H
#define TESTS_BLACKWELL_TENSOR_MEMORY_H

#include "hopper.h"
#include "numbers.h"

enum { LANES = 128, COLUMNS = 512, IMAGE = 32768, MOST_M = 256, MOST_N = 256, MOST_K = 128 };

/* Elements of A and B, in the order of one table of instruction descriptors each. */
enum element { EL_F16, EL_BF16, EL_TF32, EL_E4M3, EL_E5M2, EL_E2M3, EL_E3M2, EL_E2M1, EL_U8, EL_S8 };

/* 1 sign bit, so many of exponent (bias 2^(n-1) - 1) and mantissa; no infinities, no NaN. */
static inline double small_value(unsigned bits, unsigned exponent, unsigned mantissa)
{
	unsigned field = bits >> mantissa & ((1u << exponent) - 1), fraction = bits & ((1u << mantissa) - 1);
	int bias = (1 << (exponent - 1)) - 1;
	double value = field ? ldexp(fraction | 1u << mantissa, (int)field - bias - (int)mantissa)
			     : ldexp(fraction, 1 - bias - (int)mantissa);

	return bits >> (exponent + mantissa) & 1 ? -value : value;
}

static inline double element_number(enum element type, uint32_t bits)
{
	switch (type) {
	case EL_F16:
		return number_value(F16, bits);
	case EL_BF16:
		return number_value(BF16, bits);
	case EL_TF32:
		return number_value(TF32, bits);
	case EL_E4M3:
		return number_value(E4M3, bits);
	case EL_E5M2:
		return number_value(E5M2, bits);
	case EL_E2M3:
		return small_value(bits, 2, 3);
	case EL_E3M2:
		return small_value(bits, 3, 2);
	case EL_E2M1:
		return small_value(bits, 2, 1);
	case EL_U8:
		return bits;
	default:
		return (int8_t)bits;
	}
}

static inline unsigned element_bits(enum element type)
{
	static const uint8_t bits[] = { 16, 16, 32, 8, 8, 6, 6, 4, 8, 8 };

	return bits[type];
}

/* ---- matrices in shared memory ---- */

struct descriptor {
	uint32_t start, leading, stride, base, mode; /* mode: 0, 1 (128 bytes by 32), 2 (128), 4 (64), 6 (32)
						      */
};

static inline uint64_t descriptor_bits(const struct descriptor *d)
{
	return d->start >> 4 | (uint64_t)(d->leading >> 4) << 16 | (uint64_t)(d->stride >> 4) << 32 |
		UINT64_C(1) << 46 | (uint64_t)d->base << 49 | (uint64_t)d->mode << 61;
}

/* The 16 bytes that hold element k of a line, `per` elements each. */
static inline uint32_t piece_at(
	const struct descriptor *d, bool across, unsigned line, unsigned k, unsigned per)
{
	static const unsigned widths[] = { 0, 128, 128, 0, 64, 0, 32 };
	unsigned w = widths[d->mode], n = (across ? line : k) / per, rows = d->mode == 1 ? 4 : 8;
	uint32_t address, phase;

	if (!across && !w)
		address = line % 8 * 16 + line / 8 * d->stride + n * d->leading;
	else if (!across)
		address = line % 8 * w + line / 8 * d->stride + n * 16 % w + n * 16 / w * d->leading;
	else if (!w)
		address = n * d->stride + k % 8 * 16 + k / 8 * d->leading;
	else
		address = n * 16 % w + n * 16 / w * d->leading + k % rows * w + k / rows * d->stride;
	address += d->start;
	phase = (address >> 7) + 8 - d->base;
	return address ^
		(d->mode == 1                  ? (phase & 3) << 5
				: d->mode == 2 ? (phase & 7) << 4
				: d->mode == 4 ? (phase & 3) << 4
				: d->mode == 6 ? (phase & 1) << 4
					       : 0);
}

/* One whose `lines` lines of k elements lie within the image. modes: bit n: mode n may be. */
static inline struct descriptor random_descriptor(
	unsigned per, bool across, unsigned lines, unsigned k, unsigned modes, uint64_t *state)
{
	for (unsigned room = 8192;; room = room < 64 ? 64 : room - room / 4) {
		struct descriptor d = { (uint32_t)random_bits(state) % (IMAGE / 2) & ~15u,
			(uint32_t)random_bits(state) % room & ~15u,
			(uint32_t)random_bits(state) % room & ~15u, (uint32_t)random_bits(state) % 8, 0 };
		uint32_t most = 0, at;

		do
			d.mode = (uint32_t)random_bits(state) % 7;
		while (!(modes >> d.mode & 1));
		if (random_bits(state) % 2)
			d.base = 0;
		for (unsigned line = 0; line < lines; line++)
			for (unsigned i = 0; i < k; i += across ? 1 : per) {
				at = piece_at(&d, across, line, i, per);
				most = at > most ? at : most;
			}
		if (most + 16 <= IMAGE)
			return d;
	}
}

#endif
