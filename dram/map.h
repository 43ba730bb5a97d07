/* dram/map.h -- where an address lies: a string that says which of its bits are row, bank, bank group, column
 * and channel.
 *
 *   "row:bank^row:column:group:channel:column8"
 *
 * Fields from the high to the low bits, separated by colons. A field may stand in several parts; a part has a
 * number of bits, and one part of each field may leave it out and takes what remains. Parts join from high to
 * low.
 *
 *   row      stands first, in one part: all the bits above
 *   bank     the bank, or with a `group` field the bank inside its group
 *   group    the bank group, log2(bank_groups) bits. Without it a bank's group is its number modulo the
 * number of groups column   byte in the row; its lowest part has 7 bits or more, so that a request stays in
 * one row channel  the memory partition. In one part without a number it may be one of any number of
 * partitions (6 on a GTX 480): the address below it, then the remainder and the quotient of a division.
 * Without the field gpu.interleave says it
 *
 * A part of bank or group and a channel in one part may be hashed: "^row" is the exclusive or with the lowest
 * bits of the row,
 * "^row.4" with those from bit 4 on, "+row" the sum modulo 2^bits (of channels: modulo their number, any).
 * Sources are the fields as they stand in the address: row and column (from bit 7 on) for bank and group,
 * those and bank and group for the channel. So every mapping is one-to-one. "bank^row" is permutation-based
 * page interleaving (Zhang, Zhu, Zhang, MICRO 2000). */
#ifndef DRAM_MAP_H
#define DRAM_MAP_H

#include "dram/channel.h"
#include "sim/base/bits.h"

enum dram_field_kind { DRAM_ROW, DRAM_BANK, DRAM_GROUP, DRAM_COLUMN, DRAM_CHANNEL, DRAM_FIELDS };

#define DRAM_MAX_PARTS 16

struct dram_location {
	uint64_t row;
	uint32_t bank, column; /* bank: its group is bank modulo bank_groups; column: byte in the row */
};

struct dram_part {
	uint8_t what;           /* enum dram_field_kind */
	struct bit_slice slice; /* of the local address; a channel's from: bits of the local address below it
				 */
	struct bit_hash hash;   /* of the local address */
	uint8_t at;             /* where the part stands in the string, from 1 */
};

struct dram_map {
	uint32_t count, group_bits;            /* group_bits: 0 without a group field */
	struct dram_part part[DRAM_MAX_PARTS]; /* low to high */
};

/* Reads the mapping string for config->channels partitions (0: one). false: `message` (a sentence without
 * full stop, with the place in the string) says why. */
bool dram_map_init(struct dram_map *map, const struct dram_config *config, char *message, size_t size);
/* Of an address inside one partition. */
struct dram_location dram_map_location(const struct dram_map *map, addr local);

#endif
