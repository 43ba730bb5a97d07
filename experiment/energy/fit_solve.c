/* experiment/energy/fit_solve.c -- a whole fit: linear or not, robust or not; cross-validation. */
#include "experiment/energy/fit_internal.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define ROBUST_PASSES 30
#define BISQUARE      4.685 /* 95 % efficient with normal errors */

static void fit_pass(const struct fit_problem *p, struct fit_result *r)
{
	if (p->clock)
		fit_nonlinear(p, r);
	else
		fit_linear(p, r);
}

/* -- robustness: rows whose residual is far beyond the median one count less -- */

static int ascending_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_deviation(const struct fit_problem *p, const struct fit_result *r)
{
	double *off = xcalloc(p->rows, sizeof(*off)), median;

	for (size_t i = 0; i < p->rows; i++)
		off[i] = fabs(p->y[i] - r->fitted[i]);
	qsort(off, p->rows, sizeof(*off), ascending_doubles);
	median = p->rows % 2 ? off[p->rows / 2] : (off[p->rows / 2 - 1] + off[p->rows / 2]) / 2;
	free(off);
	return median / 0.6745;
}

static void reweigh(const struct fit_problem *p, struct fit_result *r)
{
	double deviation = median_deviation(p, r);

	for (size_t i = 0; i < p->rows; i++) {
		double given = p->weights ? p->weights[i] : 1;
		double u = deviation > 0 ? (p->y[i] - r->fitted[i]) / (BISQUARE * deviation) : 0;

		/* none is forgotten: a row of weight 0 could make a coefficient unknown */
		r->weight[i] = given * fmax(fabs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0, 1e-6);
	}
}

bool fit_solve(const struct fit_problem *p, struct fit_result *r)
{
	if (!p->rows || !p->columns ||
		(p->ridge == FIT_NO_RIDGE && p->rows < p->columns + (p->clock ? 1 : 0)))
		return false;
	*r = (struct fit_result){ .value = xcalloc(p->columns, sizeof(double)),
		.error = xcalloc(p->columns, sizeof(double)),
		.fitted = xcalloc(p->rows, sizeof(double)),
		.weight = xcalloc(p->rows, sizeof(double)) };
	for (size_t i = 0; i < p->rows; i++)
		r->weight[i] = p->weights ? p->weights[i] : 1;
	fit_pass(p, r);
	for (int pass = 0; p->robust && pass < ROBUST_PASSES; pass++) {
		reweigh(p, r);
		fit_pass(p, r);
	}
	return true;
}

void fit_result_free(struct fit_result *r)
{
	free(r->value);
	free(r->error);
	free(r->fitted);
	free(r->weight);
}

/* -- cross-validation -- */

bool fit_cross_validate(const struct fit_problem *p, size_t folds, double *predicted)
{
	double *x = xcalloc(p->rows * p->columns, sizeof(*x)), *y = xcalloc(p->rows, sizeof(*y));
	double *weights = xcalloc(p->rows, sizeof(*weights)), *clock = xcalloc(p->rows, sizeof(*clock));
	bool fine = true;

	for (size_t fold = 0; fold < folds && fine; fold++) {
		struct fit_problem part = *p;
		struct fit_result r;

		part.rows = 0;
		part.x = x;
		part.y = y;
		part.weights = weights;
		part.clock = p->clock ? clock : NULL;
		for (size_t i = 0; i < p->rows; i++) {
			if (i % folds == fold)
				continue;
			memcpy(&x[part.rows * p->columns], &p->x[i * p->columns], p->columns * sizeof(*x));
			weights[part.rows] = p->weights ? p->weights[i] : 1;
			clock[part.rows] = p->clock ? p->clock[i] : 0;
			y[part.rows++] = p->y[i];
		}
		fine = fit_solve(&part, &r);
		for (size_t i = fold; i < p->rows && fine; i += folds) {
			predicted[i] = 0;
			for (size_t j = 0; j < p->columns; j++)
				predicted[i] += fit_x(p, r.slope, i, j) * r.value[j];
		}
		if (fine)
			fit_result_free(&r);
	}
	free(x);
	free(y);
	free(weights);
	free(clock);
	return fine;
}
