/* experiment/report/figure/marks.c -- what stands where in a drawing: the page lays a field over each bar,
 * cell and mark, which says its exact value and leads to its point. */
#include "experiment/report/figure/figure.h"
#include <math.h>

static const char *field_text(const struct figure *f, const char *what, size_t column, const char *value)
{
	return keep_print(&f->data->keeper, "%s, %s: %s", what, f->data->columns[column].label, value);
}

const char *figure_exact(const struct figure *f, const struct report_value *v, double number)
{
	struct keeper *k = &f->data->keeper;

	return keep_print(k, "%s %s", v->name, isnan(number) ? "has no value" : number_exact(k, number));
}

void figure_point_field(const struct figure *f, struct canvas *canvas, struct canvas_box box, size_t row,
	size_t column, const char *value)
{
	canvas_field(canvas, &f->data->keeper, box, figure_point_link(f, row, column),
		field_text(f, figure_row_name(f, row), column, value));
}

void figure_mean_field(const struct figure *f, struct canvas *canvas, struct canvas_box box, const char *what,
	size_t column, const char *value)
{
	canvas_field(canvas, &f->data->keeper, box, NULL, field_text(f, what, column, value));
}
