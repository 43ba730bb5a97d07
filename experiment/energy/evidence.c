/* experiment/energy/evidence.c -- the most likely scatter of measurements about a prior.
 *
 * What is left of the watts after the prior is normal with the covariance K + s I, where K is what the errors
 * of the coefficients do and s the variance of the scatter. With the eigenvalues k of K and the components z
 * of the rest along its eigenvectors, minus twice the logarithm of the likelihood is the sum of log(k + s) +
 * z^2 / (k + s). */
#include "experiment/energy/evidence.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_min.h>
#include <math.h>

#define GRID     120 /* values of the scatter that are tried, over DECADES below what is left of the watts */
#define DECADES  8
#define STEPS    100
#define ANYTHING 1e4 /* how far a coefficient without a prior may be off, in watts per watt */

struct spectrum {
	gsl_vector *k, *z;
};

static double unlikelihood(double log_variance, void *context)
{
	const struct spectrum *s = context;
	double variance = exp(log_variance), sum = 0;

	for (size_t i = 0; i < s->k->size; i++) {
		double all = fmax(gsl_vector_get(s->k, i), 0) + variance, z = gsl_vector_get(s->z, i);

		sum += log(all) + z * z / all;
	}
	return sum;
}

/* The rest of the watts, and what one standard deviation of each coefficient makes of them. */
static void make_system(const struct fit_problem *p, const double *weights, gsl_matrix *x, gsl_vector *y)
{
	double size = 0;

	for (size_t i = 0; i < p->rows; i++) {
		double root = sqrt(weights[i]), left = p->y[i];

		for (size_t j = 0; j < p->columns; j++)
			left -= p->prior ? p->x[i * p->columns + j] * p->prior[j] : 0;
		gsl_vector_set(y, i, root * left);
		size += weights[i] * p->y[i] * p->y[i];
	}
	for (size_t j = 0; j < p->columns; j++) {
		double length = fit_length(p, j), scale = p->scale ? p->scale[j] : 0;

		if (!(scale > 0))
			scale = length > 0 ? ANYTHING * sqrt(size) / length : 0;
		for (size_t i = 0; i < p->rows; i++)
			gsl_matrix_set(x, i, j, sqrt(weights[i]) * scale * p->x[i * p->columns + j]);
	}
}

static void make_spectrum(struct spectrum *s, const gsl_matrix *x, const gsl_vector *y)
{
	gsl_matrix *k = gsl_matrix_alloc(x->size1, x->size1), *vectors = gsl_matrix_alloc(x->size1, x->size1);
	gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(x->size1);

	s->k = gsl_vector_alloc(x->size1);
	s->z = gsl_vector_alloc(x->size1);
	gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, x, x, 0, k);
	gsl_eigen_symmv(k, s->k, vectors, work);
	gsl_blas_dgemv(CblasTrans, 1, vectors, y, 0, s->z);
	gsl_eigen_symmv_free(work);
	gsl_matrix_free(k);
	gsl_matrix_free(vectors);
}

/* The least of the grid, then between its neighbours by Brent's method. */
static double least_of_spectrum(struct spectrum *s, double most)
{
	gsl_function f = { unlikelihood, s };
	double step = DECADES * M_LN10 / GRID, best = log(most);
	gsl_min_fminimizer *m;

	for (size_t i = 1; i < GRID; i++)
		if (unlikelihood(log(most) - step * (double)i, s) < unlikelihood(best, s))
			best = log(most) - step * (double)i;
	m = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
	if (!gsl_min_fminimizer_set(m, &f, best, best - step, best + step))
		for (size_t i = 0; i < STEPS && !gsl_min_fminimizer_iterate(m); i++)
			best = gsl_min_fminimizer_x_minimum(m);
	gsl_min_fminimizer_free(m);
	return exp(best);
}

double fit_evidence(const struct fit_problem *p, const double *weights)
{
	gsl_matrix *x = gsl_matrix_alloc(p->rows, p->columns);
	gsl_vector *y = gsl_vector_alloc(p->rows);
	struct spectrum s;
	double squares, variance;

	make_system(p, weights, x, y);
	gsl_blas_ddot(y, y, &squares);
	make_spectrum(&s, x, y);
	variance = squares > 0 ? least_of_spectrum(&s, squares) : 0;
	gsl_vector_free(s.k);
	gsl_vector_free(s.z);
	gsl_matrix_free(x);
	gsl_vector_free(y);
	return variance;
}
