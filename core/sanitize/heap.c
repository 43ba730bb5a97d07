/* core/sanitize/heap.c -- the heap from which kernels allocate: which bytes belong to an object, and which of
 * them have been written. For the memory check of the machine it is one allocation. */
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <string.h>

enum byte_state { OUTSIDE, PADDING, FREED, UNWRITTEN, WRITTEN };
#define UNIT 16u /* what objects are rounded up to (core/runtime/heap.c) */

static struct sanitized_heap *heap_of(void *user)
{
	return &((struct sanitizer *)user)->heap;
}

static void made(void *user, addr base, uint64_t bytes)
{
	struct sanitized_heap *h = heap_of(user);

	h->base = base;
	h->bytes = bytes / UNIT * UNIT;
	h->state = xcalloc(h->bytes, 1);
	h->size = xcalloc(h->bytes / UNIT, sizeof(*h->size));
}

static void allocated(void *user, addr object, uint64_t bytes)
{
	struct sanitized_heap *h = heap_of(user);
	uint64_t start = object - h->base, whole = (bytes + UNIT - 1) / UNIT * UNIT;

	memset(h->state + start, UNWRITTEN, bytes);
	memset(h->state + start + bytes, PADDING, whole - bytes);
	h->size[start / UNIT] = bytes;
}

static void released(void *user, addr object)
{
	struct sanitized_heap *h = heap_of(user);
	uint64_t start = object - h->base;

	memset(h->state + start, FREED, (h->size[start / UNIT] + UNIT - 1) / UNIT * UNIT);
	h->size[start / UNIT] = 0;
}

void heap_listen(struct sanitizer *s, struct services *services)
{
	s->heap.listener = (struct heap_listener){ made, allocated, released, s };
	services_listen(services, &s->heap.listener);
}

static void note_heap_finding(const struct access *a, enum finding_kind kind, uint32_t lane, uint32_t byte)
{
	struct finding *f = access_note(a, kind, lane);

	if (f)
		finding_access(f, "device", a->address[lane] + byte, a->bytes);
}

static void access_byte(const struct access *a, uint32_t lane, uint32_t byte)
{
	struct sanitized_heap *h = &a->sanitizer->heap;
	uint8_t *state = &h->state[a->address[lane] + byte - h->base];

	switch ((enum byte_state) * state) {
	case OUTSIDE:
		note_heap_finding(a, FINDING_HEAP_OUTSIDE, lane, byte);
		return;
	case PADDING:
		note_heap_finding(a, FINDING_HEAP_BEYOND, lane, byte);
		return;
	case FREED:
		note_heap_finding(a, FINDING_FREED, lane, byte);
		return;
	case UNWRITTEN:
		if (a->reads)
			note_heap_finding(a, FINDING_INIT_DEVICE, lane, byte);
		break;
	case WRITTEN:
		break;
	}
	*state = a->writes ? WRITTEN : *state;
}

bool heap_access(const struct access *a)
{
	const struct sanitized_heap *h = &a->sanitizer->heap;
	uint32_t first = (uint32_t)__builtin_ctz(a->mask);
	bool any = false;

	if (!h->state)
		return false;
	for (lane_mask m = a->mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (a->address[lane] - h->base >= h->bytes)
			continue;
		any |= lane == first;
		for (uint32_t i = 0; i < a->bytes; i++)
			if (a->used >> i & 1)
				access_byte(a, lane, i);
	}
	return any;
}

void heap_look_for_leaks(struct sanitizer *s)
{
	const struct sanitized_heap *h = &s->heap;
	uint64_t count = 0, bytes = 0, first = 0;
	struct finding *f;

	for (uint64_t i = 0; i < h->bytes / UNIT; i++) {
		if (!h->size[i])
			continue;
		first = count++ ? first : i;
		bytes += h->size[i];
	}
	f = count ? finding_note_host(&s->findings, FINDING_LEAK_HEAP, 0) : NULL;
	if (!f)
		return;
	f->count = count;
	finding_access(f, "device", h->base + first * UNIT, (uint32_t)h->size[first]);
	finding_detail(
		f, "%" PRIu64 " objects of malloc in kernels, %" PRIu64 " bytes together", count, bytes);
}

void heap_fini(struct sanitizer *s)
{
	free(s->heap.state);
	free(s->heap.size);
}
