/* How much of a kernel is timed, by the error that is allowed (core/sample/plan.h). */
#include "core/sample/plan.h"
#include "core/sample/sampling.h"
#include <criterion/criterion.h>

Test(sample_plan, less_error_takes_more_chunks)
{
	cr_expect_eq(plan_window(0.1, 0), 2);
	cr_expect_eq(plan_window(0.03, 0), 5);
	cr_expect_eq(plan_window(0.01, 0), 15);
	cr_expect_eq(plan_window(0.001, 0), PLAN_LONGEST);
	cr_expect_eq(plan_settles(0.1, 2), 2);
	cr_expect_eq(plan_settles(0.03, 2), 3);
	cr_expect_eq(plan_settles(0.03, 6), 6);
	cr_expect_eq(plan_settles(0.01, 2), 9);
}

Test(sample_plan, a_long_beginning_is_looked_at_in_thirds)
{
	cr_expect_eq(plan_window(0.03, 30), 10);
	cr_expect_eq(plan_window(0.03, 3000), PLAN_LONGEST);
}

Test(sample_plan, units_are_longer_where_chunks_differ)
{
	cr_expect_eq(plan_unit_length(0.03, 0), 2);
	cr_expect_eq(plan_unit_length(0.03, 0.035), 4);
	cr_expect_eq(plan_unit_length(0.03, 1), 8);
	cr_expect_eq(plan_unit_length(0.1, 0.035), 2);
}

/* Ten chunks of one speed behind some that are slower by a part. */
static bool is_steady(double error, double slower)
{
	struct sample_chunk chunk[10];

	for (int i = 0; i < 10; i++)
		chunk[i] = (struct sample_chunk){ i < 5 ? 100 * (1 + slower) : 100, 10, 1 };
	return plan_is_steady(error, chunk, 10);
}

Test(sample_plan, steady_is_a_third_of_the_error)
{
	struct sample_chunk chunk[9] = { { 100, 10, 1 } };

	cr_expect(is_steady(0.03, 0.009));
	cr_expect(!is_steady(0.03, 0.011));
	cr_expect(is_steady(0.1, 0.011));
	for (int i = 1; i < 9; i++)
		chunk[i] = chunk[0];
	cr_expect(!plan_is_steady(0.03, chunk, 9), "nine are too few");
}

static uint32_t units(double error, double spread, uint32_t degrees)
{
	struct sample_config config = { .error = error, .allowance = 0.6, .least_units = 3 };

	return plan_units(&config, (struct plan_spread){ spread, degrees }, (struct plan_spread){ 0, 0 });
}

Test(sample_plan, units_follow_from_the_error_and_from_how_much_they_differ)
{
	cr_expect_eq(units(0.03, 0, 0), 3);
	cr_expect_eq(units(0.03, 0.001, 4), 3);
	cr_expect(units(0.03, 0.05, 4) > 10);
	cr_expect(units(0.01, 0, 0) > 6);
	cr_expect_eq(units(0.1, 0.03, 4), 3);
}

Test(sample_plan, what_units_say_is_pooled)
{
	struct sample_config config = { .error = 0.03, .allowance = 0.6, .least_units = 3 };
	struct plan_spread beginning = { 0.05, 4 }, alike = { 0.001, 40 };

	cr_expect(plan_units(&config, beginning, alike) < units(0.03, 0.05, 4));
	cr_expect(plan_units(&config, alike, beginning) < units(0.03, 0.05, 4));
}
