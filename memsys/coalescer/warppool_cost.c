/* memsys/coalescer/warppool_cost.c -- Table 1 of WarpPool as a function of the sizes. */
#include "memsys/coalescer/warppool_cost.h"

#define TAG_BITS     32u /* of a line in an inter-warp queue */
#define REQUEST_BITS 23u /* a merged request: warp, sequence number, mapping */

/* A row of Table 1: bits at the paper's size (entry size x entries), and power there. */
static const struct {
	uint64_t bits;
	double dynamic_mw, static_mw;
} printed[WARPPOOL_PARTS] = {
	[WARPPOOL_INSTRUCTION_QUEUES] = { UINT64_C(37) * 128, 41.4, 0.4 },
	[WARPPOOL_INTRA_COALESCERS] = { UINT64_C(256) * 8 * 2, 24.1, 0.2 },
	[WARPPOOL_INTER_QUEUES] = { UINT64_C(124) * 64, 43.8, 0.5 },
	[WARPPOOL_THREAD_MAP] = { UINT64_C(321) * 8, 9.8, 0.1 },
	[WARPPOOL_MSHR_METADATA] = { UINT64_C(23) * 1024, 19.9, 2.1 },
};

static void set_part(
	struct warppool_cost *cost, enum warppool_part part, uint64_t entries, uint64_t entry_bits)
{
	struct warppool_part_cost *p = &cost->part[part];
	double share;

	p->entries = entries;
	p->bits = entries * entry_bits;
	share = (double)p->bits / (double)printed[part].bits;
	p->dynamic_mw = printed[part].dynamic_mw * share;
	p->static_mw = printed[part].static_mw * share;
	cost->bytes += (p->bits + 7) / 8;
	cost->dynamic_mw += p->dynamic_mw;
	cost->static_mw += p->static_mw;
}

struct warppool_cost warppool_cost(const struct warppool_sizes *s)
{
	struct warppool_cost cost = { .bytes = 0 };

	set_part(&cost, WARPPOOL_INSTRUCTION_QUEUES, s->instruction_entries, 37);
	set_part(&cost, WARPPOOL_INTRA_COALESCERS, s->coalescers, UINT64_C(256) * 8);
	set_part(&cost, WARPPOOL_INTER_QUEUES, s->tags, TAG_BITS + (uint64_t)s->merges * REQUEST_BITS);
	set_part(&cost, WARPPOOL_THREAD_MAP, s->thread_map, 321); /* 32 lanes of 10 bits, and one: in use */
	set_part(&cost, WARPPOOL_MSHR_METADATA, s->metadata, REQUEST_BITS);
	return cost;
}
