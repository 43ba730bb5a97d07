/* experiment/interactions/model.c -- least squares of one block, by GSL's multifit. */
#include "experiment/interactions/model.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

size_t model_parameters(const struct study *s)
{
	size_t n = 1;

	for (size_t f = 0; f < s->factors; f++) {
		n += s->levels[f] - 1;
		for (size_t g = f + 1; g < s->factors; g++)
			n += (s->levels[f] - 1) * (s->levels[g] - 1);
	}
	return n;
}

/* Sum-to-zero coding: column c is 1 at level c, -1 at the last level, else 0. */
static double coded(size_t levels, size_t level, size_t column)
{
	return level == column ? 1 : level == levels - 1 ? -1 : 0;
}

void model_row(const struct study *s, const size_t *levels, double *row)
{
	size_t at = 0;

	row[at++] = 1;
	for (size_t f = 0; f < s->factors; f++)
		for (size_t c = 0; c + 1 < s->levels[f]; c++)
			row[at++] = coded(s->levels[f], levels[f], c);
	for (size_t f = 0; f < s->factors; f++)
		for (size_t g = f + 1; g < s->factors; g++)
			for (size_t c = 0; c + 1 < s->levels[f]; c++)
				for (size_t d = 0; d + 1 < s->levels[g]; d++)
					row[at++] = coded(s->levels[f], levels[f], c) *
						coded(s->levels[g], levels[g], d);
}

/* Of main effects the mean over the other factors' levels: there all their columns are 0. */
static void main_row(const struct study *s, size_t factor, size_t level, double sign, double *row)
{
	size_t at = 1;

	for (size_t f = 0; f < s->factors; f++)
		for (size_t c = 0; c + 1 < s->levels[f]; c++, at++)
			row[at] += f == factor ? sign * coded(s->levels[f], level, c) : 0;
}

/* Of an interaction only the products of the two factors remain. */
static void pair_row(
	const struct study *s, const size_t *factor, size_t l, size_t m, double sign, double *row)
{
	size_t at = 1;

	for (size_t f = 0; f < s->factors; f++)
		at += s->levels[f] - 1;
	for (size_t f = 0; f < s->factors; f++)
		for (size_t g = f + 1; g < s->factors; g++)
			for (size_t c = 0; c + 1 < s->levels[f]; c++)
				for (size_t d = 0; d + 1 < s->levels[g]; d++, at++)
					if (f == factor[0] && g == factor[1])
						row[at] += sign * coded(s->levels[f], l, c) *
							coded(s->levels[g], m, d);
}

void model_contrast(const struct study *s, const struct effect *x, double *row)
{
	size_t a = x->level[0], a0 = s->baseline[x->factor[0]], b, b0;

	for (size_t i = 0; i < model_parameters(s); i++)
		row[i] = 0;
	if (!x->is_pair) {
		main_row(s, x->factor[0], a, 1, row);
		main_row(s, x->factor[0], a0, -1, row);
		return;
	}
	b = x->level[1];
	b0 = s->baseline[x->factor[1]];
	pair_row(s, x->factor, a, b, 1, row);
	pair_row(s, x->factor, a, b0, -1, row);
	pair_row(s, x->factor, a0, b, -1, row);
	pair_row(s, x->factor, a0, b0, 1, row);
}

void model_cell(const struct study *s, const size_t *factor, const size_t *level, double *row)
{
	for (size_t i = 0; i < model_parameters(s); i++)
		row[i] = 0;
	row[0] = 1;
	main_row(s, factor[0], level[0], 1, row);
	main_row(s, factor[1], level[1], 1, row);
	pair_row(s, factor, level[0], level[1], 1, row);
}

/* ---- the design ---- */

/* The inverse of X'X over these combinations; NULL: it has none. */
static gsl_matrix *information(const struct study *s, const size_t *at, size_t count)
{
	size_t n = model_parameters(s);
	gsl_matrix *x = gsl_matrix_alloc(count, n), *inverse = gsl_matrix_alloc(n, n);
	bool fine = count >= n;

	for (size_t i = 0; i < count; i++)
		model_row(s, at + i * s->factors, gsl_matrix_ptr(x, i, 0));
	gsl_blas_dsyrk(CblasLower, CblasTrans, 1, x, 0, inverse);
	for (size_t i = 0; i < n && fine; i++)
		gsl_matrix_set(inverse, i, i, gsl_matrix_get(inverse, i, i) + 1e-9);
	fine = fine && gsl_linalg_cholesky_decomp1(inverse) == GSL_SUCCESS;
	for (size_t i = 0; i < n && fine; i++)
		fine = gsl_matrix_get(inverse, i, i) > 1e-3;
	fine = fine && gsl_linalg_cholesky_invert(inverse) == GSL_SUCCESS;
	gsl_matrix_free(x);
	if (fine)
		return inverse;
	gsl_matrix_free(inverse);
	return NULL;
}

/* row' inverse other */
static double covariance(const gsl_matrix *inverse, const double *row, const double *other)
{
	double sum = 0;

	for (size_t i = 0; i < inverse->size1; i++)
		for (size_t k = 0; row[i] != 0 && k < inverse->size2; k++)
			sum += row[i] * gsl_matrix_get(inverse, i, k) * other[k];
	return sum;
}

static size_t *full_design(const struct study *s, size_t *count)
{
	size_t *at, total = 1;

	for (size_t f = 0; f < s->factors; f++)
		total *= s->levels[f];
	at = xcalloc(total * s->factors, sizeof(*at));
	for (size_t i = 0; i < total; i++)
		for (size_t f = s->factors, rest = i; f-- > 0; rest /= s->levels[f])
			at[i * s->factors + f] = rest % s->levels[f];
	*count = total;
	return at;
}

/* Whether two effects are of the same factor or pair of factors, so that they share levels. */
static bool are_kin(const struct effect *x, const struct effect *y)
{
	return x->is_pair == y->is_pair && x->factor[0] == y->factor[0] &&
		(!x->is_pair || x->factor[1] == y->factor[1]);
}

static void find_alias(
	const gsl_matrix *inverse, const double *rows, const double *variance, struct effects *e)
{
	size_t n = inverse->size1;

	for (size_t i = 0; i < e->count; i++)
		for (size_t k = i + 1; k < e->count; k++) {
			double r;

			if (are_kin(&e->items[i], &e->items[k]))
				continue;
			r = fabs(covariance(inverse, rows + i * n, rows + k * n)) /
				sqrt(variance[i] * variance[k]);
			if (r > e->alias) {
				e->alias = r;
				e->aliased[0] = i;
				e->aliased[1] = k;
			}
		}
}

bool model_quality(const struct study *s, struct effects *e)
{
	size_t count, n = model_parameters(s), *all = full_design(s, &count);
	gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* a singular matrix is an answer */
	gsl_matrix *of_full = information(s, all, count), *of_this = information(s, s->at, s->combinations);
	double *rows = xcalloc((e->count + 1) * n, sizeof(*rows)),
	       *here = xcalloc(e->count + 1, sizeof(*here));

	gsl_set_error_handler(handler);
	for (size_t i = 0; of_full && of_this && i < e->count; i++) {
		double *row = rows + i * n, full;

		model_contrast(s, &e->items[i], row);
		here[i] = covariance(of_this, row, row);
		full = covariance(of_full, row, row) * (double)count;
		e->inflation = fmax(e->inflation, sqrt(here[i] * (double)s->combinations / full));
	}
	if (of_this)
		find_alias(of_this, rows, here, e);
	gsl_matrix_free(of_full);
	gsl_matrix_free(of_this);
	free(rows);
	free(here);
	free(all);
	return e->inflation > 0;
}

/* ---- the fit ---- */

bool model_fit(const struct study *s, const double *y, const double *wanted, size_t count, double *results,
	struct model_fit *fit)
{
	size_t n = model_parameters(s), rows = 0, rank;
	gsl_matrix *x, *covariance = gsl_matrix_alloc(n, n);
	gsl_vector *values, *c = gsl_vector_alloc(n);
	gsl_multifit_linear_workspace *work;
	bool fine;

	for (size_t i = 0; i < s->combinations; i++)
		rows += isnan(y[i]) ? 0 : 1;
	fine = rows >= n;
	if (fine) {
		x = gsl_matrix_alloc(rows, n);
		values = gsl_vector_alloc(rows);
		work = gsl_multifit_linear_alloc(rows, n);
		rows = 0;
		for (size_t i = 0; i < s->combinations; i++)
			if (!isnan(y[i])) {
				model_row(s, s->at + i * s->factors, gsl_matrix_ptr(x, rows, 0));
				gsl_vector_set(values, rows++, y[i]);
			}
		gsl_multifit_linear_tsvd(x, values, 1e-8, c, covariance, &fit->squares, &rank, work);
		fine = rank == n;
		fit->freedom = rows - n;
		gsl_multifit_linear_free(work);
		gsl_matrix_free(x);
		gsl_vector_free(values);
	}
	for (size_t i = 0; i < count && fine; i++) {
		results[i] = 0;
		for (size_t k = 0; k < n; k++)
			results[i] += wanted[i * n + k] * gsl_vector_get(c, k);
	}
	gsl_matrix_free(covariance);
	gsl_vector_free(c);
	return fine;
}
