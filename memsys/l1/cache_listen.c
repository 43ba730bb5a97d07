/* memsys/l1/cache_listen.c -- the events that a cache of an SM sends to its listeners (memsys/listener.h).
 * These functions are called only if there are listeners. */
#include "memsys/l1/cache_internal.h"
#include <string.h>

void cache_listen(struct cache *c, struct cache_listener *listener)
{
	listeners_add(&c->listeners, listener, c->tags.sets * c->tags.ways);
}

/* The time, for callers that do not have it: that of the SM (0 in tests without one). */
picoseconds cache_now(const struct cache *c)
{
	return c->time ? c->time->now : 0;
}

/* The sectors of so many bytes from an address on. */
static uint8_t sectors_from(const struct cache *c, addr address, uint32_t bytes)
{
	uint32_t first = (uint32_t)(address % c->tags.line_bytes) / 32, count = (bytes + 31) / 32;

	return (uint8_t)(((2u << (first + count - 1)) - (1u << first)) & LINE_SECTORS_ALL);
}

static uint8_t l1_request_sectors(const struct cache *c, const struct cache_request *r)
{
	uint32_t sectors = 0;

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		sectors |= (uint32_t)(r->byte_mask[i] != 0) << i;
	return sectors ? (uint8_t)sectors : sectors_from(c, r->line, r->bytes);
}

static enum access_outcome notified_outcome(const struct cache_request *r, enum cache_outcome outcome)
{
	if (cache_is_failure(outcome))
		return ACCESS_REFUSED;
	if (outcome == CACHE_SENT)
		return r->kind == PACKET_WRITE ? ACCESS_STORE : ACCESS_BYPASSED;
	if (outcome == CACHE_WRITTEN)
		return ACCESS_STORE;
	return outcome == CACHE_HIT ? ACCESS_HIT : outcome == CACHE_MISS ? ACCESS_MISS : ACCESS_MERGED;
}

/* The other instructions that the request serves: those of a miss have joined the first one's fetch. */
static void notify_others(const struct cache *c, const struct cache_request *r, struct access_event *e)
{
	e->is_coalesced = true;
	if (e->outcome == ACCESS_MISS) {
		e->outcome = ACCESS_MERGED;
		e->fetched = 0;
	}
	e->is_found |= e->outcome != ACCESS_BYPASSED;
	for (uint32_t i = 0; i < r->also_count; i++) {
		e->by = r->also[i];
		listeners_accessed(&c->listeners, e);
	}
}

void cache_notify_accessed(const struct cache *c, const struct cache_request *r, enum cache_outcome outcome,
	bool is_found, picoseconds now)
{
	addr key = tags_key(&c->tags, r->line);
	uint32_t index = cache_find(c, key);
	struct access_event e = { .now = now,
		.by = r->by,
		.line = key,
		.kind = r->kind,
		.outcome = (uint8_t)notified_outcome(r, outcome),
		.refusal = (uint8_t)outcome,
		.is_local = r->is_local,
		.unit = (uint8_t)c->unit,
		.is_found = is_found,
		.sectors = l1_request_sectors(c, r),
		.line_index = index == TAGS_NONE ? NO_LINE_INDEX : index,
		.is_in_flight = mshr_find(&c->mshrs, key) != MSHR_NONE };

	if (outcome == CACHE_MISS)
		e.fetched = c->facts.is_sectored ? e.sectors : sectors_from(c, r->line, r->bytes);
	e.is_written = outcome == CACHE_WRITTEN ||
		(r->kind == PACKET_WRITE && outcome == CACHE_SENT && index != TAGS_NONE &&
			c->config.write_global != CACHE_WRITE_EVICT);
	memcpy(e.byte_mask, r->byte_mask, sizeof(e.byte_mask));
	listeners_accessed(&c->listeners, &e);
	if (r->also_count && e.outcome != ACCESS_REFUSED)
		notify_others(c, r, &e);
}

void cache_notify_filled(const struct cache *c, const struct packet *reply, uint32_t index, uint8_t sectors)
{
	listeners_filled(&c->listeners,
		&(struct fill_event){ .now = cache_now(c),
			.by = reply->by,
			.line = tags_key(&c->tags, reply->address),
			.line_index = index,
			.sectors = sectors });
}

void cache_notify_evicted(
	const struct cache *c, uint32_t line, enum eviction_cause cause, const struct requester *by)
{
	listeners_evicted(&c->listeners,
		&(struct eviction_event){ .now = cache_now(c),
			.line = c->tags.key[line],
			.line_index = line,
			.cause = (uint8_t)cause,
			.is_dirty = cache_line_is_dirty(c, line),
			.by = by ? *by : (struct requester){ 0 } });
}
