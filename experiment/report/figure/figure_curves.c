/* experiment/report/figure/figure_curves.c -- a statistic over time, a small plot for each workload, a curve
 * for each configuration. */
#include "experiment/report/figure/figure.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define ACROSS  3     /* plots side by side */
#define PLOT    120.0 /* height */
#define LEFT    52.0  /* of a plot: its axis */
#define BETWEEN 58.0  /* below a plot: its axis, and the next one's title */
#define POINTS  40000 /* of a figure: more are merged */

struct curve {
	double *cycles, *values;
	size_t count;
};

struct curves {
	struct figure *figure;
	const char *name, *unit, *help;
	struct curve *curves; /* by row and column of the sweep */
	size_t *rows;         /* indices into spec->rows of those that have one */
	size_t row_count, most, merged;
};

/* -- out of the database -- */

static const char curves_sql[] = "SELECT p.number, s.cycle, s.value FROM points p JOIN series s ON s.job = "
				 "p.job JOIN statistics t ON t.id = s.statistic "
				 "WHERE p.sweep = ?1 AND t.name = ?2 ORDER BY p.number, s.cycle";

static void add_sample(struct curve *c, double cycle, double value)
{
	if ((c->count & (c->count - 1)) == 0) {
		c->cycles = xrealloc(c->cycles, (c->count ? 2 * c->count : 1) * sizeof(double));
		c->values = xrealloc(c->values, (c->count ? 2 * c->count : 1) * sizeof(double));
	}
	c->cycles[c->count] = cycle;
	c->values[c->count++] = value;
}

/* Of several seeds the first. */
static bool read_curves(struct curves *s, struct diag_list *diags)
{
	struct report_data *d = s->figure->data;
	size_t cells = d->row_count * d->column_count, point = 0;
	long long *owner = keep_alloc(&d->keeper, cells * sizeof(*owner));
	sqlite3_stmt *q = report_query(d->store, curves_sql, d->sweep, s->name, diags);
	int status = SQLITE_ERROR;

	s->curves = xcalloc(cells, sizeof(*s->curves));
	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		long long number = sqlite3_column_int64(q, 0);
		size_t cell;

		while (point < d->point_count && d->points[point].number < number)
			point++;
		if (point == d->point_count)
			continue;
		cell = d->points[point].row * d->column_count + d->points[point].column;
		owner[cell] = s->curves[cell].count ? owner[cell] : number;
		if (owner[cell] == number && sqlite3_column_type(q, 2) != SQLITE_NULL)
			add_sample(
				&s->curves[cell], sqlite3_column_double(q, 1), sqlite3_column_double(q, 2));
	}
	return q && report_query_end(d->store, q, status, diags);
}

static bool describe_series(struct curves *s, struct diag_list *diags)
{
	struct report_data *d = s->figure->data;
	sqlite3_stmt *q = report_query(
		d->store, "SELECT unit, help FROM statistics WHERE ?1 = ?1 AND name = ?2", 0, s->name, diags);
	int status = q ? sqlite3_step(q) : SQLITE_ERROR;

	s->unit = status == SQLITE_ROW ? report_column_text(d, q, 0) : "";
	s->help = status == SQLITE_ROW ? report_column_text(d, q, 1) : "";
	return q && report_query_end(d->store, q, status, diags);
}

static struct curve *curve_of(const struct curves *s, size_t row, size_t column)
{
	return &s->curves[s->figure->spec->rows[row] * s->figure->data->column_count +
		s->figure->spec->columns[column]];
}

static void find_curve_rows(struct curves *s)
{
	const struct figure_spec *spec = s->figure->spec;

	s->rows = keep_alloc(&s->figure->data->keeper, (spec->row_count + 1) * sizeof(*s->rows));
	for (size_t i = 0; i < spec->row_count; i++) {
		bool any = false;

		for (size_t c = 0; c < spec->column_count; c++)
			any |= curve_of(s, i, c)->count > 0;
		if (any)
			s->rows[s->row_count++] = i;
	}
}

/* Neighbouring periods become one with their mean, so that a curve has at most so many points. */
static void merge_periods(struct curves *s, struct curve *c)
{
	size_t together = (c->count + s->most - 1) / s->most, n = 0;

	if (together < 2)
		return;
	s->merged = together > s->merged ? together : s->merged;
	for (size_t i = 0; i < c->count; i += together) {
		size_t end = i + together < c->count ? i + together : c->count;

		c->values[n] = report_mean(MEAN_ARITHMETIC, c->values + i, end - i);
		c->cycles[n++] = c->cycles[end - 1];
	}
	c->count = n;
}

/* -- drawn -- */

/* A curve has a data block of its own in the script: gnuplot would read a file anew for each of them. */
static void put_curve(const struct curves *s, struct canvas *canvas, size_t row, size_t column, size_t number)
{
	const struct figure *f = s->figure;
	const struct curve *curve = curve_of(s, row, column);
	FILE *to = canvas->script.stream;

	fprintf(to, "$curve%zu << END # thousand cycles, value: ", number);
	print_data(to, figure_row_name(f, f->spec->rows[row]));
	fputs(", ", to);
	print_data(to, f->data->columns[f->spec->columns[column]].label);
	fputc('\n', to);
	for (size_t i = 0; i < curve->count; i++)
		fprintf(to, "%.6g %.5g\n", curve->cycles[i] / 1000, curve->values[i]);
	fputs("END\n", to);
}

static void plot_curve(const struct curves *s, struct canvas *canvas, size_t row, size_t *index)
{
	const struct figure *f = s->figure;
	double most = 0, least = 0, longest = 0, shortest = INFINITY, step, xstep;
	FILE *to = canvas->script.stream;
	const char *separator = "plot ";

	for (size_t c = 0; c < f->spec->column_count; c++) {
		const struct curve *curve = curve_of(s, row, c);

		for (size_t i = 0; i < curve->count; i++) {
			most = fmax(most, curve->values[i]);
			least = fmin(least, curve->values[i]);
			longest = fmax(longest, curve->cycles[i] / 1000);
			shortest = fmin(shortest, curve->cycles[i] / 1000);
		}
		if (curve->count)
			put_curve(s, canvas, row, c, *index + c);
	}
	step = nice_step(most > least ? most - least : 1, 4);
	xstep = nice_step(longest > shortest ? longest - shortest : 1, 5);
	shortest = floor(shortest / xstep) * xstep;
	longest = fmax(longest, shortest + xstep / 10);
	fprintf(to, "set yrange [%.6g:%.6g]\nset ytics %.6g\nset xrange [%.6g:%.6g]\nset xtics %.6g\n",
		floor(least / step) * step, fmax(ceil(most / step) * step, step), step, shortest, longest,
		xstep);
	for (size_t c = 0; c < f->spec->column_count; c++) {
		if (!curve_of(s, row, c)->count)
			continue;
		fprintf(to, "%s$curve%zu with lines linewidth 1.4 linecolor '%s' title ", separator,
			*index + c, figure_colour(f, f->spec->columns[c]));
		print_gnuplot(to, f->data->columns[f->spec->columns[c]].label);
		separator = ", \\\n\t";
	}
	*index += f->spec->column_count;
	fputc('\n', to);
}

/* false, with a diagnostic, if the sweep has curves, but none of this statistic. */
static bool check_name(const struct curves *s, struct diag_list *diags)
{
	struct report_data *d = s->figure->data;
	sqlite3_stmt *q = report_query(d->store,
		"SELECT group_concat(name, ', ') FROM (SELECT name FROM statistics WHERE id IN (SELECT "
		"s.statistic FROM series s JOIN points p ON p.job = s.job "
		"WHERE p.sweep = ?1) ORDER BY id)",
		d->sweep, NULL, diags);
	const char *names = q && sqlite3_step(q) == SQLITE_ROW && sqlite3_column_text(q, 0)
		? report_column_text(d, q, 0)
		: "";
	bool any = false;

	for (size_t i = 0; i < d->row_count * d->column_count; i++)
		any |= s->curves[i].count > 0;
	sqlite3_finalize(q);
	if (!any && *names)
		diag_error(diags, &s->figure->spec->location,
			"the sweep has no curves of '%s', but of %s (key series of the sweep file)", s->name,
			names);
	return any || !*names;
}

static void draw_grid(struct curves *s)
{
	struct figure *f = s->figure;
	struct legend_entry *legend = figure_legend(f);
	size_t across = s->row_count < ACROSS ? s->row_count : ACROSS,
	       down = (s->row_count + across - 1) / across, index = 0;
	double wide = fmin((CANVAS_WIDTH - 10) / (double)across, 560),
	       width = fmax(wide * (double)across + 10, 600);
	double top = 12 + canvas_legend(NULL, LEFT, 6, width - LEFT, legend, f->spec->column_count);
	struct canvas *canvas =
		canvas_new(&f->data->keeper, f->spec->name, width, top + (double)down * (PLOT + BETWEEN) + 6);

	canvas->alt = keep_print(&f->data->keeper,
		"Curves of %s over time, a plot for each of %zu workloads, a curve for each configuration",
		s->name, s->row_count);
	canvas_legend(canvas, LEFT, 6, width - LEFT, legend, f->spec->column_count);
	for (size_t i = 0; i < s->row_count; i++)
		canvas_label(canvas, LEFT + wide * (double)(i % across),
			top + (double)(i / across) * (PLOT + BETWEEN) + 9, ANCHOR_LEFT, SMALL_SIZE, 0, NULL,
			text_fit(&f->data->keeper, figure_row_name(f, f->spec->rows[s->rows[i]]), SMALL_SIZE,
				wide - LEFT));
	fputs("set grid linetype 1 linewidth 0.5 linecolor '#e0e0e0'\nset ytics format '%g'\nset xtics "
	      "format '%gk'\nset multiplot\n",
		canvas->script.stream);
	for (size_t i = 0; i < s->row_count; i++) {
		double x = wide * (double)(i % across),
		       y = top + (double)(i / across) * (PLOT + BETWEEN) + 20;

		canvas_area(canvas, x + LEFT, y, x + wide - 18, y + PLOT);
		plot_curve(s, canvas, s->rows[i], &index);
		if (!i)
			fputs("unset label\nunset object\n", canvas->script.stream);
	}
	fputs("unset multiplot\n", canvas->script.stream);
	figure_add_panel(f, canvas);
}

static void draw_curves(struct curves *s)
{
	const struct figure_spec *spec = s->figure->spec;

	find_curve_rows(s);
	s->most = POINTS / (s->row_count * spec->column_count + 1);
	s->most = s->most < 30 ? 30 : s->most > 400 ? 400 : s->most;
	for (size_t i = 0; i < s->row_count; i++)
		for (size_t c = 0; c < spec->column_count; c++)
			merge_periods(s, curve_of(s, s->rows[i], c));
	if (s->row_count)
		draw_grid(s);
}

static bool curves_draw(struct figure *f, struct diag_list *diags)
{
	struct curves s = { .figure = f, .name = f->spec->values[0] };
	struct keeper *k = &f->data->keeper;
	bool fine = describe_series(&s, diags) && read_curves(&s, diags) && check_name(&s, diags);

	if (fine)
		draw_curves(&s);
	for (size_t i = 0; s.curves && i < f->data->row_count * f->data->column_count; i++) {
		free(s.curves[i].cycles);
		free(s.curves[i].values);
	}
	free(s.curves);
	f->title = f->spec->title ? f->spec->title : keep_print(k, "%s over time", s.name);
	f->caption = s.row_count ? keep_print(k,
					   "%s%s%s over thousands of core cycles; each plot has its own "
					   "scales.%s%s%s%s",
					   s.name, *s.help ? keep_print(k, ": %s", s.help) : "",
					   *s.unit ? keep_print(k, " (%s)", s.unit) : "",
					   s.merged ? keep_print(k,
							      " Long curves are smoothed: a point is the "
							      "mean of up to %zu periods; the table `series` "
							      "of the database has all.",
							      s.merged)
						    : "",
					   f->data->seeds > 1 ? " Of several seeds the first is drawn." : "",
					   s.row_count < f->spec->row_count
						   ? keep_print(k, " %zu of %zu workloads have curves.",
							     s.row_count, f->spec->row_count)
						   : "",
					   f->spec->selection)
				 : "None of these points has a curve.";
	return fine;
}

const struct figure_kind figure_curves = {
	.name = "curves",
	.help = "a statistic of the sweep's series over time, for each workload",
	.least_values = 1,
	.most_values = 1,
	.needs_series = true,
	.draw = curves_draw,
};
