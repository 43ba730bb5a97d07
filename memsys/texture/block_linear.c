/* memsys/texture/block_linear.c -- where the texels of an array lie in device memory, for those who time the
 * access.
 *
 * From Fermi to Hopper an array is cut into GOBs (groups of bytes) of 64 bytes by 8 rows. A sector of 32
 * bytes is 16 bytes of two rows, and a line of 128 bytes is 32 bytes of four rows, so that neighbours in both
 * dimensions share a line. GOBs stand one on the other in blocks of up to 16, and blocks lie row by row. For
 * example, a warp that reads a square of 8 by 4 floats, aligned, needs one line, and one that reads 32 floats
 * of a row needs four.
 *
 * Sources: the Linux kernel's list of DRM format modifiers (16Bx2 block-linear layouts, height of a GOB from
 * Fermi on), Mesa's NIL (order of the sectors in a GOB of Turing) and Nouveau (height of a block by the
 * height of the image). Blocks of three-dimensional arrays are one slice deep here, which is our choice. */
#include "memsys/texture/texture.h"

#define GOB_WIDTH  64 /* bytes */
#define GOB_HEIGHT 8
#define BLOCK_GOBS 16 /* at most, in a block */

/* Rows of a block: the least power of two of GOBs that covers the height, at most BLOCK_GOBS. */
static uint64_t block_rows(uint32_t height)
{
	uint64_t rows = GOB_HEIGHT;

	while (rows < height && rows < GOB_HEIGHT * BLOCK_GOBS)
		rows *= 2;
	return rows;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

uint64_t block_linear_pitch(uint64_t row, uint32_t height)
{
	return height == 1 ? row : round_up(row, GOB_WIDTH);
}

uint64_t block_linear_rows(uint32_t height)
{
	return height == 1 ? 1 : round_up(height, block_rows(height));
}

/* From the start of its GOB */
static uint64_t offset_in_gob(uint64_t x, uint64_t y)
{
	return x / 32 * 256 + y / 4 * 128 + x % 32 / 16 * 64 + y % 4 * 16 + x % 16;
}

addr block_linear_address(const struct texture_level *l, uint64_t slice, uint64_t y, uint64_t x)
{
	addr base = l->base + slice * l->slice;
	uint64_t rows = block_rows(l->height);

	if (l->height == 1)
		return base + x;
	return base + y / rows * (l->pitch * rows) + x / GOB_WIDTH * (GOB_WIDTH * rows) +
		y % rows / GOB_HEIGHT * (GOB_WIDTH * GOB_HEIGHT) +
		offset_in_gob(x % GOB_WIDTH, y % GOB_HEIGHT);
}
