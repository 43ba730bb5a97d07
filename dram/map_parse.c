/* dram/map_parse.c -- reading a mapping string. The grammar:
 *
 *   mapping = part { ":" part }
 *   part    = name [ bits ] { ("^" | "+") name [ "." bit ] } */
#include "dram/map_parse.h"
#include "sim/text/number.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const map_field_names[] = { "row", "bank", "group", "column", "channel", "polynomial" };

void map_text_complain(const struct map_text *t, uint32_t at, const char *format, va_list arguments)
{
	int n = snprintf(t->message, t->size, "mapping, character %u: ", at);

	if (n > 0 && (size_t)n < t->size)
		vsnprintf(t->message + n, t->size - (size_t)n, format, arguments);
}

static uint32_t location_of(const struct map_text *t)
{
	return (uint32_t)(t->next - t->text) + 1;
}

/* Reports an error at the text that is read next. */
static bool fail_at_next(const struct map_text *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	map_text_complain(t, location_of(t), format, arguments);
	va_end(arguments);
	return false;
}

/* names: how many of map_field_names may stand there */
static bool read_name(struct map_text *t, uint32_t names, uint8_t *what)
{
	size_t length = 0;

	while (isalpha((unsigned char)t->next[length]))
		length++;
	for (uint8_t f = 0; f < names; f++)
		if (length == strlen(map_field_names[f]) && !strncmp(t->next, map_field_names[f], length)) {
			*what = f;
			t->next += length;
			return true;
		}
	return fail_at_next(t, "expected row, bank, group, column%s channel%s, not \"%.*s\"",
		names > DRAM_FIELDS ? "," : " or", names > DRAM_FIELDS ? " or polynomial" : "",
		(int)(length ? length : strlen(t->next)), t->next);
}

static bool read_number(struct map_text *t, unsigned long least, unsigned long most, uint8_t *number)
{
	const char *end;
	uint64_t value;

	if (!isdigit((unsigned char)*t->next) || number_read(t->next, &end, &value) != NUMBER_FITS)
		return fail_at_next(t, "expected a number%s", number_hint(t->next));
	if (value < least || value > most)
		return fail_at_next(
			t, "%.*s: expected %lu to %lu", (int)(end - t->next), t->next, least, most);
	*number = (uint8_t)value;
	t->next = end;
	return true;
}

static bool read_source(struct map_text *t, uint32_t part)
{
	struct map_source *s = &t->source[t->source_count];

	if (t->source_count == MAP_MAX_SOURCES)
		return fail_at_next(t, "more than %d sources of hashes", MAP_MAX_SOURCES);
	*s = (struct map_source){ .part = (uint8_t)part, .adds = *t->next == '+' };
	if (t->source_count && s[-1].part == part && s[-1].adds != s->adds)
		return fail_at_next(t, "a hash is made with ^ alone or with + alone");
	t->next++;
	if (!read_name(t, DRAM_FIELDS + 1, &s->what))
		return false;
	t->source_count++;
	if (*t->next != '.')
		return true;
	t->next++;
	return read_number(t, 0, 63, &s->skip);
}

static bool read_part(struct map_text *t, struct dram_map *map)
{
	struct dram_part *p = &map->part[map->count];

	if (map->count == DRAM_MAX_PARTS)
		return fail_at_next(t, "more than %d parts", DRAM_MAX_PARTS);
	*p = (struct dram_part){ .slice.bits = MAP_REST };
	p->at = (uint8_t)location_of(t);
	if (!read_name(t, DRAM_FIELDS, &p->what) ||
		(isdigit((unsigned char)*t->next) && !read_number(t, 1, 32, &p->slice.bits)))
		return false;
	while (*t->next == '^' || *t->next == '+')
		if (!read_source(t, map->count))
			return false;
	map->count++;
	if (*t->next && *t->next != ':')
		return fail_at_next(t, "expected a colon, not \"%s\"", t->next);
	return true;
}

/* Reverses the order of the parts, from high-to-low to low-to-high. */
static void turn_round(struct map_text *t, struct dram_map *map)
{
	for (uint32_t i = 0; i < map->count / 2; i++) {
		struct dram_part low = map->part[map->count - 1 - i];

		map->part[map->count - 1 - i] = map->part[i];
		map->part[i] = low;
	}
	for (uint32_t i = 0; i < t->source_count; i++)
		t->source[i].part = (uint8_t)(map->count - 1 - t->source[i].part);
}

bool map_text_read(struct map_text *t, struct dram_map *map)
{
	*map = (struct dram_map){ 0 };
	t->next = t->text;
	if (strlen(t->text) > 255) {
		snprintf(t->message, t->size, "mapping: more than 255 characters");
		return false;
	}
	while (read_part(t, map)) {
		if (!*t->next) {
			turn_round(t, map);
			return true;
		}
		t->next++;
	}
	return false;
}
