/* How fast CTAs go on by their age, and where they are (core/functional/paces.h). */
#include <criterion/criterion.h>
#include "core/functional/paces.h"

Test(paces, older_ctas_have_their_own)
{
	struct paces p = { 0 };

	paces_add(&p, 2, 0, 3000, 1000);
	paces_add(&p, 2, 1, 1000, 1000);
	paces_add(&p, 2, 1, 1000, 3000);
	cr_expect_float_eq(paces_of(&p, 2, 0), 3, 1e-9);
	cr_expect_float_eq(paces_of(&p, 2, 1), 0.5, 1e-9);
}

Test(paces, what_was_not_seen_is_taken_from_fuller_sms_and_older_ctas)
{
	struct paces p = { 0 };

	cr_expect_eq(paces_of(&p, 1, 0), 0);
	paces_add(&p, 4, 0, 1000, 1000);
	cr_expect_float_eq(paces_of(&p, 1, 0), 4, 1e-9, "it has for itself what four have shared");
	cr_expect_float_eq(paces_of(&p, 4, 3), 1, 1e-9);
	cr_expect_eq(paces_of(&p, PACES + 1, 0), 0);
	paces_add(&p, PACES + 1, 0, 1, 1);
	paces_add(&p, 1, PACES, 1, 1);
	cr_expect_float_eq(paces_of(&p, 1, 0), 4, 1e-9, "more than are told apart are left out");
}

Test(paces, what_is_new_counts_for_more)
{
	struct paces p = { 0 };

	paces_add(&p, 1, 0, 4000, 1000);
	paces_fade(&p, 0.5);
	cr_expect_float_eq(paces_of(&p, 1, 0), 4, 1e-9, "alone it is what it was");
	paces_add(&p, 1, 0, 1000, 1000);
	cr_expect_float_eq(paces_of(&p, 1, 0), 2, 1e-9);
}

Test(paces, positions_are_found_by_cta)
{
	struct position at[] = { { .cta = 7, .done = { 100, 90 } }, { .cta = 3, .done = { 6, 5 } } };
	struct paces p = { .positions = at, .count = 2 };

	cr_assert_not_null(paces_position(&p, 3));
	cr_expect_eq(paces_position(&p, 3)->done[1], 5);
	cr_expect_eq(paces_position(&p, 7)->done[0], 100);
	cr_expect_null(paces_position(&p, 4));
}
