/* core/sanitize/unwritten.c -- which bytes of device memory nobody has written. What is not marked counts as
 * written: modules, arrays, memory that the host may touch directly. Marks are bits, in blocks that are made
 * when something in them is marked. */
#include "core/sanitize/unwritten.h"
#include "memsys/memory.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define BLOCK_BITS 16 /* 64 KiB of memory */
#define BLOCK      (UINT64_C(1) << BLOCK_BITS)

/* The block of an address; NULL: nothing in it is marked. */
static uint8_t **block_of(const struct unwritten *u, addr address)
{
	uint64_t number = (address - DEVICE_BASE) >> BLOCK_BITS;

	return address >= DEVICE_BASE && number < u->count && u->blocks[number] ? &u->blocks[number] : NULL;
}

static uint8_t *make_block(struct unwritten *u, addr address)
{
	uint64_t number = (address - DEVICE_BASE) >> BLOCK_BITS;

	if (number >= u->count) {
		uint64_t count = number + 1 > 2 * u->count ? number + 1 : 2 * u->count;

		u->blocks = xrealloc(u->blocks, count * sizeof(*u->blocks));
		memset(u->blocks + u->count, 0, (count - u->count) * sizeof(*u->blocks));
		u->count = count;
	}
	if (!u->blocks[number])
		u->blocks[number] = xcalloc(BLOCK / 8, 1);
	return u->blocks[number];
}

/* So many bits from one on, within a block. */
static void set_bits(uint8_t *block, uint64_t from, uint64_t count, bool value)
{
	for (; count && from % 8; from++, count--)
		block[from / 8] =
			(uint8_t)((block[from / 8] & ~(1u << from % 8)) | (unsigned)value << from % 8);
	memset(block + from / 8, value ? 0xff : 0, count / 8);
	for (from += count / 8 * 8, count %= 8; count; from++, count--)
		block[from / 8] =
			(uint8_t)((block[from / 8] & ~(1u << from % 8)) | (unsigned)value << from % 8);
}

void unwritten_mark(struct unwritten *u, addr start, uint64_t bytes, bool is_unwritten)
{
	if (start >= MAPPED_BASE) /* what is mapped counts as written */
		return;
	while (bytes) {
		uint64_t from = (start - DEVICE_BASE) % BLOCK,
			 now = BLOCK - from < bytes ? BLOCK - from : bytes;
		uint8_t **block = is_unwritten ? NULL : block_of(u, start);

		if (is_unwritten)
			set_bits(make_block(u, start), from, now, true);
		else if (block)
			set_bits(*block, from, now, false);
		start += now;
		bytes -= now;
	}
}

bool unwritten_is(const struct unwritten *u, addr address)
{
	uint8_t **block = block_of(u, address);
	uint64_t bit = (address - DEVICE_BASE) % BLOCK;

	return block && (*block)[bit / 8] >> bit % 8 & 1;
}

uint64_t unwritten_first(const struct unwritten *u, addr start, uint64_t bytes)
{
	uint64_t i = 0;

	while (i < bytes) {
		uint64_t left = BLOCK - (start + i - DEVICE_BASE) % BLOCK;

		if (!block_of(u, start + i))
			i += left;
		else if (unwritten_is(u, start + i))
			return i;
		else
			i++;
	}
	return bytes;
}

void unwritten_free(struct unwritten *u)
{
	for (uint64_t i = 0; i < u->count; i++)
		free(u->blocks[i]);
	free(u->blocks);
}
