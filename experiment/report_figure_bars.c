/* experiment/report_figure_bars.c -- bars: a group for each workload, a bar for each configuration, suite by suite with means; first the
 * means alone. A bar that is not there is a small cross on the axis; one beyond the scale is cut, with its value written above. */
#include "experiment/report_figure.h"
#include "sim/xalloc.h"
#include <math.h>

#define LEFT 64.0
#define RIGHT 12.0
#define PLOT 220.0             /* height */
#define LEAST_BAR 5.0
#define MOST_BAR 16.0
#define GAP 8.0                /* between groups */

/* A group of bars on the axis. */
struct cluster {
	const char *label;
	const double *values;   /* by column of the figure */
	size_t suite;           /* which suite it belongs to; NONE: all of them */
	bool is_mean;
};

struct bars {
	struct figure *figure;
	const struct report_value *value;
	const struct row_group *suites;
	struct cluster *clusters;
	size_t count, suite_count;
	double low, top, step;  /* of the axis */
	bool has_cut;           /* a bar beyond it, in some panel */
};

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
	double *means = keep_alloc(&b->figure->data->keeper, (b->figure->spec->column_count + 1) * sizeof(*means));

	figure_means(b->figure, figure_mean_kind(b->figure, b->value), b->value->cells, group->first, group->count, complete, means);
	return means;
}

static void add(struct bars *b, const char *label, const double *values, size_t suite, bool is_mean)
{
	b->clusters[b->count++] = (struct cluster){ label, values, suite, is_mean };
}

static void collect(struct bars *b, const bool *complete)
{
	struct figure *f = b->figure;
	struct row_group all = { "", 0, f->spec->row_count };
	bool has_means = figure_mean_kind(f, b->value) != MEAN_NONE;

	for (size_t s = 0; s < b->suite_count; s++) {
		for (size_t i = 0; i < b->suites[s].count; i++)
			add(b, f->data->rows[f->spec->rows[b->suites[s].first + i]].label, values_of(f, b->value, b->suites[s].first + i),
				s, false);
		if (has_means && b->suites[s].count > 1 && b->suite_count > 1)
			add(b, "mean", means_of(b, &b->suites[s], complete), s, true);
	}
	if (has_means && f->spec->row_count > 1)
		add(b, b->suite_count > 1 ? "all" : "mean", means_of(b, &all, complete), NONE, true);
}

/* -- the axis -- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The highest of sorted values; but where that is more than twice the 97th percentile, the highest that is not. */
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
	qsort(values, n, sizeof(*values), by_size);
	low = n && values[0] < 0 ? values[0] : 0;
	top = fmax(highest(values, n), 0);
	if (top <= low)
		top = low + 1;
	b->step = nice_step(top - low, 6);
	b->top = ceil(top / b->step - 1e-9) * b->step;
	b->low = floor(low / b->step + 1e-9) * b->step;
	b->has_cut |= n && values[n - 1] > b->top * (1 + 1e-9);
	free(values);
}

/* -- one panel -- */

struct panel {
	struct bars *bars;
	struct canvas *canvas;
	const struct cluster *clusters;
	size_t count;
	double left, top, bottom, cluster, bar;   /* pixels */
	bool turned;                              /* the labels */
};

static double middle(const struct panel *p, size_t cluster, size_t column)
{
	size_t columns = p->bars->figure->spec->column_count;

	return (double)cluster + 0.5 + ((double)column + 0.5 - (double)columns / 2) * p->bar / p->cluster;
}

/* Values, a line for each group; then, as a second block, where bars are not there. */
static void write_data(const struct panel *p)
{
	FILE *to = p->canvas->data.stream;
	size_t columns = p->bars->figure->spec->column_count;

	fputs("# group", to);
	for (size_t c = 0; c < columns; c++)
		fprintf(to, " \"%s\"", p->bars->figure->data->columns[p->bars->figure->spec->columns[c]].label);
	fputc('\n', to);
	for (size_t i = 0; i < p->count; i++) {
		fprintf(to, "\"%s\"", p->clusters[i].label);
		for (size_t c = 0; c < columns; c++)
			if (isnan(p->clusters[i].values[c]))
				fputs(" NaN", to);
			else
				fprintf(to, " %.9g", p->clusters[i].values[c]);
		fputc('\n', to);
	}
	fputs("\n\n# missing\n-1 -1\n", to);
	for (size_t i = 0; i < p->count; i++)
		for (size_t c = 0; c < columns; c++)
			if (isnan(p->clusters[i].values[c]))
				fprintf(to, "%.4f %.6g\n", middle(p, i, c), p->bars->low + (p->bars->top - p->bars->low) * 0.02);
}

static void label_clusters(const struct panel *p)
{
	for (size_t i = 0; i < p->count; i++) {
		double x = p->left + ((double)i + 0.5) * p->cluster;

		canvas_label(p->canvas, x + (p->turned ? 3 : 0), p->bottom + 12, p->turned ? ANCHOR_RIGHT : ANCHOR_CENTRE, SMALL_SIZE,
			p->turned ? 45 : 0, p->clusters[i].is_mean ? "#000000" : "#333333", p->clusters[i].label);
		if (p->clusters[i].is_mean)
			canvas_box(p->canvas, x - p->cluster / 2, p->top, x + p->cluster / 2, p->bottom, "#ececec");
	}
}

/* The suites' names above their groups, with lines between them. */
static void label_suites(const struct panel *p, double y)
{
	const struct figure *f = p->bars->figure;

	for (size_t i = 0, end; i < p->count; i = end) {
		double x = p->left + (double)i * p->cluster;
		const char *name;

		for (end = i + 1; end < p->count && p->clusters[end].suite == p->clusters[i].suite;)
			end++;
		name = p->clusters[i].suite == NONE ? "" : p->bars->suites[p->clusters[i].suite].name;
		canvas_label(p->canvas, x + (double)(end - i) * p->cluster / 2, y, ANCHOR_CENTRE, SMALL_SIZE, 0, NULL,
			text_fit(&f->data->keeper, name, SMALL_SIZE, (double)(end - i) * p->cluster - 4));
		if (i)
			canvas_line(p->canvas, x, p->top - 16, x, p->bottom + 4, "#999999");
	}
}

/* Values of bars beyond the axis, upright above them, moved apart. */
static void label_cut(const struct panel *p)
{
	double free_from = 0;

	for (size_t i = 0; i < p->count; i++)
		for (size_t c = 0; c < p->bars->figure->spec->column_count; c++) {
			double value = p->clusters[i].values[c], x = p->left + middle(p, i, c) * p->cluster;

			if (isnan(value) || value <= p->bars->top * (1 + 1e-9))
				continue;
			x = x < free_from ? free_from : x;
			canvas_label(p->canvas, x, p->top - 18, ANCHOR_LEFT, 10, 90, "#333333",
				number_short(&p->bars->figure->data->keeper, value));
			free_from = x + 13;
		}
}

static bool has_bar(const struct panel *p, size_t column)
{
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(p->clusters[i].values[column]))
			return true;
	return false;
}

static void write_plot(const struct panel *p)
{
	const struct figure *f = p->bars->figure;
	const struct figure_spec *s = f->spec;
	FILE *to = p->canvas->script.stream;

	fprintf(to, "set xrange [0:%zu]\nset yrange [%.9g:%.9g]\nset ytics %.9g format '%%g'\nset grid ytics linetype 1 linewidth 0.5 linecolor '#d0d0d0'\n", p->count,
		p->bars->low, p->bars->top, p->bars->step);
	fprintf(to, "unset xtics\nset style fill solid 1 border linecolor '#333333'\nset boxwidth %.5f\n", p->bar / p->cluster);
	if (p->bars->low < 0)
		fputs("set xzeroaxis linetype 1 linewidth 1 linecolor '#000000'\n", to);
	if (p->bars->value->is_ratio)
		fputs("set arrow from graph 0, first 1 to graph 1, first 1 nohead front linecolor '#000000' linewidth 1 dashtype 2\n", to);
	fprintf(to, "data = '%s.dat'\nplot ", p->canvas->name);
	for (size_t c = 0; c < s->column_count; c++) {
		if (!has_bar(p, c))
			continue;
		fprintf(to, "data index 0 using ($0 + %.5f):%zu with boxes fillcolor '%s' linewidth 0.5 title ",
			middle(p, 0, c), c + 2, figure_colour(f, s->columns[c]));
		print_gnuplot(to, f->data->columns[s->columns[c]].label);
		fputs(", \\\n\t", to);
	}
	fputs("data index 1 using 1:2 with points pointtype 2 pointsize 0.45 linecolor '#555555' title 'no value'\n", to);
}

static bool is_cut(const struct panel *p)
{
	for (size_t i = 0; i < p->count; i++)
		for (size_t c = 0; c < p->bars->figure->spec->column_count; c++)
			if (p->clusters[i].values[c] > p->bars->top * (1 + 1e-9))
				return true;
	return false;
}

static double widest_label(const struct cluster *clusters, size_t count)
{
	double widest = 0;

	for (size_t i = 0; i < count; i++)
		widest = fmax(widest, text_width(clusters[i].label, SMALL_SIZE));
	return widest;
}

static void draw_panel(struct bars *b, const struct cluster *clusters, size_t count, const char *suffix, const char *alt, bool with_suites)
{
	struct figure *f = b->figure;
	struct legend_entry *legend = figure_legend(f);
	size_t columns = f->spec->column_count;
	double cluster = fmin((CANVAS_WIDTH - LEFT - RIGHT) / (double)count, (double)columns * MOST_BAR + 3 * GAP);
	struct panel p = { .bars = b, .clusters = clusters, .count = count, .left = LEFT, .cluster = cluster };
	double width, legend_height, widest = widest_label(clusters, count);

	p.cluster = fmax(p.cluster, count < 4 ? 90 : 0);
	p.turned = widest > p.cluster - 4;
	for (size_t i = 0; i < count && p.turned; i++)
		p.left = fmax(p.left, figure_overhang(clusters[i].label, i, p.cluster));
	p.cluster = fmin(p.cluster, (CANVAS_WIDTH - p.left - RIGHT) / (double)count);
	width = fmax(p.left + RIGHT + p.cluster * (double)count, 560);
	p.bar = fmin((p.cluster - fmax(GAP, p.cluster * 0.18)) / (double)columns, MOST_BAR * 2.5);
	legend_height = columns > 1 ? canvas_legend(NULL, p.left, 6, width - p.left - RIGHT, legend, columns) : 0;
	p.top = 8 + legend_height + (is_cut(&p) ? 36 : 0) + (with_suites ? 22 : 6);
	p.bottom = p.top + PLOT;
	p.canvas = canvas_new(&f->data->keeper, keep_print(&f->data->keeper, "%s%s", f->spec->name, suffix), width,
		p.bottom + (p.turned ? 18 + widest * 0.71 : 26));
	p.canvas->alt = alt;
	if (columns > 1)
		canvas_legend(p.canvas, p.left, 6, width - p.left - RIGHT, legend, columns);
	canvas_label(p.canvas, p.left - LEFT + 12, (p.top + p.bottom) / 2, ANCHOR_CENTRE, SMALL_SIZE, 90, NULL,
		text_fit(&f->data->keeper, figure_axis(f, b->value), SMALL_SIZE, PLOT + 20));
	label_clusters(&p);
	if (with_suites)
		label_suites(&p, p.top - 9);
	label_cut(&p);
	canvas_area(p.canvas, p.left, p.top, p.left + p.cluster * (double)count, p.bottom);
	write_data(&p);
	write_plot(&p);
	figure_add_panel(f, p.canvas);
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
			means[n].label = *b->suites[means[n].suite].name ? b->suites[means[n].suite].name : "other";
		means[n].is_mean = means[n].suite == NONE;
		n++;
	}
	choose_axis(b, means, n);
	draw_panel(b, means, n, "-summary", keep_print(&b->figure->data->keeper, "Bars: %s, means by suite and over all workloads",
		figure_axis(b->figure, b->value)), false);
}

/* How many groups from the first on stand in one panel: whole suites, as many as there is room for; a suite that has no room in any is
 * cut into equal parts. */
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
	double least = (double)b->figure->spec->column_count * LEAST_BAR + GAP;
	size_t room = (size_t)((CANVAS_WIDTH - LEFT - RIGHT) / fmax(least, 17)), number = 0, size, panels = 0;

	for (size_t first = 0; first < b->count; first += size, panels++)
		size = panel_size(b, first, room);
	for (size_t first = 0; first < b->count; first += size) {
		size = panel_size(b, first, room);
		number++;
		draw_panel(b, b->clusters + first, size, panels > 1 ? keep_print(&b->figure->data->keeper, "-%zu", number) : "",
			keep_print(&b->figure->data->keeper, "Bars: %s by workload and configuration, part %zu of %zu; the table below has the numbers",
				figure_axis(b->figure, b->value), number, panels), b->suite_count > 1 || *b->suites[0].name);
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
	return keep_print(k, "%s%s%s%s%s", figure_value_text(b->figure, b->value),
		kind == MEAN_NONE ? "" : keep_print(k, " Means are %s%s", report_mean_names[kind], figure_incomplete_text(b->figure, complete, completed)),
		b->has_cut ? " Bars that go beyond the scale are cut, with their values above." : "",
		missing ? keep_print(k, " A cross stands where there is no value (%zu).", missing) : "", b->figure->spec->selection);
}

static bool draw(struct figure *f, struct diag_list *diags)
{
	struct bars b = { .figure = f };
	bool *complete = keep_alloc(&f->data->keeper, f->spec->row_count + 1);
	size_t completed;

	b.value = report_value_get(f->data, f->spec->values[0], f->spec->normalise, &f->spec->place, diags);
	if (!b.value)
		return false;
	b.suites = figure_suites(f, &b.suite_count);
	b.clusters = keep_alloc(&f->data->keeper, (f->spec->row_count + b.suite_count + 1) * sizeof(*b.clusters));
	completed = report_complete_rows(f->data, b.value->cells, f->spec->rows, f->spec->row_count, f->spec->columns, f->spec->column_count, complete);
	collect(&b, complete);
	f->title = f->spec->title ? f->spec->title : figure_axis(f, b.value);
	if (!figure_has_values(f, b.value->cells)) {
		f->caption = keep_print(&f->data->keeper, "%s No point has a value.%s", figure_value_text(f, b.value), f->spec->selection);
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
	.name = "bars", .help = "a bar for each configuration and workload, with means", .least_values = 1, .most_values = 1, .draw = draw,
};
