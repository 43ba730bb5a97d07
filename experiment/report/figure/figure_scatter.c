/* experiment/report/figure/figure_scatter.c -- one value against another, a mark for each workload and
 * configuration. */
#include "experiment/report/figure/figure.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define WIDTH 860.0
#define PLOT  420.0

struct axis {
	double low, high, step;
	bool logarithmic;
};

static bool is_shown(const struct figure *f, const struct report_value *y, size_t column)
{
	return !y->is_ratio || f->data->columns[column].baseline != column; /* it is 1 */
}

/* Logarithmic where all values are above 0 and the largest is 50 times the smallest (of ratios 8). */
static struct axis choose_axis(
	const struct figure *f, const struct report_value *v, const struct report_value *y)
{
	const struct figure_spec *s = f->spec;
	double least = INFINITY, most = -INFINITY;
	struct axis a = { 0 };

	for (size_t i = 0; i < s->row_count; i++)
		for (size_t c = 0; c < s->column_count; c++) {
			double value = v->cells[s->rows[i] * f->data->column_count + s->columns[c]];

			if (isnan(value) || !is_shown(f, y, s->columns[c]))
				continue;
			least = fmin(least, value);
			most = fmax(most, value);
		}
	if (least > most)
		return (struct axis){ 0, 1, 0.2, false };
	a.logarithmic = least > 0 && most / least > (v->is_ratio ? 8 : 50);
	if (a.logarithmic) {
		a.low = pow(10, floor(log10(least * 0.8)));
		a.high = pow(10, ceil(log10(most * 1.25)));
		return a;
	}
	if (!v->is_ratio || least < 0.3)
		least = fmin(least, 0);
	a.step = nice_step(most > least ? most - least : fabs(most) + 1, 7);
	a.low = floor(least / a.step) * a.step;
	a.high = ceil(most / a.step + 0.02) * a.step;
	return a;
}

static void write_axis(const struct axis *a, char axis, FILE *to)
{
	fprintf(to, "set %crange [%.9g:%.9g]\n", axis, a->low, a->high);
	if (a->logarithmic)
		fprintf(to, "set logscale %c\nset %ctics format '%%g'\n", axis, axis);
	else
		fprintf(to, "set %ctics %.9g format '%%g'\n", axis, a->step);
}

/* A block for each configuration: x, y, workload. Returns how many marks there are. */
static size_t write_scatter_data(const struct figure *f, const struct report_value *x,
	const struct report_value *y, struct canvas *canvas)
{
	const struct figure_spec *s = f->spec;
	size_t marks = 0;

	for (size_t c = 0; c < s->column_count; c++) {
		fputs("# ", canvas->data.stream);
		print_data(canvas->data.stream, f->data->columns[s->columns[c]].label);
		fputc('\n', canvas->data.stream);
		for (size_t i = 0; i < s->row_count; i++) {
			size_t at = s->rows[i] * f->data->column_count + s->columns[c];

			if (isnan(x->cells[at]) || isnan(y->cells[at]))
				continue;
			marks++;
			fprintf(canvas->data.stream, "%.9g %.9g ", x->cells[at], y->cells[at]);
			print_data(canvas->data.stream, figure_row_name(f, s->rows[i]));
			fputc('\n', canvas->data.stream);
		}
		fputs("NaN NaN\n\n\n", canvas->data.stream);
	}
	return marks;
}

/* A shape and a hue for what differs, filled and open ones for the levels of the last factor, so that marks
 * over each other are seen. */
static unsigned mark_of_column(const struct figure *f, size_t column)
{
	static const unsigned filled[] = { 7, 5, 9, 13, 11 }, open[] = { 6, 4, 8, 12, 10 };
	struct column_look look = figure_look(f, column);

	return look.tint == 0    ? filled[look.hue % 5]
		: look.tint == 1 ? open[look.hue % 5]
				 : 1 + (unsigned)look.hue % 3;
}

static const char *mark_colour(const struct figure *f, size_t column)
{
	return canvas_colour(&f->data->keeper, figure_look(f, column).hue, 1);
}

static bool has_mark(
	const struct figure *f, const struct report_value *x, const struct report_value *y, size_t column)
{
	for (size_t i = 0; i < f->spec->row_count; i++) {
		size_t at = f->spec->rows[i] * f->data->column_count + column;

		if (!isnan(x->cells[at]) && !isnan(y->cells[at]))
			return true;
	}
	return false;
}

static void write_scatter_plot(const struct figure *f, const struct report_value *x,
	const struct report_value *y, struct canvas *canvas)
{
	FILE *to = canvas->script.stream;
	const struct figure_spec *s = f->spec;
	const char *separator = "plot ";

	if (y->is_ratio)
		fputs("set arrow from graph 0, first 1 to graph 1, first 1 nohead back linecolor '#000000' "
		      "dashtype 2\n",
			to);
	if (x->is_ratio)
		fputs("set arrow from first 1, graph 0 to first 1, graph 1 nohead back linecolor '#000000' "
		      "dashtype 2\n",
			to);
	fprintf(to, "set grid linetype 1 linewidth 0.5 linecolor '#dddddd'\ndata = '%s.dat'\n", canvas->name);
	for (size_t c = 0; c < s->column_count; c++) {
		if (!is_shown(f, y, s->columns[c]) || !has_mark(f, x, y, s->columns[c]))
			continue;
		fprintf(to,
			"%sdata index %zu using 1:2 with points pointtype %u pointsize 0.7 linecolor '%s' "
			"title ",
			separator, c, mark_of_column(f, s->columns[c]), mark_colour(f, s->columns[c]));
		print_gnuplot(to, f->data->columns[s->columns[c]].label);
		separator = ", \\\n\t";
	}
	fputc('\n', to);
}

/* Where a value stands between the ends of an axis: 0 to 1. */
static double axis_position(const struct axis *a, double value)
{
	return a->logarithmic ? log(value / a->low) / log(a->high / a->low)
			      : (value - a->low) / (a->high - a->low);
}

/* top: of the plot. */
static void add_mark_fields(const struct figure *f, struct canvas *canvas, const struct report_value *x,
	const struct axis *ax, const struct report_value *y, const struct axis *ay, double top)
{
	const struct figure_spec *s = f->spec;

	for (size_t i = 0; i < s->row_count; i++)
		for (size_t c = 0; c < s->column_count; c++) {
			size_t at = s->rows[i] * f->data->column_count + s->columns[c];
			double across = 72 + (WIDTH - 92) * axis_position(ax, x->cells[at]),
			       down = top + PLOT * (1 - axis_position(ay, y->cells[at]));

			if (!is_shown(f, y, s->columns[c]) || isnan(x->cells[at]) || isnan(y->cells[at]))
				continue;
			figure_point_field(f, canvas,
				(struct canvas_box){ across - 5, down - 5, across + 5, down + 5 }, s->rows[i],
				s->columns[c],
				keep_print(&f->data->keeper, "%s, %s", figure_exact(f, x, x->cells[at]),
					figure_exact(f, y, y->cells[at])));
		}
}

static void draw_panel(struct figure *f, const struct report_value *x, const struct report_value *y)
{
	struct legend_entry *legend = figure_legend(f);
	struct axis ax = choose_axis(f, x, y), ay = choose_axis(f, y, y);
	struct canvas *canvas;
	size_t shown = 0;
	double top;

	for (size_t c = 0; c < f->spec->column_count; c++)
		if (is_shown(f, y, f->spec->columns[c])) {
			legend[shown] = legend[c];
			legend[shown].colour = mark_colour(f, f->spec->columns[c]);
			legend[shown++].mark = mark_of_column(f, f->spec->columns[c]);
		}
	top = 18 + canvas_legend(NULL, 72, 6, WIDTH - 92, legend, shown);
	canvas = canvas_new(&f->data->keeper, f->spec->name, WIDTH, top + PLOT + 58);
	canvas_legend(canvas, 72, 6, WIDTH - 92, legend, shown);
	canvas->alt = keep_print(&f->data->keeper,
		"Scatter plot of %s against %s, a mark for each %s and configuration; the table below "
		"has the numbers",
		figure_axis(f, y), figure_axis(f, x), figure_row_word(f));
	canvas_label(canvas, 12, top + PLOT / 2, ANCHOR_CENTRE, SMALL_SIZE, 90, NULL,
		text_fit(&f->data->keeper, figure_axis(f, y), SMALL_SIZE, PLOT));
	canvas_label(canvas, (72 + WIDTH - 20) / 2, top + PLOT + 40, ANCHOR_CENTRE, SMALL_SIZE, 0, NULL,
		text_fit(&f->data->keeper, figure_axis(f, x), SMALL_SIZE, 700));
	canvas_area(canvas, 72, top, WIDTH - 20, top + PLOT);
	write_axis(&ax, 'x', canvas->script.stream);
	write_axis(&ay, 'y', canvas->script.stream);
	write_scatter_data(f, x, y, canvas);
	write_scatter_plot(f, x, y, canvas);
	add_mark_fields(f, canvas, x, &ax, y, &ay, top);
	figure_add_panel(f, canvas);
}

static struct report_table *marks_table(
	const struct figure *f, const struct report_value *x, const struct report_value *y)
{
	const struct figure_spec *s = f->spec;
	struct report_table *t = table_new(&f->data->keeper, s->name, 4, s->row_count * s->column_count);

	t->caption = keep_print(&f->data->keeper, "%s and %s", x->name, y->name);
	table_head(t, 0, figure_row_word(f), NULL, true);
	table_head(t, 1, "configuration", NULL, true);
	table_head(t, 2, x->name, x->unit, false);
	table_head(t, 3, y->name, y->unit, false);
	for (size_t i = 0; i < s->row_count; i++)
		for (size_t c = 0; c < s->column_count; c++) {
			size_t at = s->rows[i] * f->data->column_count + s->columns[c],
			       row = i * s->column_count + c;

			table_text(t, row, 0, figure_row_name(f, s->rows[i]),
				figure_point_link(f, s->rows[i], s->columns[c]));
			table_text(t, row, 1, f->data->columns[s->columns[c]].label, NULL);
			table_number(t, row, 2, x->cells[at], NULL);
			table_number(t, row, 3, y->cells[at], NULL);
		}
	return t;
}

static bool scatter_draw(struct figure *f, struct diag_list *diags)
{
	struct report_value *x =
		report_value_get(f->data, f->spec->values[0], f->spec->normalise, &f->spec->location, diags);
	struct report_value *y =
		report_value_get(f->data, f->spec->values[1], f->spec->normalise, &f->spec->location, diags);
	bool any_shown = false, any_mark = false;

	if (!x || !y)
		return false;
	for (size_t c = 0; c < f->spec->column_count; c++)
		any_shown |= is_shown(f, y, f->spec->columns[c]);
	if (!any_shown) {
		diag_error(diags, &f->spec->location,
			"a scatter plot of %s has nothing to show: all points are the baseline", y->name);
		return false;
	}
	for (size_t c = 0; c < f->spec->column_count; c++)
		any_mark |= is_shown(f, y, f->spec->columns[c]) && has_mark(f, x, y, f->spec->columns[c]);
	if (any_mark)
		draw_panel(f, x, y);
	f->title = f->spec->title
		? f->spec->title
		: keep_print(&f->data->keeper, "%s against %s", figure_axis(f, y), figure_axis(f, x));
	f->caption = keep_print(&f->data->keeper, "A mark is a %s. Across: %s Up: %s%s%s", figure_row_word(f),
		figure_value_text(f, x), figure_value_text(f, y),
		y->is_ratio ? " The baseline itself, 1 everywhere, is not drawn." : "", f->spec->selection);
	figure_add_table(f, marks_table(f, x, y));
	return true;
}

const struct figure_kind figure_scatter = {
	.name = "scatter",
	.help = "one value (x) against another (y), a mark for each workload and configuration",
	.least_values = 2,
	.most_values = 2,
	.draw = scatter_draw,
};
