/* experiment/report/figure/figure_table.c -- values side by side, a line for each workload and configuration.
 */
#include "experiment/report/figure/figure.h"

static bool table_draw(struct figure *f, struct diag_list *diags)
{
	const struct figure_spec *s = f->spec;
	struct keeper *k = &f->data->keeper;
	struct report_table *t;
	size_t count = 0;

	while (s->values[count])
		count++;
	t = table_new(k, s->name, count + 2, s->row_count * s->column_count);
	table_head(t, 0, figure_row_word(f), NULL, true);
	table_head(t, 1, "configuration", NULL, true);
	f->caption = "";
	for (size_t i = 0; i < count; i++) {
		struct report_value *v =
			report_value_get(f->data, s->values[i], s->normalise, &s->location, diags);

		if (!v)
			return false;
		table_head(t, i + 2, v->name, v->is_normalised ? "over the baseline's" : v->unit, false);
		f->caption = keep_print(k, "%s%s%s", f->caption, i ? " " : "", figure_value_text(f, v));
		for (size_t r = 0; r < s->row_count; r++)
			for (size_t c = 0; c < s->column_count; c++) {
				size_t row = r * s->column_count + c;

				table_text(t, row, 0, figure_row_name(f, s->rows[r]),
					figure_point_link(f, s->rows[r], s->columns[c]));
				table_text(t, row, 1, f->data->columns[s->columns[c]].label, NULL);
				table_number(t, row, i + 2,
					v->cells[s->rows[r] * f->data->column_count + s->columns[c]], NULL);
			}
	}
	f->title = s->title ? s->title : "Values of each point";
	t->caption = f->title;
	f->caption = keep_print(k, "%s%s", f->caption, s->selection);
	figure_add_table(f, t);
	return true;
}

const struct figure_kind figure_table = {
	.name = "table",
	.help = "values side by side, a line for each workload and configuration",
	.least_values = 1,
	.takes_patterns = true,
	.is_table = true,
	.draw = table_draw,
};
