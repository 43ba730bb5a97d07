/* memsys/l1/cache_tag_only.c -- a cache of an SM: tags that are kept up to date while loads bypass it.
 *
 * A policy that leaves a cache aside, and would know how it would fare, enters the loads into the tags
 * (memsys/bypass/stream.c). What is entered so has no data. It takes part in replacement, and another such
 * load finds it; but one that is looked up does not: it is a miss, which asks for the line and takes the tag
 * over. So when the cache is used again, nothing in it hits that has never been fetched, and what was fetched
 * before still does, if the tags have kept it.
 *
 * Dirty lines (of local memory) stay where they are, since nothing is written back for a tag's sake: the next
 * clean line in order goes instead; among many ways, if the first DIRTY_PASSED in order are all dirty, none
 * does. In a sectored cache a tag notes the sectors that were asked for; a line with data that learns of
 * further sectors becomes such a tag, data and all, as data and tag have one bit between them that tells them
 * apart. */
#include "memsys/l1/cache_internal.h"

#define DIRTY_PASSED 8

void cache_set_owner(struct cache *c, uint32_t line, const struct requester *by)
{
	if (listeners_any(&c->listeners))
		listeners_took(&c->listeners, line, by);
	if (c->tags.valid)
		c->tags.valid[line] = (struct byte_mask){ { 0 } };
	c->state[line] = LINE_PARTIAL;
}

/* Sectors that the load asks for; without sectors: the line's only one. */
static uint32_t asked(const struct cache *c, const struct cache_request *r)
{
	uint32_t sectors = byte_mask_sectors(&(struct byte_mask){
		{ r->byte_mask[0], r->byte_mask[1], r->byte_mask[2], r->byte_mask[3] } });

	if (!c->facts.is_sectored)
		return 1;
	return sectors ? sectors : (1u << LINE_SECTORS) - 1;
}

static void enter(struct cache *c, uint32_t line, uint32_t sectors)
{
	c->state[line] = LINE_PARTIAL | LINE_TAG_ONLY;
	for (uint32_t i = 0; i < LINE_SECTORS && c->facts.is_sectored; i++)
		if (sectors >> i & 1)
			c->tags.valid[line].sector[i] = UINT32_MAX;
}

/* The line's data are given up for a tag. */
static void give_up(struct cache *c, uint32_t line, const struct cache_request *r)
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
		return CACHE_HIT; /* other sectors of it are in flight */
	if (!c->tags.pins[line] && !cache_line_is_dirty(c, line)) {
		give_up(c, line, r);
		enter(c, line, lacking);
	}
	return CACHE_MISS;
}

/* The line to go next that is not dirty. Those passed over are pinned meanwhile, so that their order is not
 * touched. */
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
		return CACHE_MERGED; /* by a cache that takes its lines on fill */
	line = clean_victim(c, key);
	if (line == TAGS_NONE)
		return CACHE_MISS;
	give_up(c, line, r);
	tags_insert(&c->tags, line, key, cache_position(r));
	enter(c, line, asked(c, r));
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
