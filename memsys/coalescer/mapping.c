/* memsys/coalescer/mapping.c -- recognises the patterns. Most requests are decided by the mask of lanes or by
 * the first two and the last of them; only those that look like a pattern are compared lane by lane. */
#include "memsys/coalescer/mapping.h"

#define LINE_BYTES 128 /* that the patterns are defined for */

const char *const mapping_names[] = { "consecutive", "broadcast", "single", "range", "table", NULL };

/* Whether `count` lanes have addresses that grow by `step` from one to the next. */
static bool grow_by(const addr *address, uint32_t count, uint32_t step)
{
	addr differ = 0;

	if (address[1] != address[0] + step || address[count - 1] != address[0] + (addr)(count - 1) * step)
		return false;
	for (uint32_t i = 0; i < count; i++)
		differ |= address[i] ^ (address[0] + (addr)i * step);
	return !differ;
}

enum lane_mapping mapping_of(const addr address[32], uint32_t lanes, uint32_t bytes)
{
	uint32_t first, row;

	if (!(lanes & (lanes - 1)))
		return MAPPING_SINGLE;
	first = (uint32_t)__builtin_ctz(lanes);
	row = lanes >> first;
	if (row & (row + 1))
		return MAPPING_TABLE; /* lanes with a gap */
	if (grow_by(address + first, (uint32_t)__builtin_popcount(row), bytes))
		return row == UINT32_MAX && !(address[0] % LINE_BYTES) ? MAPPING_CONSECUTIVE : MAPPING_RANGE;
	if (row == UINT32_MAX && grow_by(address, 32, 0))
		return MAPPING_BROADCAST;
	return MAPPING_TABLE;
}
