/* Virtual addresses that may be accessed. */
#include "memsys/open_ranges.h"
#include <criterion/criterion.h>

static struct memory_range range(addr start, addr end)
{
	return (struct memory_range){ start, end };
}

static void expect_found(const struct open_ranges *open, addr address, addr start, addr end)
{
	struct memory_range r = open_ranges_find(open, address);

	cr_expect(r.start == start && r.end == end, "%llu is in %llu to %llu, not %llu to %llu",
		(unsigned long long)address, (unsigned long long)r.start, (unsigned long long)r.end,
		(unsigned long long)start, (unsigned long long)end);
}

Test(open_ranges, are_joined_where_they_touch)
{
	struct open_ranges open = { 0 };

	open_ranges_add(&open, range(100, 200));
	open_ranges_add(&open, range(300, 400));
	expect_found(&open, 199, 100, 200);
	expect_found(&open, 200, 0, 0);
	expect_found(&open, 99, 0, 0);
	open_ranges_add(&open, range(200, 300));
	cr_expect(open.count == 1);
	expect_found(&open, 250, 100, 400);
	open_ranges_add(&open, range(100, 400));
	expect_found(&open, 250, 100, 400);
	open_ranges_fini(&open);
}

Test(open_ranges, removal_leaves_both_sides)
{
	struct open_ranges open = { 0 };

	open_ranges_add(&open, range(100, 400));
	open_ranges_add(&open, range(500, 600));
	open_ranges_remove(&open, range(200, 300));
	expect_found(&open, 150, 100, 200);
	expect_found(&open, 200, 0, 0);
	expect_found(&open, 300, 300, 400);
	open_ranges_remove(&open, range(350, 550));
	expect_found(&open, 320, 300, 350);
	expect_found(&open, 550, 550, 600);
	open_ranges_remove(&open, range(200, 300)); /* nothing is there */
	cr_expect(open.count == 3);
	open_ranges_remove(&open, range(0, 1000));
	cr_expect(open.count == 0);
	open_ranges_fini(&open);
}

Test(open_ranges, the_nearest_is_found_on_both_sides)
{
	struct open_ranges open = { 0 };

	open_ranges_add(&open, range(100, 200));
	open_ranges_add(&open, range(300, 400));
	cr_expect(open_ranges_nearest(&open, 50).start == 100);
	cr_expect(open_ranges_nearest(&open, 210).start == 100);
	cr_expect(open_ranges_nearest(&open, 290).start == 300);
	cr_expect(open_ranges_nearest(&open, 350).start == 300);
	cr_expect(open_ranges_nearest(&open, 900).start == 300);
	open_ranges_fini(&open);
}

Test(open_ranges, memory_without_an_address_is_finite)
{
	struct device_memory *memory = memory_new(1 << 20);
	uint64_t generation = memory_generation(memory);

	cr_assert(memory_claim(memory, 3 << 18));
	cr_expect(!memory_claim(memory, 1 << 19));
	cr_expect(memory_allocate(memory, 1 << 19, 256) == 0);
	cr_expect(memory_available(memory) == 1 << 18);
	memory_open(memory, range(MAPPED_BASE, MAPPED_BASE + 4096));
	cr_expect(memory_generation(memory) > generation);
	cr_expect(memory_find(memory, MAPPED_BASE + 5).end == MAPPED_BASE + 4096);
	memory_close(memory, range(MAPPED_BASE, MAPPED_BASE + 4096));
	cr_expect(memory_find(memory, MAPPED_BASE + 5).end == 0);
	memory_unclaim(memory, 3 << 18);
	cr_expect(memory_available(memory) == 1 << 20);
	memory_free(memory);
}
