/* memsys/cache_store.c -- a cache of an SM: stores, atomics, loads that bypass it, dirty lines, invalidation.
 *
 * Global stores go on to the L2; a line that they hit is dropped (write-evict) or updated (write-through); none is
 * allocated. Atomics drop it. Local stores stay (write_local: back): a hit makes bytes of the line valid and dirty, a
 * miss takes a line without fetching it, as masks tell which of its bytes are here (Micikevicius, Local Memory and
 * Register Spilling, NVIDIA 2011: a store writes its line in the L1, an evicted line goes to the L2; that nothing is
 * fetched is our choice, since spills store whole rows of a warp). A dirty victim leaves first, in a cycle of its own, as one
 * write of its dirty bytes, which nobody waits for. */
#include "memsys/cache_internal.h"
#include <string.h>

static void merge_mask(struct byte_mask *to, const uint32_t bytes[4])
{
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		to->sector[i] |= bytes[i];
}

/* ---- dirty lines ---- */

void cache_write_back(struct cache *c, uint32_t line, picoseconds now)
{
	struct byte_mask *dirty = &c->tags.dirty[line];
	struct cache_request r = { .kind = PACKET_WRITE,
		.line = c->tags.key[line],
		.kernel = c->kernel[line],
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
	cache_note_eviction(c, line);
	tags_drop(&c->tags, line);
}

/* The line is gone with all that is in it, or, if reserved, holds nothing yet. */
static void forget(struct cache *c, uint32_t line)
{
	if (c->tags.key[line] == TAGS_FREE)
		return;
	c->stats.dirty_drops += (c->state[line] & LINE_DIRTY) != 0;
	if (!c->tags.pins[line]) {
		tags_drop(&c->tags, line);
		return;
	}
	c->state[line] = LINE_PARTIAL;
	if (c->tags.valid)
		c->tags.valid[line] = c->tags.dirty[line] = (struct byte_mask){ { 0 } };
}

void cache_invalidate_but(struct cache *c, bool (*lives)(void *user, uint32_t kernel), void *user)
{
	for (uint32_t i = 0; i < c->tags.sets * c->tags.ways; i++)
		if (!(cache_line_is_dirty(c, i) && lives && lives(user, c->kernel[i])))
			forget(c, i);
}

void cache_invalidate(struct cache *c)
{
	cache_invalidate_but(c, NULL, NULL);
}

/* ---- to the L2 ---- */

/* What a store or an atomic on its way to the L2 does to a line that it finds. A line whose data are in flight stays. */
static void meet_line(struct cache *c, const struct cache_request *r, uint32_t line)
{
	bool updates = r->kind == PACKET_WRITE && c->config.write_global == CACHE_WRITE_THROUGH;

	if (updates) {
		if (c->tags.valid) {
			merge_mask(&c->tags.valid[line], r->byte_mask);
			cache_renew_partial(c, line);
		}
		if (!c->tags.pins[line]) {
			tags_touch(&c->tags, line);
			c->stats.store_updates++;
		}
		return;
	}
	c->stats.store_evictions += !c->tags.pins[line];
	forget(c, line);
}

enum cache_outcome cache_pass_on(struct cache *c, const struct cache_request *r, picoseconds now)
{
	uint32_t line = TAGS_NONE;

	if (!port_room(c->out))
		return CACHE_MISS_QUEUE_FULL;
	if (r->kind != PACKET_READ || c->writes_back)
		line = tags_find(&c->tags, tags_key(&c->tags, r->line));
	if (line != TAGS_NONE && cache_line_is_dirty(c, line)) {        /* a local load past the cache */
		cache_write_back(c, line, now);
		return CACHE_WRITE_BACK;
	}
	cache_send(c, r, r->token, now);
	c->stats.sent++;
	c->stats.stores += r->kind == PACKET_WRITE;
	c->stats.atomics += r->kind == PACKET_ATOMIC;
	c->stats.uncached += r->kind == PACKET_READ;
	if (line != TAGS_NONE && r->kind != PACKET_READ)
		meet_line(c, r, line);
	return CACHE_SENT;
}

/* ---- local stores ---- */

/* A line for a local store that found none: *line, or what is lacking. */
static enum cache_outcome find_place(struct cache *c, addr key, uint32_t *line, picoseconds now)
{
	*line = tags_victim(&c->tags, key);
	if (*line == TAGS_NONE)
		return CACHE_LINE_ALLOC_FAIL;
	if (!cache_line_is_dirty(c, *line))
		return CACHE_WRITTEN;
	if (!port_room(c->out))
		return CACHE_MISS_QUEUE_FULL;
	cache_write_back(c, *line, now);
	return CACHE_WRITE_BACK;
}

enum cache_outcome cache_store_local(struct cache *c, const struct cache_request *r, picoseconds now)
{
	addr key = tags_key(&c->tags, r->line);
	uint32_t line = tags_find(&c->tags, key);

	if (line == TAGS_NONE) {
		enum cache_outcome outcome = find_place(c, key, &line, now);

		if (outcome != CACHE_WRITTEN)
			return outcome;
		cache_occupy(c, line, key, r->warp, cache_position(r));
	} else if (!r->evict_first) {
		tags_touch(&c->tags, line);
	}
	merge_mask(&c->tags.valid[line], r->byte_mask);
	merge_mask(&c->tags.dirty[line], r->byte_mask);
	c->state[line] |= LINE_DIRTY;
	c->kernel[line] = r->kernel;
	cache_renew_partial(c, line);
	cache_keep_busy(c, r->bytes, c->config.data_port_bytes, CACHE_DATA_PORT);
	c->stats.written++;
	return CACHE_WRITTEN;
}
