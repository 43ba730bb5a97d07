/* host/driver/driver_lz4.c -- the blocks of LZ4 in fat binaries (nvcc before 12.8, or --compress-mode=speed).
 *
 * A block is a row of sequences: a token (4 bits: number of literals; 4 bits: length of a copy, less 4), more
 * bytes of either number while it is at its maximum, the literals, and the distance back to the bytes that
 * are copied (2 bytes, the lower one first). The last sequence ends after its literals. A copy may reach into
 * what it writes, so that it repeats. */
#include "host/driver/driver_fatbin.h"

struct input {
	const uint8_t *at, *end;
	bool is_damaged;
};

static unsigned byte(struct input *in)
{
	if (in->at < in->end)
		return *in->at++;
	in->is_damaged = true;
	return 0;
}

static size_t length_read(struct input *in, unsigned nibble)
{
	size_t length = nibble;

	for (unsigned more = nibble == 15 ? 255 : 0; more == 255; length += more)
		more = byte(in);
	return length;
}

bool lz4_expand(const uint8_t *block, size_t length, uint8_t *to, size_t size)
{
	struct input in = { block, block + length, false };
	size_t done = 0;

	while (in.at < in.end) {
		unsigned token = byte(&in);
		size_t literals = length_read(&in, token >> 4);
		if (in.is_damaged || literals > (size_t)(in.end - in.at) || literals > size - done)
			return false;
		memcpy(to + done, in.at, literals);
		in.at += literals;
		done += literals;
		if (in.at == in.end)
			break;
		size_t distance = byte(&in);
		distance |= (size_t)byte(&in) << 8;
		size_t copy = 4 + length_read(&in, token & 15);
		if (in.is_damaged || !distance || distance > done || copy > size - done)
			return false;
		for (; copy; copy--, done++)
			to[done] = to[done - distance];
	}
	return done == size;
}
