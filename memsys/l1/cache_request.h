/* memsys/l1/cache_request.h -- from a line request of the coalescer to what a cache is asked. Inlined: it
 * runs for each line request. */
#ifndef MEMSYS_L1_CACHE_REQUEST_H
#define MEMSYS_L1_CACHE_REQUEST_H

#include "memsys/l1/cache.h"
#include <string.h>

/* Bytes of the sectors that the mask touches. */
static inline uint16_t cache_request_bytes(const uint32_t mask[4])
{
	uint16_t sectors = 0;

	for (int i = 0; i < 4; i++)
		sectors = (uint16_t)(sectors + (mask[i] != 0));
	return (uint16_t)(sectors * 32);
}

/* A load that is not cached asks for whole sectors, and only for those that it touches. */
static inline void cache_request_sectors(struct cache_request *r)
{
	r->bytes = cache_request_bytes(r->byte_mask);
	bug_if(!r->bytes, "a load that asks for nothing");
	for (int i = 0; i < 4; i++)
		r->byte_mask[i] = r->byte_mask[i] ? UINT32_MAX : 0;
}

/* Fills in what line request `line` of an instruction adds to what they have in common. op: the token of all
 * but stores. */
static inline void cache_request_line(struct cache_request *r, const struct line_request *line, uint32_t op)
{
	r->line = line->line;
	r->by.lanes = line->lanes;
	memcpy(r->byte_mask, line->byte_mask, sizeof(r->byte_mask));
	r->token = op;
	if (r->kind != PACKET_READ) {
		r->token = r->kind == PACKET_WRITE ? STORE_TOKEN | r->by.warp : op;
		r->bytes = cache_request_bytes(line->byte_mask);
		r->collisions = line->collisions;
	} else if (r->uncached) {
		cache_request_sectors(r);
	}
}

#endif
