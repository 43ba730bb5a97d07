/* A copy of device memory is put back, over allocations of any size, and again from the same buffer. */
#include "memsys/snapshot.h"
#include <criterion/criterion.h>
#include <string.h>

Test(snapshot, puts_back_what_all_allocations_had)
{
	struct device_memory *memory = memory_new(UINT64_C(1) << 20);
	struct snapshot s = { 0 };
	addr a = memory_allocate(memory, 1000, 0), gap = memory_allocate(memory, 5000, 0),
	     b = memory_allocate(memory, 77, 4096);

	cr_assert(memory_release(memory, gap));
	memset(memory_host(a), 1, 1000);
	memset(memory_host(b), 2, 77);
	cr_assert_eq(snapshot_bytes(memory), 1077);
	snapshot_take(&s, memory);
	memset(memory_host(a), 3, 1000);
	memset(memory_host(b), 4, 77);
	snapshot_restore(&s, memory);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(((uint8_t *)memory_host(a))[i], 1);
	for (int i = 0; i < 77; i++)
		cr_assert_eq(((uint8_t *)memory_host(b))[i], 2);
	cr_assert(memory_release(memory, a)); /* one that is smaller goes to the same buffer */
	snapshot_take(&s, memory);
	memset(memory_host(b), 5, 77);
	snapshot_restore(&s, memory);
	cr_assert_eq(((uint8_t *)memory_host(b))[76], 2);
	snapshot_fini(&s);
	memory_free(memory);
}

Test(snapshot, is_not_made_of_memory_that_is_mapped_to_other_addresses)
{
	struct device_memory *memory = memory_new(UINT64_C(1) << 20);
	struct memory_range range = { MAPPED_BASE, MAPPED_BASE + 4096 };

	memory_open(memory, range);
	cr_assert_eq(snapshot_bytes(memory), UINT64_MAX);
	memory_close(memory, range);
	cr_assert_eq(snapshot_bytes(memory), 0);
	memory_free(memory);
}
