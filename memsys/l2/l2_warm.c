/* memsys/l2/l2_warm.c -- accesses without time (l2.h): the tags and masks that they would leave. */
#include "memsys/l2/l2_internal.h"

bool l2_may_warm(const struct l2_slice *s)
{
	return !s->across && !s->insertion && !s->bypass && !listeners_any(&s->notification.listeners);
}

/* The line of the key, used; TAGS_NONE: all of its set are reserved. What it replaces is gone, and counted
 * nowhere. */
static uint32_t take_line(struct l2_slice *s, addr key, addr device)
{
	uint32_t line = tags_find(&s->tags, key);

	if (line != TAGS_NONE) {
		tags_touch(&s->tags, line);
		return line;
	}
	line = tags_victim(&s->tags, key);
	if (line == TAGS_NONE)
		return line;
	tags_insert(&s->tags, line, key, TAGS_MRU);
	s->device_address[line] = device;
	return line;
}

/* As fetches do: the missing sectors and those between them, or all. */
static void make_valid(const struct l2_slice *s, uint32_t line, uint32_t sectors)
{
	struct byte_mask *valid = &s->tags.valid[line];
	uint32_t missing = 0;

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		missing |= (uint32_t)((sectors >> i & 1) && valid->sector[i] != UINT32_MAX) << i;
	if (!missing)
		return;
	if (s->config.fetch == L2_FETCH_LINE)
		missing = LINE_SECTORS_ALL;
	for (uint32_t i = (uint32_t)__builtin_ctz(missing); missing >> i; i++)
		valid->sector[i] = UINT32_MAX;
}

static void write(const struct l2_slice *s, uint32_t line, const uint32_t bytes[LINE_SECTORS])
{
	for (uint32_t i = 0; i < LINE_SECTORS; i++) {
		s->tags.valid[line].sector[i] |= bytes[i];
		s->tags.dirty[line].sector[i] |= bytes[i];
	}
}

void l2_warm_read(struct l2_slice *s, addr local, addr device, uint32_t sectors)
{
	addr key = tags_key(&s->tags, local);
	uint32_t line = take_line(s, key, device - (local - key));

	if (line != TAGS_NONE)
		make_valid(s, line, sectors);
}

void l2_warm_write(
	struct l2_slice *s, addr local, addr device, const uint32_t bytes[LINE_SECTORS], bool is_atomic)
{
	addr key = tags_key(&s->tags, local);
	uint32_t line = take_line(s, key, device - (local - key)), sectors = 0;

	if (line == TAGS_NONE)
		return;
	for (uint32_t i = 0; is_atomic && i < LINE_SECTORS; i++)
		sectors |= (uint32_t)(bytes[i] != 0) << i;
	make_valid(s, line, sectors);
	write(s, line, bytes);
}
