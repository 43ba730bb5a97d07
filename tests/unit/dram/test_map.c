/* tests/unit/dram/test_map.c -- the mapping string: what it says, and what it may not say. Whole device
 * addresses: core/gpu/test_address_map.c. */
#include "dram/map.h"
#include "rig.h"
#include <string.h>

static struct dram_map map_of(const char *mapping)
{
	struct dram_config config = rig_config();
	struct dram_map map;
	char message[512] = "";

	config.mapping = mapping;
	config.channels = 6;
	cr_assert(dram_map_init(&map, &config, message, sizeof(message)), "%s", message);
	return map;
}

static void lies_at(const char *mapping, addr local, uint64_t row, uint32_t bank, uint32_t column)
{
	struct dram_map map = map_of(mapping);
	struct dram_location p = dram_map_location(&map, local);

	cr_assert_eq(p.row, row, "%s: row %llu", mapping, (unsigned long long)p.row);
	cr_assert_eq(p.bank, bank, "%s: bank %u", mapping, p.bank);
	cr_assert_eq(p.column, column, "%s: column %u", mapping, p.column);
}

Test(dram_map, row_bank_column_slices_the_address_from_high_to_low)
{
	lies_at("row:bank:column", UINT64_C(5) << 16 | 11 << 12 | 321, 5, 11, 321);
	lies_at("row:bank:column", UINT64_C(0xfffffffff) << 16 | 11 << 12 | 321, UINT64_C(0xfffffffff), 11,
		321);
}

Test(dram_map, a_split_field_joins_its_parts_high_to_low)
{
	/* row 3, bank 0b10 01, column 0b1010 0x7f */
	lies_at("row:bank:column:bank2:column8", UINT64_C(3) << 16 | 2 << 14 | 10 << 10 | 1 << 8 | 0x7f, 3, 9,
		10 << 8 | 0x7f);
}

Test(dram_map, the_group_is_the_low_part_of_the_bank_number)
{
	/* the same as bank:...:bank2 with 4 groups */
	lies_at("row:bank:column:group:column8", UINT64_C(3) << 16 | 2 << 14 | 10 << 10 | 1 << 8 | 0x7f, 3, 9,
		10 << 8 | 0x7f);
	lies_at("row:group:bank:column", UINT64_C(1) << 14, 0, 1, 0);
	lies_at("row:group:bank:column", UINT64_C(1) << 12, 0, 4, 0);
}

Test(dram_map, a_channel_field_is_none_of_the_local_address)
{
	lies_at("row:bank:column:group:channel:column8",
		UINT64_C(3) << 16 | 2 << 14 | 10 << 10 | 1 << 8 | 0x7f, 3, 9, 10 << 8 | 0x7f);
}

Test(dram_map, a_hash_moves_banks_by_the_row)
{
	/* permutation-based page interleaving: bank ^ the low four bits of the row */
	lies_at("row:bank^row:column", UINT64_C(0x1235) << 16 | 0xc << 12 | 7, 0x1235, 0xc ^ 5, 7);
	lies_at("row:bank^row.4:column", UINT64_C(0x1235) << 16 | 0xc << 12 | 7, 0x1235, 0xc ^ 3, 7);
	lies_at("row:bank^row^row.4:column", UINT64_C(0x1235) << 16 | 0xc << 12 | 7, 0x1235, 0xc ^ 5 ^ 3, 7);
	lies_at("row:bank+row:column", UINT64_C(0x1235) << 16 | 0xc << 12 | 7, 0x1235, (0xc + 5) & 15, 7);
	/* bits 8..0 of the column, then the group, then bits 11..9 of the column: group 1 ^ bits 9 and 8 of
	 * the column */
	lies_at("row:bank:column3:group^column.8:column", 1 << 11 | 1 << 9 | 0x100, 0, 1 ^ 3, 0x300);
}

Test(dram_map, every_address_has_its_own_place)
{
	static const char *const mappings[] = { "row:bank1:column2:bank:column",
		"row:bank^row:column2:group+column.9:column", "row:bank^row^column.8:column" };

	for (int m = 0; m < 3; m++) {
		struct dram_config config = rig_config();
		static uint8_t seen[4][16][4096 / 32];
		struct dram_map map;
		char message[512] = "";

		config.mapping = mappings[m];
		cr_assert(dram_map_init(&map, &config, message, sizeof(message)), "%s", message);
		memset(seen, 0, sizeof(seen));
		for (addr a = 0; a < 4 * 16 * 4096; a += 32) {
			struct dram_location p = dram_map_location(&map, a);

			cr_assert_lt(p.row, 4);
			cr_assert(!seen[p.row][p.bank][p.column / 32], "%s: %llx", mappings[m],
				(unsigned long long)a);
			seen[p.row][p.bank][p.column / 32] = 1;
		}
	}
}

static void refuses(uint32_t channels, const char *mapping, const char *expected)
{
	struct dram_config config = rig_config();
	char message[512] = "";

	config.mapping = mapping;
	config.channels = channels;
	cr_assert(!dram_config_check(&config, message, sizeof(message)), "%s was accepted", mapping);
	cr_assert(strstr(message, expected), "%s: %s", mapping, message);
}

Test(dram_map, wrong_strings_are_refused_with_a_sentence_and_its_place)
{
	refuses(6, "row:bank:colum",
		"mapping, character 10: expected row, bank, group, column or channel, not \"colum\"");
	refuses(6, "", "mapping, character 1: expected row");
	refuses(6, "row::column", "mapping, character 5: expected row");
	refuses(6, "row:bank", "lowest 7 bits must be column bits");
	refuses(6, "row:column", "no field bank, which needs 4 bits");
	refuses(6, "row:bank3:column", "mapping, character 5: bank needs 4 bits");
	refuses(6, "row:bank:bank:column", "at most one part");
	refuses(6, "bank:row:column", "mapping, character 6: row stands first");
	refuses(6, "row8:bank:column", "without a number");
	refuses(6, "row:column:bank", "mapping, character 12: the lowest 7 bits");
	refuses(6, "row:bank:column:bank2:column6", "lowest 7 bits");
	refuses(6, "row:bank:column99", "expected 1 to 32");
	refuses(6, "row:bank;column", "mapping, character 9: expected a colon");
	refuses(6, "row:bank:group3:column", "group needs 2 bits");
	refuses(6, "row:bank^:column", "mapping, character 10: expected row");
	refuses(6, "row:bank^row.:column", "expected a number");
	refuses(6, "row:bank^row+row.4:column",
		"mapping, character 13: a hash is made with ^ alone or with + alone");
	refuses(6, "row:bank^channel:column", "bank cannot be hashed with channel");
	refuses(6, "row:bank^group:group:column", "bank cannot be hashed with group");
	refuses(6, "row:bank^column:column", "lie inside a request");
	refuses(6, "row:bank:column^row", "only bank, group and channel can be hashed");
	refuses(6, "row:bank:channel3:column", "needs a power of two of partitions, and there are 6");
	refuses(8, "row:bank:channel2:column", "channel needs 3 bits");
	refuses(6, "row:bank:channel^row:column",
		"the exclusive or needs a power of two of partitions, and there are 6: write +");
	refuses(8, "row:channel2^row:bank:channel1:column", "a channel in several parts cannot be hashed");
	refuses(6, "row:bank^row^row^row^row^row^row^row^row^row:column", "more than 8 pieces");
	refuses(6, "row:polynomial:column",
		"mapping, character 5: expected row, bank, group, column or channel, not \"polynomial\"");
	refuses(6, "row:bank:channel+poly:column",
		"mapping, character 18: expected row, bank, group, column, channel or polynomial, not "
		"\"poly\"");
	refuses(6, "row:bank^polynomial:column", "only the channel can be hashed with polynomial");
	refuses(6, "row:bank:channel^polynomial:column", "needs a power of two of partitions");
	refuses(6, "row:bank:channel+polynomial+polynomial:column", "polynomial stands once in a hash");
	refuses(6, "row:bank:channel+polynomial.8:column", "without a number");
}

Test(dram_map, impossible_sizes_are_refused)
{
	struct dram_config config = rig_config();
	char message[512];

	cr_assert(dram_config_check(&config, message, sizeof(message)), "%s", message);
	config.banks = 12;
	cr_assert(!dram_config_check(&config, message, sizeof(message)));
	cr_assert_str_eq(message, "banks = 12: expected a power of two up to 64");
	config = rig_config();
	config.tREFI = 100;
	cr_assert(!dram_config_check(&config, message, sizeof(message)));
	cr_assert_str_eq(message,
		"tREFI = 100: no time left between refreshes; to close all banks, refresh them, open a row "
		"and "
		"read or write can take 192 cycles with these timings");
	config = rig_config();
	config.write_low = 32;
	cr_assert(!dram_config_check(&config, message, sizeof(message)));
	cr_assert_str_eq(message, "write_low = 32: expected less than write_high = 32");
}
