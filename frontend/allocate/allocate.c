/* frontend/allocate/allocate.c -- linear scan: registers in the order in which they first come alive, each to
 * the lowest place that is free over all its ranges.
 *
 * A place only ever holds registers of one size, aligned to it. So two registers either coincide or do not
 * touch: an operation may overwrite a source that dies with it, lane by lane. And a lane of one never lies in
 * another lane of the other: lane 4 of a 64-bit register fills words that lanes 8 and 9 of a 32-bit one would
 * have, and those lanes, on the other side of a divergent branch, may still need theirs though this thread
 * does not. */
#include "frontend/allocate/allocate.h"
#include "frontend/parse/arena.h"

#include <stdlib.h>
#include <string.h>

struct span {
	uint32_t start, end;
};

/* What is taken of one place: disjoint spans in order. */
struct location {
	uint8_t size; /* of all registers that live here; 0: none yet */
	struct span *spans;
	uint32_t count;
};

struct scan {
	const struct liveness *live;
	struct ptx_arena *arena;
	struct location *places;
	uint32_t count, capacity;
	bool is_mixed; /* a place may hold several sizes */
};

static uint32_t last_end(const struct location *location)
{
	return location->count ? location->spans[location->count - 1].end : 0;
}

/* Index of the first span that ends after a position. */
static uint32_t first_after(const struct location *location, uint32_t position)
{
	uint32_t low = 0, high = location->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (location->spans[middle].end <= position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_free(const struct location *location, const struct live_range *ranges)
{
	for (const struct live_range *r = ranges; r; r = r->next) {
		if (last_end(location) <= r->start)
			return true;
		uint32_t s = first_after(location, r->start);

		if (location->spans[s].start < r->end)
			return false;
	}
	return true;
}

static void occupy_location(struct scan *scan, struct location *location, const struct live_range *ranges)
{
	for (const struct live_range *r = ranges; r; r = r->next) {
		uint32_t s = first_after(location, r->start);

		location->spans =
			arena_grow(scan->arena, location->spans, location->count, sizeof *location->spans);
		memmove(&location->spans[s + 1], &location->spans[s],
			(location->count - s) * sizeof *location->spans);
		location->spans[s] = (struct span){ r->start, r->end };
		location->count++;
	}
}

static void grow(struct scan *scan, uint32_t count)
{
	if (count > scan->capacity) {
		uint32_t capacity = count > 2 * scan->capacity ? count : 2 * scan->capacity;
		struct location *places = arena_alloc(scan->arena, capacity * sizeof *places);

		memset(places, 0, capacity * sizeof *places);
		if (scan->count)
			memcpy(places, scan->places, scan->count * sizeof *places);
		scan->places = places;
		scan->capacity = capacity;
	}
	if (count > scan->count)
		scan->count = count;
}

static uint32_t find_location(struct scan *scan, const struct live_range *ranges, uint8_t size)
{
	for (uint32_t first = 0;; first += size) {
		bool free = true;

		for (uint32_t p = first; p < first + size && p < scan->count && free; p++)
			free = (scan->is_mixed || !scan->places[p].size || scan->places[p].size == size) &&
				is_free(&scan->places[p], ranges);
		if (free)
			return first;
	}
}

struct candidate {
	uint32_t start, reg;
};

static int by_start(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->reg < y->reg ? -1 : x->reg > y->reg;
}

static struct allocation *allocate(
	const struct liveness *live, const uint8_t *size, bool is_mixed, struct ptx_arena *arena)
{
	struct allocation *result = arena_alloc(arena, sizeof *result);
	struct candidate *list = arena_alloc(arena, live->registers * sizeof *list);
	struct scan scan = { .live = live, .arena = arena, .is_mixed = is_mixed };
	uint32_t count = 0;

	result->location = arena_alloc(arena, live->registers * sizeof *result->location);
	for (uint32_t reg = 0; reg < live->registers; reg++) {
		if (size[reg] && live->ranges[reg])
			list[count++] = (struct candidate){ live->ranges[reg]->start, reg };
		else if (size[reg])
			grow(&scan, size[reg]);
	}
	if (count)
		qsort(list, count, sizeof *list, by_start);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t reg = list[i].reg, first = find_location(&scan, live->ranges[reg], size[reg]);

		grow(&scan, first + size[reg]);
		for (uint32_t p = first; p < first + size[reg]; p++) {
			scan.places[p].size = size[reg];
			occupy_location(&scan, &scan.places[p], live->ranges[reg]);
		}
		result->location[reg] = first;
	}
	result->places = scan.count;
	return result;
}

struct allocation *allocate_rows(const struct liveness *live, const uint8_t *size, struct ptx_arena *arena)
{
	return allocate(live, size, false, arena);
}

struct allocation *allocate_mixed(const struct liveness *live, const uint8_t *size, struct ptx_arena *arena)
{
	return allocate(live, size, true, arena);
}
