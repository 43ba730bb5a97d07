/* dram/map_parse.h -- parses a mapping string into parts and the sources of their hashes, for map.c. */
#ifndef DRAM_MAP_PARSE_H
#define DRAM_MAP_PARSE_H

#include "dram/map.h"
#include <stdarg.h>

#define MAP_REST        0xff /* bits not given */
#define MAP_MAX_SOURCES 32
#define MAP_POLYNOMIAL  DRAM_FIELDS /* as a source: all bits of the address */

/* A source of a hash: "^what.skip" or "+what.skip" after a part. */
struct map_source {
	uint8_t part, what, skip;
	bool adds;
};

struct map_text {
	const char *text, *next; /* next: the text that has not been read yet */
	char *message;           /* buffer for the error message: message[size] */
	size_t size;
	uint32_t source_count;
	struct map_source source[MAP_MAX_SOURCES];
};

extern const char *const map_field_names[];

/* Fills map->part, from low to high: what, slice.bits (or MAP_REST) and at; and the sources, in which
 * `part` is an index of map->part. */
bool map_text_read(struct map_text *text, struct dram_map *map);
/* Writes the message "mapping, character 5: ...". */
void map_text_complain(const struct map_text *text, uint32_t at, const char *format, va_list arguments);

#endif
