/* Set-index functions against values worked out by hand from the published bits. */
#include "memsys/index/index.h"
#include <criterion/criterion.h>

static uint32_t set_of(const struct index_class *c, addr address, uint32_t sets)
{
	return c->set(address / 128, sets);
}

Test(index, linear_takes_the_low_bits_of_the_line_number)
{
	cr_assert_eq(set_of(index_classes[INDEX_LINEAR], 128 * 37, 32), 5);
	cr_assert_eq(set_of(index_classes[INDEX_LINEAR], 128 * 37, 64), 37);
}

Test(index, fermi_xors_bits_13_14_15_17_19_into_bits_7_to_11)
{
	const struct index_class *f = index_classes[INDEX_FERMI];
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
	for (int i = 0; index_classes[i]; i++)
		for (uint32_t sets = 32; sets <= 64; sets *= 2) {
			uint64_t seen = 0;

			cr_assert(index_classes[i]->fits(sets));
			for (uint32_t line = 0; line < sets; line++)
				seen |= UINT64_C(1) << index_classes[i]->set(0x123400 + line, sets);
			cr_assert_eq(__builtin_popcountll(seen), sets, "%s, %u sets", index_names[i], sets);
		}
}

Test(index, fermi_serves_only_the_sizes_that_were_measured)
{
	cr_assert_not(index_classes[INDEX_FERMI]->fits(16));
	cr_assert_not(index_classes[INDEX_FERMI]->fits(128));
}
