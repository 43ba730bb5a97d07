/* host/trace/trace_number.h -- the numbers of a trace: 7 bits a byte, low bits first, bit 7 set in all bytes
 * but the last; signed ones are doubled, negative ones then complemented. */
#ifndef HOST_TRACE_TRACE_NUMBER_H
#define HOST_TRACE_TRACE_NUMBER_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Behind what it reads, trace_number_short reads this many bytes at most. */
#define TRACE_NUMBER_AHEAD 8

/* Writes a number, at most ten bytes; returns the place behind it. */
static inline uint8_t *trace_number_put(uint8_t *at, uint64_t value)
{
	for (; value > 127; value >>= 7)
		*at++ = (uint8_t)(value | 128);
	*at++ = (uint8_t)value;
	return at;
}

static inline uint64_t trace_number_from_signed(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 ? ~UINT64_C(0) : 0);
}

static inline uint64_t trace_number_to_signed(uint64_t value)
{
	return value >> 1 ^ (0 - (value & 1));
}

/* Brings the seven low bits of each byte together. */
static inline uint64_t trace_number_compact(uint64_t word)
{
	word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
	word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
	return (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* Reads a number of up to eight bytes without a branch for each; returns its length, 0 if it is longer. */
static inline unsigned trace_number_short(const uint8_t *at, uint64_t *value)
{
	uint64_t word, last;

	memcpy(&word, at, sizeof(word));
	word = le64toh(word);
	last = ~word & UINT64_C(0x8080808080808080);
	if (!last)
		return 0;
	*value = trace_number_compact(word & (last ^ (last - 1)));
	return (unsigned)__builtin_ctzll(last) / 8 + 1;
}

#endif
