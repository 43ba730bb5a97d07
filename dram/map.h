/* dram/map.h -- a local address (inside one memory partition) as row, bank and column. */
#ifndef DRAM_MAP_H
#define DRAM_MAP_H

#include "dram/channel.h"

#define DRAM_MAX_FIELDS 16

struct dram_place {
	uint64_t row;
	uint32_t bank, column;      /* column: byte in the row */
};

struct dram_map {
	uint32_t count;             /* fields, from low to high bits of the address */
	struct dram_field {
		uint8_t what;       /* enum of map.c */
		uint8_t shift;      /* of the field inside row, bank or column */
		uint8_t bits;
	} field[DRAM_MAX_FIELDS];
};

/* Reads the mapping string. false: `message` (a sentence without full stop) says why. */
bool dram_map_init(struct dram_map *map, const struct dram_config *config, char *message, size_t size);
struct dram_place dram_map_place(const struct dram_map *map, addr local);

#endif
