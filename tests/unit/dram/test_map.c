/* tests/unit/dram/test_map.c -- the mapping string. */
#include "dram/map.h"
#include "rig.h"
#include <string.h>

static struct dram_map map_of(const char *mapping)
{
	struct dram_config config = rig_config();
	struct dram_map map;
	char message[256] = "";

	config.mapping = mapping;
	cr_assert(dram_map_init(&map, &config, message, sizeof(message)), "%s", message);
	return map;
}

Test(dram_map, row_bank_column_slices_the_address_from_high_to_low)
{
	struct dram_map map = map_of("row:bank:column");
	struct dram_place p = dram_map_place(&map, UINT64_C(5) << 16 | 11 << 12 | 321);

	cr_assert_eq(p.row, 5);
	cr_assert_eq(p.bank, 11);
	cr_assert_eq(p.column, 321);
}

Test(dram_map, a_split_field_joins_its_parts_high_to_low)
{
	struct dram_map map = map_of("row:bank:column:bank2:column8");
	/* row 3, bank 0b10 01, column 0b1010 0x7f: parts as in map.c's drawing */
	struct dram_place p = dram_map_place(&map, UINT64_C(3) << 16 | 2 << 14 | 10 << 10 | 1 << 8 | 0x7f);

	cr_assert_eq(p.row, 3);
	cr_assert_eq(p.bank, 9);
	cr_assert_eq(p.column, 10 << 8 | 0x7f);
}

Test(dram_map, every_address_has_its_own_place)
{
	struct dram_map map = map_of("row:bank1:column2:bank:column");
	static uint8_t seen[16][4096 / 32];

	memset(seen, 0, sizeof(seen));
	for (addr a = 0; a < 16 * 4096; a += 32) {
		struct dram_place p = dram_map_place(&map, a);

		cr_assert_eq(p.row, 0);
		cr_assert(!seen[p.bank][p.column / 32]);
		seen[p.bank][p.column / 32] = 1;
	}
}

static void refuses(const char *mapping, const char *part)
{
	struct dram_config config = rig_config();
	char message[256] = "";

	config.mapping = mapping;
	cr_assert(!dram_config_check(&config, message, sizeof(message)), "%s was accepted", mapping);
	cr_assert(strstr(message, part), "%s: %s", mapping, message);
}

Test(dram_map, wrong_strings_are_refused_with_a_sentence)
{
	refuses("row:bank:colum", "expected row, bank or column at \"colum\"");
	refuses("row:bank", "column needs 12 bits");
	refuses("row:bank3:column", "bank needs 4 bits");
	refuses("row:bank:bank:column", "at most one part");
	refuses("bank:row:column", "row stands first");
	refuses("row8:bank:column", "row stands first");
	refuses("row:column:bank", "lowest 7 bits");
	refuses("row:column:bank:column6", "lowest 7 bits");
	refuses("row bank:column", "expected a colon");
	refuses("", "expected row, bank or column");
}

Test(dram_map, the_default_configuration_is_accepted)
{
	struct dram_config config = rig_config();
	char message[256] = "";

	cr_assert(dram_config_check(&config, message, sizeof(message)), "%s", message);
	config.banks = 12;
	cr_assert(!dram_config_check(&config, message, sizeof(message)));
	cr_assert_str_eq(message, "banks = 12: expected a power of two up to 64");
}
