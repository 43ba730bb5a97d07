/* experiment/report/page/about.c -- what a report says beside its figures: means by configuration, failures,
 * where each point comes from. */
#include "experiment/report/internal.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define INLINE_DIFFERENCES 3

/* -- means by configuration -- */

static const char **mean_names(struct report *r, size_t *count, struct diag_list *diags)
{
	const char **names = report_derived_names(r->data, diags);
	static const char *usual[] = { "gpu.ipc", NULL };

	if (!*names && report_has_value(r->data, usual[0]))
		names = usual;
	for (*count = 0; names[*count];)
		++*count;
	return names;
}

/* A column of the table of means; whether they are over all workloads (or kernels). */
static bool mean_column(
	struct report *r, struct report_table *t, size_t column, const char *name, struct diag_list *diags)
{
	struct figure_spec *s;
	struct figure_specs specs = { 0 };
	struct figure f = { .data = r->data };
	struct report_value *v = report_value_get(r->data, name, false, NULL, diags);
	bool *complete = keep_alloc(&r->data->keeper, r->data->row_count + 1);
	double *means = keep_alloc(&r->data->keeper, (r->data->column_count + 1) * sizeof(*means));
	size_t completed;

	if (!v)
		return false;
	f.spec = s = figure_spec_add(&specs, r->data, figure_kinds[0]);
	figure_spec_rows(s, r->data, v->of_kernels);
	completed = report_complete_rows(
		r->data, v->cells, s->rows, s->row_count, s->columns, s->column_count, complete);
	figure_means(&f, v->mean, v->cells, 0, s->row_count, complete, means);
	table_head(t, column,
		keep_print(&r->data->keeper, "%s, %s mean of %zu", name,
			report_mean_names[v->mean == MEAN_NONE ? MEAN_ARITHMETIC : v->mean], completed),
		v->unit, false);
	for (size_t c = 0; c < r->data->column_count; c++)
		table_number(t, c, column, means[c], NULL);
	return completed == s->row_count;
}

static void make_means(struct report *r, struct diag_list *diags)
{
	struct report_data *d = r->data;
	size_t count;
	const char **names = mean_names(r, &count, diags);

	r->mean_names = names;
	r->mean_count = count;
	r->means = table_new(&d->keeper, "summary", count + 2, d->column_count);
	r->means->caption = d->of_kernels_count ? "Means over all workloads (or kernels) by configuration"
						: "Means over all workloads by configuration";
	table_head(r->means, 0, "configuration", NULL, true);
	table_head(r->means, 1, "points done", NULL, false);
	for (size_t c = 0; c < d->column_count; c++) {
		size_t done = 0, all = 0;

		for (size_t i = 0; i < d->point_count; i++) {
			all += d->points[i].column == c;
			done += d->points[i].column == c && d->points[i].state == POINT_DONE;
		}
		table_text(r->means, c, 0,
			d->columns[c].baseline == c
				? keep_print(&d->keeper, "%s (baseline)", d->columns[c].label)
				: d->columns[c].label,
			NULL);
		table_text(r->means, c, 1,
			done == all ? keep_print(&d->keeper, "%zu", done)
				    : keep_print(&d->keeper, "%zu of %zu", done, all),
			NULL);
	}
	for (size_t i = 0; i < count; i++)
		r->means_leave_out |= !mean_column(r, r->means, i + 2, names[i], diags);
}

/* -- points -- */

static const char *workload_text(const struct report_data *d, struct keeper *k, const struct report_point *p)
{
	const struct report_row *row = &d->rows[p->row];

	return keep_print(k, "%s %s", row->workload, row->size);
}

static void make_failures(struct report *r)
{
	struct report_data *d = r->data;
	struct report_table *t;
	size_t row = 0;

	if (!d->failed)
		return;
	t = r->failures = table_new(&d->keeper, "failures", 5, d->failed);
	t->caption = "Points that failed";
	t->pages_only = true;
	table_head(t, 0, "point", NULL, false);
	table_head(t, 1, "workload", NULL, true);
	table_head(t, 2, "configuration", NULL, true);
	table_head(t, 3, "attempts", NULL, false);
	table_head(t, 4, "message", NULL, true);
	for (size_t i = 0; i < d->point_count; i++) {
		const struct report_point *p = &d->points[i];

		if (p->state != POINT_FAILED)
			continue;
		table_number(t, row, 0, (double)p->number, keep_print(&d->keeper, "p%lld", p->number));
		table_text(t, row, 1, workload_text(d, &d->keeper, p), NULL);
		table_text(t, row, 2, d->columns[p->column].label, NULL);
		table_number(t, row, 3, (double)p->attempts, NULL);
		table_text(t, row++, 4, p->message, NULL);
	}
}

static const char *differences_text(struct report *r, const struct report_config *c)
{
	const char *text = "";

	if (!c->count)
		return "–";
	if (c->count > INLINE_DIFFERENCES)
		return keep_print(&r->data->keeper, "%zu parameters", c->count);
	for (size_t i = 0; i < c->count; i++)
		text = keep_print(&r->data->keeper, "%s%s%s", text, i ? "; " : "", c->differences[i]);
	return text;
}

static const char *cell_text(const struct report_table *t, size_t row, size_t column)
{
	const struct report_cell *c = &t->cells[row * t->columns + column];

	return c->text ? c->text : isnan(c->number) ? "" : NULL;
}

/* The page has seed, host and build only where they differ. */
static void hide_same(struct report_table *t, size_t column)
{
	t->heads[column].off_page = true;
	for (size_t i = 0; i < t->rows; i++) {
		const char *first = cell_text(t, 0, column), *text = cell_text(t, i, column);

		if (!first || !text || strcmp(first, text) != 0)
			t->heads[column].off_page = false;
	}
}

static void make_points(struct report *r)
{
	static const char *const heads[] = { "point", "workload", "seed", "configuration",
		"differs from the baseline's in", "state", "attempts", "seconds", "host", "build",
		"command" };
	static const bool texts[] = { false, true, false, true, true, true, false, false, true, true, true };
	static const char *const states[] = { "not run", "done", "failed" };
	struct report_data *d = r->data;
	struct report_table *t = r->points = table_new(&d->keeper, "points", 11, d->point_count);

	t->caption = "Where each point comes from";
	t->pages_only = true;
	for (size_t c = 0; c < 11; c++)
		table_head(t, c, heads[c], NULL, texts[c]);
	for (size_t i = 0; i < d->point_count; i++) {
		const struct report_point *p = &d->points[i];
		const struct report_config *c = report_config_of(r, p->config);

		table_number(t, i, 0, (double)p->number, NULL);
		table_text(t, i, 1, workload_text(d, &d->keeper, p), NULL);
		table_number(t, i, 2, p->has_seed ? (double)p->seed : NAN, NULL);
		table_text(t, i, 3, d->columns[p->column].label, c->anchor);
		table_text(t, i, 4, differences_text(r, c), NULL);
		table_text(t, i, 5, states[p->state], NULL);
		table_number(t, i, 6, (double)p->attempts, NULL);
		table_number(t, i, 7, p->attempts ? p->seconds : NAN, NULL);
		table_text(t, i, 8, p->host, NULL);
		table_text(t, i, 9, keep_print(&d->keeper, "%s %s", p->version, p->build), NULL);
		table_text(t, i, 10, p->command, NULL);
	}
	t->heads[10].is_code = true;
	hide_same(t, 2);
	hide_same(t, 8);
	hide_same(t, 9);
}

bool report_about(struct report *r, struct diag_list *diags)
{
	report_collect_configs(r, diags);
	make_means(r, diags);
	make_failures(r);
	make_points(r);
	return !diags->errors;
}
