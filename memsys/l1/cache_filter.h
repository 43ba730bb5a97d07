/* memsys/l1/cache_filter.h -- the tags of an L1 without time: which of the lines that loads ask for it would
 * ask the L2 for. For those who execute without timing and want to know what reaches the L2
 * (core/sample/warming.h). It is apart from the SM's cache, which it leaves as it is. */
#ifndef MEMSYS_L1_CACHE_FILTER_H
#define MEMSYS_L1_CACHE_FILTER_H

#include "memsys/l1/cache_config.h"
#include "sim/base/types.h"

struct cache_filter;

struct cache_filter *cache_filter_new(const struct cache_config *config);
void cache_filter_free(struct cache_filter *filter);
/* A load of these sectors (bit i: bytes 32 i to 32 i + 31) of the 128 bytes at `line`. Returns those that the
 * cache has to fetch: 0 for a hit; all of the line where it has no sectors of its own. */
uint32_t cache_filter_load(struct cache_filter *filter, addr line, uint32_t sectors, bool evict_first);
/* A store that goes to the L2: what becomes of the line here. sectors: that it writes wholly. */
void cache_filter_store(struct cache_filter *filter, addr line, uint32_t sectors);
/* An atomic, or a load that discards the line. */
void cache_filter_drop(struct cache_filter *filter, addr line);
/* Empties it, as the cache is when a kernel starts. */
void cache_filter_clear(struct cache_filter *filter);

#endif
