/* The statistics of sampling, against tables and examples worked out by hand, and by the share of intervals
 * that hold the truth. */
#include "core/sample/estimate.h"
#include <criterion/criterion.h>
#include <math.h>

static void near(double measured, double expected, double by)
{
	cr_assert(fabs(measured - expected) <= by, "%.6g is not %.6g", measured, expected);
}

/* The usual tables of Student's t, 0.975. */
Test(sample_estimate, quantiles)
{
	near(sample_student(1), 12.706, 0.001);
	near(sample_student(10), 2.228, 0.001);
	near(sample_student(30), 2.042, 0.001);
	near(sample_student(40), 2.021, 0.001);
	near(sample_student(120), 1.980, 0.001);
	near(sample_student(1000000), 1.960, 0.001);
}

Test(sample_estimate, proportional_chunks_are_exact)
{
	struct sample_chunk chunk[] = { { 10, 5, 1 }, { 12, 6, 3 }, { 14, 7, 2 } };
	struct sample_ratio r = sample_ratio_of(chunk, 3);

	near(r.cycles_per_warp, 2, 1e-12);
	near(r.deviation, 0, 1e-12);
}

/* Ratio 36 / 18; residuals 0, 2, -2: deviation sqrt(8 * 3 / 2) / 18, spread sqrt(12 * 3) / 36. */
Test(sample_estimate, by_hand)
{
	struct sample_chunk chunk[] = { { 10, 5, 1 }, { 14, 6, 1 }, { 12, 7, 1 } };
	struct sample_ratio r = sample_ratio_of(chunk, 3);

	near(r.cycles_per_warp, 2, 1e-12);
	near(r.deviation, sqrt(12) / 18, 1e-12);
	near(r.spread, 1.0 / 6, 1e-12);
}

/* A chunk that stands for two counts as two. */
Test(sample_estimate, weights)
{
	struct sample_chunk chunk[] = { { 10, 5, 2 }, { 30, 10, 1 } };

	near(sample_ratio_of(chunk, 2).cycles_per_warp, 50.0 / 20, 1e-12);
}

static double uniform(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) / 9007199254740992.0;
}

/* Chunks of some 100 instructions, 3 cycles each, more or less by up to a fifth: 95 % of the intervals
 * hold 3. */
Test(sample_estimate, intervals_hold_the_truth)
{
	uint64_t state = 1;
	uint32_t held = 0;

	for (uint32_t trial = 0; trial < 2000; trial++) {
		struct sample_chunk chunk[20];
		struct sample_ratio r;

		for (uint32_t i = 0; i < 20; i++) {
			double warps = 90 + 20 * uniform(&state);

			chunk[i] =
				(struct sample_chunk){ warps * 3 * (0.8 + 0.4 * uniform(&state)), warps, 1 };
		}
		r = sample_ratio_of(chunk, 20);
		held += fabs(r.cycles_per_warp - 3) <= sample_student(19) * r.deviation;
	}
	cr_assert(held >= 2000 * 0.93 && held <= 2000 * 0.97, "%u of 2000", held);
}

Test(sample_estimate, sums)
{
	struct sample_estimate all = { .cycles = 100, .squares = 9 }, more = { .cycles = 50, .squares = 16 };

	sample_estimate_add(&all, &more);
	cr_assert_eq(all.cycles, 150);
	near(sample_half_width(&all), 5, 1e-12);
}
