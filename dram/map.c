/* dram/map.c -- the mapping string: fields from the high to the low bits of the local address, separated by colons.
 *
 * A field is row, bank or column, with a number of bits if it is only a part; one part of each may leave the number out
 * and takes what remains. Parts join from high to low. "row:bank:column:bank2:column8" on 16 banks and rows of 4 KB is
 *
 *   bits  ...16  15..14  13..10        9..8         7..0
 *         row    bank/4  column/256    bank % 4     column % 256
 *
 * so that neighbouring chunks of 256 bytes lie in different banks and, a bank's group being its number modulo the
 * number of groups, in different groups: a stream then moves at tCCD_S. The row takes all bits above. */
#include "dram/map.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum field { FIELD_ROW, FIELD_BANK, FIELD_COLUMN, FIELDS };
static const char *const field_names[FIELDS] = { "row", "bank", "column" };

#define REST 0xff              /* bits not given */
#define MIN_COLUMN 7           /* lowest column bits: the widest request is 128 bytes */

static int name_length(const char *text)
{
	int n = 0;

	while (isalpha((unsigned char)text[n]))
		n++;
	return n;
}

/* One field, at *text; moves past it. */
static bool read_field(const char **text, struct dram_field *field, char *message, size_t size)
{
	int length = name_length(*text);
	char *end;

	field->what = FIELDS;
	for (int f = 0; f < FIELDS; f++)
		if (length == (int)strlen(field_names[f]) && !strncmp(*text, field_names[f], (size_t)length))
			field->what = (uint8_t)f;
	if (field->what == FIELDS) {
		snprintf(message, size, "mapping: expected row, bank or column at \"%s\"", *text);
		return false;
	}
	*text += length;
	field->bits = REST;
	if (isdigit((unsigned char)**text)) {
		unsigned long bits = strtoul(*text, &end, 10);

		if (!bits || bits > 32) {
			snprintf(message, size, "mapping: %lu bits of %s: expected 1 to 32", bits, field_names[field->what]);
			return false;
		}
		field->bits = (uint8_t)bits;
		*text = end;
	}
	if (**text && **text != ':') {
		snprintf(message, size, "mapping: expected a colon at \"%s\"", *text);
		return false;
	}
	return true;
}

/* Reads the fields, high to low, into an array that is low to high afterwards. */
static bool read_fields(struct dram_map *map, const char *text, char *message, size_t size)
{
	map->count = 0;
	for (;; text++) {
		if (map->count == DRAM_MAX_FIELDS) {
			snprintf(message, size, "mapping: more than %d fields", DRAM_MAX_FIELDS);
			return false;
		}
		if (!read_field(&text, &map->field[map->count++], message, size))
			return false;
		if (!*text)
			break;
	}
	for (uint32_t i = 0; i < map->count / 2; i++) {
		struct dram_field low = map->field[map->count - 1 - i];

		map->field[map->count - 1 - i] = map->field[i];
		map->field[i] = low;
	}
	return true;
}

/* Gives each part its place in its whole of `bits`; the part without a number gets what is left. */
static bool share(struct dram_map *map, enum field what, uint32_t bits, char *message, size_t size)
{
	uint32_t given = 0, rests = 0, parts = 0;
	uint8_t shift = 0;

	for (uint32_t i = 0; i < map->count; i++) {
		const struct dram_field *f = &map->field[i];

		if (f->what != what)
			continue;
		parts++;
		if (f->bits == REST)
			rests++;
		else
			given += f->bits;
	}
	if (!parts && !bits)
		return true;
	if (!parts || rests > 1 || given > bits || (!rests && given < bits)) {
		snprintf(message, size, "mapping: %s needs %u bits in all, and at most one part without a number",
			field_names[what], bits);
		return false;
	}
	for (uint32_t i = 0; i < map->count; i++) {
		struct dram_field *f = &map->field[i];

		if (f->what != what)
			continue;
		if (f->bits == REST)
			f->bits = (uint8_t)(bits - given);
		f->shift = shift;
		shift = (uint8_t)(shift + f->bits);
	}
	return true;
}

static uint32_t log2_of(uint32_t power)
{
	return (uint32_t)__builtin_ctz(power);
}

bool dram_map_init(struct dram_map *map, const struct dram_config *config, char *message, size_t size)
{
	uint32_t rows;

	if (!read_fields(map, config->mapping, message, size))
		return false;
	for (uint32_t i = 0, n = 0; i < map->count; i++)
		if (map->field[i].what == FIELD_ROW && (n++ || i != map->count - 1 || map->field[i].bits != REST)) {
			snprintf(message, size, "mapping: row stands first, once and without a number");
			return false;
		}
	if (map->field[map->count - 1].what != FIELD_ROW) {
		snprintf(message, size, "mapping: row stands first");
		return false;
	}
	if (!share(map, FIELD_BANK, log2_of(config->banks), message, size) ||
		!share(map, FIELD_COLUMN, log2_of(config->row_bytes), message, size))
		return false;
	rows = 64 - log2_of(config->banks) - log2_of(config->row_bytes);
	if (!share(map, FIELD_ROW, rows, message, size))
		return false;
	if (map->field[0].what != FIELD_COLUMN || map->field[0].bits < MIN_COLUMN) {
		snprintf(message, size, "mapping: the lowest %d bits must be column bits: a request of 128 bytes stays in one row",
			MIN_COLUMN);
		return false;
	}
	return true;
}

struct dram_place dram_map_place(const struct dram_map *map, addr local)
{
	uint64_t whole[FIELDS] = { 0 };

	for (uint32_t i = 0; i < map->count; i++) {
		const struct dram_field *f = &map->field[i];

		whole[f->what] |= (local & ((UINT64_C(1) << f->bits) - 1)) << f->shift;
		local >>= f->bits;
	}
	return (struct dram_place){ whole[FIELD_ROW], (uint32_t)whole[FIELD_BANK], (uint32_t)whole[FIELD_COLUMN] };
}
