/* experiment/report/figure/figure.c -- the table of kinds, and what they share: colours, suites, means,
 * words. */
#include "experiment/report/figure/figure.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define REPORT_FIGURE(name) extern const struct figure_kind figure_##name;
#include "experiment/report/figure/figure.def"
#undef REPORT_FIGURE

const struct figure_kind *const figure_kinds[] = {
#define REPORT_FIGURE(name) &figure_##name,
#include "experiment/report/figure/figure.def"
#undef REPORT_FIGURE
	NULL
};

const struct figure_kind *figure_kind_named(const char *name)
{
	for (size_t i = 0; figure_kinds[i]; i++)
		if (!strcmp(figure_kinds[i]->name, name))
			return figure_kinds[i];
	return NULL;
}

void figure_add_panel(struct figure *f, struct canvas *c)
{
	struct canvas **panels = keep_alloc(&f->data->keeper, (f->panel_count + 1) * sizeof(*panels));

	canvas_finish(c, &f->data->keeper);
	if (f->panel_count)
		memcpy(panels, f->panels, f->panel_count * sizeof(*panels));
	panels[f->panel_count++] = c;
	f->panels = panels;
}

void figure_add_table(struct figure *f, struct report_table *t)
{
	struct report_table **tables = keep_alloc(&f->data->keeper, (f->table_count + 1) * sizeof(*tables));

	if (f->table_count)
		memcpy(tables, f->tables, f->table_count * sizeof(*tables));
	tables[f->table_count++] = t;
	f->tables = tables;
}

/* -- colours -- */

static size_t level_rank(const struct report_factor *f, const char *level)
{
	size_t i = 0;

	while (i < f->count && strcmp(f->levels[i], level) != 0)
		i++;
	return i;
}

/* The last factor, if it and others differ and it has two or three levels; NONE. */
static size_t tint_factor(const struct report_data *d)
{
	size_t differing = 0, last = NONE;

	for (size_t f = 0; f < d->factor_count; f++)
		if (d->factors[f].count > 1) {
			differing++;
			last = f;
		}
	return differing > 1 && d->factors[last].count <= 3 ? last : NONE;
}

static bool same_but(const struct report_data *d, size_t a, size_t b, size_t factor)
{
	for (size_t f = 0; f < d->factor_count; f++)
		if (f != factor && strcmp(d->columns[a].levels[f], d->columns[b].levels[f]) != 0)
			return false;
	return true;
}

struct column_look figure_look(const struct figure *figure, size_t column)
{
	const struct report_data *d = figure->data;
	size_t factor = tint_factor(d);
	struct column_look look = { .tints = factor == NONE ? 1 : d->factors[factor].count };

	if (factor == NONE) {
		look.hue = column;
		return look;
	}
	look.tint = level_rank(&d->factors[factor], d->columns[column].levels[factor]) % look.tints;
	for (size_t c = 0; c < d->column_count && !same_but(d, c, column, factor); c++) {
		size_t earlier = 0;

		while (earlier < c && !same_but(d, earlier, c, factor))
			earlier++;
		look.hue += earlier == c;
	}
	return look;
}

const char *figure_colour(const struct figure *figure, size_t column)
{
	struct column_look look = figure_look(figure, column);

	return canvas_colour(&figure->data->keeper, look.hue * look.tints + look.tint, look.tints);
}

struct legend_entry *figure_legend(const struct figure *f)
{
	struct legend_entry *entries =
		keep_alloc(&f->data->keeper, (f->spec->column_count + 1) * sizeof(*entries));

	for (size_t i = 0; i < f->spec->column_count; i++)
		entries[i] = (struct legend_entry){ f->data->columns[f->spec->columns[i]].label,
			figure_colour(f, f->spec->columns[i]), 0 };
	return entries;
}

/* -- rows -- */

struct row_group *figure_suites(const struct figure *f, size_t *count)
{
	struct row_group *groups = keep_alloc(&f->data->keeper, (f->spec->row_count + 1) * sizeof(*groups));

	*count = 0;
	for (size_t i = 0; i < f->spec->row_count; i++) {
		const char *suite = f->data->rows[f->spec->rows[i]].suite;

		if (!*count || strcmp(groups[*count - 1].name, suite) != 0)
			groups[(*count)++] = (struct row_group){ suite, i, 0 };
		groups[*count - 1].count++;
	}
	return groups;
}

const char *figure_row_word(const struct figure *f)
{
	return f->spec->of_kernels ? "kernel" : "workload";
}

const char *figure_row_name(const struct figure *f, size_t row)
{
	const struct report_row *r = &f->data->rows[row];

	return *r->suite ? keep_print(&f->data->keeper, "%s/%s", r->suite, r->label) : r->label;
}

const char *figure_point_link(const struct figure *f, size_t row, size_t column)
{
	size_t i = f->data->first_of_cell[row * f->data->column_count + column];

	return i == NO_POINT ? NULL : keep_print(&f->data->keeper, "p%lld", f->data->points[i].number);
}

/* -- means -- */

enum report_mean figure_mean_kind(const struct figure *f, const struct report_value *v)
{
	return f->spec->mean == MEANS ? v->mean : f->spec->mean;
}

void figure_means(const struct figure *f, enum report_mean kind, const double *cells, size_t first,
	size_t count, const bool *complete, double *means)
{
	double *values = xcalloc(count, sizeof(*values));

	for (size_t c = 0; c < f->spec->column_count; c++) {
		size_t n = 0;

		for (size_t i = first; i < first + count; i++)
			if (complete[i])
				values[n++] =
					cells[f->spec->rows[i] * f->data->column_count + f->spec->columns[c]];
		means[c] = report_mean(kind, values, n);
	}
	free(values);
}

const char *figure_incomplete_text(const struct figure *f, const bool *complete, size_t completed)
{
	struct keeper *k = &f->data->keeper;
	size_t missing = f->spec->row_count - completed, named = 0;
	const char *text;

	if (!missing)
		return ".";
	text = keep_print(k,
		", over the %zu of %zu %ss that have a value in every configuration that has any; left "
		"out: ",
		completed, f->spec->row_count, figure_row_word(f));
	for (size_t i = 0; i < f->spec->row_count && named < 12; i++)
		if (!complete[i])
			text = keep_print(
				k, "%s%s%s", text, named++ ? ", " : "", figure_row_name(f, f->spec->rows[i]));
	return keep_print(
		k, "%s%s", text, named < missing ? keep_print(k, " and %zu more.", missing - named) : ".");
}

/* -- words -- */

static bool figure_column_has_values(const struct figure *f, const double *cells, size_t column)
{
	for (size_t i = 0; i < f->spec->row_count; i++)
		if (!isnan(cells[f->spec->rows[i] * f->data->column_count + column]))
			return true;
	return false;
}

bool figure_has_values(const struct figure *f, const double *cells)
{
	for (size_t c = 0; c < f->spec->column_count; c++)
		if (figure_column_has_values(f, cells, f->spec->columns[c]))
			return true;
	return false;
}

double figure_overhang(const char *label, size_t group, double width)
{
	return text_width(label, SMALL_SIZE) * 0.71 + 10 - ((double)group + 0.5) * width;
}

const char *figure_axis(const struct figure *f, const struct report_value *v)
{
	struct keeper *k = &f->data->keeper;

	if (v->is_normalised)
		return keep_print(k, "%s over the baseline's", v->name);
	if (!*v->unit || strstr(v->name, v->unit))
		return v->name;
	return keep_print(k, "%s (%s)", v->name, v->unit);
}

const char *figure_value_text(const struct figure *f, const struct report_value *v)
{
	struct keeper *k = &f->data->keeper;
	const char *text = v->is_derived ? keep_print(k, "%s = %s%s", v->name, v->help,
						   *v->unit ? keep_print(k, " (%s)", v->unit) : "")
					 : keep_print(k, "%s: %s (%s)", v->name, v->help, v->unit);

	if (v->is_ratio && f->data->baseline_label)
		text = keep_print(k, "%s%s; the baseline, %s, is 1", text,
			v->is_normalised || f->data->baseline_is_asked ? ", divided by that of the baseline"
								       : "",
			f->data->baseline_label);
	if (f->data->seeds > 1)
		text = keep_print(k, "%s; the mean of %zu seeds", text, f->data->seeds);
	if (v->fewer_seeds)
		text = keep_print(k,
			"%s (of fewer in %zu cells, because of jobs that failed or have not run)", text,
			v->fewer_seeds);
	return keep_print(k, "%s.", text);
}

static void table_means(const struct figure *f, const struct report_value *v, struct report_table *t,
	const bool *complete, size_t completed)
{
	enum report_mean kind = figure_mean_kind(f, v);
	double *means = keep_alloc(&f->data->keeper, (f->spec->column_count + 1) * sizeof(*means));

	figure_means(f, kind, v->cells, 0, f->spec->row_count, complete, means);
	table_text(t, f->spec->row_count, 0,
		keep_print(&f->data->keeper, "%s mean%s", report_mean_names[kind],
			completed < f->spec->row_count ? keep_print(&f->data->keeper, " of %zu", completed)
						       : ""),
		NULL);
	for (size_t c = 0; c < f->spec->column_count; c++)
		table_number(t, f->spec->row_count, c + 1, means[c], NULL);
}

struct report_table *figure_value_table(const struct figure *f, const struct report_value *v)
{
	const struct figure_spec *s = f->spec;
	bool has_means = figure_mean_kind(f, v) != MEAN_NONE,
	     *complete = keep_alloc(&f->data->keeper, s->row_count + 1);
	size_t completed = report_complete_rows(
		f->data, v->cells, s->rows, s->row_count, s->columns, s->column_count, complete);
	struct report_table *t =
		table_new(&f->data->keeper, s->name, s->column_count + 1, s->row_count + has_means);

	t->caption = keep_print(
		&f->data->keeper, "%s by %s and configuration", figure_axis(f, v), figure_row_word(f));
	t->feet = has_means;
	table_head(t, 0, figure_row_word(f), NULL, true);
	for (size_t c = 0; c < s->column_count; c++)
		table_head(t, c + 1, f->data->columns[s->columns[c]].label, NULL, false);
	for (size_t i = 0; i < s->row_count; i++) {
		table_text(t, i, 0, figure_row_name(f, s->rows[i]), NULL);
		for (size_t c = 0; c < s->column_count; c++)
			table_number(t, i, c + 1,
				v->cells[s->rows[i] * f->data->column_count + s->columns[c]],
				figure_point_link(f, s->rows[i], s->columns[c]));
	}
	if (has_means)
		table_means(f, v, t, complete, completed);
	return t;
}
