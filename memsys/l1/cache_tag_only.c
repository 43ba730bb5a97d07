/* memsys/l1/cache_tag_only.c -- a cache of an SM: tags that are kept up to date while loads bypass it.
 *
 * A policy that bypasses the cache, but wants to know its hit rate, lets the loads access the tags alone
 * (memsys/bypass/stream.c). Such a tag has no data. It takes part in replacement, and later tag-only accesses
 * hit it; but a normal load that finds it is a miss, which fetches the line and takes the tag over. So when
 * the cache is used again, no line hits that has never been fetched, and lines fetched earlier still hit if
 * the tags have kept them.
 *
 * Dirty lines (of local memory) are not evicted for a tag, since nothing is written back on its behalf: the
 * next clean line in replacement order is evicted instead. If the first DIRTY_PASSED lines in this order are
 * all dirty, none is. In a sectored cache, a tag records the sectors that were read. If a tag-only access
 * reads further sectors of a line with data, the whole line becomes such a tag, since one bit per line tells
 * lines with data from tags. */
#include "memsys/l1/cache_internal.h"

#define DIRTY_PASSED 8

void cache_set_owner(struct cache *c, uint32_t line, const struct requester *by)
{
	if (listeners_any(&c->listeners))
		listeners_set_owner(&c->listeners, line, by);
	if (c->tags.valid)
		c->tags.valid[line] = (struct byte_mask){ { 0 } };
	c->state[line] = LINE_PARTIAL;
}

/* Sectors that the load reads; without sectors: 1, for the line. */
static uint32_t asked(const struct cache *c, const struct cache_request *r)
{
	uint32_t sectors = byte_mask_sectors(&(struct byte_mask){
		{ r->byte_mask[0], r->byte_mask[1], r->byte_mask[2], r->byte_mask[3] } });

	if (!c->facts.is_sectored)
		return 1;
	return sectors ? sectors : (1u << LINE_SECTORS) - 1;
}

static void enter_tag(struct cache *c, uint32_t line, uint32_t sectors)
{
	c->state[line] = LINE_PARTIAL | LINE_TAG_ONLY;
	for (uint32_t i = 0; i < LINE_SECTORS && c->facts.is_sectored; i++)
		if (sectors >> i & 1)
			c->tags.valid[line].sector[i] = UINT32_MAX;
}

/* Evicts the line's data, if any, in favour of a tag. */
static void evict_data(struct cache *c, uint32_t line, const struct cache_request *r)
{
	if (c->tags.key[line] == TAGS_FREE || cache_is_tag_only(c, line))
		return;
	c->stats.evictions++;
	if (listeners_any(&c->listeners))
		cache_notify_evicted(c, line, EVICTED_BY_REPLACEMENT, &r->by);
}

static bool is_in_flight(const struct cache *c, addr key, uint32_t sectors)
{
	for (uint32_t i = mshr_find(&c->mshrs, key); i != MSHR_NONE; i = mshr_find_next(&c->mshrs, i))
		if (!c->facts.is_sectored || !(sectors & ~c->mshrs.entries[i].sectors))
			return true;
	return false;
}

static enum cache_outcome found(struct cache *c, addr key, uint32_t line, const struct cache_request *r)
{
	uint32_t lacking =
		asked(c, r) & ~(c->facts.is_sectored ? byte_mask_sectors(&c->tags.valid[line]) : 1);

	if (!r->evict_first)
		tags_touch(&c->tags, line);
	if (!lacking && !c->tags.pins[line])
		return CACHE_HIT;
	if (c->tags.pins[line] && is_in_flight(c, key, lacking))
		return CACHE_MERGED;
	if (!lacking)
		return CACHE_HIT; /* only other sectors are in flight */
	if (!c->tags.pins[line] && !cache_line_is_dirty(c, line)) {
		evict_data(c, line, r);
		enter_tag(c, line, lacking);
	}
	return CACHE_MISS;
}

/* The first line in replacement order that is not dirty. Dirty ones are pinned during the search, so that
 * their order does not change. */
static uint32_t clean_victim(struct cache *c, addr key)
{
	uint32_t line = tags_victim(&c->tags, key), passed[DIRTY_PASSED], n = 0;

	while (line != TAGS_NONE && cache_line_is_dirty(c, line) && n < DIRTY_PASSED) {
		c->tags.pins[passed[n++] = line]++;
		line = tags_victim(&c->tags, key);
	}
	if (line != TAGS_NONE && cache_line_is_dirty(c, line))
		line = TAGS_NONE;
	while (n)
		c->tags.pins[passed[--n]]--;
	return line;
}

static enum cache_outcome absent(struct cache *c, addr key, const struct cache_request *r)
{
	uint32_t line;

	if (is_in_flight(c, key, asked(c, r)))
		return CACHE_MERGED; /* in a cache that allocates on fill */
	line = clean_victim(c, key);
	if (line == TAGS_NONE)
		return CACHE_MISS;
	evict_data(c, line, r);
	tags_insert(&c->tags, line, key, cache_position(r));
	enter_tag(c, line, asked(c, r));
	return CACHE_MISS;
}

enum cache_outcome cache_access_tags_only(struct cache *c, const struct cache_request *r)
{
	addr key = tags_key(&c->tags, r->line);
	uint32_t line = tags_find(&c->tags, key);
	enum cache_outcome outcome = line == TAGS_NONE ? absent(c, key, r) : found(c, key, line, r);

	*(outcome == CACHE_MISS ? &c->stats.tag_only_misses : &c->stats.tag_only_hits) += 1;
	return outcome;
}
