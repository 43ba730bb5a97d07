/* experiment/report/value.c -- values out of the database: what is asked for by name, at each point. */
#include "experiment/report/value.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"
#include <math.h>

static double number_at(sqlite3_stmt *q, int column)
{
	return sqlite3_column_type(q, column) == SQLITE_NULL ? NAN : sqlite3_column_double(q, column);
}

static size_t point_numbered(const struct report_data *d, long long number)
{
	size_t low = 0, high = d->point_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (d->points[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < d->point_count && d->points[low].number == number ? low : NONE;
}

/* Rows of (number of a point, value). */
static bool read_points_of_programs(
	struct report_data *d, struct report_value *v, const char *sql, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store, sql, d->sweep, v->name, diags);
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		size_t i = point_numbered(d, sqlite3_column_int64(q, 0));

		if (i != NONE)
			v->of_point[i] = number_at(q, 1);
	}
	return q && report_query_end(d->store, q, status, diags);
}

/* Rows of (number of a point, value, kernel), in their order. */
static bool read_points_of_kernels(struct report_data *d, struct report_value *v, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store,
		"SELECT number, value, kernel FROM derived_kernel_results WHERE sweep = ?1 AND name = ?2 "
		"ORDER BY "
		"number, kernel",
		d->sweep, v->name, diags);
	int status = SQLITE_ERROR;
	size_t i = d->point_count;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		long long number = sqlite3_column_int64(q, 0), kernel = sqlite3_column_int64(q, 2);

		while (i < d->value_count &&
			(d->points[i].number < number ||
				(d->points[i].number == number && d->points[i].kernel < kernel)))
			i++;
		if (i < d->value_count && d->points[i].number == number && d->points[i].kernel == kernel)
			v->of_point[i] = number_at(q, 1);
	}
	return q && report_query_end(d->store, q, status, diags);
}

/* What a derived value or a statistic is; false if there is none of the name. */
static bool describe_value(
	struct report_data *d, struct report_value *v, const char *sql, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store, sql, d->sweep, v->name, diags);
	int status = q ? sqlite3_step(q) : SQLITE_ERROR;

	if (status == SQLITE_ROW) {
		v->unit = report_column_text(d, q, 0);
		v->help = report_column_text(d, q, 1);
		v->mean = report_mean_named(report_column_text(d, q, 2));
		v->mean = v->mean == MEANS ? MEAN_ARITHMETIC : v->mean;
	}
	return q && report_query_end(d->store, q, status, diags) && status == SQLITE_ROW;
}

static const char derived_is[] = "SELECT unit, formula, mean FROM derived WHERE sweep = ?1 AND name = ?2";
static const char statistic_is[] =
	"SELECT unit, help, 'arithmetic' FROM statistics WHERE ?1 = ?1 AND name = ?2";
static const char derived_values[] =
	"SELECT number, value FROM derived_results WHERE sweep = ?1 AND name = ?2";
static const char statistic_values[] =
	"SELECT p.number, r.value FROM points p JOIN jobs j ON j.id = p.job JOIN results r ON r.job = p.job "
	"JOIN statistics t ON t.id = r.statistic WHERE p.sweep = ?1 AND t.name = ?2 AND j.state = 'done'";

static bool read_points(struct report_data *d, struct report_value *v, struct diag_list *diags)
{
	if (v->of_kernels)
		return read_points_of_kernels(d, v, diags);
	return read_points_of_programs(d, v, v->is_derived ? derived_values : statistic_values, diags);
}

/* -- names -- */

static const char **names_of(
	struct report_data *d, const char *sql, const char *pattern, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store, sql, d->sweep, NULL, diags);
	const char **names = NULL;
	size_t count = 0;
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(q, 0);
		size_t length = strlen(name);

		if (pattern &&
			(!stat_name_fits(pattern, name) ||
				(length > 7 && !strcmp(name + length - 7, "::total"))))
			continue;
		names = xrealloc(names, (count + 2) * sizeof(*names));
		names[count++] = report_column_text(d, q, 0);
	}
	if (q)
		report_query_end(d->store, q, status, diags);
	if (!names)
		return keep_alloc(&d->keeper, sizeof(*names));
	names[count] = NULL;
	return keep(&d->keeper, names);
}

const char **report_derived_names(struct report_data *d, struct diag_list *diags)
{
	return names_of(d, "SELECT name FROM derived WHERE sweep = ?1 ORDER BY position, name", NULL, diags);
}

const char **report_names(struct report_data *d, const char *pattern, struct diag_list *diags)
{
	return names_of(d, "SELECT name FROM statistics ORDER BY id", pattern, diags);
}

static void print_unknown(struct report_data *d, const char *name, const struct diag_location *location,
	struct diag_list *diags)
{
	const char **names = names_of(d,
		"SELECT name FROM derived WHERE sweep = ?1 UNION ALL SELECT name FROM statistics ORDER BY "
		"name",
		NULL, diags);
	const char *nearest;
	size_t count = 0;

	while (names[count])
		count++;
	nearest = diag_nearest(name, names, count);
	diag_error(diags, location, "the database has no statistic or derived value '%s'%s%s%s", name,
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* -- values -- */

static struct report_value *value_new(struct report_data *d, const char *name)
{
	struct report_value *v = keep_alloc(&d->keeper, sizeof(*v));

	v->name = keep_copy(&d->keeper, name);
	v->of_point = keep_alloc(&d->keeper, d->value_count * sizeof(double));
	for (size_t i = 0; i < d->value_count; i++)
		v->of_point[i] = NAN;
	return v;
}

/* The ratios of the sweep's own baseline become those of the one that was asked for. */
static void compare_with_baseline(struct report_data *d, struct report_value *v, bool normalise)
{
	bool again = v->is_ratio && d->baseline_is_asked;

	if ((!normalise && !again) || (v->is_ratio && !again) || !d->has_baseline)
		return;
	report_value_normalise(d, v);
	v->is_normalised = !v->is_ratio;
	v->is_ratio = true;
	if (v->is_normalised)
		v->mean = MEAN_GEOMETRIC;
}

struct report_value *report_value_stored(struct report_data *d, const char *name,
	const struct diag_location *location, struct diag_list *diags)
{
	struct report_value *v = value_new(d, name);
	size_t errors = diags->errors;

	v->is_derived = describe_value(d, v, derived_is, diags);
	if (!v->is_derived && !describe_value(d, v, statistic_is, diags)) {
		if (diags->errors == errors)
			print_unknown(d, name, location, diags);
		return NULL;
	}
	v->of_kernels = v->is_derived && report_is_of_kernels(d, name);
	v->is_ratio = v->is_derived && !strcmp(v->unit, "times");
	return read_points(d, v, diags) ? v : NULL;
}

struct report_value *report_value_get(struct report_data *d, const char *name, bool normalise,
	const struct diag_location *location, struct diag_list *diags)
{
	struct report_value *v = report_value_stored(d, name, location, diags);

	if (!v)
		return NULL;
	compare_with_baseline(d, v, normalise);
	report_value_cells(d, v);
	return v;
}

struct report_value *report_value_none(struct report_data *d, const char *name)
{
	struct report_value *v = value_new(d, name);

	v->unit = v->help = "";
	v->mean = MEAN_ARITHMETIC;
	report_value_cells(d, v);
	return v;
}

bool report_has_value(struct report_data *d, const char *name)
{
	struct report_value v = { .name = name };
	struct diag_list diags;
	bool has;

	diag_init(&diags);
	has = describe_value(d, &v, derived_is, &diags) || describe_value(d, &v, statistic_is, &diags);
	diag_fini(&diags);
	return has;
}
