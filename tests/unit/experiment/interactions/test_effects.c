/* tests/unit/experiment/interactions/test_effects.c -- main effects and interactions of made-up data whose
 * effects are known. */
#include "experiment/interactions/effects.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#define FACTORS 3
#define COMBOS  24
#define BLOCKS  12

static const size_t levels[FACTORS] = { 4, 3, 2 }, baseline[FACTORS] = { 1, 0, 1 };
static size_t at[COMBOS * FACTORS];
static double y[BLOCKS * COMBOS];

static struct study full(void)
{
	for (size_t i = 0; i < COMBOS; i++) {
		at[i * FACTORS] = i / 6;
		at[i * FACTORS + 1] = i / 2 % 3;
		at[i * FACTORS + 2] = i % 2;
	}
	return (struct study){ FACTORS, levels, baseline, COMBOS, at, BLOCKS, y };
}

/* What level l of a factor adds, and what levels of the first two add together, relative to the baseline. */
static const double main_of[FACTORS][4] = { { 0.1, 0, -0.2, 0.05 }, { 0, 0.3, -0.1 }, { 0.07, 0 } };
static const double pair_of[4][3] = { { 0, 0.15, 0 }, { 0 }, { 0, 0, -0.25 }, { 0 } };

/* block: its own level, and by how much its effects are larger than those of the mean block. */
static double truth(size_t i, double block)
{
	const size_t *l = &at[i * FACTORS];
	double sum = 5 * block + pair_of[l[0]][l[1]] * (1 + block);

	for (size_t f = 0; f < FACTORS; f++)
		sum += main_of[f][l[f]] * (1 + block);
	return sum;
}

static const struct effect *find(
	const struct effects *e, bool is_pair, size_t f, size_t l, size_t g, size_t m)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct effect *x = &e->items[i];

		if (x->is_pair == is_pair && x->factor[0] == f && x->level[0] == l &&
			(!is_pair || (x->factor[1] == g && x->level[1] == m)))
			return x;
	}
	return NULL;
}

static void expect_truth(const struct effects *e)
{
	const struct effect *pair = find(e, true, 0, 2, 1, 2), *none = find(e, true, 0, 3, 1, 1);

	cr_assert_float_eq(pair->value, -0.25, 1e-9);
	cr_assert_float_eq(find(e, true, 0, 0, 1, 1)->value, 0.15, 1e-9);
	cr_assert_float_eq(none->value, 0, 1e-9);
	/* of a main effect the mean over the levels of the others: 0.1 + 0.15 / 3 */
	cr_assert_float_eq(find(e, false, 0, 0, 0, 0)->value, 0.15, 1e-9);
	cr_assert_float_eq(find(e, false, 0, 2, 0, 0)->value, -0.2 - 0.25 / 3, 1e-9);
	cr_assert_float_eq(find(e, false, 2, 0, 0, 0)->value, 0.07, 1e-9);
}

Test(effects, a_full_design_without_noise)
{
	struct study s = full();
	struct effects *e;

	for (size_t b = 0; b < BLOCKS; b++)
		for (size_t i = 0; i < COMBOS; i++)
			y[b * COMBOS + i] = truth(i, ((double)b - (BLOCKS - 1) / 2.) / BLOCKS);
	e = effects_find(&s, 200, 1);
	cr_assert_not_null(e);
	cr_assert_eq(e->count, 3 + 2 + 1 + 6 + 3 + 2);
	cr_assert_eq(e->parameters, 1 + 3 + 2 + 1 + 6 + 3 + 2);
	cr_assert_float_eq(e->inflation, 1, 1e-6);
	cr_assert_float_eq(e->alias, 0, 1e-6);
	cr_assert_lt(e->residual, 1e-9);
	expect_truth(e);
	effects_free(e);
}

Test(effects, values_that_are_missing_leave_the_rest)
{
	struct study s = full();
	struct effects *e;

	for (size_t b = 0; b < BLOCKS; b++)
		for (size_t i = 0; i < COMBOS; i++)
			y[b * COMBOS + i] = (b + i) % 9 == 0 ? NAN : truth(i, 0);
	for (size_t i = 0; i < COMBOS; i++)
		y[i] = i < 8 ? truth(i, 0) : NAN; /* too few for the first block */
	e = effects_find(&s, 200, 1);
	cr_assert_not_null(e);
	cr_assert_eq(e->fitted, BLOCKS - 1);
	cr_assert(isnan(e->items[0].of_block[0]));
	expect_truth(e);
	effects_free(e);
}

Test(effects, combinations_that_cannot_tell_effects_apart_are_refused)
{
	struct study s = full();

	for (size_t i = 0; i < BLOCKS * COMBOS; i++)
		y[i] = 1;
	s.combinations = 12; /* the first two levels of the first factor alone */
	cr_assert_null(effects_find(&s, 200, 1));
}

/* Effects that vary from block to block, and noise: the intervals hold the true mean in 95 % of the cases,
 * and hardly ever is a corrected p-value small where there is no effect at all. */
Test(effects, intervals_hold_the_truth_as_often_as_they_should)
{
	struct study s = full();
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t trials = 300, within = 0, bootstrap = 0, all = 0, false_alarms = 0, found = 0;

	for (size_t t = 0; t < trials; t++) {
		struct effects *e;

		gsl_rng_set(random, t + 1);
		for (size_t b = 0; b < BLOCKS; b++) {
			double block = gsl_ran_gaussian(random, 0.3);

			for (size_t i = 0; i < COMBOS; i++)
				y[b * COMBOS + i] = truth(i, block) + gsl_ran_gaussian(random, 0.05);
		}
		e = effects_find(&s, 300, t);
		cr_assert_not_null(e);
		for (size_t i = 0; i < e->count; i++) {
			const struct effect *x = &e->items[i];
			double is = x->is_pair ? x->factor[0] == 0 && x->factor[1] == 1
					? pair_of[x->level[0]][x->level[1]]
					: 0
					       : NAN;

			if (isnan(is))
				continue;
			all++;
			within += x->low <= is && is <= x->high;
			bootstrap += x->boot_low <= is && is <= x->boot_high;
			false_alarms += is == 0 && x->adjusted < 0.05;
			found += is == -0.25 && x->adjusted < 0.05;
		}
		effects_free(e);
	}
	gsl_rng_free(random);
	cr_assert(fabs((double)within / (double)all - 0.95) < 0.015, "%zu of %zu", within, all);
	/* percentiles of 12 blocks are known to be a little narrow */
	cr_assert((double)bootstrap / (double)all > 0.88, "%zu of %zu", bootstrap, all);
	cr_assert_leq(false_alarms, trials * 8 / 100, "%zu", false_alarms);
	cr_assert_eq(found, trials);
}

Test(effects, holm_by_hand)
{
	double p[] = { 0.01, 0.04, 0.03, NAN, 0.005 };

	effects_adjust(p, 5);
	/* sorted 0.005 0.01 0.03 0.04: times 4 3 2 1, never falling */
	cr_assert_float_eq(p[4], 0.02, 1e-12);
	cr_assert_float_eq(p[0], 0.03, 1e-12);
	cr_assert_float_eq(p[2], 0.06, 1e-12);
	cr_assert_float_eq(p[1], 0.06, 1e-12);
	cr_assert(isnan(p[3]));
}

Test(effects, classes_that_differ)
{
	double values[] = { 1, 1.1, 0.9, 2, 2.1, 1.9 }, alike[] = { 1, 2, 3, 1.1, 2.1, 2.9 };
	size_t class_of[] = { 0, 0, 0, 1, 1, 1 }, one[] = { 0, 0, 0, 0, 0, 1 };
	struct effect x = { .of_block = values }, same = { .of_block = alike };

	/* between: 6 * 0.25 = 1.5; within: 4 * 0.01 = 0.04; F = 1.5 / 0.01 = 150 with 1 and 4 degrees */
	cr_assert_float_eq(effects_differ(&x, 6, class_of, 2), 0.000255, 2e-6);
	cr_assert_gt(effects_differ(&same, 6, class_of, 2), 0.5);
	cr_assert(isnan(effects_differ(&x, 6, one, 2)));
}
