/* dram/map.h -- the address mapping: a string that names the bits of an address that are row, bank, bank
 * group, column and channel.
 *
 *   "row:bank^row:column:group:channel:column8"
 *
 * Fields are written from the high to the low bits, separated by colons. A field may consist of several
 * parts. Each part has a number of bits, which one part of a field may omit: it gets the remaining bits.
 * The parts of a field are joined from high to low.
 *
 *   row      must be first, in one part: all upper bits
 *   bank     the bank; with a `group` field, the bank within its group
 *   group    the bank group, log2(bank_groups) bits. Without this field, the group of a bank is its number
 *            modulo the number of groups.
 *   column   byte in the row. The lowest part must have at least 7 bits, so that a request stays in one row.
 *   channel  the memory partition. In one part without a number, the number of partitions may be any (6 on a
 *            GTX 480): the address above it is divided by that number; the remainder is the partition.
 *            Without this field, gpu.interleave determines the partition.
 *
 * A part of bank or group, and a channel in one part, may be hashed: "^row" is the exclusive or with the
 * lowest bits of the row, "^row.4" with those from bit 4 on, "+row" the sum modulo 2^bits (for channels:
 * modulo their number, which may be any). Sources of hashes are the unhashed fields of the address: row
 * and column (from bit 7 on) for bank and group; those and bank and group for the channel. So every
 * mapping is one-to-one. "channel^polynomial" is pseudo-random interleaving (Rau, ISCA 1991): the channel is
 * the remainder of the division of the address by an irreducible polynomial, so that each of its bits is the
 * exclusive or of many bits of the address, and strides that are powers of two go round all channels. For
 * numbers of partitions that are no power of two, "channel+polynomial" adds such a remainder modulo their
 * number. "bank^row" is permutation-based page interleaving (Zhang, Zhu, Zhang, MICRO 2000). */
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
	struct bit_slice slice; /* bits of the local address; of a channel, `from` is the number of bits of
				   the local address below it */
	struct bit_hash hash;   /* of the local address */
	uint8_t at;             /* position of the part in the string, from 1 */
};

struct dram_map {
	uint32_t count, group_bits;            /* group_bits: 0 without a group field */
	struct dram_part part[DRAM_MAX_PARTS]; /* low to high */
};

/* Reads the mapping string for config->channels partitions (0 means 1). Returns false if it is wrong;
 * `message` is then a sentence without full stop that says why, with the position in the string. */
bool dram_map_init(struct dram_map *map, const struct dram_config *config, char *message, size_t size);
/* The location of an address within one partition. */
struct dram_location dram_map_location(const struct dram_map *map, addr local);

#endif
