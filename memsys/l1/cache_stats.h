/* memsys/l1/cache_stats.h -- what a cache of an SM counts. Policies may read it, through cache_counts. */
#ifndef MEMSYS_L1_CACHE_STATS_H
#define MEMSYS_L1_CACHE_STATS_H

#include "memsys/l1/cache.h"

#define CACHE_FAILURES (CACHE_OUTCOME_COUNT - CACHE_LINE_ALLOC_FAIL)

struct cache_stats {
	uint64_t accesses, hits, misses, merged, sent, written;
	uint64_t stores, atomics, uncached, bypassed; /* these add up to `sent` */
	uint64_t local_hits, local_misses;            /* of local memory */
	uint64_t sector_misses, store_updates;
	uint64_t tag_only_hits, tag_only_misses; /* of cache_access_tags_only */
	uint64_t fills, unplaced, evictions, store_evictions;
	uint64_t write_backs, write_back_bytes, dirty_drops;
	uint64_t fill_bytes, uncached_bytes, store_bytes, atomic_bytes, atomic_reply_bytes; /* data, without
											       headers */
	uint64_t asked_sectors, missed_sectors; /* of a sectored texture cache */
	uint64_t fails[CACHE_FAILURES];
	struct sim_histogram merge_depth;
};

#endif
