/* memsys/open_ranges.c -- a sorted array: there are few ranges, since adjacent ones are joined. */
#include "memsys/open_ranges.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* The number of ranges that end below address. */
static size_t first_range_from(const struct open_ranges *open, addr address)
{
	size_t low = 0, high = open->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (open->at[middle].end < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Puts `count` ranges in the place of those from `first` to before `last`. */
static void replace_ranges(
	struct open_ranges *open, size_t first, size_t last, const struct memory_range *by, size_t count)
{
	size_t after = open->count - last;

	if (first + count + after > open->room) {
		open->room = 2 * (first + count + after);
		open->at = xrealloc(open->at, open->room * sizeof(*open->at));
	}
	memmove(open->at + first + count, open->at + last, after * sizeof(*open->at));
	memcpy(open->at + first, by, count * sizeof(*by));
	open->count = first + count + after;
}

void open_ranges_add(struct open_ranges *open, struct memory_range range)
{
	size_t first = first_range_from(open, range.start), last = first;

	for (; last < open->count && open->at[last].start <= range.end; last++) {
		if (open->at[last].start < range.start)
			range.start = open->at[last].start;
		if (open->at[last].end > range.end)
			range.end = open->at[last].end;
	}
	replace_ranges(open, first, last, &range, 1);
}

void open_ranges_remove(struct open_ranges *open, struct memory_range range)
{
	struct memory_range left[2];
	size_t first = first_range_from(open, range.start), last = first, count = 0;

	for (; last < open->count && open->at[last].start < range.end; last++) {
		struct memory_range r = open->at[last];

		if (r.start < range.start)
			left[count++] =
				(struct memory_range){ r.start, range.start < r.end ? range.start : r.end };
		if (r.end > range.end)
			left[count++] = (struct memory_range){ range.end, r.end };
	}
	if (last > first)
		replace_ranges(open, first, last, left, count);
}

void open_ranges_fini(struct open_ranges *open)
{
	free(open->at);
	*open = (struct open_ranges){ 0 };
}

struct memory_range open_ranges_find(const struct open_ranges *open, addr address)
{
	size_t i = first_range_from(open, address + 1);

	if (i < open->count && open->at[i].start <= address)
		return open->at[i];
	return (struct memory_range){ 0, 0 };
}

struct memory_range open_ranges_nearest(const struct open_ranges *open, addr address)
{
	size_t above = first_range_from(open, address + 1);

	if (above == open->count)
		return open->at[above - 1];
	if (!above || open->at[above].start <= address ||
		open->at[above].start - address < address - open->at[above - 1].end)
		return open->at[above];
	return open->at[above - 1];
}
