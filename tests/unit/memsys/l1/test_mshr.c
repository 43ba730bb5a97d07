/* The MSHR file: limits, merging, order, and look-up against a plain search. */
#include "memsys/mshr.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static union mshr_waiter token(uint32_t t)
{
	return (union mshr_waiter){ .token = t };
}

Test(mshr, the_first_request_counts_as_merged)
{
	struct mshr_file f;
	uint32_t e;

	mshr_init(&f, 2, 3);
	e = mshr_reserve(&f, 128, token(1));
	mshr_merge(&f, e, token(2));
	cr_assert(mshr_can_merge(&f, e));
	mshr_merge(&f, e, token(3));
	cr_assert_not(mshr_can_merge(&f, e));
	for (uint32_t i = 0; i < 3; i++)
		cr_assert_eq(mshr_waiters(&f, e)[i].token, i + 1);
	mshr_fini(&f);
}

Test(mshr, entries_are_finite_and_come_back)
{
	struct mshr_file f;
	uint32_t first;

	mshr_init(&f, 2, 1);
	first = mshr_reserve(&f, 0, token(0));
	mshr_reserve(&f, 128, token(0));
	cr_assert_not(mshr_has_free(&f));
	mshr_release(&f, first);
	cr_assert_eq(mshr_find(&f, 0), MSHR_NONE);
	cr_assert_neq(mshr_find(&f, 128), MSHR_NONE);
	cr_assert(mshr_has_free(&f));
	cr_assert_eq(f.in_use, 1);
	mshr_fini(&f);
}

Test(mshr, entries_of_one_key_are_found_oldest_first)
{
	struct mshr_file f;
	uint32_t a, b, c;

	mshr_init(&f, 4, 1);
	a = mshr_reserve(&f, 256, token(0));
	b = mshr_reserve(&f, 256, token(0));
	c = mshr_reserve(&f, 256, token(0));
	cr_assert_eq(mshr_find(&f, 256), a);
	cr_assert_eq(mshr_find_next(&f, a), b);
	mshr_release(&f, b);
	cr_assert_eq(mshr_find_next(&f, a), c);
	cr_assert_eq(mshr_find_next(&f, c), MSHR_NONE);
	mshr_fini(&f);
}

Test(mshr, look_up_agrees_with_a_plain_search)
{
	struct mshr_file f;
	addr held[32];
	bool used[32] = { false };

	srand(3);
	mshr_init(&f, 32, 1);
	for (int round = 0; round < 20000; round++) {
		addr key = (addr)(rand() % 64) * 128;
		uint32_t e = mshr_find(&f, key), expected = MSHR_NONE;

		for (uint32_t i = 0; i < 32; i++)
			if (used[i] && held[i] == key)
				expected = i;
		cr_assert_eq(e, expected);
		if (e != MSHR_NONE && rand() % 2) {
			mshr_release(&f, e);
			used[e] = false;
		} else if (e == MSHR_NONE && mshr_has_free(&f)) {
			e = mshr_reserve(&f, key, token(0));
			cr_assert_not(used[e]);
			used[e] = true;
			held[e] = key;
		}
	}
	mshr_fini(&f);
}
