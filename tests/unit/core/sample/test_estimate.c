/* The statistics of sampling, against tables and examples worked out by hand, and by the share of intervals
 * that hold the truth. */
#include "sim/stats/sample_estimate.h"
#include <criterion/criterion.h>
#include <math.h>

static void near(double measured, double expected, double by)
{
	cr_assert(fabs(measured - expected) <= by, "%.6g is not %.6g", measured, expected);
}

/* The usual tables of Student's t, 0.975. */
Test(sample_estimate, students_quantiles_are_those_of_a_table)
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
Test(sample_estimate, ratio_and_deviation_are_those_worked_out_by_hand)
{
	struct sample_chunk chunk[] = { { 10, 5, 1 }, { 14, 6, 1 }, { 12, 7, 1 } };
	struct sample_ratio r = sample_ratio_of(chunk, 3);

	near(r.cycles_per_warp, 2, 1e-12);
	near(r.deviation, sqrt(12) / 18, 1e-12);
	near(r.spread, 1.0 / 6, 1e-12);
}

/* A chunk that stands for two counts as two. */
Test(sample_estimate, chunks_count_by_their_weights)
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

Test(sample_estimate, half_widths_of_two_estimates_add_up)
{
	struct sample_estimate all = { .cycles = 100, .squares = 9 }, more = { .cycles = 50, .squares = 16 };

	sample_estimate_add(&all, &more);
	cr_assert_eq(all.cycles, 150);
	near(sample_half_width(&all), 7, 1e-12); /* errors may have one cause */
}

/* Three units of two halves: second halves take 1, 1.1 and 0.9 cycles more by instruction. The variance of
 * their mean is 0.01 / 3. */
Test(sample_estimate, drift_by_hand)
{
	struct sample_unit unit[] = { { { { 10, 10 }, { 20, 10 } }, 1, false },
		{ { { 10, 10 }, { 21, 10 } }, 1, false }, { { { 10, 10 }, { 19, 10 } }, 1, false } };

	near(sample_drift(unit, 3), sqrt(1 - 0.01 / 3), 1e-12);
	unit[0].half[1].cycles = 0; /* -1 instead of 1: no more than by chance */
	near(sample_drift(unit, 3), 0, 1e-12);
	near(sample_drift(unit, 0), 0, 1e-12);
}

/* What was not measured has its own part beside that of the ratio: 100 instructions are 10 chunks of 10, each
 * 1 +- 0.1 cycles an instruction. */
Test(sample_estimate, the_unmeasured_have_their_own_part)
{
	struct sample_ratio r = { .cycles_per_warp = 1, .deviation = 0.02, .spread = 0.1, .warps = 10 };

	near(sample_deviation(&r, 100), sqrt(2 * 2 + 10 * 1), 1e-12);
}

/* Cycles 5 + 2 * warps, and also beyond: what is known of slopes before hardly matters. */
Test(sample_estimate, a_line_of_launches_that_differ)
{
	struct sample_chunk chunk[] = { { 25, 10, 1 }, { 45, 20, 1 }, { 35, 15, 1 } };
	struct sample_line l = sample_line_of(chunk, 3);

	near(sample_line_at(&l, 40), 85, 0.03);
	near(l.scatter, 0, 0.01);
	cr_assert_eq(l.degrees, 1);
}

/* The same instructions: others take proportionally more, or by half that more or less. */
Test(sample_estimate, a_line_without_slope_is_proportional)
{
	struct sample_chunk chunk[] = { { 10, 100, 1 }, { 14, 100, 1 }, { 12, 100, 1 } };
	struct sample_line l = sample_line_of(chunk, 3);

	near(sample_line_at(&l, 100), 12, 1e-12);
	near(sample_line_at(&l, 150), 18, 1e-12);
	near(l.scatter, 2, 1e-12);
	near(sample_line_deviation(&l, 100), 2 / sqrt(3), 1e-12);
	cr_assert_eq(l.degrees, 2);
	l.scatter = SAMPLE_PRIOR * 12;
	near(sample_line_deviation(&l, 150), hypot(l.scatter / sqrt(3), 3), 1e-12);
}

/* Instructions that differ by a thousandth say nothing of the slope. */
Test(sample_estimate, a_slope_needs_launches_that_differ)
{
	struct sample_chunk chunk[] = { { 1000, 1000, 1 }, { 1010, 1001, 1 }, { 990, 1000, 1 } };
	struct sample_line l = sample_line_of(chunk, 3);

	near(l.slope, 1, 0.05);
}

/* Two that agree to the cycle are not certain: three degrees of freedom more, with a spread of 1 %. */
Test(sample_estimate, agreement_by_chance_is_not_certainty)
{
	struct sample_chunk chunk[] = { { 1000, 100, 1 }, { 1000, 100, 1 } };
	struct sample_line l = sample_line_pooled(chunk, 2);
	struct sample_ratio found = sample_ratio_of(chunk, 2), r = sample_ratio_pooled(&found);

	cr_assert_eq(l.degrees, 4);
	near(l.scatter, 10 * sqrt(3.0 / 4), 1e-9);
	cr_assert_eq(r.degrees, 4);
	near(r.spread, 0.01 * sqrt(3.0 / 4), 1e-12);
	near(r.deviation, r.spread * 10 / sqrt(2), 1e-12);
}

/* What a line says is a sum of what it goes through. */
Test(sample_estimate, weights_of_a_line)
{
	struct sample_chunk chunk[] = { { 25, 10, 1 }, { 47, 20, 1 }, { 33, 15, 1 } };
	struct sample_line l = sample_line_of(chunk, 3);
	double weights[3], sum = 0;

	sample_line_weights(chunk, 3, 40, weights);
	for (uint32_t i = 0; i < 3; i++)
		sum += weights[i] * chunk[i].cycles;
	near(sum, sample_line_at(&l, 40), 1e-9);
}

/* Launches of 100 to 200 instructions, 50 cycles and 3 for each, more or less by up to 40: of the next launch
 * 95 % are within the interval that is stated for one. */
Test(sample_estimate, intervals_of_a_line_hold_the_truth)
{
	uint64_t state = 7;
	uint32_t held = 0;

	for (uint32_t trial = 0; trial < 2000; trial++) {
		struct sample_chunk chunk[9];
		struct sample_line l;
		double half;

		for (uint32_t i = 0; i < 9; i++) {
			double warps = 100 + 100 * uniform(&state);

			chunk[i] = (struct sample_chunk){ 50 + 3 * warps + 80 * (uniform(&state) - 0.5),
				warps, 1 };
		}
		l = sample_line_of(chunk, 8);
		half = sample_student(l.degrees) *
			hypot(l.scatter, sample_line_deviation(&l, chunk[8].warps));
		held += fabs(sample_line_at(&l, chunk[8].warps) - chunk[8].cycles) <= half;
	}
	cr_assert(held >= 2000 * 0.93 && held <= 2000 * 0.99, "%u of 2000", held);
}

static struct sample_unit local_unit(double length, double weight, bool continues)
{
	return (struct sample_unit){
		.half = { { length / 2, 500 }, { length / 2, 500 } }, .weight = weight, .continues = continues
	};
}

Test(sample_estimate, what_lies_between_units_is_like_those_beside_it)
{
	/* a kernel that becomes slower once and for all does not differ by chance */
	struct sample_unit unit[] = { local_unit(1000, 11, false), local_unit(1000, 11, true),
		local_unit(1000, 11, true), local_unit(4000, 6, false), local_unit(4000, 6, true) };
	struct sample_local l = sample_local_of(unit, 5);

	cr_expect_float_eq(l.cycles, 3 * 10 * 1000 + 2 * 5 * 4000, 1e-6);
	cr_expect_eq(l.pairs, 3);
	cr_expect_float_eq(l.half, 0, 1e-9);
}

Test(sample_estimate, units_that_differ_make_the_interval_of_what_is_beside_them)
{
	/* by 20 % each time: standard deviation 0.2 / sqrt 2 */
	struct sample_unit unit[] = { local_unit(900, 2, false), local_unit(1100, 2, true),
		local_unit(900, 2, true), local_unit(1100, 2, true) };
	struct sample_local l = sample_local_of(unit, 4);
	double squares = 2.0 * 2 * (900.0 * 900 + 1100.0 * 1100);

	cr_expect_float_eq(l.deviation, 0.2 / sqrt(2), 1e-9);
	cr_expect_float_eq(l.half, sample_student(3) * l.deviation * sqrt(squares), 1e-6);
}

Test(sample_estimate, second_halves_that_are_slower_make_it_longer)
{
	struct sample_unit unit[4];

	for (int i = 0; i < 4; i++)
		unit[i] = (struct sample_unit){ { { 500, 500 }, { 550, 500 } }, 3, i > 0 };
	cr_expect_float_eq(sample_local_of(unit, 4).half, 50.0 / 525 * 4 * 2 * 1050, 1e-6);
	cr_expect_eq(sample_local_of(unit, 0).cycles, 0);
}
