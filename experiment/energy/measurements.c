/* experiment/energy/measurements.c -- activity and power become the rows of a fit. */
#include "experiment/energy/measurements.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* -- names -- */

static bool is_in(const struct name_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], name) == 0)
			return true;
	return false;
}

/* Whether a name is one of "A,B,C". */
static bool is_one_of(const char *names, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
			return true;
	return false;
}

static bool is_name_column(const struct csv_table *t, size_t column, const struct measurement_options *o)
{
	return o->names ? is_one_of(o->names, t->columns[column]) : column == 0;
}

/* The name of a row, of its name columns; malloc'ed. */
static char *row_name(const struct csv_table *t, size_t row, const struct measurement_options *o)
{
	char *name = xstrdup("");

	for (size_t c = 0; c < t->column_count; c++)
		if (is_name_column(t, c, o)) {
			char *longer;

			if (asprintf(&longer, "%s%s%s", name, *name ? "/" : "", t->rows[row].fields[c]) < 0)
				bug("out of memory");
			free(name);
			name = longer;
		}
	return name;
}

static void check_measured_names(
	const struct csv_table *t, const struct measurement_options *o, struct diag_list *diags)
{
	char *names, *rest, *name;

	if (!o->names)
		return;
	names = xstrdup(o->names);
	for (name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		csv_table_need(t, name, diags);
	free(names);
}

/* -- which coefficients -- */

static bool is_time(const struct measurement_options *o, const char *column)
{
	return (o->seconds && strcmp(o->seconds, column) == 0) ||
		(o->cycles && strcmp(o->cycles, column) == 0);
}

static bool is_all_zero(const struct csv_table *t, size_t column, struct diag_list *diags)
{
	for (size_t r = 0; r < t->row_count; r++)
		if (csv_table_number(t, r, column, diags) > 0)
			return false;
	return true;
}

static void append_measured_name(char **list, const char *name)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", *list, **list ? ", " : "", name) < 0)
		bug("out of memory");
	free(*list);
	*list = longer;
}

struct coefficients *measurements_design(
	const struct csv_table *t, const struct measurement_options *o, char **zeros, struct diag_list *diags)
{
	struct coefficients *m = xcalloc(1, sizeof(*m));

	*zeros = xstrdup("");
	check_measured_names(t, o, diags);
	for (size_t i = 0; i < o->levels.count; i++)
		csv_table_need(t, o->levels.items[i], diags);
	for (size_t i = 0; i < o->ignored.count; i++)
		csv_table_need(t, o->ignored.items[i], diags);
	coefficients_add(m, CONSTANT, NULL, true, 0, 0, NULL);
	for (size_t c = 0; c < t->column_count; c++) {
		const char *name = t->columns[c];

		if (is_name_column(t, c, o) || is_time(o, name) || is_in(&o->ignored, name) ||
			(o->clock && strcmp(o->clock, name) == 0))
			continue;
		if (is_all_zero(t, c, diags))
			append_measured_name(zeros, name);
		else
			coefficients_add(m, name, NULL, is_in(&o->levels, name), 0, 0, NULL);
	}
	if (!diags->errors)
		return m;
	coefficients_free(m);
	return NULL;
}

/* -- the join -- */

/* What the power file calls a row of the activity. */
static const char *alias_of(const struct csv_table *aliases, const char *name)
{
	for (size_t r = 0; aliases && r < aliases->row_count; r++)
		if (strcmp(aliases->rows[r].fields[0], name) == 0)
			return aliases->rows[r].fields[1];
	return name;
}

static size_t find_power(const struct csv_table *power, const char *name)
{
	for (size_t r = 0; r < power->row_count; r++)
		if (strcmp(power->rows[r].fields[0], name) == 0)
			return r;
	return NO_COLUMN;
}

static double seconds_of(
	const struct csv_table *t, size_t row, const struct measurement_options *o, struct diag_list *diags)
{
	size_t column = csv_table_column(t, o->seconds ? o->seconds : o->cycles);
	double value = csv_table_number(t, row, column, diags);

	if (value > 0)
		return o->seconds ? value : value / (o->mhz * 1e6);
	csv_table_error(t, row, diags, "%s: a time above 0 was expected", t->columns[column]);
	return 1;
}

static void fill_row(struct measurements *m, const struct csv_table *t, size_t row,
	const struct coefficients *model, const struct measurement_options *o, struct diag_list *diags)
{
	double seconds = seconds_of(t, row, o, diags), *x = &m->x[m->rows * m->columns];

	if (o->clock)
		m->clock[m->rows] = csv_table_number(t, row, csv_table_column(t, o->clock), diags);
	for (size_t j = 0; j < model->count; j++) {
		const struct coefficient *c = &model->items[j];

		if (strcmp(c->name, CONSTANT) == 0)
			x[j] = 1;
		else if (c->is_watts)
			x[j] = csv_table_number(t, row, csv_table_column(t, c->column), diags);
		else
			x[j] = csv_table_number(t, row, csv_table_column(t, c->column), diags) / seconds *
				1e-12;
	}
}

static void join_row(struct measurements *m, bool *is_used, const struct csv_table *activity, size_t row,
	const struct csv_table *power, size_t watts, const struct csv_table *aliases,
	const struct coefficients *model, const struct measurement_options *o, struct diag_list *diags)
{
	char *name = row_name(activity, row, o);
	const char *alias = alias_of(aliases, name);
	size_t partner = find_power(power, alias);

	if (partner == NO_COLUMN) {
		m->unmatched_activity++;
		append_measured_name(&m->unmatched, name);
	} else if (is_used[partner]) {
		csv_table_error(activity, row, diags, "a second row for %s of %s", alias, power->path);
	} else {
		is_used[partner] = true;
		fill_row(m, activity, row, model, o, diags);
		m->watts[m->rows] = csv_table_number(power, partner, watts, diags);
		m->kernels[m->rows++] = xstrdup(alias);
	}
	free(name);
}

static bool check_columns(const struct csv_table *activity, const struct coefficients *model,
	const struct measurement_options *o, struct diag_list *diags)
{
	check_measured_names(activity, o, diags);
	csv_table_need(activity, o->seconds ? o->seconds : o->cycles, diags);
	if (o->clock)
		csv_table_need(activity, o->clock, diags);
	for (size_t j = 0; j < model->count; j++)
		if (strcmp(model->items[j].name, CONSTANT) != 0)
			csv_table_need(activity, model->items[j].column, diags);
	return !diags->errors;
}

static void check_power(const struct csv_table *power, struct diag_list *diags)
{
	for (size_t r = 0; r < power->row_count; r++)
		if (find_power(power, power->rows[r].fields[0]) != r)
			csv_table_error(power, r, diags, "%s is there twice", power->rows[r].fields[0]);
}

static size_t watts_column(
	const struct csv_table *power, const struct measurement_options *o, struct diag_list *diags)
{
	struct diag_location at = { .file = power->path, .line = 1 };

	if (o->watts)
		return csv_table_need(power, o->watts, diags);
	if (power->column_count < 2)
		diag_error(diags, &at, "a name and watts were expected");
	return 1;
}

static void join_tables(struct measurements *m, const struct csv_table *activity,
	const struct csv_table *power, size_t watts, const struct csv_table *aliases,
	const struct coefficients *model, const struct measurement_options *o, struct diag_list *diags)
{
	bool *is_used = xcalloc(power->row_count, sizeof(*is_used));

	for (size_t r = 0; r < activity->row_count; r++)
		join_row(m, is_used, activity, r, power, watts, aliases, model, o, diags);
	for (size_t r = 0; r < power->row_count; r++)
		if (!is_used[r]) {
			m->unmatched_power++;
			append_measured_name(&m->unmatched, power->rows[r].fields[0]);
		}
	free(is_used);
	if (!m->rows)
		diag_error(diags, NULL,
			"no row of %s has its partner in %s; do they need --aliases? The first is called %s",
			activity->path, power->path, m->unmatched);
}

struct measurements *measurements_join(const struct csv_table *activity, const struct csv_table *power,
	const struct coefficients *model, const struct measurement_options *o, struct diag_list *diags)
{
	struct csv_table *aliases = o->aliases ? csv_table_read(o->aliases, NULL, diags) : NULL;
	struct measurements *m = xcalloc(1, sizeof(*m));
	size_t watts = watts_column(power, o, diags);

	m->columns = model->count;
	m->kernels = xcalloc(activity->row_count, sizeof(*m->kernels));
	m->x = xcalloc(activity->row_count * model->count, sizeof(*m->x));
	m->watts = xcalloc(activity->row_count, sizeof(*m->watts));
	m->clock = xcalloc(activity->row_count, sizeof(*m->clock));
	m->unmatched = xstrdup("");
	if (aliases && aliases->column_count != 2)
		csv_table_error(aliases, 0, diags, "two columns were expected: activity,power");
	check_power(power, diags);
	if (check_columns(activity, model, o, diags))
		join_tables(m, activity, power, watts, aliases, model, o, diags);
	csv_table_free(aliases);
	if (!diags->errors)
		return m;
	measurements_free(m);
	return NULL;
}

void measurements_free(struct measurements *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->rows; i++)
		free(m->kernels[i]);
	free(m->kernels);
	free(m->x);
	free(m->watts);
	free(m->clock);
	free(m->unmatched);
	free(m);
}
