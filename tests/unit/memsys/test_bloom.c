/* The Bloom filter of addresses: it never denies what it holds, it empties itself, and its false positives
 * are as many as theory says. */
#include "memsys/bloom.h"
#include <criterion/criterion.h>
#include <math.h>

#define LINE 128

Test(bloom, an_address_is_there_once_added_and_not_before)
{
	struct bloom b;

	bloom_init(&b, 512, 3, 256);
	cr_assert_not(bloom_has(&b, 0), "an empty filter has nothing, not even address 0");
	bloom_add(&b, 7 * LINE);
	cr_assert(bloom_has(&b, 7 * LINE));
	cr_assert_not(bloom_has(&b, 8 * LINE));
	cr_assert_eq(b.adds, 1);
	bloom_fini(&b);
}

/* Sizes that are no powers of two, and one bit for everything. */
Test(bloom, nothing_added_is_denied_until_the_filter_is_emptied)
{
	static const uint32_t bits[] = { 1, 63, 64, 65, 512, 6144, 100003 };

	for (uint32_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		struct bloom b;

		bloom_init(&b, bits[i], 1 + i % 4, 1000);
		for (addr a = 0; a < 1000; a++) {
			bloom_add(&b, a * a * LINE);
			for (addr before = 0; before <= a; before += 37)
				cr_assert(bloom_has(&b, before * before * LINE), "%u bits", bits[i]);
		}
		cr_assert_eq(b.clears, 0);
		bloom_fini(&b);
	}
}

/* 256 addresses stay; the 257th empties the filter and is then the only one in it. */
Test(bloom, one_address_too_many_empties_it_and_is_kept_itself)
{
	struct bloom b;
	uint32_t left = 0;

	bloom_init(&b, 1 << 20, 3, 256);
	for (addr a = 1; a <= 256; a++)
		bloom_add(&b, a * LINE);
	cr_assert_eq(b.clears, 0);
	cr_assert(bloom_has(&b, 1 * LINE));
	bloom_add(&b, 257 * LINE);
	cr_assert_eq(b.clears, 1);
	cr_assert_eq(b.adds, 1);
	cr_assert(bloom_has(&b, 257 * LINE));
	for (addr a = 1; a <= 256; a++)
		left += bloom_has(&b, a * LINE);
	cr_assert_eq(left, 0);
	bloom_fini(&b);
}

Test(bloom, an_address_added_again_counts_again)
{
	struct bloom b;

	bloom_init(&b, 512, 3, 2);
	for (int i = 0; i < 5; i++)
		bloom_add(&b, LINE);
	cr_assert_eq(b.clears, 2);
	cr_assert(bloom_has(&b, LINE));
	bloom_fini(&b);
}

/* Theory: (1 - (1 - 1/m)^(kn))^k for n addresses in m bits with k hashes. The mean over 200 filters of
 * 512 addresses that were not added; a fifth of the rate is far beyond chance. */
static void expect_theory(uint32_t bits, uint32_t hashes, uint32_t adds, addr stride)
{
	double expected = pow(1 - pow(1 - 1.0 / bits, (double)hashes * adds), hashes), rate;
	uint32_t found = 0;

	for (addr filter = 0; filter < 200; filter++) {
		addr base = filter * 0x1000000;
		struct bloom b;

		bloom_init(&b, bits, hashes, adds);
		for (addr a = 0; a < adds; a++)
			bloom_add(&b, base + a * stride);
		for (addr a = adds; a < adds + 512; a++)
			found += bloom_has(&b, base + a * stride);
		bloom_fini(&b);
	}
	rate = found / (200 * 512.0);
	cr_assert(fabs(rate - expected) < expected / 5, "%u bits, %u hashes, stride %u: %.4f, expected %.4f",
		bits, hashes, (unsigned)stride, rate, expected);
}

Test(bloom, false_positives_are_as_many_as_theory_says)
{
	expect_theory(512, 3, 256, 128);
	expect_theory(512, 3, 64, 128);
	expect_theory(512, 1, 256, 4096);
	expect_theory(8192, 6, 1024, 128);
	expect_theory(8192, 6, 1024, 32 * 128);
	expect_theory(6000, 4, 750, 6 * 128);
}
