/* The allocator of device memory against a simple model. */
#include "memsys/memory.h"
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

Test(memory, reserves_the_region_once)
{
	struct device_memory *memory = memory_new(UINT64_C(1) << 30);

	cr_assert_neq(memory, NULL);
	cr_assert_eq(memory_new(UINT64_C(1) << 20), NULL);
	cr_assert(errno == EEXIST || errno == EBUSY);
	memory_free(memory);
	memory = memory_new(UINT64_C(1) << 20);
	cr_assert_neq(memory, NULL);
	memory_free(memory);
}

Test(memory, is_where_its_address_says_and_zero_when_fresh)
{
	struct device_memory *memory = memory_new(UINT64_C(1) << 30);
	addr a = memory_allocate(memory, 1000, 0);
	uint8_t *host = memory_host(a);

	cr_assert_eq(a, DEVICE_BASE);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(host[i], 0);
	memset(host, 1, 1000);
	memory_free(memory);
}

Test(memory, finds_only_the_bytes_asked_for)
{
	struct device_memory *memory = memory_new(UINT64_C(1) << 20);
	addr a = memory_allocate(memory, 100, 0), b = memory_allocate(memory, 100, 4096);

	cr_assert_eq(memory_find(memory, a + 99).start, a);
	cr_assert_eq(memory_find(memory, a + 99).end, a + 100);
	cr_assert_eq(memory_find(memory, a + 100).end, 0);
	cr_assert_eq(memory_find(memory, a - 1).end, 0);
	cr_assert_eq(b % 4096, 0);
	cr_assert_eq(memory_nearest(memory, a + 101).start, a);
	cr_assert_eq(memory_nearest(memory, b - 1).start, b);
	cr_assert_eq(memory_nearest(memory, UINT64_MAX).start, b);
	cr_assert_eq(memory_nearest(memory, 0).start, a);
	cr_assert(memory_release(memory, a));
	cr_assert_not(memory_release(memory, a));
	cr_assert_not(memory_release(memory, b + 1));
	cr_assert(memory_release(memory, b));
	cr_assert_eq(memory_nearest(memory, a).end, 0);
	memory_free(memory);
}

Test(memory, fills_up_and_merges_what_is_freed)
{
	struct device_memory *memory = memory_new(UINT64_C(1) << 20);
	addr a[16];

	for (int i = 0; i < 16; i++)
		a[i] = memory_allocate(memory, 1 << 16, 0);
	cr_assert_neq(a[15], 0);
	cr_assert_eq(memory_available(memory), 0);
	cr_assert_eq(memory_allocate(memory, 1, 0), 0);
	cr_assert(
		memory_release(memory, a[4]) && memory_release(memory, a[6]) && memory_release(memory, a[5]));
	cr_assert_eq(memory_allocate(memory, 3 << 16, 0), a[4]);
	cr_assert_eq(memory_allocate(memory, 0, 0), 0);
	cr_assert_eq(memory_allocate(memory, UINT64_MAX, 0), 0);
	memory_free(memory);
}

enum { SLOTS = 400, STEPS = 20000 };

Test(memory, agrees_with_a_model_over_random_use)
{
	struct device_memory *memory = memory_new(UINT64_C(1) << 24);
	static struct memory_range model[SLOTS];
	uint64_t seed = 1, used = 0, generation = memory_generation(memory);

	for (int step = 0; step < STEPS; step++) {
		struct memory_range *slot = &model[(seed >> 33) % SLOTS];
		uint64_t bytes = (seed >> 20) % 100000 + 1, align = UINT64_C(1) << (seed >> 50) % 14;

		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		if (slot->end) {
			cr_assert(memory_release(memory, slot->start));
			used -= (slot->end - slot->start + 255) & ~UINT64_C(255);
			*slot = (struct memory_range){ 0, 0 };
			cr_assert_gt(memory_generation(memory), generation);
		} else {
			addr start = memory_allocate(memory, bytes, align);

			if (!start)
				continue;
			cr_assert(start % align == 0 && start % 256 == 0);
			cr_assert(
				start >= DEVICE_BASE && start + bytes <= DEVICE_BASE + memory_total(memory));
			for (int i = 0; i < SLOTS; i++)
				cr_assert(!model[i].end || start >= model[i].end ||
					start + bytes <= model[i].start);
			*slot = (struct memory_range){ start, start + bytes };
			used += (bytes + 255) & ~UINT64_C(255);
		}
		generation = memory_generation(memory);
		cr_assert_eq(memory_available(memory), memory_total(memory) - used);
		for (int i = 0; i < SLOTS; i += 37)
			if (model[i].end)
				cr_assert_eq(memory_find(memory, model[i].end - 1).start, model[i].start);
	}
	memory_free(memory);
}
