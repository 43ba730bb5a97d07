/* experiment/report/figure/mean.c -- what becomes of values: ratios to the baseline, means over seeds and
 * over workloads. */
#include "experiment/report/value.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>

const char *const report_mean_names[MEANS] = { "none", "arithmetic", "geometric", "harmonic" };

enum report_mean report_mean_named(const char *name)
{
	enum report_mean kind = MEAN_NONE;

	while (kind < MEANS && strcmp(name, report_mean_names[kind]) != 0)
		kind++;
	return kind;
}

/* The geometric mean is that of the logarithms, the harmonic that of the reciprocals; both are 0 if a value
 * is. */
static double transformed_mean(enum report_mean kind, const double *values, size_t count)
{
	double *changed = xcalloc(count, sizeof(*changed)), mean;

	for (size_t i = 0; i < count; i++)
		changed[i] = kind == MEAN_GEOMETRIC ? log(values[i]) : 1 / values[i];
	mean = gsl_stats_mean(changed, 1, count);
	free(changed);
	return kind == MEAN_GEOMETRIC ? exp(mean) : 1 / mean;
}

double report_mean(enum report_mean kind, const double *values, size_t count)
{
	double least = INFINITY;

	if (!count || kind == MEAN_NONE)
		return NAN;
	if (kind == MEAN_ARITHMETIC)
		return gsl_stats_mean(values, 1, count);
	for (size_t i = 0; i < count; i++)
		least = values[i] < least ? values[i] : least;
	if (least <= 0)
		return least < 0 ? NAN : 0;
	return transformed_mean(kind, values, count);
}

void report_value_cells(struct report_data *d, struct report_value *v)
{
	size_t cells = d->row_count * d->column_count;
	size_t *there = xcalloc(cells, sizeof(*there)), *all = xcalloc(cells, sizeof(*all));

	v->cells = keep_alloc(&d->keeper, cells * sizeof(double));
	for (size_t i = 0; i < d->value_count; i++) {
		size_t at = d->points[i].row * d->column_count + d->points[i].column;

		all[at]++;
		if (isnan(v->of_point[i]))
			continue;
		there[at]++;
		v->cells[at] += v->of_point[i];
	}
	v->fewer_seeds = 0;
	for (size_t at = 0; at < cells; at++) {
		v->cells[at] = there[at] ? v->cells[at] / (double)there[at] : NAN;
		v->fewer_seeds += there[at] && there[at] < all[at];
	}
	free(there);
	free(all);
}

static size_t point_at(
	const struct report_data *d, size_t row, size_t column, const struct report_point *like)
{
	for (size_t i = 0; i < d->value_count; i++)
		if (d->points[i].row == row && d->points[i].column == column &&
			d->points[i].has_seed == like->has_seed && d->points[i].seed == like->seed)
			return i;
	return NONE;
}

void report_value_normalise(const struct report_data *d, struct report_value *v)
{
	double *ratio = xcalloc(d->value_count, sizeof(*ratio));

	for (size_t i = 0; i < d->value_count; i++) {
		const struct report_point *p = &d->points[i];
		size_t baseline = d->columns[p->column].baseline;
		size_t other = baseline == NONE ? NONE : point_at(d, p->row, baseline, p);
		double by = other == NONE ? NAN : v->of_point[other];

		ratio[i] = by != 0 ? v->of_point[i] / by : NAN;
	}
	memcpy(v->of_point, ratio, d->value_count * sizeof(*ratio));
	free(ratio);
}

size_t report_complete_rows(const struct report_data *d, const double *cells, const size_t *rows,
	size_t count, const size_t *columns, size_t n, bool *complete)
{
	size_t completed = 0;

	for (size_t i = 0; i < count; i++)
		complete[i] = true;
	for (size_t k = 0; k < n; k++) {
		bool any = false;

		for (size_t i = 0; i < count; i++)
			any |= !isnan(cells[rows[i] * d->column_count + columns[k]]);
		for (size_t i = 0; i < count && any; i++)
			complete[i] &= !isnan(cells[rows[i] * d->column_count + columns[k]]);
	}
	for (size_t i = 0; i < count; i++)
		completed += complete[i];
	return completed;
}
