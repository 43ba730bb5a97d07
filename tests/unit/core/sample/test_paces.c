/* How fast CTAs and warps go on by their age (core/functional/paces.h). */
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

Test(paces, warps_have_parts_of_their_cta)
{
	struct paces p = { 0 };

	paces_add_warp(&p, 0, 0, 300);
	paces_add_warp(&p, 0, 1, 100);
	cr_expect_float_eq(paces_of_warp(&p, 0, 0), 3 * paces_of_warp(&p, 0, 1), 1e-9);
	cr_expect_float_eq(paces_of_warp(&p, 1, 0), paces_of_warp(&p, 1, 1), 1e-9);
}
