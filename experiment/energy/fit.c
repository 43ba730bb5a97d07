/* experiment/energy/fit.c -- non-negative weighted ridge regression.
 *
 * The ridge is written as further rows of the system: one for each coefficient, sqrt(lambda) / scale times
 * (coefficient - prior). What is left is a least-squares problem with bounds, solved by an active set: solve
 * for the free coefficients, hold the most negative one at 0, and let one go again whose gradient says that
 * the fit would improve (Lawson and Hanson, "Solving Least Squares Problems", chapter 23). */
#include "experiment/energy/evidence.h"
#include "experiment/energy/fit_internal.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

#define GRID            200  /* values of lambda that are tried */
#define NEVER_PENALISED 1e-8 /* GSL's standard form wants no zeros */

/* -- scales and columns -- */

static double column_length(const struct fit_problem *p, const double *weights, size_t column)
{
	double sum = 0;

	for (size_t i = 0; i < p->rows; i++) {
		double x = p->x[i * p->columns + column];

		sum += (weights ? weights[i] : 1) * x * x;
	}
	return sqrt(sum);
}

double fit_length(const struct fit_problem *p, size_t column)
{
	return column_length(p, p->weights, column);
}

double fit_likeness(const struct fit_problem *p, size_t a, size_t b)
{
	double of_a = column_length(p, p->weights, a), of_b = column_length(p, p->weights, b), dot = 0;

	for (size_t i = 0; i < p->rows; i++)
		dot += (p->weights ? p->weights[i] : 1) * p->x[i * p->columns + a] * p->x[i * p->columns + b];
	return of_a > 0 && of_b > 0 ? dot / (of_a * of_b) : 0;
}

/* How strongly each coefficient is pulled: 1 / its scale. */
void fit_find_pulls(const struct fit_problem *p, const double *weights, double *pull)
{
	for (size_t j = 0; j < p->columns; j++) {
		double length = column_length(p, weights, j);

		if (p->scale)
			pull[j] = p->scale[j] > 0 ? 1 / p->scale[j] : 0;
		else
			pull[j] = length;
	}
}

/* -- lambda -- */

/* GSL's own lists of lambda begin at the smallest singular value, which is much too large for good data:
 * value i of ours goes from `most`, with which the pull outweighs the data, down by six orders of magnitude.
 */
static double lambda_at(size_t i, double most)
{
	return most * pow(10, -6. * (double)i / (GRID - 1));
}

static double by_gcv(const gsl_vector *y, double most, gsl_multifit_linear_workspace *work)
{
	gsl_vector *grid = gsl_vector_alloc(GRID), *uty = gsl_vector_alloc(work->p);
	double delta, least = INFINITY, lambda = 0;

	gsl_multifit_linear_gcv_init(y, grid, uty, &delta, work);
	for (size_t i = 0; i < GRID; i++) {
		double gcv = gsl_multifit_linear_gcv_calc(lambda_at(i, most), uty, delta, work);

		if (gcv < least) {
			least = gcv;
			lambda = lambda_at(i, most);
		}
	}
	gsl_vector_free(grid);
	gsl_vector_free(uty);
	return lambda;
}

static double by_lcurve(
	const gsl_matrix *x, const gsl_vector *y, double most, gsl_multifit_linear_workspace *work)
{
	gsl_vector *rho = gsl_vector_alloc(GRID), *eta = gsl_vector_alloc(GRID),
		   *c = gsl_vector_alloc(work->p);
	size_t corner = 0;

	for (size_t i = 0; i < GRID; i++)
		gsl_multifit_linear_solve(
			lambda_at(i, most), x, y, c, gsl_vector_ptr(rho, i), gsl_vector_ptr(eta, i), work);
	gsl_multifit_linear_lcorner(rho, eta, &corner);
	gsl_vector_free(rho);
	gsl_vector_free(eta);
	gsl_vector_free(c);
	return lambda_at(corner, most);
}

/* The columns that are pulled, in GSL's standard form, against what the prior leaves over. */
static double choose_lambda(const struct fit_problem *p, const double *weights, const double *pull)
{
	gsl_matrix *x = gsl_matrix_alloc(p->rows, p->columns), *xs = gsl_matrix_alloc(p->rows, p->columns);
	gsl_vector *y = gsl_vector_alloc(p->rows), *ys = gsl_vector_alloc(p->rows),
		   *w = gsl_vector_alloc(p->rows);
	gsl_vector *l = gsl_vector_alloc(p->columns);
	gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(p->rows, p->columns);
	double largest = 0, most = 0, lambda;

	for (size_t j = 0; j < p->columns; j++)
		largest = fmax(largest, pull[j]);
	for (size_t j = 0; j < p->columns; j++) {
		gsl_vector_set(l, j, fmax(pull[j], NEVER_PENALISED * largest));
		if (pull[j] > 0)
			most = fmax(most, sqrt((double)p->columns) * column_length(p, weights, j) / pull[j]);
	}
	for (size_t i = 0; i < p->rows; i++) {
		double left = p->y[i];

		for (size_t j = 0; j < p->columns; j++) {
			double value = p->x[i * p->columns + j];

			gsl_matrix_set(x, i, j, value);
			left -= p->prior ? value * p->prior[j] : 0;
		}
		gsl_vector_set(y, i, left);
		gsl_vector_set(w, i, weights[i]);
	}
	gsl_multifit_linear_wstdform1(l, x, w, y, xs, ys, work);
	gsl_multifit_linear_svd(xs, work);
	lambda = p->ridge == FIT_RIDGE_GCV ? by_gcv(ys, most, work) : by_lcurve(xs, ys, most, work);
	gsl_multifit_linear_free(work);
	gsl_matrix_free(x);
	gsl_matrix_free(xs);
	gsl_vector_free(y);
	gsl_vector_free(ys);
	gsl_vector_free(w);
	gsl_vector_free(l);
	return lambda * lambda; /* GSL's penalty is the square of lambda times the length */
}

/* -- the system with the ridge as rows, its columns scaled to length 1 -- */

struct system {
	size_t rows, columns;
	double *a, *b;  /* row by row */
	double *length; /* by column, before it was scaled */
};

static void system_make(struct system *s, const struct fit_problem *p, const double *weights,
	const double *pull, double lambda)
{
	s->rows = p->rows + p->columns;
	s->columns = p->columns;
	s->a = xcalloc(s->rows * s->columns, sizeof(*s->a));
	s->b = xcalloc(s->rows, sizeof(*s->b));
	s->length = xcalloc(s->columns, sizeof(*s->length));
	for (size_t i = 0; i < p->rows; i++) {
		double root = sqrt(weights[i]);

		for (size_t j = 0; j < p->columns; j++)
			s->a[i * s->columns + j] = root * p->x[i * p->columns + j];
		s->b[i] = root * p->y[i];
	}
	for (size_t j = 0; j < p->columns; j++) {
		double strength = sqrt(lambda) * pull[j];

		s->a[(p->rows + j) * s->columns + j] = strength;
		s->b[p->rows + j] = p->prior ? strength * p->prior[j] : 0;
	}
	for (size_t j = 0; j < s->columns; j++) {
		for (size_t i = 0; i < s->rows; i++)
			s->length[j] += s->a[i * s->columns + j] * s->a[i * s->columns + j];
		s->length[j] = s->length[j] > 0 ? sqrt(s->length[j]) : 1;
		for (size_t i = 0; i < s->rows; i++)
			s->a[i * s->columns + j] /= s->length[j];
	}
}

static void system_free(struct system *s)
{
	free(s->a);
	free(s->b);
	free(s->length);
}

/* Solves for the free columns; the others are 0. covariance: columns x columns, for errors of 1. */
static void solve_free(const struct system *s, const bool *is_free, double *value, double *covariance)
{
	size_t count = 0, *of = xcalloc(s->columns, sizeof(*of));
	gsl_multifit_linear_workspace *work;
	gsl_matrix *a, *cov;
	gsl_vector *b, *c;
	size_t rank;
	double squares;

	for (size_t j = 0; j < s->columns; j++) {
		value[j] = 0;
		if (is_free[j])
			of[count++] = j;
	}
	memset(covariance, 0, s->columns * s->columns * sizeof(*covariance));
	if (count) {
		a = gsl_matrix_alloc(s->rows, count);
		b = gsl_vector_alloc(s->rows);
		c = gsl_vector_alloc(count);
		cov = gsl_matrix_alloc(count, count);
		work = gsl_multifit_linear_alloc(s->rows, count);
		for (size_t i = 0; i < s->rows; i++) {
			gsl_vector_set(b, i, s->b[i]);
			for (size_t j = 0; j < count; j++)
				gsl_matrix_set(a, i, j, s->a[i * s->columns + of[j]]);
		}
		gsl_multifit_linear_tsvd(a, b, 1e-10, c, cov, &squares, &rank, work);
		for (size_t j = 0; j < count; j++)
			value[of[j]] = gsl_vector_get(c, j);
		/* tsvd's covariance has the residuals in it */
		for (size_t j = 0; j < count; j++)
			for (size_t k = 0; k < count; k++)
				covariance[of[j] * s->columns + of[k]] = squares > 0
					? gsl_matrix_get(cov, j, k) * (double)(s->rows - rank) / squares
					: 0;
		gsl_multifit_linear_free(work);
		gsl_matrix_free(a);
		gsl_matrix_free(cov);
		gsl_vector_free(b);
		gsl_vector_free(c);
	}
	free(of);
}

/* The direction in which the fit would improve: a'(b - a value). */
static double gradient(const struct system *s, const double *value, size_t column)
{
	double sum = 0;

	for (size_t i = 0; i < s->rows; i++) {
		double left = s->b[i];

		for (size_t j = 0; j < s->columns; j++)
			left -= s->a[i * s->columns + j] * value[j];
		sum += s->a[i * s->columns + column] * left;
	}
	return sum;
}

static bool hold_most_negative(const struct system *s, const double *value, bool *is_free)
{
	size_t most = s->columns;

	for (size_t j = 0; j < s->columns; j++)
		if (is_free[j] && value[j] < 0 && (most == s->columns || value[j] < value[most]))
			most = j;
	if (most == s->columns)
		return false;
	is_free[most] = false;
	return true;
}

static bool let_one_go(const struct system *s, const double *value, bool *is_free)
{
	size_t most = s->columns;
	double best = 1e-9 * fabs(s->b[0]) + 1e-12;

	for (size_t j = 0; j < s->columns; j++)
		if (!is_free[j] && gradient(s, value, j) > best) {
			best = gradient(s, value, j);
			most = j;
		}
	if (most == s->columns)
		return false;
	is_free[most] = true;
	return true;
}

static void solve_bounded(const struct system *s, bool *is_free, double *value, double *covariance)
{
	for (size_t j = 0; j < s->columns; j++)
		is_free[j] = true;
	for (size_t steps = 0; steps < 10 * s->columns + 10; steps++) {
		do
			solve_free(s, is_free, value, covariance);
		while (hold_most_negative(s, value, is_free));
		if (!let_one_go(s, value, is_free))
			return;
	}
	/* going in circles, by rounding: what is negative stays at 0 */
	do
		solve_free(s, is_free, value, covariance);
	while (hold_most_negative(s, value, is_free));
}

/* -- one fit with given weights -- */

static double condition_of(const struct system *s, size_t rows)
{
	gsl_matrix *a, *v = gsl_matrix_alloc(s->columns, s->columns);
	gsl_vector *sv = gsl_vector_alloc(s->columns), *work = gsl_vector_alloc(s->columns);
	double condition;

	/* GSL's decomposition wants no fewer rows than columns: rows of zeros change no singular value */
	a = gsl_matrix_calloc(rows > s->columns ? rows : s->columns, s->columns);
	for (size_t j = 0; j < s->columns; j++) {
		double length = 0;

		for (size_t i = 0; i < rows; i++)
			length += s->a[i * s->columns + j] * s->a[i * s->columns + j];
		for (size_t i = 0; i < rows && length > 0; i++)
			gsl_matrix_set(a, i, j, s->a[i * s->columns + j] / sqrt(length));
	}
	gsl_linalg_SV_decomp(a, v, sv, work);
	condition = gsl_vector_get(sv, 0) / gsl_vector_get(sv, s->columns - 1);
	gsl_matrix_free(a);
	gsl_matrix_free(v);
	gsl_vector_free(sv);
	gsl_vector_free(work);
	return condition;
}

/* Parameters that the data decide: the trace of what maps watts to fitted watts. */
static double effective(const struct system *s, size_t rows, const double *covariance)
{
	double trace = 0;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < s->columns; j++)
			for (size_t k = 0; k < s->columns; k++)
				trace += s->a[i * s->columns + j] * covariance[j * s->columns + k] *
					s->a[i * s->columns + k];
	return trace;
}

void fit_linear(const struct fit_problem *p, struct fit_result *r)
{
	double *pull = xcalloc(p->columns, sizeof(*pull)), squares = 0, total = 0;
	double *covariance = xcalloc(p->columns * p->columns, sizeof(*covariance));
	bool *is_free = xcalloc(p->columns, sizeof(*is_free));
	struct system s;

	fit_find_pulls(p, r->weight, pull);
	r->lambda = p->ridge == FIT_NO_RIDGE     ? 0
		: p->ridge == FIT_RIDGE_FIXED    ? p->lambda
		: p->ridge == FIT_RIDGE_EVIDENCE ? fit_evidence(p, r->weight)
						 : choose_lambda(p, r->weight, pull);
	system_make(&s, p, r->weight, pull, r->lambda);
	solve_bounded(&s, is_free, r->value, covariance);
	for (size_t i = 0; i < p->rows; i++) {
		r->fitted[i] = 0;
		for (size_t j = 0; j < p->columns; j++)
			r->fitted[i] += p->x[i * p->columns + j] * r->value[j] / s.length[j];
		squares += r->weight[i] * (p->y[i] - r->fitted[i]) * (p->y[i] - r->fitted[i]);
		total += r->weight[i];
	}
	r->freedom = fmax((double)p->rows - effective(&s, p->rows, covariance), 1);
	r->residual = sqrt(squares / r->freedom / (total / (double)p->rows));
	r->condition = condition_of(&s, p->rows);
	r->bound = 0;
	for (size_t j = 0; j < p->columns; j++) {
		r->error[j] = sqrt(covariance[j * p->columns + j] * squares / r->freedom) / s.length[j];
		r->value[j] /= s.length[j];
		r->bound += !is_free[j];
	}
	system_free(&s);
	free(pull);
	free(covariance);
	free(is_free);
}
