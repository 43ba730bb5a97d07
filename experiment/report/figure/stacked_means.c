/* experiment/report/figure/stacked_means.c -- stacks of mean shares: a group for each suite, a stack for each
 * configuration. */
#include "experiment/report/figure/stacked.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* The mean share over the rows first.. that have the column; NAN if there is none. */
static double mean_share(const struct stacked *s, size_t class, size_t column, size_t first, size_t count)
{
	double *values = xcalloc(count, sizeof(*values)), mean;
	size_t n = 0;

	for (size_t i = first; i < first + count; i++) {
		double share = stacked_share(s, class, stacked_cell(s->figure, i, column));

		if (!isnan(share))
			values[n++] = share;
	}
	mean = report_mean(MEAN_ARITHMETIC, values, n);
	free(values);
	return mean;
}

static const char *numbered(const struct stacked *s, size_t column)
{
	return keep_print(&s->figure->data->keeper, "%zu: %s", column + 1,
		s->figure->data->columns[s->figure->spec->columns[column]].label);
}

/* Numbers under the stacks, and what they stand for under these; the height. */
static double column_key(const struct stacked *s, struct canvas *canvas, double top, double width)
{
	double x = STACKED_LEFT, y = top;

	for (size_t c = 0; c < s->figure->spec->column_count; c++) {
		const char *label = numbered(s, c);
		double wide = text_width(label, SMALL_SIZE) + 18;

		if (x > STACKED_LEFT && x + wide > width) {
			x = STACKED_LEFT;
			y += 17;
		}
		if (canvas)
			canvas_label(canvas, x, y, ANCHOR_LEFT, SMALL_SIZE, 0, NULL, label);
		x += wide;
	}
	return y + 14 - top;
}

static void label_group(const struct stacked *s, struct canvas *canvas, double x, double group, double stack,
	double bottom, const char *name)
{
	size_t columns = s->figure->spec->column_count;
	double size = stack >= 8 ? 9 : 8;

	for (size_t c = 0; c < columns && columns > 1; c++) {
		const char *number = keep_print(&s->figure->data->keeper, "%zu", c + 1);

		if (text_width(number, size) < stack + 1)
			canvas_label(canvas, x + group / 2 + ((double)c + 0.5 - (double)columns / 2) * stack,
				bottom + 8, ANCHOR_CENTRE, size, 0, "#444444", number);
	}
	canvas_label(canvas, x + group / 2, bottom + 24, ANCHOR_CENTRE, SMALL_SIZE, 0, NULL,
		text_fit(&s->figure->data->keeper, name, SMALL_SIZE, group - 4));
}

void stacked_draw_means(struct stacked *s)
{
	struct figure *f = s->figure;
	size_t columns = f->spec->column_count, groups = s->suite_count > 1 ? s->suite_count + 1 : 1;
	double group = fmin((CANVAS_WIDTH - STACKED_LEFT - 10) / (double)groups,
		       fmax((double)columns * 26 + 20, 120)),
	       width = STACKED_LEFT + 10 + group * (double)groups;
	double stack = (group - fmax(10, group * 0.15)) / (double)columns, top, bottom,
	       *shares = keep_alloc(&f->data->keeper, (s->class_count + 1) * sizeof(*shares));
	struct canvas *canvas;

	width = fmax(width, 620);
	top = 18 + canvas_legend(NULL, STACKED_LEFT, 6, width - STACKED_LEFT, s->legend, s->class_count);
	bottom = top + 210;
	canvas = canvas_new(&f->data->keeper, keep_print(&f->data->keeper, "%s-summary", f->spec->name),
		width, bottom + 46 + (columns > 1 ? column_key(s, NULL, 0, width) : 0));
	canvas->fields_a_line = columns;
	canvas->alt = "Stacked bars: mean shares of the classes by suite and configuration; the table below "
		      "has the numbers of each point";
	canvas_legend(canvas, STACKED_LEFT, 6, width - STACKED_LEFT, s->legend, s->class_count);
	if (columns > 1)
		column_key(s, canvas, bottom + 46, width);
	for (size_t g = 0; g < groups; g++) {
		bool all = g == s->suite_count || s->suite_count == 1;
		size_t first = all ? 0 : s->suites[g].first,
		       count = all ? f->spec->row_count : s->suites[g].count;

		label_group(s, canvas, STACKED_LEFT + (double)g * group, group, stack, bottom,
			all                          ? "all"
				: *s->suites[g].name ? s->suites[g].name
						     : "other");
		for (size_t c = 0; c < columns; c++) {
			double x = STACKED_LEFT + ((double)g + 0.5) * group +
				((double)c + 0.5 - (double)columns / 2) * stack;

			for (size_t i = 0; i < s->class_count; i++)
				shares[i] = mean_share(s, i, c, first, count);
			figure_mean_field(f, canvas,
				(struct canvas_box){ x - stack / 2, top, x + stack / 2, bottom },
				all ? "mean of all"
					: *s->suites[g].name
					? keep_print(&f->data->keeper, "mean of %s", s->suites[g].name)
					: "mean of those without a suite",
				f->spec->columns[c], stacked_text(s, shares));
			stacked_write(canvas->data.stream,
				(double)g + 0.5 + ((double)c + 0.5 - (double)columns / 2) * stack / group,
				shares, s->class_count);
		}
	}
	canvas_area(canvas, STACKED_LEFT, top, STACKED_LEFT + group * (double)groups, bottom);
	stacked_plot_setup(canvas);
	stacked_plot(s, canvas, 0, 0.44 * stack / group, (double)groups);
	figure_add_panel(f, canvas);
}
