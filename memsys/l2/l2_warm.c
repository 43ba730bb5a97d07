/* memsys/l2/l2_warm.c -- accesses without time (l2.h): the tags and masks that they would leave. */
#include "memsys/l2/l2_internal.h"

bool l2_may_warm(const struct l2_slice *s)
{
	return !s->insertion && !s->bypass && !listeners_any(&s->notification.listeners);
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
	s->property = ACCESS_UNSAID;
	line = l2_victim(s, key);
	if (line == TAGS_NONE)
		return line;
	tags_insert(&s->tags, line, key, TAGS_MRU);
	if (s->across)
		s->across->is_copied[line] = false;
	s->device_address[line] = device;
	return line;
}

/* As fetches do: the missing sectors, or their pairs, and those between them, or all. */
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
	if (s->config.fetch == L2_FETCH_PAIRS && !(s->tags.key[line] & MAP_COPY))
		missing = l2_pairs_of(missing);
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
	bool fetches = s->config.store_miss == L2_STORE_FETCHES && !is_atomic &&
		tags_find(&s->tags, key) == TAGS_NONE;
	uint32_t line = take_line(s, key, device - (local - key)), sectors = 0;

	if (line == TAGS_NONE)
		return;
	for (uint32_t i = 0; (is_atomic || fetches) && i < LINE_SECTORS; i++)
		sectors |= (uint32_t)(bytes[i] != 0) << i;
	make_valid(s, line, sectors);
	if (!fetches)
		write(s, line, bytes);
}

/* ---- with halves (halves.h) ---- */

static void note_copied(struct l2_slice *home, addr local)
{
	uint32_t line = tags_find(&home->tags, tags_key(&home->tags, local));

	if (line != TAGS_NONE)
		home->across->is_copied[line] = true;
}

static bool has_all(const struct l2_slice *s, uint32_t line, uint32_t sectors)
{
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		if ((sectors >> i & 1) && s->tags.valid[line].sector[i] != UINT32_MAX)
			return false;
	return true;
}

void l2_warm_read_far(struct l2_slice *own, struct l2_slice *home, addr local, addr device, uint32_t sectors)
{
	addr key = tags_key(&own->tags, local | MAP_COPY);
	uint32_t line = take_line(own, key, device - ((local | MAP_COPY) - key));

	if (line != TAGS_NONE && has_all(own, line, sectors))
		return;
	l2_warm_read(home, local, device, sectors);
	note_copied(home, local);
	if (line != TAGS_NONE)
		make_valid(own, line, sectors);
}

void l2_warm_write_far(struct l2_slice *own, struct l2_slice *home, addr local, addr device,
	const uint32_t bytes[LINE_SECTORS])
{
	addr key = tags_key(&own->tags, local | MAP_COPY);
	uint32_t line = take_line(own, key, device - ((local | MAP_COPY) - key));

	for (uint32_t i = 0; line != TAGS_NONE && i < LINE_SECTORS; i++)
		own->tags.valid[line].sector[i] |= bytes[i];
	l2_warm_write(home, local, device, bytes, false);
	note_copied(home, local);
}

void l2_warm_drop_copy(struct l2_slice *home, struct l2_slice *other, addr local)
{
	uint32_t line = tags_find(&home->tags, tags_key(&home->tags, local)), copy;

	if (line == TAGS_NONE || !home->across->is_copied[line])
		return;
	home->across->is_copied[line] = false;
	copy = tags_find(&other->tags, tags_key(&other->tags, local) | MAP_COPY);
	if (copy != TAGS_NONE && !other->tags.pins[copy])
		tags_drop(&other->tags, copy);
}
