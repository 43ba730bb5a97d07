/* experiment/report/figure/figure_stacked.c -- classes that make up a whole (issue slots by where they went,
 * accesses by their outcome), as shares of their sum: first the mean shares by suite and configuration, then
 * a strip for each configuration with a stack for each workload. */
#include "experiment/report/figure/stacked.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define MOST_CLASSES 11 /* drawn by themselves; the smallest of more make up "other" */

/* -- classes -- */

static bool get_values(struct stacked *s, struct diag_list *diags)
{
	size_t count = 0;

	while (s->figure->spec->values[count])
		count++;
	s->values = keep_alloc(&s->figure->data->keeper, count * sizeof(*s->values));
	for (; s->value_count < count; s->value_count++) {
		s->values[s->value_count] = report_value_get(s->figure->data,
			s->figure->spec->values[s->value_count], false, &s->figure->spec->location, diags);
		if (!s->values[s->value_count])
			return false;
	}
	return true;
}

/* The values of a cell, summed; NAN if none is there. A class without a value in a job that has others is 0.
 */
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

size_t stacked_cell(const struct figure *f, size_t row, size_t column)
{
	return f->spec->rows[row] * f->data->column_count + f->spec->columns[column];
}

/* The sum over all points of a value's share in its point. */
static double weight_of_value(const struct stacked *s, const struct report_value *v)
{
	double sum = 0;

	for (size_t i = 0; i < s->figure->spec->row_count; i++)
		for (size_t c = 0; c < s->figure->spec->column_count; c++) {
			size_t at = stacked_cell(s->figure, i, c);
			double share = v->cells[at] / whole_at(s, at);

			sum += isnan(share) ? 0 : share;
		}
	return sum;
}

/* "issued" of "sm.issue_slots::issued"; the part after the last point of other names. */
static const char *short_name(const char *name)
{
	const char *colons = strstr(name, "::"), *point = strrchr(name, '.');

	return colons ? colons + 2 : point ? point + 1 : name;
}

static struct class *add_stack_class(struct stacked *s, const char *label)
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
		weights[i] = weight_of_value(s, s->values[i]);
	for (size_t i = 0; i < s->value_count; i++) {
		const char *name = short_name(s->values[i]->name);
		struct class *class;

		if (weights[i] <= 0) {
			s->zeros = keep_print(k, "%s%s%s", s->zeros, *s->zeros ? ", " : "", name);
		} else if (!is_small(weights, s->value_count, i)) {
			class = add_stack_class(s, name);
			class->cells[class->count++] = s->values[i]->cells;
		} else {
			s->others = keep_print(k, "%s%s%s", s->others, *s->others ? ", " : "", name);
		}
	}
	for (size_t i = 0; i < s->value_count && *s->others; i++)
		if (weights[i] > 0 && is_small(weights, s->value_count, i)) {
			other = other ? other : add_stack_class(s, "other");
			other->cells[other->count++] = s->values[i]->cells;
		}
	s->legend = keep_alloc(k, (s->class_count + 1) * sizeof(*s->legend));
	for (size_t i = 0; i < s->class_count; i++)
		s->legend[i] = (struct legend_entry){ s->classes[i].label,
			&s->classes[i] == other ? "#dddddd" : canvas_colour(k, i, 1), 0 };
}

/* -- a stack -- */

double stacked_share(const struct stacked *s, size_t class, size_t at)
{
	return sum_at(&s->classes[class], at) / whole_at(s, at);
}

const char *stacked_text(const struct stacked *s, const double *shares)
{
	struct keeper *k = &s->figure->data->keeper;
	const char *text = "";

	if (!s->class_count || isnan(shares[0]))
		return "no value";
	for (size_t i = 0; i < s->class_count; i++)
		if (shares[i] > 0)
			text = keep_print(k, "%s%s%s %.3g %%", text, *text ? ", " : "", s->classes[i].label,
				100 * shares[i]);
	return text;
}

/* A line of data: where the stack stands, and the ends of its classes in percent. */
void stacked_write(FILE *to, double x, const double *shares, size_t count)
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

void stacked_plot(const struct stacked *s, struct canvas *canvas, size_t index, double half, double xmax)
{
	FILE *to = canvas->script.stream;
	const char *separator = "plot ";

	fprintf(to, "set xrange [0:%.5g]\n", xmax);
	for (size_t i = 0; i < s->class_count; i++) {
		fprintf(to,
			"%s'%s.dat' index %zu using 1:%zu:($1 - %.5f):($1 + %.5f):%zu:%zu with boxxyerror "
			"fillcolor '%s' title ",
			separator, canvas->name, index, i + 2, half, half, i + 2, i + 3, s->legend[i].colour);
		print_gnuplot(to, s->legend[i].label);
		separator = ", \\\n\t";
	}
	fputc('\n', to);
}

void stacked_plot_setup(struct canvas *canvas)
{
	fputs("set yrange [0:100]\nset style fill solid 1 noborder\nunset xtics\nset ytics 50 format "
	      "'%g%%'\nset grid ytics front linetype 1 linewidth 0.5 linecolor '#ffffff'\n",
		canvas->script.stream);
}

/* -- the figure -- */

static struct report_table *shares_table(const struct stacked *s)
{
	const struct figure *f = s->figure;
	struct report_table *t = table_new(&f->data->keeper, f->spec->name, s->class_count + 2,
		f->spec->row_count * f->spec->column_count);

	t->caption = keep_print(&f->data->keeper, "Shares in percent: %s", f->title);
	table_head(t, 0, figure_row_word(f), NULL, true);
	table_head(t, 1, "configuration", NULL, true);
	for (size_t i = 0; i < s->class_count; i++)
		table_head(t, i + 2, s->classes[i].label, "%", false);
	for (size_t r = 0; r < f->spec->row_count; r++)
		for (size_t c = 0; c < f->spec->column_count; c++) {
			size_t row = r * f->spec->column_count + c;

			table_text(t, row, 0, figure_row_name(f, f->spec->rows[r]),
				figure_point_link(f, f->spec->rows[r], f->spec->columns[c]));
			table_text(t, row, 1, f->data->columns[f->spec->columns[c]].label, NULL);
			for (size_t i = 0; i < s->class_count; i++)
				table_number(t, row, i + 2, 100 * stacked_share(s, i, stacked_cell(f, r, c)),
					NULL);
		}
	return t;
}

static const char *vector_name(struct keeper *k, const char *name)
{
	const char *colons = strstr(name, "::"), *end = colons ? colons : strrchr(name, '.');

	return end ? keep_print(k, "%.*s", (int)(end - name), name) : name;
}

/* "sm.issue_slots: issue slots by where they went", or the names. */
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

static bool stacked_draw(struct figure *f, struct diag_list *diags)
{
	struct stacked s = { .figure = f };
	struct keeper *k = &f->data->keeper;

	if (!get_values(&s, diags))
		return false;
	make_classes(&s);
	s.suites = figure_suites(f, &s.suite_count);
	f->title = f->spec->title ? f->spec->title
				  : keep_print(k, "%s by class", vector_name(k, s.values[0]->name));
	if (!s.class_count) {
		f->caption = keep_print(k, "All of %s are 0 in every point.%s", s.zeros, f->spec->selection);
		return true;
	}
	if (f->spec->row_count > 1)
		stacked_draw_means(&s);
	stacked_draw_strips(&s);
	f->caption = keep_print(k,
		"%s, as shares of their sum (%s). Means are arithmetic means of the %ss' shares. "
		"A gap has no value, or all classes are 0.%s%s%s",
		values_text(&s), s.values[0]->unit, figure_row_word(f),
		*s.others ? keep_print(k, " Other: %s.", s.others) : "",
		*s.zeros ? keep_print(k, " 0 everywhere: %s.", s.zeros) : "", f->spec->selection);
	figure_add_table(f, shares_table(&s));
	return true;
}

const struct figure_kind figure_stacked = {
	.name = "stacked",
	.help = "classes as shares of their sum, for each workload and configuration",
	.least_values = 2,
	.takes_patterns = true,
	.draw = stacked_draw,
};
