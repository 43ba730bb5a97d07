/* dram/ring.h -- a bounded queue of packets, each with the cycle from which it may leave. The caller
 * checks the capacity. */
#ifndef DRAM_RING_H
#define DRAM_RING_H

#include "sim/event/packet.h"
#include "sim/base/xalloc.h"

struct timed_packet {
	struct packet *packet;
	cycles when;
};

struct ring {
	struct timed_packet *entry;
	uint32_t capacity, head, count;
};

static inline void ring_init(struct ring *r, uint32_t capacity)
{
	*r = (struct ring){ .capacity = capacity, .entry = xcalloc(capacity, sizeof(*r->entry)) };
}

static inline void ring_push(struct ring *r, struct packet *p, cycles when)
{
	uint32_t tail = r->head + r->count++;

	r->entry[tail < r->capacity ? tail : tail - r->capacity] = (struct timed_packet){ p, when };
}

static inline struct packet *ring_pop(struct ring *r)
{
	struct packet *p = r->entry[r->head].packet;

	r->head = --r->count && r->head + 1 < r->capacity ? r->head + 1 : 0; /* an empty ring starts at entry
										0, which the host has in its
										cache */
	return p;
}

/* The entry at that position, counted from the head. There must be one. */
static inline const struct timed_packet *ring_at(const struct ring *r, uint32_t at)
{
	uint32_t i = r->head + at;

	return &r->entry[i < r->capacity ? i : i - r->capacity];
}

static inline const struct timed_packet *ring_last(const struct ring *r)
{
	return ring_at(r, r->count - 1);
}

static inline void ring_fini(struct ring *r)
{
	while (r->count)
		packet_free(ring_pop(r));
	free(r->entry);
}

#endif
