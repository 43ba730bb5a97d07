/* experiment/report_figure_stacked.c -- classes that make up a whole (issue slots by where they went, accesses by their outcome), as shares
 * of their sum: first the mean shares by suite and configuration, then a strip for each configuration with a stack for each workload. */
#include "experiment/report_figure.h"
#include "sim/xalloc.h"
#include <math.h>

#define MOST_CLASSES 11        /* drawn by themselves; the smallest of more make up "other" */
#define STRIP 84.0             /* height of a configuration's strip */
#define LEFT 40.0
#define STACK 16.0

struct class {
	const char *label;
	const double **cells;  /* of the values that it is the sum of */
	size_t count;
};

struct stacked {
	struct figure *figure;
	struct report_value **values;
	size_t value_count;
	struct class *classes;
	size_t class_count;
	const char *others;    /* what "other" is, for the caption; "" */
	const char *zeros;     /* that are 0 everywhere */
	struct legend_entry *legend;
	struct row_group *suites;
	size_t suite_count;
};

/* -- classes -- */

static bool get_values(struct stacked *s, struct diag_list *diags)
{
	size_t count = 0;

	while (s->figure->spec->values[count])
		count++;
	s->values = keep_alloc(&s->figure->data->keeper, count * sizeof(*s->values));
	for (; s->value_count < count; s->value_count++) {
		s->values[s->value_count] = report_value_get(s->figure->data, s->figure->spec->values[s->value_count], false,
			&s->figure->spec->place, diags);
		if (!s->values[s->value_count])
			return false;
	}
	return true;
}

/* The values of a cell, summed; NAN if none is there. A class without a value in a job that has others is 0. */
static double sum_at(const struct class *class, size_t at)
{
	double sum = 0;

	for (size_t i = 0; i < class->count; i++)
		sum += isnan(class->cells[i][at]) ? 0 : class->cells[i][at];
	return sum;
}

static double whole_at(const struct stacked *s, size_t at)
{
	double sum = 0;
	bool any = false;

	for (size_t i = 0; i < s->value_count; i++)
		if (!isnan(s->values[i]->cells[at])) {
			any = true;
			sum += s->values[i]->cells[at];
		}
	return any && sum > 0 ? sum : NAN;
}

static size_t cell_of(const struct figure *f, size_t row, size_t column)
{
	return f->spec->rows[row] * f->data->column_count + f->spec->columns[column];
}

/* The sum over all points of a value's share in its point. */
static double weight(const struct stacked *s, const struct report_value *v)
{
	double sum = 0;

	for (size_t i = 0; i < s->figure->spec->row_count; i++)
		for (size_t c = 0; c < s->figure->spec->column_count; c++) {
			size_t at = cell_of(s->figure, i, c);
			double share = v->cells[at] / whole_at(s, at);

			sum += isnan(share) ? 0 : share;
		}
	return sum;
}

/* "issued" of "sm.slots::issued"; the part after the last point of other names. */
static const char *short_name(const char *name)
{
	const char *colons = strstr(name, "::"), *point = strrchr(name, '.');

	return colons ? colons + 2 : point ? point + 1 : name;
}

static struct class *add_class(struct stacked *s, const char *label)
{
	struct class *class = &s->classes[s->class_count++];

	class->label = label;
	class->cells = keep_alloc(&s->figure->data->keeper, s->value_count * sizeof(*class->cells));
	return class;
}

static bool is_small(const double *weights, size_t count, size_t i)
{
	size_t larger = 0;

	for (size_t k = 0; k < count; k++)
		larger += weights[k] > weights[i] || (weights[k] == weights[i] && k < i);
	return larger >= MOST_CLASSES;
}

static void make_classes(struct stacked *s)
{
	struct keeper *k = &s->figure->data->keeper;
	double *weights = keep_alloc(k, (s->value_count + 1) * sizeof(*weights));
	struct class *other = NULL;

	s->classes = keep_alloc(k, (s->value_count + 1) * sizeof(*s->classes));
	s->others = s->zeros = "";
	for (size_t i = 0; i < s->value_count; i++)
		weights[i] = weight(s, s->values[i]);
	for (size_t i = 0; i < s->value_count; i++) {
		const char *name = short_name(s->values[i]->name);
		struct class *class;

		if (weights[i] <= 0) {
			s->zeros = keep_print(k, "%s%s%s", s->zeros, *s->zeros ? ", " : "", name);
		} else if (!is_small(weights, s->value_count, i)) {
			class = add_class(s, name);
			class->cells[class->count++] = s->values[i]->cells;
		} else {
			s->others = keep_print(k, "%s%s%s", s->others, *s->others ? ", " : "", name);
		}
	}
	for (size_t i = 0; i < s->value_count && *s->others; i++)
		if (weights[i] > 0 && is_small(weights, s->value_count, i)) {
			other = other ? other : add_class(s, "other");
			other->cells[other->count++] = s->values[i]->cells;
		}
	s->legend = keep_alloc(k, (s->class_count + 1) * sizeof(*s->legend));
	for (size_t i = 0; i < s->class_count; i++)
		s->legend[i] = (struct legend_entry){ s->classes[i].label,
			&s->classes[i] == other ? "#dddddd" : canvas_colour(k, i, 1), 0 };
}

/* -- a stack -- */

static double share_at(const struct stacked *s, size_t class, size_t at)
{
	return sum_at(&s->classes[class], at) / whole_at(s, at);
}

/* The mean share over the rows first.. that have the column; NAN if there is none. */
static double mean_share(const struct stacked *s, size_t class, size_t column, size_t first, size_t count)
{
	double *values = xcalloc(count, sizeof(*values)), mean;
	size_t n = 0;

	for (size_t i = first; i < first + count; i++) {
		double share = share_at(s, class, cell_of(s->figure, i, column));

		if (!isnan(share))
			values[n++] = share;
	}
	mean = report_mean(MEAN_ARITHMETIC, values, n);
	free(values);
	return mean;
}

/* A line of data: where the stack stands, and the ends of its classes in percent. */
static void write_stack(FILE *to, double x, const double *shares, size_t count)
{
	double sum = 0;

	fprintf(to, "%.5f 0", x);
	for (size_t i = 0; i < count; i++) {
		sum += isnan(shares[i]) ? NAN : 100 * shares[i];
		if (isnan(sum))
			fputs(" NaN", to);
		else
			fprintf(to, " %.4f", sum);
	}
	fputc('\n', to);
}

static void plot_stacks(const struct stacked *s, struct canvas *canvas, size_t index, double half, double xmax)
{
	FILE *to = canvas->script.stream;
	const char *separator = "plot ";

	fprintf(to, "set xrange [0:%.5g]\n", xmax);
	for (size_t i = 0; i < s->class_count; i++) {
		fprintf(to, "%s'%s.dat' index %zu using 1:%zu:($1 - %.5f):($1 + %.5f):%zu:%zu with boxxyerror fillcolor '%s' title ", separator,
			canvas->name, index, i + 2, half, half, i + 2, i + 3, s->legend[i].colour);
		print_gnuplot(to, s->legend[i].label);
		separator = ", \\\n\t";
	}
	fputc('\n', to);
}

static void plot_setup(struct canvas *canvas)
{
	fputs("set yrange [0:100]\nset style fill solid 1 noborder\nunset xtics\nset ytics 50 format '%g%%'\nset grid ytics front linetype 1 linewidth 0.5 linecolor '#ffffff'\n",
		canvas->script.stream);
}

/* -- means by suite -- */

static const char *numbered(const struct stacked *s, size_t column)
{
	return keep_print(&s->figure->data->keeper, "%zu: %s", column + 1, s->figure->data->columns[s->figure->spec->columns[column]].label);
}

/* Numbers under the stacks, and what they stand for under these; the height. */
static double column_key(const struct stacked *s, struct canvas *canvas, double top, double width)
{
	double x = LEFT, y = top;

	for (size_t c = 0; c < s->figure->spec->column_count; c++) {
		const char *label = numbered(s, c);
		double wide = text_width(label, SMALL_SIZE) + 18;

		if (x > LEFT && x + wide > width) {
			x = LEFT;
			y += 17;
		}
		if (canvas)
			canvas_label(canvas, x, y, ANCHOR_LEFT, SMALL_SIZE, 0, NULL, label);
		x += wide;
	}
	return y + 14 - top;
}

static void label_group(const struct stacked *s, struct canvas *canvas, double x, double group, double stack, double bottom, const char *name)
{
	size_t columns = s->figure->spec->column_count;
	double size = stack >= 8 ? 9 : 8;

	for (size_t c = 0; c < columns && columns > 1; c++) {
		const char *number = keep_print(&s->figure->data->keeper, "%zu", c + 1);

		if (text_width(number, size) < stack + 1)
			canvas_label(canvas, x + group / 2 + ((double)c + 0.5 - (double)columns / 2) * stack, bottom + 8, ANCHOR_CENTRE, size, 0, "#444444", number);
	}
	canvas_label(canvas, x + group / 2, bottom + 24, ANCHOR_CENTRE, SMALL_SIZE, 0, NULL, text_fit(&s->figure->data->keeper, name, SMALL_SIZE, group - 4));
}

static void draw_means(struct stacked *s)
{
	struct figure *f = s->figure;
	size_t columns = f->spec->column_count, groups = s->suite_count > 1 ? s->suite_count + 1 : 1;
	double group = fmin((CANVAS_WIDTH - LEFT - 10) / (double)groups, fmax((double)columns * 26 + 20, 120)), width = LEFT + 10 + group * (double)groups;
	double stack = (group - fmax(10, group * 0.15)) / (double)columns, top, bottom, *shares = keep_alloc(&f->data->keeper, (s->class_count + 1) * sizeof(*shares));
	struct canvas *canvas;

	width = fmax(width, 620);
	top = 18 + canvas_legend(NULL, LEFT, 6, width - LEFT, s->legend, s->class_count);
	bottom = top + 210;
	canvas = canvas_new(&f->data->keeper, keep_print(&f->data->keeper, "%s-summary", f->spec->name), width,
		bottom + 46 + (columns > 1 ? column_key(s, NULL, 0, width) : 0));
	canvas->alt = "Stacked bars: mean shares of the classes by suite and configuration; the table below has the numbers of each point";
	canvas_legend(canvas, LEFT, 6, width - LEFT, s->legend, s->class_count);
	if (columns > 1)
		column_key(s, canvas, bottom + 46, width);
	for (size_t g = 0; g < groups; g++) {
		bool all = g == s->suite_count || s->suite_count == 1;
		size_t first = all ? 0 : s->suites[g].first, count = all ? f->spec->row_count : s->suites[g].count;

		label_group(s, canvas, LEFT + (double)g * group, group, stack, bottom, all ? "all" : *s->suites[g].name ? s->suites[g].name : "other");
		for (size_t c = 0; c < columns; c++) {
			for (size_t i = 0; i < s->class_count; i++)
				shares[i] = mean_share(s, i, c, first, count);
			write_stack(canvas->data.stream, (double)g + 0.5 + ((double)c + 0.5 - (double)columns / 2) * stack / group, shares, s->class_count);
		}
	}
	canvas_area(canvas, LEFT, top, LEFT + group * (double)groups, bottom);
	plot_setup(canvas);
	plot_stacks(s, canvas, 0, 0.44 * stack / group, (double)groups);
	figure_add_panel(f, canvas);
}

/* -- strips -- */

/* Whether any of it is there. */
static bool strip_data(const struct stacked *s, struct canvas *canvas, size_t column, size_t first, size_t count, double *shares)
{
	bool any = false;

	fprintf(canvas->data.stream, "%s# %s\n", column ? "\n\n" : "", s->figure->data->columns[s->figure->spec->columns[column]].label);
	for (size_t i = 0; i < count; i++) {
		for (size_t class = 0; class < s->class_count; class++)
			shares[class] = share_at(s, class, cell_of(s->figure, first + i, column));
		any |= !isnan(shares[0]);
		write_stack(canvas->data.stream, (double)i + 0.5, shares, s->class_count);
	}
	return any;
}

static void strip_labels(const struct stacked *s, struct canvas *canvas, size_t first, size_t count, double left, double stack, double top, double bottom)
{
	const struct figure *f = s->figure;
	double begin = left;
	size_t begun = first;

	for (size_t i = first; i < first + count; i++) {
		double x = left + ((double)(i - first) + 0.5) * stack;
		const char *suite = f->data->rows[f->spec->rows[i]].suite;
		bool ends = i + 1 == first + count || strcmp(f->data->rows[f->spec->rows[i + 1]].suite, suite) != 0;

		canvas_label(canvas, x + 3, bottom + 10, ANCHOR_RIGHT, SMALL_SIZE, 45, NULL, f->data->rows[f->spec->rows[i]].label);
		if (!ends)
			continue;
		canvas_label(canvas, (begin + x + stack / 2) / 2, top - 9, ANCHOR_CENTRE, SMALL_SIZE, 0, NULL,
			text_fit(&f->data->keeper, suite, SMALL_SIZE, (double)(i + 1 - begun) * stack - 4));
		begin = x + stack / 2;
		begun = i + 1;
		if (i + 1 < first + count)
			canvas_line(canvas, begin, top - 16, begin, bottom + 4, "#444444");
	}
}

/* One panel: a strip for each configuration, one below the other. */
static void draw_strips(struct stacked *s, size_t first, size_t count, const char *suffix)
{
	struct figure *f = s->figure;
	size_t columns = f->spec->column_count;
	double *shares = keep_alloc(&f->data->keeper, (s->class_count + 1) * sizeof(*shares)), widest_column = 0, widest_row = 0, right, top, bottom, stack, left = LEFT;
	struct canvas *canvas;

	for (size_t c = 0; c < columns; c++)
		widest_column = fmax(widest_column, text_width(f->data->columns[f->spec->columns[c]].label, SMALL_SIZE));
	for (size_t i = first; i < first + count; i++)
		widest_row = fmax(widest_row, text_width(f->data->rows[f->spec->rows[i]].label, SMALL_SIZE));
	stack = fmin((CANVAS_WIDTH - left - widest_column - 20) / (double)count, 26);
	for (size_t i = 0; i < count; i++)
		left = fmax(left, figure_overhang(f->data->rows[f->spec->rows[first + i]].label, i, stack));
	stack = fmin((CANVAS_WIDTH - left - widest_column - 20) / (double)count, 26);
	right = left + stack * (double)count;
	top = 38 + canvas_legend(NULL, left, 6, fmax(right + widest_column + 20, 620) - left, s->legend, s->class_count);
	bottom = top + STRIP * (double)columns;
	canvas = canvas_new(&f->data->keeper, keep_print(&f->data->keeper, "%s%s", f->spec->name, suffix), fmax(right + widest_column + 20, 620),
		bottom + widest_row * 0.71 + 18);
	canvas->alt = "Stacked bars: shares of the classes, a strip for each configuration, a bar for each workload; the table below has the numbers";
	canvas_legend(canvas, left, 6, canvas->width - left, s->legend, s->class_count);
	strip_labels(s, canvas, first, count, left, stack, top, bottom);
	for (size_t c = 0; c < columns; c++)
		canvas_label(canvas, right + 8, top + ((double)c + 0.5) * STRIP, ANCHOR_LEFT, SMALL_SIZE, 0, NULL, f->data->columns[f->spec->columns[c]].label);
	plot_setup(canvas);
	fputs("set ytics ('' 0, '50%%' 50, '' 100)\nset multiplot\n", canvas->script.stream); /* neighbours' 0 and 100 would touch */
	for (size_t c = 0; c < columns; c++) {
		canvas_area(canvas, left, top + STRIP * (double)c + 4, right, top + STRIP * (double)(c + 1) - 4);
		if (strip_data(s, canvas, c, first, count, shares))
			plot_stacks(s, canvas, c, 0.42, (double)count);
		else
			fprintf(canvas->script.stream, "set xrange [0:%zu]\nplot -1 notitle\n", count); /* its frame alone */
		if (!c) /* texts and lines once */
			fputs("unset label\nunset arrow\nunset object\n", canvas->script.stream);
	}
	fputs("unset multiplot\n", canvas->script.stream);
	figure_add_panel(f, canvas);
}

/* How many rows from the first on stand in one panel: whole suites, as many as there is room for; a suite without room is cut. */
static size_t panel_rows(const struct stacked *s, size_t first, size_t room)
{
	size_t whole = 0;

	for (size_t g = 0; g < s->suite_count; g++) {
		size_t end = s->suites[g].first + s->suites[g].count;

		if (end > first && end - first <= room)
			whole = end - first;
	}
	return whole ? whole : room;
}

static void draw_all_strips(struct stacked *s)
{
	size_t room = (size_t)((CANVAS_WIDTH - LEFT - 120) / STACK), rows = s->figure->spec->row_count, panels = 0, size;

	for (size_t first = 0; first < rows; first += panel_rows(s, first, room))
		panels++;
	for (size_t first = 0, i = 1; first < rows; first += size, i++) {
		size = panel_rows(s, first, room);
		draw_strips(s, first, size, panels > 1 ? keep_print(&s->figure->data->keeper, "-%zu", i) : "");
	}
}

/* -- the figure -- */

static struct report_table *shares_table(const struct stacked *s)
{
	const struct figure *f = s->figure;
	struct report_table *t = table_new(&f->data->keeper, f->spec->name, s->class_count + 2, f->spec->row_count * f->spec->column_count);

	t->caption = keep_print(&f->data->keeper, "Shares in percent: %s", f->title);
	table_head(t, 0, "workload", NULL, true);
	table_head(t, 1, "configuration", NULL, true);
	for (size_t i = 0; i < s->class_count; i++)
		table_head(t, i + 2, s->classes[i].label, "%", false);
	for (size_t r = 0; r < f->spec->row_count; r++)
		for (size_t c = 0; c < f->spec->column_count; c++) {
			size_t row = r * f->spec->column_count + c;

			table_text(t, row, 0, figure_row_name(f, f->spec->rows[r]), figure_point_link(f, f->spec->rows[r], f->spec->columns[c]));
			table_text(t, row, 1, f->data->columns[f->spec->columns[c]].label, NULL);
			for (size_t i = 0; i < s->class_count; i++)
				table_number(t, row, i + 2, 100 * share_at(s, i, cell_of(f, r, c)), NULL);
		}
	return t;
}

static const char *vector_name(struct keeper *k, const char *name)
{
	const char *colons = strstr(name, "::"), *end = colons ? colons : strrchr(name, '.');

	return end ? keep_print(k, "%.*s", (int)(end - name), name) : name;
}

/* "sm.slots: issue slots by where they went", or the names. */
static const char *values_text(const struct stacked *s)
{
	struct keeper *k = &s->figure->data->keeper;
	const char *text = s->values[0]->name;

	if (strstr(text, "::"))
		return keep_print(k, "%s: %s", vector_name(k, text), s->values[0]->help);
	for (size_t i = 1; i < s->value_count; i++)
		text = keep_print(k, "%s, %s", text, s->values[i]->name);
	return text;
}

static bool draw(struct figure *f, struct diag_list *diags)
{
	struct stacked s = { .figure = f };
	struct keeper *k = &f->data->keeper;

	if (!get_values(&s, diags))
		return false;
	make_classes(&s);
	s.suites = figure_suites(f, &s.suite_count);
	f->title = f->spec->title ? f->spec->title : keep_print(k, "%s by class", vector_name(k, s.values[0]->name));
	if (!s.class_count) {
		f->caption = keep_print(k, "All of %s are 0 in every point.%s", s.zeros, f->spec->selection);
		return true;
	}
	if (f->spec->row_count > 1)
		draw_means(&s);
	draw_all_strips(&s);
	f->caption = keep_print(k, "%s, as shares of their sum (%s). Means are arithmetic means of the workloads' shares. "
		"A gap has no value, or all classes are 0.%s%s%s", values_text(&s), s.values[0]->unit,
		*s.others ? keep_print(k, " Other: %s.", s.others) : "", *s.zeros ? keep_print(k, " 0 everywhere: %s.", s.zeros) : "", f->spec->selection);
	figure_add_table(f, shares_table(&s));
	return true;
}

const struct figure_kind figure_stacked = {
	.name = "stacked", .help = "classes as shares of their sum, for each workload and configuration", .least_values = 2, .takes_patterns = true,
	.draw = draw,
};
