/* core/runtime/lane_memory.c -- memory by generic addresses as one lane sees it. */
#include "core/runtime/lane_memory.h"
#include "core/exec/memory/narrow.h"
#include <string.h>

static uint8_t *within(uint8_t *base, uint32_t size, uint64_t offset, uint64_t *bytes)
{
	*bytes = offset < size ? size - offset : 0;
	return *bytes ? base + offset : NULL;
}

/* Where `address` lies for the host, and how many bytes can be read from there on. NULL, with `wrong` set:
 * none. */
static uint8_t *lane_memory_at(struct lane_memory *m, addr address, uint64_t *bytes)
{
	uint8_t *location;

	if (m->is_narrow)
		address = narrow_completed((uint32_t)address);
	if (address - SHARED_WINDOW < WINDOW_SIZE) {
		location = within(m->shared, m->shared_bytes, address - SHARED_WINDOW, bytes);
	} else if (address - LOCAL_WINDOW < WINDOW_SIZE) {
		location = within(m->local, m->local_bytes, address - LOCAL_WINDOW, bytes);
	} else {
		struct memory_range range = memory_find(m->memory, address);

		*bytes = range.end > range.start ? range.end - address : 0;
		location = *bytes ? memory_host(address) : NULL;
	}
	if (!location)
		m->wrong = address;
	return location;
}

/* Where so many bytes lie; NULL, with `wrong` set: not all of them are there. */
static uint8_t *bytes_at(struct lane_memory *m, addr address, uint64_t bytes)
{
	uint64_t there;
	uint8_t *location = lane_memory_at(m, address, &there);

	if (!location || there >= bytes)
		return location;
	m->wrong = address + there;
	return NULL;
}

bool lane_memory_read(struct lane_memory *m, addr address, void *to, uint64_t bytes)
{
	const uint8_t *from = bytes_at(m, address, bytes);

	if (from)
		memcpy(to, from, bytes);
	return from;
}

bool lane_memory_write(struct lane_memory *m, addr address, const void *from, uint64_t bytes)
{
	uint8_t *to = bytes_at(m, address, bytes);

	if (to)
		memcpy(to, from, bytes);
	return to;
}

const char *lane_memory_string(struct lane_memory *m, addr address, uint64_t limit, uint64_t *length)
{
	uint64_t there, look;
	const char *text = limit ? (const char *)lane_memory_at(m, address, &there) : "", *end;

	*length = 0;
	if (!text || !limit)
		return text;
	look = there < limit ? there : limit;
	end = memchr(text, 0, look);
	*length = end ? (uint64_t)(end - text) : look;
	if (end || look == limit)
		return text;
	m->wrong = address + there;
	return NULL;
}
