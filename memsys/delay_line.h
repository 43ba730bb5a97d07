/* memsys/delay_line.h -- a bounded queue of packets, each of which is ready from a known cycle on. */
#ifndef MEMSYS_DELAY_LINE_H
#define MEMSYS_DELAY_LINE_H

#include "sim/base/xalloc.h"
#include "sim/event/packet.h"

struct delay_line {
	struct delayed {
		struct packet *packet;
		cycles ready, arrived;
	} * ring;
	uint32_t capacity, head, count;
};
static inline struct delayed *delay_peek(const struct delay_line *d)
{
	return d->count ? &d->ring[d->head] : NULL;
}
static inline bool delay_room(const struct delay_line *d)
{
	return d->count < d->capacity;
}
/* The one at that position, counted from the head. */
static inline struct delayed *delay_at(const struct delay_line *d, uint32_t at)
{
	uint32_t i = d->head + at;

	return &d->ring[i >= d->capacity ? i - d->capacity : i];
}
static inline void delay_push(struct delay_line *d, struct delayed entry)
{
	*delay_at(d, d->count++) = entry;
}
static inline struct packet *delay_pop(struct delay_line *d)
{
	struct packet *p = d->ring[d->head].packet;

	d->head = --d->count && d->head + 1 < d->capacity ? d->head + 1 : 0; /* an empty ring starts at 0
										again: few lines of the host's
										cache */
	return p;
}
static inline void delay_init(struct delay_line *d, uint32_t capacity)
{
	*d = (struct delay_line){ .capacity = capacity, .ring = xcalloc(capacity, sizeof(*d->ring)) };
}

#endif
