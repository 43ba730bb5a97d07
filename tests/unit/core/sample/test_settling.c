/* tests/unit/core/sample/test_settling.c -- whether the time behind a jump is too short. */
#include "core/sample/settling.h"
#include <criterion/criterion.h>

/* Units of 1 cycle per warp instruction behind chunks that are off by these parts. */
static struct settling after(const double *off, unsigned count)
{
	struct settling s = { 0 };

	for (unsigned i = 0; i < count; i++) {
		s.last = 2 * (1 + off[i]);
		settling_measured(&s, 2);
	}
	return s;
}

Test(settling, chunks_that_are_all_slower_show_it)
{
	struct settling s = after((double[]){ 0.03, 0.04, 0.035 }, 3);

	cr_expect(settling_is_short(&s, 0.01));
	cr_expect_not(settling_is_short(&s, 0.04), "as much is allowed");
	s = after((double[]){ -0.03, -0.04, -0.035 }, 3);
	cr_expect(settling_is_short(&s, 0.01), "faster ones, too");
}

Test(settling, two_units_and_chance_show_nothing)
{
	struct settling s = after((double[]){ 0.03, 0.04 }, 2);

	cr_expect_not(settling_is_short(&s, 0.01));
	s = after((double[]){ 0.09, -0.05, 0.02, -0.01 }, 4);
	cr_expect_not(settling_is_short(&s, 0.01), "a mean of 1.25 %% with a standard error of 3 %%");
}

Test(settling, a_unit_without_a_chunk_before_it_does_not_count)
{
	struct settling s = after((double[]){ 0.03, 0.04 }, 2);

	settling_measured(&s, 2); /* no jump was before it */
	cr_expect_eq(s.units, 2);
	s.last = 2.07;
	settling_measured(&s, 0); /* nothing was measured */
	cr_expect_eq(s.units, 2);
}
