/* The allocator of device memory against a simple model. */
#include "memsys/allocations.h"
#include "memsys/memory.h"
#include "tests/unit/part.h"
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

Test(memory, reaches_the_pages_of_allocations_where_that_is_asked_for)
{
	enum { PAGE = 4096 };
	struct device_memory *memory = memory_new(4 * PAGE + 4096);
	addr a = memory_allocate(memory, 100, 0), b = memory_allocate(memory, 100, 2 * PAGE);

	memory_set_page(memory, PAGE, false);
	cr_assert_eq(memory_reach(memory, a + 99).end, a + 100);
	cr_assert_eq(memory_reach(memory, a + 100).end, 0);
	cr_assert(memory_is_in_page(memory, a + PAGE - 1));
	cr_assert_not(memory_is_in_page(memory, a + PAGE));
	memory_set_page(memory, PAGE, true);
	cr_assert_eq(memory_reach(memory, a + PAGE - 1).end, a + PAGE);
	cr_assert_eq(memory_reach(memory, a + PAGE).end, 0, "no allocation touches the second page");
	cr_assert_eq(memory_reach(memory, b - 1).end, 0);
	cr_assert_eq(memory_reach(memory, b + PAGE - 1).start, b);
	cr_assert_eq(memory_find(memory, a + 100).end, 0, "copies of the host stay exact");
	cr_assert(memory_release(memory, a));
	cr_assert_eq(memory_reach(memory, a).end, 0);
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

/* The lowest address with room, by trying the start of the region and the end of each allocation; 0: none. */
static addr first_fit(const struct memory_range *model, addr limit, uint64_t bytes, uint64_t align)
{
	addr best = 0;

	for (int i = -1; i < SLOTS; i++) {
		addr start = i < 0 ? DEVICE_BASE : (model[i].end + 255) & ~UINT64_C(255);
		bool fits;

		start = (start + align - 1) & ~(align - 1);
		fits = start >= DEVICE_BASE && start + bytes <= limit && (!best || start < best);
		for (int k = 0; k < SLOTS && fits; k++)
			fits = !model[k].end || start + bytes <= model[k].start ||
				start >= ((model[k].end + 255) & ~UINT64_C(255));
		best = fits ? start : best;
	}
	return best;
}

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
			addr limit = DEVICE_BASE + memory_total(memory), wanted = 0, start;

			align = align > 256 ? align : 256;
			if (step % 16 == 0)
				wanted = first_fit(model, limit, bytes, align);
			start = memory_allocate(memory, bytes, align);
			cr_assert(step % 16 || start == wanted);
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

static unsigned depth_of(const struct allocation_node *n)
{
	unsigned left = n ? depth_of(n->left) : 0, right = n ? depth_of(n->right) : 0;

	return n ? 1 + (left > right ? left : right) : 0;
}

/* Every step of the allocator goes down a path of the tree, or down one and the path beside it. */
Test(memory, many_allocations_keep_the_tree_flat)
{
	enum { MANY = 200000 };
	struct allocations a;

	allocations_init(&a, DEVICE_BASE, UINT64_C(1) << 30);
	for (addr i = 0; i < MANY; i++) {
		addr start = allocations_fit(&a, 100, 256);

		cr_assert_eq(start, DEVICE_BASE + 256 * i);
		allocations_add(&a, (struct memory_range){ start, start + 100 });
	}
	cr_assert_lt(depth_of(a.root), 64); /* 18 at the least */
	for (addr i = 0; i < MANY; i += 2) {
		struct memory_range range;

		cr_assert(allocations_remove(&a, DEVICE_BASE + 256 * i, &range));
	}
	cr_assert_eq(allocations_fit(&a, 256, 256), DEVICE_BASE);
	cr_assert_eq(allocations_fit(&a, 257, 256), DEVICE_BASE + UINT64_C(256) * MANY);
	cr_assert_lt(depth_of(a.root), 64);
	allocations_fini(&a);
}

/* A million, with every second one freed and allocated again: hours where each takes a walk over the others.
 */
Test(memory, a_million_allocations)
{
	const addr many = 1000000 / one_in(10);
	struct device_memory *memory = memory_new(UINT64_C(1) << 30);

	for (addr i = 0; i < many; i++)
		cr_assert_eq(memory_allocate(memory, 100, 0), DEVICE_BASE + 256 * i);
	for (addr i = 0; i < many; i += 2)
		cr_assert(memory_release(memory, DEVICE_BASE + 256 * i));
	for (addr i = 0; i < many; i += 2)
		cr_assert_eq(memory_allocate(memory, 200, 0), DEVICE_BASE + 256 * i);
	memory_free(memory);
}
