/* memsys/l1/cache_store.c -- a cache of an SM: stores, atomics, loads that bypass it, dirty lines,
 * invalidation.
 *
 * Global stores are sent to the L2. A line that they hit is evicted (write-evict) or updated (write-through);
 * where none is, one may be allocated without a fetch (write_global: allocate), in place of one that is not
 * dirty. Atomics evict it. Local stores are written here (write_local: back): a hit makes
 * bytes of the line valid and dirty; a miss allocates a line without fetching it, and masks record which of
 * its bytes are valid (Micikevicius, Local Memory and Register Spilling, NVIDIA 2011: a store writes its line
 * in the L1, an evicted line goes to the L2. Not to fetch is our choice, since spills store whole rows of a
 * warp). A dirty victim is written back first, in a cycle of its own, as one write of its dirty bytes, whose
 * acknowledgement is ignored. */
#include "memsys/l1/cache_internal.h"
#include <string.h>

static void merge_mask(struct byte_mask *to, const uint32_t bytes[4])
{
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		to->sector[i] |= bytes[i];
}

/* ---- dirty lines ---- */

void cache_write_back(struct cache *c, uint32_t line, const struct requester *by, picoseconds now)
{
	struct byte_mask *dirty = &c->tags.dirty[line];
	struct cache_request r = { .kind = PACKET_WRITE,
		.line = c->tags.key[line],
		.by = { .sm = c->sm, .launch = c->launch[line] },
		.bytes = (uint16_t)(__builtin_popcount(byte_mask_sectors(dirty)) * CACHE_SECTOR_BYTES) };

	memcpy(r.byte_mask, dirty->sector, sizeof(r.byte_mask));
	cache_send(c, &r, CACHE_NO_TOKEN, now);
	c->stats.write_backs++;
	c->stats.write_back_bytes += r.bytes;
	if (c->tags.pins[line]) {
		*dirty = (struct byte_mask){ { 0 } };
		c->state[line] &= (uint8_t)~LINE_DIRTY;
		return;
	}
	c->stats.evictions++;
	if (listeners_any(&c->listeners))
		cache_notify_evicted(c, line, EVICTED_BY_REPLACEMENT, by);
	tags_drop(&c->tags, line);
}

void cache_last_use(struct cache *c, uint32_t line, const struct cache_request *r)
{
	if (!cache_line_is_dirty(c, line))
		return;
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		c->tags.dirty[line].sector[i] &= ~r->byte_mask[i];
	if (!byte_mask_sectors(&c->tags.dirty[line]))
		c->state[line] &= (uint8_t)~LINE_DIRTY;
}

/* Drops the line with all its bytes. If it is reserved for a fetch, it stays reserved without valid bytes. */
static void drop_line(struct cache *c, uint32_t line, enum eviction_cause cause, const struct requester *by)
{
	if (c->tags.key[line] == TAGS_FREE)
		return;
	c->stats.dirty_drops += (c->state[line] & LINE_DIRTY) != 0;
	if (!c->tags.pins[line]) {
		if (listeners_any(&c->listeners) && !cache_is_tag_only(c, line))
			cache_notify_evicted(c, line, cause, by);
		tags_drop(&c->tags, line);
		return;
	}
	c->state[line] = LINE_PARTIAL;
	if (c->tags.valid)
		c->tags.valid[line] = c->tags.dirty[line] = (struct byte_mask){ { 0 } };
}

static bool stays(
	const struct cache *c, uint32_t line, bool (*lives)(void *user, uint32_t launch), void *user)
{
	return cache_line_is_dirty(c, line) && lives && lives(user, c->launch[line]);
}

void cache_invalidate_but(struct cache *c, bool (*lives)(void *user, uint32_t launch), void *user)
{
	uint32_t lines = c->tags.sets * c->tags.ways;
	uint64_t in_use = tags_lines(&c->tags); /* of a very large cache, few */

	if (listeners_any(&c->listeners)) {
		for (uint32_t i = 0; i < lines; i++)
			if (!c->tags.pins[i] && stays(c, i, lives, user))
				listeners_kept(&c->listeners, c->tags.key[i]);
		listeners_invalidated(&c->listeners, cache_now(c));
	}
	for (uint32_t i = 0; in_use; i++) {
		in_use -= c->tags.key[i] != TAGS_FREE;
		if (!stays(c, i, lives, user))
			drop_line(c, i, EVICTED_BY_INVALIDATION, NULL);
	}
}

void cache_invalidate(struct cache *c)
{
	cache_invalidate_but(c, NULL, NULL);
}

void cache_leave(struct cache *c, uint32_t bytes)
{
	cache_invalidate(c);
	tags_limit(&c->tags, c->tags.ways - bytes / (c->tags.sets * c->tags.line_bytes));
}

/* ---- to the L2 ---- */

/* Evicts or updates the line that a store, an atomic or a load with `discards` finds on its way to the L2. A
 * line reserved for a fetch stays reserved. */
static void evict_or_update(struct cache *c, const struct cache_request *r, uint32_t line)
{
	bool updates = r->kind == PACKET_WRITE && c->config.write_global != CACHE_WRITE_EVICT;
	bool has_data = !c->tags.pins[line] && !cache_is_tag_only(c, line);

	if (updates) {
		if (c->tags.valid && !cache_is_tag_only(c, line)) {
			merge_mask(&c->tags.valid[line], r->byte_mask);
			cache_update_partial(c, line);
		}
		if (!c->tags.pins[line]) {
			tags_touch(&c->tags, line);
			c->stats.store_updates += has_data;
		}
		return;
	}
	c->stats.store_evictions += has_data;
	drop_line(c, line, EVICTED_BY_STORE, &r->by);
}

/* A line that holds the bytes of a global store, which misses, and no others. */
static void allocate_for_store(struct cache *c, const struct cache_request *r)
{
	addr key = tags_key(&c->tags, r->line);
	uint32_t line = tags_victim(&c->tags, key);

	if (line == TAGS_NONE || cache_line_is_dirty(c, line))
		return;
	cache_occupy(c, line, key, &r->by, cache_position(r));
	merge_mask(&c->tags.valid[line], r->byte_mask);
	cache_update_partial(c, line);
	c->stats.store_updates++;
}

static void count_sent(struct cache *c, const struct cache_request *r)
{
	struct cache_stats *s = &c->stats;

	s->sent++;
	switch (r->kind) {
	case PACKET_WRITE:
		s->stores++;
		s->store_bytes += r->bytes;
		return;
	case PACKET_ATOMIC:
		s->atomics++;
		s->atomic_bytes += r->bytes;
		s->atomic_reply_bytes += r->wants_data ? r->bytes : 0;
		return;
	default:
		*(r->bypassed ? &s->bypassed : &s->uncached) += 1;
		s->uncached_bytes += r->bytes;
	}
}

enum cache_outcome cache_forward(struct cache *c, const struct cache_request *r, picoseconds now)
{
	uint32_t line = TAGS_NONE;

	if (!(r->bypassed ? port_room_beyond_limit(c->out) : port_room(c->out)))
		return CACHE_MISS_QUEUE_FULL;
	if (r->kind != PACKET_READ || c->facts.writes_back || r->discards)
		line = tags_find(&c->tags, tags_key(&c->tags, r->line));
	if (line != TAGS_NONE && cache_line_is_dirty(c, line)) { /* a local load that bypasses the cache */
		cache_write_back(c, line, &r->by, now);
		return CACHE_WRITE_BACK;
	}
	cache_send(c, r, r->token, now);
	count_sent(c, r);
	if (line != TAGS_NONE && (r->kind != PACKET_READ || r->discards))
		evict_or_update(c, r, line);
	else if (r->kind == PACKET_WRITE && c->config.write_global == CACHE_WRITE_ALLOCATE &&
		c->facts.is_enabled)
		allocate_for_store(c, r);
	return CACHE_SENT;
}

/* ---- local stores ---- */

/* Finds a line for a local store that missed: *line; or returns the resource that is missing. */
static enum cache_outcome find_store_line(
	struct cache *c, addr key, uint32_t *line, const struct requester *by, picoseconds now)
{
	*line = tags_victim(&c->tags, key);
	if (*line == TAGS_NONE)
		return CACHE_LINE_ALLOC_FAIL;
	if (!cache_line_is_dirty(c, *line))
		return CACHE_WRITTEN;
	if (!port_room(c->out))
		return CACHE_MISS_QUEUE_FULL;
	cache_write_back(c, *line, by, now);
	return CACHE_WRITE_BACK;
}

enum cache_outcome cache_store_local(struct cache *c, const struct cache_request *r, picoseconds now)
{
	addr key = tags_key(&c->tags, r->line);
	uint32_t line = tags_find(&c->tags, key);

	if (line == TAGS_NONE) {
		enum cache_outcome outcome = find_store_line(c, key, &line, &r->by, now);

		if (outcome != CACHE_WRITTEN)
			return outcome;
		cache_occupy(c, line, key, &r->by, cache_position(r));
	} else {
		if (!r->evict_first)
			tags_touch(&c->tags, line);
		if (cache_is_tag_only(c, line))
			cache_set_owner(c, line, &r->by);
	}
	merge_mask(&c->tags.valid[line], r->byte_mask);
	merge_mask(&c->tags.dirty[line], r->byte_mask);
	c->state[line] |= LINE_DIRTY;
	c->launch[line] = r->by.launch;
	cache_update_partial(c, line);
	cache_keep_busy(c, r->bytes, c->config.data_port_bytes, CACHE_DATA_PORT);
	c->stats.written++;
	return CACHE_WRITTEN;
}
