/* tests/unit/experiment/energy/test_fit.c -- fits of energy models on data whose coefficients are known. */
#include "experiment/energy/fit.h"
#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS    40
#define COLUMNS 5

static const double truth[COLUMNS] = { 30, 2, 0.5, 8, 1 };

struct data {
	double x[ROWS * COLUMNS], y[ROWS];
};

/* A constant and rates between 0 and 10. */
static struct data make(unsigned long seed, double noise)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct data d;

	gsl_rng_set(random, seed);
	for (size_t i = 0; i < ROWS; i++) {
		d.y[i] = noise > 0 ? gsl_ran_gaussian(random, noise) : 0;
		for (size_t j = 0; j < COLUMNS; j++) {
			double x = j ? gsl_ran_flat(random, 0, 10) : 1;

			d.x[i * COLUMNS + j] = x;
			d.y[i] += x * truth[j];
		}
	}
	gsl_rng_free(random);
	return d;
}

static struct fit_problem problem(const struct data *d)
{
	return (struct fit_problem){ .rows = ROWS, .columns = COLUMNS, .x = d->x, .y = d->y };
}

Test(energy_fit, data_without_noise_give_the_coefficients_back)
{
	struct data d = make(1, 0);
	struct fit_problem p = problem(&d);
	struct fit_result r;

	cr_assert(fit_solve(&p, &r));
	for (size_t j = 0; j < COLUMNS; j++)
		cr_assert_float_eq(r.value[j], truth[j], 1e-9);
	cr_assert_lt(r.residual, 1e-9);
	cr_assert_float_eq(r.freedom, ROWS - COLUMNS, 1e-9);
	fit_result_free(&r);
}

Test(energy_fit, error_bars_hold_the_truth_as_often_as_they_should)
{
	int within_one = 0, within_two = 0, trials = 400;

	for (int seed = 1; seed <= trials; seed++) {
		struct data d = make((unsigned long)seed, 3);
		struct fit_problem p = problem(&d);
		struct fit_result r;

		cr_assert(fit_solve(&p, &r));
		for (size_t j = 0; j < COLUMNS; j++) {
			within_one += fabs(r.value[j] - truth[j]) < r.error[j];
			within_two += fabs(r.value[j] - truth[j]) < 2 * r.error[j];
		}
		fit_result_free(&r);
	}
	/* Student's t with 35 degrees of freedom: 67.6 % and 94.7 %; three standard deviations of 2000 trials
	 */
	cr_assert_float_eq((double)within_one / trials / COLUMNS, 0.676, 0.035, "%d", within_one);
	cr_assert_float_eq((double)within_two / trials / COLUMNS, 0.947, 0.018, "%d", within_two);
}

static double squares(const struct fit_problem *p, const double *value)
{
	double sum = 0;

	for (size_t i = 0; i < p->rows; i++) {
		double left = p->y[i];

		for (size_t j = 0; j < p->columns; j++)
			left -= p->x[i * p->columns + j] * value[j];
		sum += left * left;
	}
	return sum;
}

/* No point near the solution that keeps the bounds fits better; some coefficients must end at 0. */
Test(energy_fit, bounds_hold_and_nothing_beside_the_solution_is_better)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t held = 0;

	for (unsigned long seed = 1; seed <= 60; seed++) {
		struct data d = make(seed, 0);
		struct fit_problem p = problem(&d);
		struct fit_result r;
		double best;

		gsl_rng_set(random, seed);
		for (size_t i = 0; i < ROWS; i++)
			d.y[i] = gsl_ran_gaussian(random, 40) + d.x[i * COLUMNS + 1] - d.x[i * COLUMNS + 2];
		cr_assert(fit_solve(&p, &r));
		best = squares(&p, r.value);
		held += r.bound;
		for (int trial = 0; trial < 300; trial++) {
			double other[COLUMNS];

			for (size_t j = 0; j < COLUMNS; j++)
				other[j] =
					fmax(0, r.value[j] + gsl_ran_gaussian(random, trial % 2 ? 0.01 : 1));
			cr_assert_geq(squares(&p, other), best * (1 - 1e-9), "seed %lu", seed);
		}
		for (size_t j = 0; j < COLUMNS; j++)
			cr_assert_geq(r.value[j], 0);
		fit_result_free(&r);
	}
	cr_assert_gt(held, 30);
	gsl_rng_free(random);
}

Test(energy_fit, a_weight_of_two_is_the_row_twice)
{
	struct data d = make(3, 3);
	double weights[ROWS], x[(ROWS + 1) * COLUMNS], y[ROWS + 1];
	struct fit_problem p = problem(&d), twice = p;
	struct fit_result a, b;

	for (size_t i = 0; i < ROWS; i++)
		weights[i] = i == 7 ? 2 : 1;
	p.weights = weights;
	memcpy(x, d.x, sizeof(d.x));
	memcpy(y, d.y, sizeof(d.y));
	memcpy(&x[ROWS * COLUMNS], &d.x[7 * COLUMNS], COLUMNS * sizeof(*x));
	y[ROWS] = y[7];
	twice.rows++;
	twice.x = x;
	twice.y = y;
	cr_assert(fit_solve(&p, &a));
	cr_assert(fit_solve(&twice, &b));
	for (size_t j = 0; j < COLUMNS; j++)
		cr_assert_float_eq(a.value[j], b.value[j], 1e-9);
	fit_result_free(&a);
	fit_result_free(&b);
}

Test(energy_fit, what_the_data_cannot_tell_apart_the_prior_does)
{
	static const double prior[COLUMNS] = { 30, 2, 3, 1, 1 }, scale[COLUMNS] = { 10, 1, 1, 1, 1 };
	struct data d = make(5, 0.1);
	struct fit_problem p = problem(&d);
	struct fit_result r;

	/* columns 2 and 3 are the same: only the sum of their coefficients, 8.5, can be known */
	for (size_t i = 0; i < ROWS; i++) {
		d.y[i] += truth[2] * (d.x[i * COLUMNS + 3] - d.x[i * COLUMNS + 2]);
		d.x[i * COLUMNS + 2] = d.x[i * COLUMNS + 3];
	}
	cr_assert_float_eq(fit_likeness(&p, 2, 3), 1, 1e-12);
	cr_assert_lt(fit_likeness(&p, 1, 3), 0.95);
	p.prior = prior;
	p.scale = scale;
	p.ridge = FIT_RIDGE_FIXED;
	p.lambda = 0.01;
	cr_assert(fit_solve(&p, &r));
	cr_assert_float_eq(r.value[2] + r.value[3], 8.5, 0.05);
	/* both are as far from their priors */
	cr_assert_float_eq(r.value[2] - 3, r.value[3] - 1, 0.01);
	cr_assert_gt(r.condition, 1e6);
	/* and the error bars say that neither is known */
	cr_assert_gt(r.error[2], 5 * r.error[1]);
	fit_result_free(&r);
}

Test(energy_fit, ridges_of_gsl_pull_little_where_data_are_good)
{
	static const enum fit_ridge kinds[] = { FIT_RIDGE_GCV, FIT_RIDGE_LCURVE };

	for (int k = 0; k < 2; k++) {
		struct data d = make(11, 0.5);
		struct fit_problem p = problem(&d);
		struct fit_result r;

		p.ridge = kinds[k];
		cr_assert(fit_solve(&p, &r));
		for (size_t j = 0; j < COLUMNS; j++)
			cr_assert_float_eq(r.value[j], truth[j], 0.05 * truth[j] + 0.1, "kind %d, %zu: %g", k,
				j, r.value[j]);
		cr_assert_gt(r.lambda, 0);
		fit_result_free(&r);
	}
}

Test(energy_fit, outliers_do_not_move_a_robust_fit)
{
	struct data d = make(8, 1);
	struct fit_problem p = problem(&d);
	struct fit_result plain, robust;
	double off_plain = 0, off_robust = 0;

	d.y[3] *= 5;
	d.y[20] *= 4;
	cr_assert(fit_solve(&p, &plain));
	p.robust = true;
	cr_assert(fit_solve(&p, &robust));
	for (size_t j = 0; j < COLUMNS; j++) {
		off_plain += fabs(plain.value[j] - truth[j]) / truth[j];
		off_robust += fabs(robust.value[j] - truth[j]) / truth[j];
	}
	cr_assert_lt(off_robust, off_plain / 5);
	cr_assert_lt(robust.weight[3], 0.001);
	fit_result_free(&plain);
	fit_result_free(&robust);
}

/* With all weights alike and no ridge, leaving one out has a formula: the residual by one less the leverage.
 */
Test(energy_fit, leaving_one_out_equals_fitting_without_it)
{
	struct data d = make(13, 3), without;
	struct fit_problem p = problem(&d), less;
	struct fit_result r;
	double predicted[ROWS], by_hand = 0;

	cr_assert(fit_cross_validate(&p, ROWS, predicted));
	without = d;
	memmove(&without.x[9 * COLUMNS], &without.x[10 * COLUMNS], (ROWS - 10) * COLUMNS * sizeof(double));
	memmove(&without.y[9], &without.y[10], (ROWS - 10) * sizeof(double));
	less = problem(&without);
	less.rows--;
	cr_assert(fit_solve(&less, &r));
	for (size_t j = 0; j < COLUMNS; j++)
		by_hand += d.x[9 * COLUMNS + j] * r.value[j];
	cr_assert_float_eq(predicted[9], by_hand, 1e-9);
	fit_result_free(&r);
}

Test(energy_fit, fewer_rows_than_columns_are_refused_without_a_ridge)
{
	struct data d = make(2, 1);
	struct fit_problem p = problem(&d);
	struct fit_result r;

	p.rows = COLUMNS - 1;
	cr_assert_not(fit_solve(&p, &r));
	p.ridge = FIT_RIDGE_FIXED;
	p.lambda = 0.1;
	cr_assert(fit_solve(&p, &r));
	fit_result_free(&r);
	p.rows = 0;
	cr_assert_not(fit_solve(&p, &r));
}

/* Coefficients drawn from the prior, watts with a scatter of 3 W: the evidence finds the scatter, and the
 * errors that the fit states hold the truth. */
Test(energy_fit, evidence_finds_the_scatter_of_the_rows)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double variance = 0;
	int within = 0, trials = 200;

	for (int t = 0; t < trials; t++) {
		double scale[COLUMNS], drawn[COLUMNS];
		struct data d = make(1000 + (unsigned long)t, 3);
		struct fit_problem p = problem(&d);
		struct fit_result r;

		gsl_rng_set(random, (unsigned long)t + 1);
		for (size_t j = 0; j < COLUMNS; j++) {
			scale[j] = 0.2 * truth[j];
			drawn[j] = truth[j] + gsl_ran_gaussian(random, scale[j]);
		}
		for (size_t i = 0; i < ROWS; i++)
			for (size_t j = 0; j < COLUMNS; j++)
				d.y[i] += d.x[i * COLUMNS + j] * (drawn[j] - truth[j]);
		p.prior = truth;
		p.scale = scale;
		p.ridge = FIT_RIDGE_EVIDENCE;
		cr_assert(fit_solve(&p, &r));
		variance += r.lambda / trials;
		for (size_t j = 0; j < COLUMNS; j++)
			within += fabs(r.value[j] - drawn[j]) < 1.96 * r.error[j];
		fit_result_free(&r);
	}
	gsl_rng_free(random);
	cr_assert_float_eq(variance, 9, 0.5, "%g", variance);
	/* 95 % of 1000, give or take three standard deviations, and a little for estimated variances */
	cr_assert(within > 920 && within < 975, "%d of %d", within, trials * COLUMNS);
}

/* 20 rows at each of three clocks: values, the slope and their error bars. */
#define CLOCK_ROWS (3 * ROWS)

Test(energy_fit, clocks_and_voltages_are_fitted_together_with_honest_error_bars)
{
	static const uint8_t exponent[COLUMNS] = { 0, 2, 2, 1, 2 };
	const double slope = 0.6;
	static double x[CLOCK_ROWS * COLUMNS], y[CLOCK_ROWS], clock[CLOCK_ROWS];
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	int within = 0, slopes = 0, trials = 150;

	for (int t = 0; t < trials; t++) {
		struct data d = make(5000 + (unsigned long)t, 0);
		struct fit_problem p = { .rows = CLOCK_ROWS,
			.columns = COLUMNS,
			.x = x,
			.y = y,
			.clock = clock,
			.exponent = exponent };
		struct fit_result r;

		gsl_rng_set(random, (unsigned long)t);
		for (size_t i = 0; i < CLOCK_ROWS; i++) {
			double rate;

			clock[i] = 0.5 + 0.25 * (double)(i % 3);
			rate = clock[i];
			y[i] = gsl_ran_gaussian(random, 0.5);
			for (size_t j = 0; j < COLUMNS; j++) {
				x[i * COLUMNS + j] = d.x[i / 3 * COLUMNS + j] * (j ? rate : 1);
				y[i] += truth[j] * fit_x(&p, slope, i, j);
			}
		}
		cr_assert(fit_solve(&p, &r));
		for (size_t j = 0; j < COLUMNS; j++)
			within += fabs(r.value[j] - truth[j]) < 1.96 * r.error[j];
		slopes += fabs(r.slope - slope) < 1.96 * r.slope_error;
		fit_result_free(&r);
	}
	gsl_rng_free(random);
	cr_assert(within > 0.92 * trials * COLUMNS && within < 0.98 * trials * COLUMNS, "%d", within);
	cr_assert(slopes > 0.9 * trials && slopes <= trials, "%d", slopes);
}
