/* memsys/l2/l2_listen.c -- the events that an L2 slice sends to its listeners (memsys/listener.h). These
 * functions are called only if there are listeners.
 *
 * The event of a request is prepared before its look-up, since its packet may have been freed afterwards, and
 * sent after it, when the counters show the outcome. A stall over several cycles is one event, when it
 * begins. */
#include "memsys/l2/l2_internal.h"
#include <string.h>

#define SECTOR_BYTES 32u

void l2_listen(struct l2_slice *s, struct cache_listener *listener)
{
	listeners_add(&s->notification.listeners, listener, s->tags.sets * s->tags.ways);
}

/* Those that the byte mask names; of reads without one, those of its bytes from its address on. */
static uint8_t l2_packet_sectors(const struct packet *p)
{
	uint32_t first = (uint32_t)(p->local % 128) / SECTOR_BYTES,
		 count = (p->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
	uint32_t sectors = 0;

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		sectors |= (uint32_t)(p->byte_mask[i] != 0) << i;
	if (p->kind == PACKET_READ && !sectors)
		return (uint8_t)(((1u << count) - 1) << first & LINE_SECTORS_ALL);
	return (uint8_t)sectors;
}

void l2_notify_before(struct l2_slice *s, const struct packet *p)
{
	struct access_event *e = &s->notification.event;

	*e = (struct access_event){ .now = sim_now(s->component.sim),
		.by = p->by,
		.kind = p->kind,
		.line = p->address - (p->local - tags_key(&s->tags, p->local)),
		.warp_type = p->warp_type,
		.unit = p->unit,
		.is_local = p->is_local,
		.is_write_back = p->kind == PACKET_WRITE && !p->by.lanes,
		.sectors = l2_packet_sectors(p) };
	if (p->kind != PACKET_READ)
		memcpy(e->byte_mask, p->byte_mask, sizeof(e->byte_mask));
	s->notification.key = tags_key(&s->tags, p->local);
	e->is_found = tags_find(&s->tags, s->notification.key) != TAGS_NONE;
	s->notification.sent = p->sent;
	s->notification.hits = s->stats.hits;
	s->notification.misses = s->stats.misses;
}

static enum access_outcome outcome_of(const struct l2_slice *s, enum l2_stall stall)
{
	if (stall)
		return ACCESS_REFUSED;
	if (s->notification.event.kind == PACKET_WRITE)
		return ACCESS_STORE;
	if (s->stats.hits != s->notification.hits)
		return ACCESS_HIT;
	return s->stats.misses != s->notification.misses ? ACCESS_MISS : ACCESS_MERGED;
}

void l2_notify_after(struct l2_slice *s, const struct l2_bank *b, enum l2_stall stall)
{
	struct access_event *e = &s->notification.event;
	uint32_t index = tags_find(&s->tags, s->notification.key);

	if (stall && stall == b->stall)
		return;
	e->outcome = (uint8_t)outcome_of(s, stall);
	e->refusal = (uint8_t)stall;
	e->is_written = !stall && e->kind != PACKET_READ;
	e->line_index = index == TAGS_NONE ? NO_LINE_INDEX : index;
	e->is_in_flight = index != TAGS_NONE && s->tags.pins[index];
	listeners_accessed(&s->notification.listeners, e);
}

void l2_notify_bypassed(struct l2_slice *s, const struct packet *p)
{
	struct access_event *e = &s->notification.event;

	l2_notify_before(s, p);
	e->outcome = p->kind == PACKET_WRITE ? ACCESS_STORE : ACCESS_BYPASSED;
	e->line_index = NO_LINE_INDEX;
	e->is_bypass = true;
	listeners_accessed(&s->notification.listeners, e);
}

void l2_notify_invalidated(struct l2_slice *s, uint32_t line, const struct packet *by)
{
	listeners_evicted(&s->notification.listeners,
		&(struct eviction_event){ .now = sim_now(s->component.sim),
			.line = s->device_address[line],
			.line_index = line,
			.cause = EVICTED_BY_STORE,
			.by = by->by });
}

void l2_notify_flushed(struct l2_slice *s, uint32_t line)
{
	listeners_evicted(&s->notification.listeners,
		&(struct eviction_event){ .now = sim_now(s->component.sim),
			.line = s->device_address[line],
			.line_index = line,
			.cause = EVICTED_BY_INVALIDATION,
			.is_dirty = byte_mask_sectors(&s->tags.dirty[line]) != 0 });
}

void l2_notify_evicted(struct l2_slice *s, uint32_t line, bool is_dirty)
{
	listeners_evicted(&s->notification.listeners,
		&(struct eviction_event){ .now = s->notification.event.now,
			.line = s->device_address[line],
			.line_index = line,
			.cause = EVICTED_BY_REPLACEMENT,
			.is_dirty = is_dirty,
			.by = s->notification.event.by });
}

void l2_notify_allocated(struct l2_slice *s, uint32_t line)
{
	listeners_set_owner(&s->notification.listeners, line, &s->notification.event.by);
}

void l2_notify_filled(struct l2_slice *s, const struct mshr_entry *e)
{
	const struct packet *first = mshr_waiters(&s->mshrs, (uint32_t)(e - s->mshrs.entries))[0].packet;

	listeners_filled(&s->notification.listeners,
		&(struct fill_event){ .now = sim_now(s->component.sim),
			.by = first->by,
			.line = s->device_address[e->line],
			.sectors = (uint8_t)e->sectors,
			.line_index = e->line });
}
