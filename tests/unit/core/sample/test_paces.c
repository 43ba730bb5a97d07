/* Where CTAs are that go on side by side (core/functional/paces.h). */
#include <criterion/criterion.h>
#include "core/functional/paces.h"

Test(paces, positions_are_found_by_cta)
{
	struct position at[] = { { .cta = 7, .done = { 100, 90 } }, { .cta = 3, .done = { 6, 5 } } };
	struct paces p = { .positions = at, .count = 2 };

	cr_assert_not_null(paces_position(&p, 3));
	cr_expect_eq(paces_position(&p, 3)->done[1], 5);
	cr_expect_eq(paces_position(&p, 7)->done[0], 100);
	cr_expect_null(paces_position(&p, 4));
}
