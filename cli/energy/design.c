/* cli/energy/design.c -- dependent columns by Gram-Schmidt orthogonalisation, the condition number by GSL. */
#include "cli/energy/design.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#define DEPENDENT 0.02 /* length of what others leave of a column of length 1 */
#define SHARE     0.05 /* a coefficient that counts, in such a sum */

/* Columns of length 1 that are no sum of those before them, and an orthonormal base of them: column k is the
 * sum of part[i][k] times base[i], for i up to k. */
struct design {
	size_t rows, count, capacity;
	bool is_dependent; /* some column was one */
	const char **names;
	double **columns, **base, **part;
};

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static void scale_column(double *a, double by, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] *= by;
}

/* What the columns so far leave of `rest`, in place; parts[i]: what base[i] took. Twice, for what rounding
 * has left over. */
static void orthogonalise(const struct design *d, double *rest, double *parts)
{
	for (size_t i = 0; i < d->count; i++)
		parts[i] = 0;
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < d->count; i++) {
			double share = dot(d->base[i], rest, d->rows);

			for (size_t r = 0; r < d->rows; r++)
				rest[r] -= share * d->base[i][r];
			parts[i] += share;
		}
}

/* The column as a sum of others: back substitution, from the last. parts is used up. */
static void print_column_sum(const struct design *d, const char *name, double *parts)
{
	const char *separator = "";

	printf("note: %s cannot be told apart from ", name);
	for (size_t k = d->count; k-- > 0;) {
		double share = parts[k] / d->part[k][k];

		for (size_t i = 0; i <= k; i++)
			parts[i] -= share * d->part[i][k];
		if (fabs(share) < SHARE)
			continue;
		printf("%s%s", separator, d->names[k]);
		separator = " and ";
	}
	puts(": a fit knows what they cost together, and a prior divides it");
}

/* Takes over column. */
static void add_column(struct design *d, const char *name, double *column)
{
	double length = sqrt(dot(column, column, d->rows)), *rest, *parts, left;

	if (!(length > 0)) {
		free(column);
		return;
	}
	scale_column(column, 1 / length, d->rows);
	rest = xmalloc(d->rows * sizeof(*rest));
	memcpy(rest, column, d->rows * sizeof(*rest));
	parts = xcalloc(d->capacity, sizeof(*parts));
	orthogonalise(d, rest, parts);
	left = sqrt(dot(rest, rest, d->rows));
	if (left < DEPENDENT) {
		d->is_dependent = true;
		print_column_sum(d, name, parts);
		free(rest);
		free(column);
	} else {
		scale_column(rest, 1 / left, d->rows);
		for (size_t i = 0; i < d->count; i++)
			d->part[i][d->count] = parts[i];
		d->part[d->count][d->count] = left;
		d->names[d->count] = name;
		d->columns[d->count] = column;
		d->base[d->count++] = rest;
	}
	free(parts);
}

static double condition(const struct design *d)
{
	gsl_matrix *a = gsl_matrix_alloc(d->rows, d->count), *v = gsl_matrix_alloc(d->count, d->count);
	gsl_vector *s = gsl_vector_alloc(d->count), *work = gsl_vector_alloc(d->count);
	double ratio;

	for (size_t k = 0; k < d->count; k++)
		for (size_t r = 0; r < d->rows; r++)
			gsl_matrix_set(a, r, k, d->columns[k][r]);
	gsl_linalg_SV_decomp(a, v, s, work);
	ratio = gsl_vector_get(s, 0) / gsl_vector_get(s, d->count - 1);
	gsl_matrix_free(a);
	gsl_matrix_free(v);
	gsl_vector_free(s);
	gsl_vector_free(work);
	return ratio;
}

static double *column_of(
	const struct csv_table *t, size_t column, size_t seconds, bool is_level, struct diag_list *diags)
{
	double *values = xcalloc(t->row_count, sizeof(*values));

	for (size_t r = 0; r < t->row_count; r++) {
		values[r] = column == NO_COLUMN ? 1 : csv_table_number(t, r, column, diags);
		if (!is_level)
			values[r] /= csv_table_number(t, r, seconds, diags);
	}
	return values;
}

static void design_free(struct design *d)
{
	for (size_t k = 0; k < d->count; k++) {
		free(d->columns[k]);
		free(d->base[k]);
	}
	for (size_t k = 0; k < d->capacity; k++)
		free(d->part[k]);
	free(d->names);
	free(d->columns);
	free(d->base);
	free(d->part);
}

void design_print(const struct csv_table *t, const struct coefficients *model, struct diag_list *diags)
{
	struct design d = { .rows = t->row_count, .capacity = model->count + 1 };
	size_t seconds = csv_table_need(t, "seconds", diags);

	if (seconds == NO_COLUMN)
		return;
	if (t->row_count < model->count + 1) {
		puts("note: fewer rows than columns: a fit needs a prior");
		return;
	}
	d.names = xcalloc(d.capacity, sizeof(*d.names));
	d.columns = xcalloc(d.capacity, sizeof(*d.columns));
	d.base = xcalloc(d.capacity, sizeof(*d.base));
	d.part = xcalloc(d.capacity, sizeof(*d.part));
	for (size_t k = 0; k < d.capacity; k++)
		d.part[k] = xcalloc(d.capacity, sizeof(**d.part));
	add_column(&d, CONSTANT, column_of(t, NO_COLUMN, seconds, true, diags));
	for (size_t i = 0; i < model->count; i++) {
		const struct coefficient *c = &model->items[i];
		size_t column = csv_table_column(t, c->column);

		if (column != NO_COLUMN)
			add_column(&d, c->name, column_of(t, column, seconds, c->is_watts, diags));
	}
	printf("condition number of the %s%zu columns: %.3g\n", d.is_dependent ? "other " : "", d.count,
		condition(&d));
	design_free(&d);
}
