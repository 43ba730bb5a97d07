/* Zeroed memory, small and large. */
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <stdint.h>

static bool is_zero(const uint8_t *bytes, size_t size)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, size - 1);
}

Test(xalloc, memory_that_was_in_use_before_is_zero_again)
{
	static const size_t sizes[] = { 1, 64, 4097, XALLOC_LARGE - 64, XALLOC_LARGE, XALLOC_LARGE + 1,
		3 * XALLOC_LARGE + 4097 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int again = 0; again < 3; again++) {
			uint8_t *bytes = xcalloc_lines(sizes[i]);

			cr_assert_eq((uintptr_t)bytes % 64, 0);
			cr_assert(is_zero(bytes, sizes[i]), "%zu bytes are not zero", sizes[i]);
			memset(bytes, 0xff, sizes[i]);
			free(bytes);
		}
}

Test(xalloc, its_neighbours_keep_their_bytes)
{
	for (int i = 0; i < 3; i++) {
		uint8_t *before = xmalloc(100), *large = xcalloc_lines(XALLOC_LARGE), *behind = xmalloc(100);

		memset(before, 1, 100);
		memset(behind, 2, 100);
		xalloc_clear_pages(large, XALLOC_LARGE);
		for (int k = 0; k < 100; k++)
			cr_assert(before[k] == 1 && behind[k] == 2);
		free(before);
		free(large);
		free(behind);
	}
}
