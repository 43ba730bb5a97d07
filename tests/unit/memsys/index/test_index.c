/* Set-index functions against values worked out by hand from the published bits. */
#include "memsys/index/index.h"
#include <criterion/criterion.h>
#include <string.h>

static uint32_t set_of(uint32_t which, addr address, uint32_t sets)
{
	struct index *index = index_new(which, NULL, sets);
	uint32_t set = index->class->set(index, address / 128);

	policy_free(index);
	return set;
}

Test(index, linear_takes_the_low_bits_of_the_line_number)
{
	cr_assert_eq(set_of(INDEX_LINEAR, 128 * 37, 32), 5);
	cr_assert_eq(set_of(INDEX_LINEAR, 128 * 37, 64), 37);
}

Test(index, fermi_xors_bits_13_14_15_17_19_into_bits_7_to_11)
{
	const uint32_t f = INDEX_FERMI;
	const unsigned from[5] = { 13, 14, 15, 17, 19 };

	for (unsigned i = 0; i < 5; i++) {
		cr_assert_eq(set_of(f, UINT64_C(1) << from[i], 32), 1u << i, "address bit %u", from[i]);
		cr_assert_eq(set_of(f, UINT64_C(1) << (7 + i), 32), 1u << i, "address bit %u", 7 + i);
		cr_assert_eq(
			set_of(f, UINT64_C(1) << from[i] | UINT64_C(1) << (7 + i), 32), 0, "they cancel");
	}
	cr_assert_eq(set_of(f, 1 << 12, 32), 0, "bit 12 counts only with 64 sets");
	cr_assert_eq(set_of(f, 1 << 16, 32), 0);
	cr_assert_eq(set_of(f, 1 << 12, 64), 32);
}

Test(index, every_function_spreads_consecutive_lines_over_all_sets)
{
	for (int i = 0; index_interface.classes[i]; i++)
		for (uint32_t sets = 32; sets <= 64; sets *= 2) {
			uint64_t seen = 0;

			cr_assert(index_class(i)->fits(sets));
			for (uint32_t line = 0; line < sets; line++)
				seen |= UINT64_C(1)
					<< set_of((uint32_t)i, (addr)(0x123400 + line) * 128, sets);
			cr_assert_eq(__builtin_popcountll(seen), sets, "%s, %u sets", index_names[i], sets);
		}
}

Test(index, fermi_serves_only_the_sizes_that_were_measured)
{
	cr_assert_not(index_class(INDEX_FERMI)->fits(16));
	cr_assert_not(index_class(INDEX_FERMI)->fits(128));
}

Test(index, linear_serves_any_number_of_sets)
{
	cr_assert(index_class(INDEX_LINEAR)->fits(48));
	cr_assert_eq(set_of(INDEX_LINEAR, 128 * 100, 48), 4);
	cr_assert_eq(set_of(INDEX_LINEAR, 128 * 100, 1), 0);
}

static uint32_t named(const char *name)
{
	uint32_t i = 0;

	while (strcmp(index_names[i], name))
		i++;
	return i;
}

/* 32 sets: line number 0x12345 = 0010 01000 11010 00101 in groups of five from the right: 5, 26, 8, 2. */
Test(index, xor_folds_all_groups_of_the_line_number)
{
	uint32_t x = named("xor");

	cr_assert_eq(set_of(x, UINT64_C(0x12345) * 128, 32), 5 ^ 26 ^ 8 ^ 2);
	cr_assert_eq(set_of(x, UINT64_C(7) * 128, 1), 0);
	cr_assert_eq(set_of(x, UINT64_C(0xabc) * 128, 16), 0xa ^ 0xb ^ 0xc);
	cr_assert_not(index_class(x)->fits(48));
}

Test(index, bits_takes_neighbouring_bits_from_a_given_one_on)
{
	struct config *config = config_new();
	struct diag_list diags;
	struct index *prototype, *index;

	diag_init(&diags);
	cr_assert(config_set(config, "l1.bits.first=6", &diags));
	prototype = index_read(config, "l1", named("bits"), 4, &diags);
	index = index_new(named("bits"), prototype, 4);
	for (unsigned bit = 7; bit < 20; bit++)
		cr_expect_eq(index->class->set(index, (UINT64_C(1) << bit) / 128),
			bit == 13           ? 1
				: bit == 14 ? 2
					    : 0,
			"address bit %u", bit);
	policy_free(index);
	policy_prototype_free(prototype);
	config_free(config);
	diag_fini(&diags);
}

Test(index, xor_with_one_group_is_the_bitwise_xor_of_gonzalez)
{
	struct diag_list diags;
	struct config *config = config_new();
	struct index *prototype, *index;

	diag_init(&diags);
	cr_assert(config_set(config, "l1.xor.groups=1", &diags));
	prototype = index_read(config, "l1", named("xor"), 16, &diags);
	index = index_new(named("xor"), prototype, 16);
	cr_assert_eq(index->class->set(index, 0xabc), 0xb ^ 0xc, "without the third group");
	policy_free(index);
	policy_prototype_free(prototype);
	config_free(config);
	diag_fini(&diags);
}
