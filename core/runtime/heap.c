/* core/runtime/heap.c -- the device heap. What is free is an array of gaps, sorted by address; the size
 * of each block is in a table by address, so that freeing it is one look-up. Both are the host's: blocks have
 * no headers on the device. */
#include "core/runtime/heap.h"
#include "sim/base/xalloc.h"

#define UNIT 16u /* bytes; sizes and addresses count in units */

struct gap {
	uint64_t start, size;
};

struct heap {
	addr base;
	uint64_t units;
	uint64_t *size_at; /* of the block that starts there; 0: none does */
	struct gap *gaps;
	size_t count, capacity;
};

struct heap *heap_new(struct device_memory *memory, uint64_t bytes)
{
	addr base = bytes >= UNIT ? memory_allocate(memory, bytes, 256) : 0;
	struct heap *heap;

	if (!base)
		return NULL;
	heap = xcalloc(1, sizeof(*heap));
	heap->base = base;
	heap->units = bytes / UNIT;
	heap->size_at = xcalloc(heap->units, sizeof(*heap->size_at));
	heap->capacity = 16;
	heap->gaps = xcalloc(heap->capacity, sizeof(*heap->gaps));
	heap->gaps[heap->count++] = (struct gap){ 0, heap->units };
	return heap;
}

addr heap_base(const struct heap *heap)
{
	return heap->base;
}

void heap_free(struct heap *heap)
{
	if (!heap)
		return;
	free(heap->size_at);
	free(heap->gaps);
	free(heap);
}

static void remove_gap(struct heap *heap, size_t i)
{
	heap->count--;
	memmove(heap->gaps + i, heap->gaps + i + 1, (heap->count - i) * sizeof(*heap->gaps));
}

static void insert_gap(struct heap *heap, size_t i, struct gap gap)
{
	if (heap->count == heap->capacity) {
		heap->capacity *= 2;
		heap->gaps = xrealloc(heap->gaps, heap->capacity * sizeof(*heap->gaps));
	}
	memmove(heap->gaps + i + 1, heap->gaps + i, (heap->count - i) * sizeof(*heap->gaps));
	heap->gaps[i] = gap;
	heap->count++;
}

addr heap_allocate(struct heap *heap, uint64_t bytes)
{
	uint64_t size = bytes / UNIT + (bytes % UNIT != 0), start;

	for (size_t i = 0; bytes && i < heap->count; i++) {
		struct gap *gap = &heap->gaps[i];

		if (gap->size < size)
			continue;
		start = gap->start;
		heap->size_at[start] = size;
		gap->start += size;
		gap->size -= size;
		if (!gap->size)
			remove_gap(heap, i);
		return heap->base + start * UNIT;
	}
	return 0;
}

/* How many gaps start before `place`. */
static size_t gaps_before(const struct heap *heap, uint64_t location)
{
	size_t low = 0, high = heap->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (heap->gaps[middle].start < location)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A gap becomes free; it merges with those that touch it. */
static void release_gap(struct heap *heap, struct gap gap)
{
	size_t i = gaps_before(heap, gap.start);
	struct gap *before = i ? &heap->gaps[i - 1] : NULL, *after = i < heap->count ? &heap->gaps[i] : NULL;
	bool touches_before = before && before->start + before->size == gap.start;
	bool touches_after = after && gap.start + gap.size == after->start;

	if (touches_before && touches_after) {
		before->size += gap.size + after->size;
		remove_gap(heap, i);
	} else if (touches_before) {
		before->size += gap.size;
	} else if (touches_after) {
		after->start = gap.start;
		after->size += gap.size;
	} else {
		insert_gap(heap, i, gap);
	}
}

bool heap_release(struct heap *heap, addr address)
{
	uint64_t location = (address - heap->base) / UNIT, size;

	if (address < heap->base || location >= heap->units || (address - heap->base) % UNIT)
		return false;
	size = heap->size_at[location];
	if (!size)
		return false;
	heap->size_at[location] = 0;
	release_gap(heap, (struct gap){ location, size });
	return true;
}
