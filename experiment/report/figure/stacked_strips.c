/* experiment/report/figure/stacked_strips.c -- a strip for each configuration, one below the other, a stack
 * for each workload. */
#include "experiment/report/figure/stacked.h"
#include <math.h>
#include <string.h>

#define STRIP 84.0 /* height */
#define STACK 16.0 /* least width */

/* Whether any of it is there. */
static bool strip_data(const struct stacked *s, struct canvas *canvas, size_t column, size_t first,
	size_t count, double *shares)
{
	bool any = false;

	fputs(column ? "\n\n# " : "# ", canvas->data.stream);
	print_data(canvas->data.stream, s->figure->data->columns[s->figure->spec->columns[column]].label);
	fputc('\n', canvas->data.stream);
	for (size_t i = 0; i < count; i++) {
		for (size_t class = 0; class < s->class_count; class ++)
			shares[class] = stacked_share(s, class, stacked_cell(s->figure, first + i, column));
		any |= !isnan(shares[0]);
		stacked_write(canvas->data.stream, (double)i + 0.5, shares, s->class_count);
	}
	return any;
}

/* A field for each stack of a strip. */
static void strip_fields(const struct stacked *s, struct canvas *canvas, size_t column, size_t first,
	size_t count, struct canvas_box strip, double *shares)
{
	const struct figure_spec *spec = s->figure->spec;
	double stack = (strip.right - strip.left) / (double)count;

	for (size_t i = 0; i < count; i++) {
		double x = strip.left + (double)i * stack;

		for (size_t class = 0; class < s->class_count; class ++)
			shares[class] = stacked_share(s, class, stacked_cell(s->figure, first + i, column));
		figure_point_field(s->figure, canvas,
			(struct canvas_box){ x, strip.top, x + stack, strip.bottom }, spec->rows[first + i],
			spec->columns[column], stacked_text(s, shares));
	}
}

static void strip_labels(const struct stacked *s, struct canvas *canvas, size_t first, size_t count,
	double left, double stack, double top, double bottom)
{
	const struct figure *f = s->figure;
	double begin = left;
	size_t begun = first;

	for (size_t i = first; i < first + count; i++) {
		double x = left + ((double)(i - first) + 0.5) * stack;
		const char *suite = f->data->rows[f->spec->rows[i]].suite;
		bool ends = i + 1 == first + count ||
			strcmp(f->data->rows[f->spec->rows[i + 1]].suite, suite) != 0;

		canvas_label(canvas, x + 3, bottom + 10, ANCHOR_RIGHT, SMALL_SIZE, 45, NULL,
			f->data->rows[f->spec->rows[i]].label);
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
	double *shares = keep_alloc(&f->data->keeper, (s->class_count + 1) * sizeof(*shares)),
	       widest_column = 0, widest_row = 0, right, top, bottom, stack, left = STACKED_LEFT;
	struct canvas *canvas;

	for (size_t c = 0; c < columns; c++)
		widest_column = fmax(
			widest_column, text_width(f->data->columns[f->spec->columns[c]].label, SMALL_SIZE));
	for (size_t i = first; i < first + count; i++)
		widest_row = fmax(widest_row, text_width(f->data->rows[f->spec->rows[i]].label, SMALL_SIZE));
	stack = fmin((CANVAS_WIDTH - left - widest_column - 20) / (double)count,
		fmax(26, fmin(56, 560 / (double)count)));
	for (size_t i = 0; i < count; i++)
		left = fmax(left, figure_overhang(f->data->rows[f->spec->rows[first + i]].label, i, stack));
	stack = fmin((CANVAS_WIDTH - left - widest_column - 20) / (double)count,
		fmax(26, fmin(56, 560 / (double)count)));
	right = left + stack * (double)count;
	top = 38 +
		canvas_legend(NULL, left, 6, fmax(right + widest_column + 20, 620) - left, s->legend,
			s->class_count);
	bottom = top + STRIP * (double)columns;
	canvas = canvas_new(&f->data->keeper, keep_print(&f->data->keeper, "%s%s", f->spec->name, suffix),
		fmax(right + widest_column + 20, 620), bottom + widest_row * 0.71 + 18);
	canvas->alt = keep_print(&f->data->keeper,
		"Stacked bars: shares of the classes, a strip for each configuration, a bar for each %s; the "
		"table "
		"below has the numbers",
		figure_row_word(f));
	canvas->fields_a_line = count;
	canvas_legend(canvas, left, 6, canvas->width - left, s->legend, s->class_count);
	strip_labels(s, canvas, first, count, left, stack, top, bottom);
	for (size_t c = 0; c < columns; c++)
		canvas_label(canvas, right + 8, top + ((double)c + 0.5) * STRIP, ANCHOR_LEFT, SMALL_SIZE, 0,
			NULL, f->data->columns[f->spec->columns[c]].label);
	stacked_plot_setup(canvas);
	fputs("set ytics ('' 0, '50%%' 50, '' 100)\nset multiplot\n", canvas->script.stream); /* neighbours' 0
												 and 100 would
												 touch */
	for (size_t c = 0; c < columns; c++) {
		struct canvas_box strip = { left, top + STRIP * (double)c + 4, right,
			top + STRIP * (double)(c + 1) - 4 };

		canvas_area(canvas, strip.left, strip.top, strip.right, strip.bottom);
		strip_fields(s, canvas, c, first, count, strip, shares);
		if (strip_data(s, canvas, c, first, count, shares))
			stacked_plot(s, canvas, c, 0.42, (double)count);
		else
			fprintf(canvas->script.stream, "set xrange [0:%zu]\nplot -1 notitle\n",
				count); /* its frame alone */
		if (!c)                 /* texts and lines once */
			fputs("unset label\nunset arrow\nunset object\n", canvas->script.stream);
	}
	fputs("unset multiplot\n", canvas->script.stream);
	figure_add_panel(f, canvas);
}

/* How many rows from the first on stand in one panel: whole suites, as many as there is room for; a suite
 * without room is cut. */
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

void stacked_draw_strips(struct stacked *s)
{
	size_t room = (size_t)((CANVAS_WIDTH - STACKED_LEFT - 120) / STACK),
	       rows = s->figure->spec->row_count, panels = 0, size;

	for (size_t first = 0; first < rows; first += panel_rows(s, first, room))
		panels++;
	for (size_t first = 0, i = 1; first < rows; first += size, i++) {
		size = panel_rows(s, first, room);
		draw_strips(
			s, first, size, panels > 1 ? keep_print(&s->figure->data->keeper, "-%zu", i) : "");
	}
}
