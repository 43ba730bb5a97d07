/* cachemodel/heap.h -- what will happen, earliest first; at one time in the order in which it was added. */
#ifndef CACHEMODEL_HEAP_H
#define CACHEMODEL_HEAP_H

#include "sim/base/xalloc.h"
#include <stdbool.h>
#include <stdint.h>

struct heap_item {
	uint64_t time, order;
	uint32_t subject; /* a line, or a warp */
	uint32_t holder;  /* the warp whose MSHR becomes free; HEAP_NOBODY */
};
#define HEAP_NOBODY UINT32_MAX

struct heap {
	struct heap_item *items;
	uint32_t count, capacity;
	uint64_t order; /* of the next item */
};

static inline bool heap_before(const struct heap_item *a, const struct heap_item *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static inline void heap_add(struct heap *h, uint64_t time, uint32_t subject, uint32_t holder)
{
	struct heap_item item = { time, h->order++, subject, holder };
	uint32_t at = h->count++;

	if (h->count > h->capacity) {
		h->capacity = h->capacity ? 2 * h->capacity : 64;
		h->items = xrealloc(h->items, h->capacity * sizeof(*h->items));
	}
	for (; at && heap_before(&item, &h->items[(at - 1) / 2]); at = (at - 1) / 2)
		h->items[at] = h->items[(at - 1) / 2];
	h->items[at] = item;
}

/* There must be an item. */
static inline struct heap_item heap_take(struct heap *h)
{
	struct heap_item first = h->items[0], last = h->items[--h->count];
	uint32_t at = 0, child;

	for (; (child = 2 * at + 1) < h->count; at = child) {
		if (child + 1 < h->count && heap_before(&h->items[child + 1], &h->items[child]))
			child++;
		if (!heap_before(&h->items[child], &last))
			break;
		h->items[at] = h->items[child];
	}
	h->items[at] = last;
	return first;
}

#endif
