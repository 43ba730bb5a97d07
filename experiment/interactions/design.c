/* experiment/interactions/design.c -- D-optimal parts of a factorial design. */
#include "experiment/interactions/design.h"
#include "experiment/interactions/model.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#define PASSES 20
#define RIDGE  1e-3 /* of a start that is singular: exchanges remove the need for it */

struct design {
	size_t n, count, runs; /* parameters, candidates, chosen ones */
	double *rows;          /* of the model, by candidate */
	size_t *run;           /* the candidates that are chosen */
	bool *chosen;
	size_t keep;
	gsl_matrix *inverse; /* of the information matrix of the chosen ones */
};

static const double *candidate_row(const struct design *d, size_t candidate)
{
	return d->rows + candidate * d->n;
}

/* a' inverse b */
static double product_through_inverse(const struct design *d, size_t a, size_t b)
{
	gsl_vector_const_view left = gsl_vector_const_view_array(candidate_row(d, a), d->n),
			      right = gsl_vector_const_view_array(candidate_row(d, b), d->n);
	gsl_vector *product = gsl_vector_alloc(d->n);
	double value;

	gsl_blas_dsymv(CblasLower, 1, d->inverse, &right.vector, 0, product);
	gsl_blas_ddot(&left.vector, product, &value);
	gsl_vector_free(product);
	return value;
}

/* inverse += sign * u u' / (1 + sign * variance): the run comes (1) or goes (-1). */
static void update_inverse(struct design *d, size_t candidate, double sign)
{
	gsl_vector_const_view x = gsl_vector_const_view_array(candidate_row(d, candidate), d->n);
	gsl_vector *u = gsl_vector_alloc(d->n);
	double variance;

	gsl_blas_dsymv(CblasLower, 1, d->inverse, &x.vector, 0, u);
	gsl_blas_ddot(&x.vector, u, &variance);
	gsl_blas_dsyr(CblasLower, -sign / (1 + sign * variance), u, d->inverse);
	gsl_vector_free(u);
}

/* From the chosen runs anew, as updates lose digits. False: singular. */
static bool renew_inverse(struct design *d, double ridge)
{
	gsl_matrix_set_zero(d->inverse);
	for (size_t i = 0; i < d->n; i++)
		gsl_matrix_set(d->inverse, i, i, ridge);
	for (size_t i = 0; i < d->runs; i++) {
		gsl_vector_const_view x = gsl_vector_const_view_array(candidate_row(d, d->run[i]), d->n);

		gsl_blas_dsyr(CblasLower, 1, &x.vector, d->inverse);
	}
	if (gsl_linalg_cholesky_decomp1(d->inverse) != GSL_SUCCESS)
		return false;
	for (size_t i = 0; i < d->n; i++)
		if (!(gsl_matrix_get(d->inverse, i, i) > 1e-4))
			return false;
	return gsl_linalg_cholesky_invert(d->inverse) == GSL_SUCCESS;
}

/* The candidate that takes the place of run i, if one improves the determinant. */
static bool exchange(struct design *d, size_t i)
{
	size_t old = d->run[i], best = d->count;
	double of_old = product_through_inverse(d, old, old), most = 1e-6;

	for (size_t c = 0; c < d->count; c++) {
		double of_new, both;

		if (d->chosen[c])
			continue;
		of_new = product_through_inverse(d, c, c);
		both = product_through_inverse(d, old, c);
		/* by how much the determinant grows (Fedorov's delta) */
		if (of_new - of_old - (of_new * of_old - both * both) > most) {
			most = of_new - of_old - (of_new * of_old - both * both);
			best = c;
		}
	}
	if (best == d->count)
		return false;
	update_inverse(d, best, 1);
	update_inverse(d, old, -1);
	d->chosen[old] = false;
	d->chosen[best] = true;
	d->run[i] = best;
	return true;
}

static void start_with_random_runs(struct design *d, uint64_t seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t *order = xcalloc(d->count, sizeof(*order)), taken = 0;

	gsl_rng_set(random, seed);
	for (size_t i = 0; i < d->count; i++)
		order[i] = i;
	gsl_ran_shuffle(random, order, d->count, sizeof(*order));
	if (d->keep < d->count)
		d->run[taken++] = d->keep;
	for (size_t i = 0; taken < d->runs; i++)
		if (order[i] != d->keep)
			d->run[taken++] = order[i];
	for (size_t i = 0; i < d->runs; i++)
		d->chosen[d->run[i]] = true;
	gsl_rng_free(random);
	free(order);
}

static void improve(struct design *d)
{
	bool any = renew_inverse(d, RIDGE);

	for (size_t pass = 0; pass < PASSES && any; pass++) {
		any = false;
		for (size_t i = 0; i < d->runs; i++)
			any |= d->run[i] != d->keep && exchange(d, i);
		renew_inverse(d, RIDGE);
	}
}

bool design_choose(size_t factors, const size_t *levels, const size_t *candidates, size_t count, size_t keep,
	size_t runs, uint64_t seed, bool *chosen, size_t *parameters)
{
	struct study s = { .factors = factors, .levels = levels };
	struct design d = { .n = model_parameters(&s), .count = count, .runs = runs, .keep = keep };
	gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* singular matrices are an answer */
	bool fine;

	*parameters = d.n;
	if (runs < d.n || runs > count) {
		gsl_set_error_handler(handler);
		return false;
	}
	d.rows = xcalloc(count * d.n, sizeof(*d.rows));
	d.run = xcalloc(runs, sizeof(*d.run));
	d.chosen = chosen;
	d.inverse = gsl_matrix_alloc(d.n, d.n);
	for (size_t i = 0; i < count; i++) {
		chosen[i] = false;
		model_row(&s, candidates + i * factors, d.rows + i * d.n);
	}
	start_with_random_runs(&d, seed);
	improve(&d);
	fine = renew_inverse(&d, 0);
	gsl_set_error_handler(handler);
	gsl_matrix_free(d.inverse);
	free(d.rows);
	free(d.run);
	return fine;
}
