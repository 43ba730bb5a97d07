/* memsys/snapshot.c -- a copy of what device memory holds. */
#include "memsys/snapshot.h"
#include "sim/base/xalloc.h"
#include <string.h>

uint64_t snapshot_bytes(const struct device_memory *memory)
{
	struct memory_range range = { 0, 0 };
	uint64_t sum = 0;

	if (memory_has_mapped(memory))
		return UINT64_MAX;
	while ((range = memory_next(memory, range.end)).start)
		sum += range.end - range.start;
	return sum;
}

void snapshot_take(struct snapshot *s, const struct device_memory *memory)
{
	struct memory_range range = { 0, 0 };
	uint8_t *to;

	s->size = snapshot_bytes(memory);
	if (s->size > s->room) {
		free(s->bytes);
		s->bytes = xmalloc(s->size);
		s->room = s->size;
	}
	to = s->bytes;
	while ((range = memory_next(memory, range.end)).start) {
		memcpy(to, memory_host(range.start), range.end - range.start);
		to += range.end - range.start;
	}
}

void snapshot_restore(const struct snapshot *s, struct device_memory *memory)
{
	struct memory_range range = { 0, 0 };
	const uint8_t *from = s->bytes;

	bug_if(snapshot_bytes(memory) != s->size, "allocations have changed since memory was copied");
	while ((range = memory_next(memory, range.end)).start) {
		memcpy(memory_host(range.start), from, range.end - range.start);
		from += range.end - range.start;
	}
}

void snapshot_fini(struct snapshot *s)
{
	free(s->bytes);
	*s = (struct snapshot){ 0 };
}
