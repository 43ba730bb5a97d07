/* experiment/report/figure/figure_minimum.c -- values over configurations that stand in an order, such as
 * clocks: a line for each workload and one of their mean, on each of which the least value is marked. */
#include "experiment/report/figure/figure.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <stdlib.h>

#define WIDTH         860.0
#define PLOT          320.0
#define LEFT          78.0
#define RIGHT         20.0
#define MOST_COLOURED 8 /* workloads with a colour of their own */
#define GREY          "#b8b8b8"
#define BLACK         "#000000"
#define LEAST_MARK    7 /* gnuplot's filled circle */

struct minimum {
	struct figure *figure;
	const struct report_value *value;
	double *means;    /* by column of the figure; NULL: it has none */
	double *x;        /* by column of the figure */
	bool has_numbers; /* x are what the levels are called, not 0, 1, 2 */
	double low, high, step;
};

/* ---- where configurations stand ---- */

/* By the numbers that they are called, where all are called numbers that grow. */
static void place_columns(struct minimum *m)
{
	const struct figure_spec *s = m->figure->spec;

	m->x = keep_alloc(&m->figure->data->keeper, (s->column_count + 1) * sizeof(*m->x));
	m->has_numbers = s->column_count > 0;
	for (size_t c = 0; c < s->column_count; c++) {
		const char *label = m->figure->data->columns[s->columns[c]].label;
		char *end;

		m->x[c] = strtod(label, &end);
		m->has_numbers &= end != label && !*end && isfinite(m->x[c]) && (!c || m->x[c] > m->x[c - 1]);
	}
	for (size_t c = 0; !m->has_numbers && c < s->column_count; c++)
		m->x[c] = (double)c;
}

static double minimum_value(const struct minimum *m, size_t row, size_t column)
{
	const struct figure_spec *s = m->figure->spec;

	if (row == s->row_count)
		return m->means[column];
	return m->value->cells[s->rows[row] * m->figure->data->column_count + s->columns[column]];
}

/* Lines: of the rows, then of the mean. */
static size_t line_count(const struct minimum *m)
{
	return m->figure->spec->row_count + (m->means != NULL);
}

/* The column with the least value of a line, the first of equal ones; NONE. */
static size_t least_column(const struct minimum *m, size_t line)
{
	size_t least = NONE;

	for (size_t c = 0; c < m->figure->spec->column_count; c++) {
		double value = minimum_value(m, line, c);

		if (!isnan(value) && (least == NONE || value < minimum_value(m, line, least)))
			least = c;
	}
	return least;
}

static void find_means(struct minimum *m)
{
	struct figure *f = m->figure;
	enum report_mean kind = figure_mean_kind(f, m->value);
	bool *complete = keep_alloc(&f->data->keeper, f->spec->row_count + 1);

	m->means = NULL;
	if (kind == MEAN_NONE || f->spec->row_count < 2 ||
		!report_complete_rows(f->data, m->value->cells, f->spec->rows, f->spec->row_count,
			f->spec->columns, f->spec->column_count, complete))
		return;
	m->means = keep_alloc(&f->data->keeper, f->spec->column_count * sizeof(*m->means));
	figure_means(f, kind, m->value->cells, 0, f->spec->row_count, complete, m->means);
}

static const char *line_name(const struct minimum *m, size_t line)
{
	const struct figure_spec *s = m->figure->spec;

	if (line < s->row_count)
		return figure_row_name(m->figure, s->rows[line]);
	return keep_print(&m->figure->data->keeper, "%s mean",
		report_mean_names[figure_mean_kind(m->figure, m->value)]);
}

/* ---- drawing ---- */

static const char *line_colour(const struct minimum *m, size_t line)
{
	const struct figure_spec *s = m->figure->spec;

	if (line == s->row_count)
		return BLACK;
	return s->row_count > MOST_COLOURED ? GREY : canvas_colour(&m->figure->data->keeper, line + 1, 1);
}

static void choose_range(struct minimum *m)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t line = 0; line < line_count(m); line++)
		for (size_t c = 0; c < m->figure->spec->column_count; c++) {
			double value = minimum_value(m, line, c);

			least = isnan(value) ? least : fmin(least, value);
			most = isnan(value) ? most : fmax(most, value);
		}
	m->step = nice_step(most > least ? most - least : fabs(most) + 1, 7);
	m->low = floor(least / m->step - 0.02) * m->step;
	m->high = ceil(most / m->step + 0.02) * m->step;
}

/* A block of points for each line, then one of its least. */
static void write_lines(const struct minimum *m, struct canvas *canvas)
{
	FILE *to = canvas->data.stream;

	for (size_t line = 0; line < line_count(m); line++) {
		size_t least = least_column(m, line);

		fputs("# ", to);
		print_data(to, line_name(m, line));
		fputc('\n', to);
		for (size_t c = 0; c < m->figure->spec->column_count; c++)
			if (!isnan(minimum_value(m, line, c)))
				fprintf(to, "%.9g %.9g\n", m->x[c], minimum_value(m, line, c));
		fputs("NaN NaN\n\n\n", to);
		if (least != NONE)
			fprintf(to, "%.9g %.9g\n", m->x[least], minimum_value(m, line, least));
		fputs("NaN NaN\n\n\n", to);
	}
}

static void write_tics(const struct minimum *m, FILE *to)
{
	const struct figure_spec *s = m->figure->spec;
	double edge = 0.04 * fmax(m->x[s->column_count - 1] - m->x[0], 1e-3);

	fprintf(to, "set xrange [%.9g:%.9g]\nset xtics (", m->x[0] - edge, m->x[s->column_count - 1] + edge);
	for (size_t c = 0; c < s->column_count; c++) {
		fputs(c ? ", " : "", to);
		print_gnuplot(to, m->figure->data->columns[s->columns[c]].label);
		fprintf(to, " %.9g", m->x[c]);
	}
	fprintf(to, ")\nset yrange [%.9g:%.9g]\nset ytics %.9g format '%%g'\n", m->low, m->high, m->step);
	fputs("set grid linetype 1 linewidth 0.5 linecolor '#dddddd'\n", to);
}

static void write_minimum_plot(const struct minimum *m, struct canvas *canvas)
{
	FILE *to = canvas->script.stream;

	write_tics(m, to);
	fprintf(to, "data = '%s.dat'\n", canvas->name);
	for (size_t line = 0; line < line_count(m); line++) {
		bool is_mean = line == m->figure->spec->row_count;

		fprintf(to,
			"%sdata index %zu using 1:2 with linespoints pointtype 2 pointsize 0.4 linewidth %g "
			"linecolor '%s' notitle, \\\n\t"
			"data index %zu using 1:2 with points pointtype %d pointsize %g linecolor '%s' "
			"notitle",
			line ? ", \\\n\t" : "plot ", 2 * line, is_mean ? 2.2 : 1.1, line_colour(m, line),
			2 * line + 1, LEAST_MARK, is_mean ? 1.5 : 1.0, line_colour(m, line));
	}
	fputc('\n', to);
}

static void add_minimum_fields(const struct minimum *m, struct canvas *canvas, double top)
{
	const struct figure_spec *s = m->figure->spec;
	double edge = 0.04 * fmax(m->x[s->column_count - 1] - m->x[0], 1e-3),
	       span = m->x[s->column_count - 1] - m->x[0] + 2 * edge;

	for (size_t line = 0; line < s->row_count; line++)
		for (size_t c = 0; c < s->column_count; c++) {
			double value = minimum_value(m, line, c),
			       across = LEFT + (WIDTH - LEFT - RIGHT) * (m->x[c] - m->x[0] + edge) / span,
			       down = top + PLOT * (m->high - value) / (m->high - m->low);

			if (isnan(value))
				continue;
			figure_point_field(m->figure, canvas,
				(struct canvas_box){ across - 5, down - 5, across + 5, down + 5 },
				s->rows[line], s->columns[c], figure_exact(m->figure, m->value, value));
		}
}

static size_t minimum_legend(const struct minimum *m, struct legend_entry *entries)
{
	const struct figure_spec *s = m->figure->spec;
	size_t n = 0;

	for (size_t line = 0; line < line_count(m); line++)
		if (line == s->row_count || s->row_count <= MOST_COLOURED)
			entries[n++] =
				(struct legend_entry){ line_name(m, line), line_colour(m, line), LEAST_MARK };
	if (s->row_count > MOST_COLOURED)
		entries[n++] = (struct legend_entry){ keep_print(&m->figure->data->keeper, "each %s",
							      figure_row_word(m->figure)),
			GREY, LEAST_MARK };
	return n;
}

static void draw_minimum_panel(struct minimum *m, const char *name)
{
	struct figure *f = m->figure;
	struct legend_entry *legend =
		keep_alloc(&f->data->keeper, (f->spec->row_count + 2) * sizeof(*legend));
	size_t entries = minimum_legend(m, legend);
	double top = 18 + canvas_legend(NULL, LEFT, 6, WIDTH - LEFT - RIGHT, legend, entries);
	struct canvas *canvas = canvas_new(&f->data->keeper, name, WIDTH, top + PLOT + 42);

	choose_range(m);
	canvas_legend(canvas, LEFT, 6, WIDTH - LEFT - RIGHT, legend, entries);
	canvas->alt = keep_print(&f->data->keeper,
		"Lines of %s over configurations, one for each %s, with the least value of each marked; "
		"the table below has the numbers",
		figure_axis(f, m->value), figure_row_word(f));
	canvas_label(canvas, 12, top + PLOT / 2, ANCHOR_CENTRE, SMALL_SIZE, 90, NULL,
		text_fit(&f->data->keeper, figure_axis(f, m->value), SMALL_SIZE, PLOT));
	canvas_area(canvas, LEFT, top, WIDTH - RIGHT, top + PLOT);
	write_lines(m, canvas);
	write_minimum_plot(m, canvas);
	add_minimum_fields(m, canvas, top);
	figure_add_panel(f, canvas);
}

/* ---- the table: each value, and where it is least ---- */

static struct report_table *minimum_table(const struct minimum *m, const char *name)
{
	const struct figure *f = m->figure;
	const struct figure_spec *s = f->spec;
	struct report_table *t = table_new(&f->data->keeper, name, s->column_count + 2, line_count(m));

	t->caption = figure_axis(f, m->value);
	t->feet = line_count(m) - s->row_count;
	table_head(t, 0, figure_row_word(f), NULL, true);
	table_head(t, 1, "least at", NULL, true);
	for (size_t c = 0; c < s->column_count; c++)
		table_head(t, c + 2, f->data->columns[s->columns[c]].label, NULL, false);
	for (size_t line = 0; line < line_count(m); line++) {
		size_t least = least_column(m, line);

		table_text(t, line, 0, line_name(m, line), NULL);
		table_text(t, line, 1, least == NONE ? "-" : f->data->columns[s->columns[least]].label, NULL);
		for (size_t c = 0; c < s->column_count; c++)
			table_number(t, line, c + 2, minimum_value(m, line, c),
				line < s->row_count ? figure_point_link(f, s->rows[line], s->columns[c])
						    : NULL);
	}
	return t;
}

/* Lines whose least value is that of the first or the last configuration. */
static size_t lines_least_at_an_end(const struct minimum *m)
{
	size_t last = m->figure->spec->column_count - 1, count = 0;

	for (size_t line = 0; line < line_count(m); line++) {
		size_t least = least_column(m, line);

		count += last > 0 && (least == 0 || least == last);
	}
	return count;
}

static const char *minimum_value_caption(const struct minimum *m)
{
	struct keeper *k = &m->figure->data->keeper;
	size_t at_end = lines_least_at_an_end(m);

	return keep_print(k, "%s%s", figure_value_text(m->figure, m->value),
		at_end ? keep_print(k,
				 " %zu of %zu lines are least at an end, so that what is beyond may be less.",
				 at_end, line_count(m))
		       : "");
}

/* One value: a panel and a table. Its names end in a number where the figure has several. */
static bool show_value(struct minimum *m, size_t number, bool is_only, struct diag_list *diags)
{
	struct figure *f = m->figure;
	const char *name =
		is_only ? f->spec->name : keep_print(&f->data->keeper, "%s-%zu", f->spec->name, number + 1);

	m->value = report_value_get(
		f->data, f->spec->values[number], f->spec->normalise, &f->spec->location, diags);
	if (!m->value)
		return false;
	find_means(m);
	if (figure_has_values(f, m->value->cells))
		draw_minimum_panel(m, name);
	figure_add_table(f, minimum_table(m, name));
	f->caption = keep_print(&f->data->keeper, "%s%s%s", number ? f->caption : "", number ? " " : "",
		minimum_value_caption(m));
	return true;
}

static bool minimum_draw(struct figure *f, struct diag_list *diags)
{
	struct minimum m = { .figure = f };
	size_t count = 0;

	while (f->spec->values[count])
		count++;
	place_columns(&m);
	for (size_t i = 0; i < count; i++)
		if (!show_value(&m, i, count == 1, diags))
			return false;
	f->title = f->spec->title
		? f->spec->title
		: keep_print(&f->data->keeper, "Where %s is least", figure_axis(f, m.value));
	f->caption = keep_print(&f->data->keeper,
		"%s A filled mark stands where the value of a line is least.%s%s", f->caption,
		m.has_numbers ? "" : " Configurations stand in the order of the sweep.", f->spec->selection);
	return true;
}

const struct figure_kind figure_minimum = {
	.name = "minimum",
	.help = "values over configurations in their order, with the least of each workload and of the mean "
		"marked",
	.least_values = 1,
	.draw = minimum_draw,
};
