/* experiment/report/figure/bars_panel.c -- one panel of bars: where each bar, label and legend stands. */
#include "experiment/report/figure/bars.h"
#include <math.h>

struct panel {
	struct bars *bars;
	struct canvas *canvas;
	const struct cluster *clusters;
	size_t count;
	double left, top, bottom, cluster, bar; /* pixels */
	bool turned;                            /* the labels */
};

static double middle(const struct panel *p, size_t cluster, size_t column)
{
	size_t columns = p->bars->figure->spec->column_count;

	return (double)cluster + 0.5 + ((double)column + 0.5 - (double)columns / 2) * p->bar / p->cluster;
}

/* Values, a line for each group; then, as a second block, where bars are not there. */
static void write_bar_data(const struct panel *p)
{
	FILE *to = p->canvas->data.stream;
	size_t columns = p->bars->figure->spec->column_count;

	fputs("# group", to);
	for (size_t c = 0; c < columns; c++) {
		fputc(' ', to);
		print_data(to, p->bars->figure->data->columns[p->bars->figure->spec->columns[c]].label);
	}
	fputc('\n', to);
	for (size_t i = 0; i < p->count; i++) {
		print_data(to, p->clusters[i].label);
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
				fprintf(to, "%.4f %.6g\n", middle(p, i, c),
					p->bars->low + (p->bars->top - p->bars->low) * 0.02);
}

/* Ends of the interval of a bar; false: it has none. */
static bool interval_of(const struct panel *p, size_t cluster, size_t column, double *low, double *high)
{
	const struct figure *f = p->bars->figure;
	size_t row = p->clusters[cluster].row, cell;

	if (!p->bars->low95 || row == NONE)
		return false;
	cell = row * f->data->column_count + f->spec->columns[column];
	*low = p->bars->low95->cells[cell];
	*high = p->bars->high95->cells[cell];
	return !isnan(*low) && !isnan(*high) && *low < *high;
}

/* A third block: intervals. Returns whether there are any. */
static bool write_intervals(const struct panel *p)
{
	FILE *to = p->canvas->data.stream;
	bool any = false;
	double low, high;

	for (size_t i = 0; i < p->count; i++)
		for (size_t c = 0; c < p->bars->figure->spec->column_count; c++) {
			if (!interval_of(p, i, c, &low, &high))
				continue;
			fputs(any ? "" : "\n\n# 95 % intervals\n", to);
			fprintf(to, "%.4f %.9g %.9g %.9g\n", middle(p, i, c), p->clusters[i].values[c], low,
				high);
			any = true;
		}
	return any;
}

static void label_clusters(const struct panel *p)
{
	for (size_t i = 0; i < p->count; i++) {
		double x = p->left + ((double)i + 0.5) * p->cluster;

		canvas_label(p->canvas, x + (p->turned ? 3 : 0), p->bottom + 12,
			p->turned ? ANCHOR_RIGHT : ANCHOR_CENTRE, SMALL_SIZE, p->turned ? 45 : 0,
			p->clusters[i].is_mean ? "#000000" : "#333333", p->clusters[i].label);
		if (p->clusters[i].is_mean)
			canvas_box(p->canvas, x - p->cluster / 2, p->top, x + p->cluster / 2, p->bottom,
				"#ececec");
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
		canvas_label(p->canvas, x + (double)(end - i) * p->cluster / 2, y, ANCHOR_CENTRE, SMALL_SIZE,
			0, NULL,
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

/* A field as high as the plot for each bar, also for those that are not there. */
static void add_bar_fields(const struct panel *p)
{
	const struct figure *f = p->bars->figure;
	size_t columns = f->spec->column_count;

	p->canvas->fields_a_line = columns;
	for (size_t i = 0; i < p->count; i++)
		for (size_t c = 0; c < columns; c++) {
			double x = p->left + middle(p, i, c) * p->cluster;
			struct canvas_box box = { x - p->bar / 2, p->top, x + p->bar / 2, p->bottom };
			const struct cluster *group = &p->clusters[i];
			const char *text = figure_exact(f, p->bars->value, group->values[c]);

			if (group->row == NONE)
				figure_mean_field(f, p->canvas, box, group->what, f->spec->columns[c], text);
			else
				figure_point_field(f, p->canvas, box, group->row, f->spec->columns[c], text);
		}
}

static bool has_bar(const struct panel *p, size_t column)
{
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(p->clusters[i].values[column]))
			return true;
	return false;
}

static void write_bar_plot(const struct panel *p, bool has_intervals)
{
	const struct figure *f = p->bars->figure;
	const struct figure_spec *s = f->spec;
	FILE *to = p->canvas->script.stream;

	fprintf(to,
		"set xrange [0:%zu]\nset yrange [%.9g:%.9g]\nset ytics %.9g format '%%g'\nset grid ytics "
		"linetype 1 linewidth 0.5 linecolor '#d0d0d0'\n",
		p->count, p->bars->low, p->bars->top, p->bars->step);
	fprintf(to, "unset xtics\nset style fill solid 1 border linecolor '#333333'\nset boxwidth %.5f\n",
		p->bar / p->cluster);
	if (p->bars->low < 0)
		fputs("set xzeroaxis linetype 1 linewidth 1 linecolor '#000000'\n", to);
	if (p->bars->value->is_ratio)
		fputs("set arrow from graph 0, first 1 to graph 1, first 1 nohead front linecolor '#000000' "
		      "linewidth 1 dashtype 2\n",
			to);
	fprintf(to, "data = '%s.dat'\nplot ", p->canvas->name);
	for (size_t c = 0; c < s->column_count; c++) {
		if (!has_bar(p, c))
			continue;
		fprintf(to,
			"data index 0 using ($0 + %.5f):%zu with boxes fillcolor '%s' linewidth 0.5 title ",
			middle(p, 0, c), c + 2, figure_colour(f, s->columns[c]));
		print_gnuplot(to, f->data->columns[s->columns[c]].label);
		fputs(", \\\n\t", to);
	}
	if (has_intervals)
		fputs("data index 2 using 1:2:3:4 with yerrorbars pointtype 0 linecolor '#000000' notitle, "
		      "\\\n\t",
			to);
	fputs("data index 1 using 1:2 with points pointtype 2 pointsize 0.45 linecolor '#555555' title 'no "
	      "value'\n",
		to);
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

void bars_draw_panel(struct bars *b, const struct cluster *clusters, size_t count, const char *suffix,
	const char *alt, bool with_suites)
{
	struct figure *f = b->figure;
	struct legend_entry *legend = figure_legend(f);
	size_t columns = f->spec->column_count;
	double cluster = fmin((CANVAS_WIDTH - BARS_LEFT - BARS_RIGHT) / (double)count,
		(double)columns * BARS_MOST + 3 * BARS_GAP);
	struct panel p = {
		.bars = b, .clusters = clusters, .count = count, .left = BARS_LEFT, .cluster = cluster
	};
	double width, legend_height, widest = widest_label(clusters, count);

	p.cluster = fmax(p.cluster, count < 4 ? 90 : 0);
	p.turned = widest > p.cluster - 4;
	for (size_t i = 0; i < count && p.turned; i++)
		p.left = fmax(p.left, figure_overhang(clusters[i].label, i, p.cluster));
	p.cluster = fmin(p.cluster, (CANVAS_WIDTH - p.left - BARS_RIGHT) / (double)count);
	width = fmax(p.left + BARS_RIGHT + p.cluster * (double)count, 560);
	p.bar = fmin((p.cluster - fmax(BARS_GAP, p.cluster * 0.18)) / (double)columns, BARS_MOST * 2.5);
	legend_height = columns > 1
		? canvas_legend(NULL, p.left, 6, width - p.left - BARS_RIGHT, legend, columns)
		: 0;
	p.top = 8 + legend_height + (is_cut(&p) ? 36 : 0) + (with_suites ? 22 : 6);
	p.bottom = p.top + BARS_HEIGHT;
	p.canvas = canvas_new(&f->data->keeper, keep_print(&f->data->keeper, "%s%s", f->spec->name, suffix),
		width, p.bottom + (p.turned ? 18 + widest * 0.71 : 26));
	p.canvas->alt = alt;
	if (columns > 1)
		canvas_legend(p.canvas, p.left, 6, width - p.left - BARS_RIGHT, legend, columns);
	canvas_label(p.canvas, p.left - BARS_LEFT + 12, (p.top + p.bottom) / 2, ANCHOR_CENTRE, SMALL_SIZE, 90,
		NULL, text_fit(&f->data->keeper, figure_axis(f, b->value), SMALL_SIZE, BARS_HEIGHT + 20));
	label_clusters(&p);
	if (with_suites)
		label_suites(&p, p.top - 9);
	label_cut(&p);
	canvas_area(p.canvas, p.left, p.top, p.left + p.cluster * (double)count, p.bottom);
	write_bar_data(&p);
	write_bar_plot(&p, write_intervals(&p));
	add_bar_fields(&p);
	figure_add_panel(f, p.canvas);
}
