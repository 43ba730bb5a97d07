/* experiment/energy/fit_nonlinear.c -- coefficients and the slope of the voltage over the clock, by the
 * Levenberg-Marquardt method of GSL (gsl_multifit_nlinear).
 *
 * The problem is linear for a given slope, so that a linear fit at each of some slopes gives a start from
 * which the method does not lose its way. Coefficients that it would have negative are held at 0, and it
 * begins anew. */
#include "experiment/energy/fit_internal.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

#define SLOPE_MOST 2.0 /* half the clock at no voltage: beyond every chip */
#define SLOPES     21
#define STEPS      200

struct search {
	const struct fit_problem *p;
	const double *weight, *pull;
	double lambda;
	size_t *of, count; /* coefficients that are free; the slope is parameter `count` */
};

static double coefficient(const struct search *s, const gsl_vector *at, size_t number)
{
	return gsl_vector_get(at, number);
}

/* Rows: root of the weight times what is left; then one for the pull of each free coefficient. */
static int residuals(const gsl_vector *at, void *context, gsl_vector *to)
{
	const struct search *s = context;
	const struct fit_problem *p = s->p;
	double slope = gsl_vector_get(at, s->count), root = sqrt(s->lambda);

	for (size_t i = 0; i < p->rows; i++) {
		double left = -p->y[i];

		for (size_t n = 0; n < s->count; n++)
			left += coefficient(s, at, n) * fit_x(p, slope, i, s->of[n]);
		gsl_vector_set(to, i, sqrt(s->weight[i]) * left);
	}
	for (size_t n = 0; n < s->count; n++) {
		size_t j = s->of[n];
		double prior = p->prior ? p->prior[j] : 0;

		gsl_vector_set(to, p->rows + n, root * s->pull[j] * (coefficient(s, at, n) - prior));
	}
	return GSL_SUCCESS;
}

static int jacobian(const gsl_vector *at, void *context, gsl_matrix *to)
{
	const struct search *s = context;
	const struct fit_problem *p = s->p;
	double slope = gsl_vector_get(at, s->count);

	gsl_matrix_set_zero(to);
	for (size_t i = 0; i < p->rows; i++) {
		double by_slope = 0, root = sqrt(s->weight[i]), voltage = 1 + slope * (p->clock[i] - 1);

		for (size_t n = 0; n < s->count; n++) {
			size_t j = s->of[n];
			double x = p->x[i * p->columns + j];

			gsl_matrix_set(to, i, n, root * fit_x(p, slope, i, j));
			by_slope += coefficient(s, at, n) * x *
				(p->exponent[j] == 2                  ? 2 * voltage
						: p->exponent[j] == 1 ? 1
								      : 0);
		}
		gsl_matrix_set(to, i, s->count, root * by_slope * (p->clock[i] - 1));
	}
	for (size_t n = 0; n < s->count; n++)
		gsl_matrix_set(to, p->rows + n, n, sqrt(s->lambda) * s->pull[s->of[n]]);
	return GSL_SUCCESS;
}

/* ---- the start: a linear fit at each slope ---- */

static void fit_at(const struct fit_problem *p, double slope, double *x, struct fit_result *r)
{
	struct fit_problem linear = *p;

	for (size_t i = 0; i < p->rows; i++)
		for (size_t j = 0; j < p->columns; j++)
			x[i * p->columns + j] = fit_x(p, slope, i, j);
	linear.x = x;
	linear.clock = NULL;
	fit_linear(&linear, r);
	r->slope = slope;
}

static double squares_of(const struct fit_problem *p, const struct fit_result *r)
{
	double sum = 0;

	for (size_t i = 0; i < p->rows; i++)
		sum += r->weight[i] * (p->y[i] - r->fitted[i]) * (p->y[i] - r->fitted[i]);
	return sum;
}

static void find_start(const struct fit_problem *p, struct fit_result *r)
{
	double *x = xcalloc(p->rows * p->columns, sizeof(*x)), best = 0, least = INFINITY;

	for (size_t i = 0; i < SLOPES; i++) {
		double slope = SLOPE_MOST * (double)i / (SLOPES - 1), squares;

		fit_at(p, slope, x, r);
		squares = squares_of(p, r);
		if (squares < least) {
			least = squares;
			best = slope;
		}
	}
	fit_at(p, best, x, r);
	free(x);
}

/* ---- the search ---- */

/* Takes over values, errors and the slope. False: a coefficient was negative, and is now held at 0. */
static bool take_result(
	struct search *s, const gsl_vector *at, const gsl_matrix *covariance, struct fit_result *r)
{
	const struct fit_problem *p = s->p;
	size_t most = s->count;
	double total = 0, trace = 0, squares;

	for (size_t n = 0; n < s->count; n++)
		if (coefficient(s, at, n) < 0 &&
			(most == s->count || coefficient(s, at, n) < coefficient(s, at, most)))
			most = n;
	if (most < s->count) {
		memmove(s->of + most, s->of + most + 1, (--s->count - most) * sizeof(*s->of));
		return false;
	}
	for (size_t j = 0; j < p->columns; j++)
		r->value[j] = r->error[j] = 0;
	for (size_t n = 0; n < s->count; n++) {
		r->value[s->of[n]] = coefficient(s, at, n);
		/* what the pull takes of a parameter's freedom */
		trace += gsl_matrix_get(covariance, n, n) * s->lambda * s->pull[s->of[n]] * s->pull[s->of[n]];
	}
	r->slope = gsl_vector_get(at, s->count);
	for (size_t i = 0; i < p->rows; i++) {
		r->fitted[i] = 0;
		for (size_t j = 0; j < p->columns; j++)
			r->fitted[i] += r->value[j] * fit_x(p, r->slope, i, j);
		total += r->weight[i];
	}
	squares = squares_of(p, r);
	r->freedom = fmax((double)p->rows - ((double)s->count + 1 - trace), 1);
	r->residual = sqrt(squares / r->freedom / (total / (double)p->rows));
	r->bound = p->columns - s->count;
	for (size_t n = 0; n < s->count; n++)
		r->error[s->of[n]] = sqrt(gsl_matrix_get(covariance, n, n) * squares / r->freedom);
	r->slope_error = sqrt(gsl_matrix_get(covariance, s->count, s->count) * squares / r->freedom);
	return true;
}

/* From the values in r. */
static bool search_once(struct search *s, struct fit_result *r)
{
	size_t rows = s->p->rows + s->count, parameters = s->count + 1;
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf system = {
		.f = residuals, .df = jacobian, .n = rows, .p = parameters, .params = s
	};
	gsl_multifit_nlinear_workspace *work =
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, rows, parameters);
	gsl_matrix *covariance = gsl_matrix_alloc(parameters, parameters);
	gsl_vector *start = gsl_vector_alloc(parameters);
	int info;
	bool fine;

	for (size_t n = 0; n < s->count; n++)
		gsl_vector_set(start, n, r->value[s->of[n]]);
	gsl_vector_set(start, s->count, r->slope);
	gsl_multifit_nlinear_init(start, &system, work);
	gsl_multifit_nlinear_driver(STEPS, 1e-10, 1e-10, 0, NULL, NULL, &info, work);
	gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, covariance);
	fine = take_result(s, gsl_multifit_nlinear_position(work), covariance, r);
	gsl_multifit_nlinear_free(work);
	gsl_matrix_free(covariance);
	gsl_vector_free(start);
	return fine;
}

void fit_nonlinear(const struct fit_problem *p, struct fit_result *r)
{
	double *pull = xcalloc(p->columns, sizeof(*pull));
	struct search s = {
		.p = p, .weight = r->weight, .pull = pull, .of = xcalloc(p->columns, sizeof(*s.of))
	};

	find_start(p, r);
	fit_find_pulls(p, r->weight, pull);
	s.lambda = r->lambda;
	for (size_t j = 0; j < p->columns; j++)
		if (r->value[j] > 0)
			s.of[s.count++] = j;
	while (!search_once(&s, r))
		continue;
	free(s.of);
	free(pull);
}
