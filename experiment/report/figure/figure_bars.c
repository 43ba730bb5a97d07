/* experiment/report/figure/figure_bars.c -- bars: a group for each workload, a bar for each configuration,
 * suite by suite with means; first the means alone. A bar that is not there is a small cross on the axis; one
 * beyond the scale is cut, with its value written above. */
#include "experiment/report/figure/bars.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* -- which bars -- */

static const double *values_of(struct figure *f, const struct report_value *v, size_t row)
{
	double *values = keep_alloc(&f->data->keeper, (f->spec->column_count + 1) * sizeof(*values));

	for (size_t c = 0; c < f->spec->column_count; c++)
		values[c] = v->cells[f->spec->rows[row] * f->data->column_count + f->spec->columns[c]];
	return values;
}

static const double *means_of(struct bars *b, const struct row_group *group, const bool *complete)
{
	double *means =
		keep_alloc(&b->figure->data->keeper, (b->figure->spec->column_count + 1) * sizeof(*means));

	figure_means(b->figure, figure_mean_kind(b->figure, b->value), b->value->cells, group->first,
		group->count, complete, means);
	return means;
}

static void add_row(struct bars *b, size_t row, size_t suite)
{
	const struct figure *f = b->figure;

	b->clusters[b->count++] = (struct cluster){ .label = f->data->rows[f->spec->rows[row]].label,
		.values = values_of(b->figure, b->value, row),
		.suite = suite,
		.row = f->spec->rows[row] };
}

/* suite: NONE for all. */
static void add_mean(
	struct bars *b, const char *label, const struct row_group *group, const bool *complete, size_t suite)
{
	struct keeper *k = &b->figure->data->keeper;

	b->clusters[b->count++] = (struct cluster){ .label = label,
		.values = means_of(b, group, complete),
		.suite = suite,
		.row = NONE,
		.is_mean = true,
		.what = keep_print(k, "%s mean of %s",
			report_mean_names[figure_mean_kind(b->figure, b->value)],
			suite == NONE          ? "all"
				: *group->name ? group->name
					       : "those without a suite") };
}

static void collect_bars(struct bars *b, const bool *complete)
{
	struct figure *f = b->figure;
	struct row_group all = { "", 0, f->spec->row_count };
	bool has_means = figure_mean_kind(f, b->value) != MEAN_NONE;

	for (size_t s = 0; s < b->suite_count; s++) {
		for (size_t i = 0; i < b->suites[s].count; i++)
			add_row(b, b->suites[s].first + i, s);
		if (has_means && b->suites[s].count > 1 && b->suite_count > 1)
			add_mean(b, "mean", &b->suites[s], complete, s);
	}
	if (has_means && f->spec->row_count > 1)
		add_mean(b, b->suite_count > 1 ? "all" : "mean", &all, complete, NONE);
}

/* -- the axis -- */

static int ascending_positions(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The highest of sorted values; but where that is more than twice the 97th percentile, the highest that is
 * not. */
static double highest(const double *sorted, size_t n)
{
	double usual = n > 20 ? sorted[n * 97 / 100] : 0;
	size_t last = n;

	while (usual > 0 && sorted[last - 1] > 2 * usual)
		last--;
	return n ? sorted[last - 1] : 1;
}

static void choose_axis(struct bars *b, const struct cluster *clusters, size_t count)
{
	size_t columns = b->figure->spec->column_count, n = 0;
	double *values = xcalloc(count * columns + 1, sizeof(*values)), top, low;

	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < columns; c++)
			if (!isnan(clusters[i].values[c]))
				values[n++] = clusters[i].values[c];
	qsort(values, n, sizeof(*values), ascending_positions);
	low = !isnan(b->figure->spec->from) ? b->figure->spec->from : n && values[0] < 0 ? values[0] : 0;
	top = fmax(highest(values, n), 0);
	if (top <= low)
		top = low + 1;
	b->step = nice_step(top - low, 6);
	b->top = ceil(top / b->step - 1e-9) * b->step;
	b->low = isnan(b->figure->spec->from) ? floor(low / b->step + 1e-9) * b->step : low;
	b->has_cut |= n && values[n - 1] > b->top * (1 + 1e-9);
	free(values);
}

/* -- the figure -- */

/* The means of the suites and of all. */
static void draw_summary(struct bars *b)
{
	struct cluster *means = keep_alloc(&b->figure->data->keeper, (b->count + 1) * sizeof(*means));
	size_t n = 0;

	for (size_t i = 0; i < b->count; i++) {
		if (!b->clusters[i].is_mean && b->suites[b->clusters[i].suite].count > 1)
			continue;
		means[n] = b->clusters[i];
		if (means[n].suite == NONE)
			means[n].label = "all";
		else if (*b->suites[means[n].suite].name || means[n].is_mean)
			means[n].label =
				*b->suites[means[n].suite].name ? b->suites[means[n].suite].name : "other";
		means[n].is_mean = means[n].suite == NONE;
		n++;
	}
	choose_axis(b, means, n);
	bars_draw_panel(b, means, n, "-summary",
		keep_print(&b->figure->data->keeper, "Bars: %s, means by suite and over all %ss",
			figure_axis(b->figure, b->value), figure_row_word(b->figure)),
		false);
}

/* How many groups from the first on stand in one panel: whole suites, as many as there is room for; a suite
 * that has no room in any is cut into equal parts. */
static size_t panel_size(const struct bars *b, size_t first, size_t room)
{
	size_t end = first, whole = first;

	for (; end < b->count && (end - first < room || whole == first); end++)
		if (end + 1 == b->count || b->clusters[end + 1].suite != b->clusters[end].suite)
			whole = end + 1;
	end = end - first > room ? end - first : whole - first; /* a suite without room, or whole suites */
	return end <= room ? end : (end + (end + room - 1) / room - 1) / ((end + room - 1) / room);
}

static void draw_panels(struct bars *b)
{
	double least = (double)b->figure->spec->column_count * BARS_LEAST + BARS_GAP;
	size_t number = 0, size, panels = 0,
	       room = (size_t)fmax(1, (CANVAS_WIDTH - BARS_LEFT - BARS_RIGHT) / fmax(least, 17));

	for (size_t first = 0; first < b->count; first += size, panels++)
		size = panel_size(b, first, room);
	for (size_t first = 0; first < b->count; first += size) {
		size = panel_size(b, first, room);
		number++;
		bars_draw_panel(b, b->clusters + first, size,
			panels > 1 ? keep_print(&b->figure->data->keeper, "-%zu", number) : "",
			keep_print(&b->figure->data->keeper,
				"Bars: %s by %s and configuration, part %zu of %zu; the table below "
				"has the numbers",
				figure_axis(b->figure, b->value), figure_row_word(b->figure), number, panels),
			b->suite_count > 1 || *b->suites[0].name);
	}
}

static const char *bars_caption(const struct bars *b, const bool *complete, size_t completed)
{
	struct keeper *k = &b->figure->data->keeper;
	enum report_mean kind = figure_mean_kind(b->figure, b->value);
	size_t missing = 0;

	for (size_t i = 0; i < b->count; i++)
		for (size_t c = 0; c < b->figure->spec->column_count; c++)
			missing += !b->clusters[i].is_mean && isnan(b->clusters[i].values[c]);
	return keep_print(k, "%s%s%s%s%s%s%s", figure_value_text(b->figure, b->value),
		kind == MEAN_NONE ? ""
				  : keep_print(k, " Means are %s%s", report_mean_names[kind],
					    figure_incomplete_text(b->figure, complete, completed)),
		isnan(b->figure->spec->from)
			? ""
			: keep_print(k, " The axis begins at %s, not at 0: lengths of bars do not compare.",
				  number_short(k, b->figure->spec->from)),
		b->low95 ? " Lines across the ends of bars are 95 % intervals." : "",
		b->has_cut ? " Bars that go beyond the scale are cut, with their values above." : "",
		missing ? keep_print(k, " A cross stands where there is no value (%zu).", missing) : "",
		b->figure->spec->selection);
}

/* Those of a statistic of runs of which a sample was timed. */
static void find_intervals(struct bars *b)
{
	struct report_data *d = b->figure->data;
	const char *low = keep_print(&d->keeper, "%s::low95", b->value->name),
		   *high = keep_print(&d->keeper, "%s::high95", b->value->name);
	struct diag_list diags;

	if (b->value->is_derived || b->value->is_ratio || !report_has_value(d, low) ||
		!report_has_value(d, high))
		return;
	diag_init(&diags);
	b->low95 = report_value_get(d, low, false, NULL, &diags);
	b->high95 = report_value_get(d, high, false, NULL, &diags);
	diag_fini(&diags);
	if (!b->high95)
		b->low95 = NULL;
}

static bool bars_draw(struct figure *f, struct diag_list *diags)
{
	struct bars b = { .figure = f };
	bool *complete = keep_alloc(&f->data->keeper, f->spec->row_count + 1);
	size_t completed;

	b.value =
		report_value_get(f->data, f->spec->values[0], f->spec->normalise, &f->spec->location, diags);
	if (!b.value)
		return false;
	b.suites = figure_suites(f, &b.suite_count);
	find_intervals(&b);
	b.clusters =
		keep_alloc(&f->data->keeper, (f->spec->row_count + b.suite_count + 1) * sizeof(*b.clusters));
	completed = report_complete_rows(f->data, b.value->cells, f->spec->rows, f->spec->row_count,
		f->spec->columns, f->spec->column_count, complete);
	collect_bars(&b, complete);
	f->title = f->spec->title ? f->spec->title : figure_axis(f, b.value);
	if (!figure_has_values(f, b.value->cells)) {
		f->caption = keep_print(&f->data->keeper, "%s No point has a value.%s",
			figure_value_text(f, b.value), f->spec->selection);
		return true;
	}
	if (b.suite_count > 1 && figure_mean_kind(f, b.value) != MEAN_NONE)
		draw_summary(&b);
	choose_axis(&b, b.clusters, b.count);
	draw_panels(&b);
	f->caption = bars_caption(&b, complete, completed);
	figure_add_table(f, figure_value_table(f, b.value));
	return true;
}

const struct figure_kind figure_bars = {
	.name = "bars",
	.help = "a bar for each configuration and workload, with means",
	.least_values = 1,
	.most_values = 1,
	.draw = bars_draw,
};
