/* experiment/report/figure/figure_printed.c -- what was measured beside what a paper prints, with a verdict:
 * a row a number. */
#include "experiment/report/figure/printed.h"
#include <math.h>
#include <string.h>

enum { WHAT, OURS, PRINTED, SHARE, VERDICT, OF, SOURCE, COLUMNS };

/* "least of 28", "geometric mean of 12", "1 of 12 missing" */
static const char *mean_text(const struct printed_row *row, struct keeper *k)
{
	if (row->missing)
		return keep_print(k, "%zu of %zu missing", row->missing, row->count);
	if (row->count == 1)
		return "one";
	return keep_print(k, "%s%s of %zu", row->mean,
		!strcmp(row->mean, "least") || !strcmp(row->mean, "greatest") ? "" : " mean", row->count);
}

/* And how many of them are of runs that a limit cut. */
static const char *of_text(const struct printed_row *row, struct keeper *k)
{
	const char *text = row->unchecked ? "" : mean_text(row, k);

	if (row->cut)
		text = keep_print(k, "%s, %zu cut", text, row->cut);
	return row->differing ? keep_print(k, "%s (shares differ in %zu)", text, row->differing) : text;
}

/* As the file has it, after the bound: "at least -80". */
static const char *printed_cell(const struct printed_row *row, struct keeper *k)
{
	const char *text = printed_text(row, "printed"), *bound = printed_bound_words[row->printed.bound];

	return text ? keep_print(k, "%s%s%s", bound, *bound ? " " : "", text) : NULL;
}

static void fill_printed_row(
	struct report_table *t, size_t at, const struct printed_row *row, struct keeper *k)
{
	double measured = printed_row_measured(row);
	struct verdict verdict = verdict_of(&row->printed, measured);
	const char *source = printed_text(row, "source"), *printed = printed_cell(row, k);

	table_text(t, at, WHAT, keep_copy(k, printed_text(row, "what")), NULL);
	table_number(t, at, OURS, measured, NULL);
	if (printed)
		table_text(t, at, PRINTED, printed, NULL);
	table_number(t, at, SHARE, verdict.share, NULL);
	table_text(t, at, VERDICT,
		row->unchecked ? keep_print(k, "not checked: %s", row->unchecked) : verdict.text, NULL);
	table_text(t, at, OF, of_text(row, k), NULL);
	table_text(t, at, SOURCE, source ? keep_copy(k, source) : "", NULL);
}

/* The row once more, for those who want its parts (`lockstep reproduce`). */
static void keep_claim(struct figure *f, const struct printed_row *row, struct keeper *k)
{
	f->claims[f->claim_count++] = (struct report_claim){ .table = f->title,
		.what = printed_text(row, "what"),
		.text = printed_cell(row, k),
		.over = of_text(row, k),
		.source = printed_text(row, "source"),
		.unchecked = row->unchecked,
		.why = printed_text(row, "why"),
		.measured = printed_row_measured(row),
		.printed = row->printed };
}

static bool draw_row(
	struct figure *f, struct report_table *t, size_t at, doc_node node, struct diag_list *diags)
{
	struct keeper *k = &f->data->keeper;
	struct printed_row row = { .figure = f, .spec = *f->spec, .reader = { f->data, NULL, node, diags } };

	row.reader.spec = &row.spec;
	row.spec.location = doc_location(f->data->document, node);
	row.spec.rows = keep_alloc(k, (f->data->row_count + 1) * sizeof(*row.spec.rows));
	row.spec.columns = keep_alloc(k, (f->data->column_count + 1) * sizeof(*row.spec.columns));
	memcpy(row.spec.rows, f->spec->rows, f->spec->row_count * sizeof(*row.spec.rows));
	memcpy(row.spec.columns, f->spec->columns, f->spec->column_count * sizeof(*row.spec.columns));
	if (!printed_row_read(&row))
		return false;
	fill_printed_row(t, at, &row, k);
	keep_claim(f, &row, k);
	printed_count(&f->printed, &row.printed, printed_row_measured(&row));
	return true;
}

static void printed_head(struct report_table *t)
{
	table_head(t, WHAT, "what", NULL, true);
	table_head(t, OURS, "measured", NULL, false);
	table_head(t, PRINTED, "printed", NULL, false);
	table_head(t, SHARE, "gain / printed", NULL, false);
	table_head(t, VERDICT, "verdict", NULL, true);
	table_head(t, OF, "over", NULL, true);
	table_head(t, SOURCE, "source", NULL, true);
}

static bool printed_draw(struct figure *f, struct diag_list *diags)
{
	const struct document *doc = f->data->document;
	doc_node rows = f->spec->node ? doc_get(doc, f->spec->node, "rows") : 0;
	struct report_table *t;
	bool fine = true;

	if (!rows || !doc_is_list(doc, rows) || !doc_count(doc, rows)) {
		diag_error(diags, &f->spec->location,
			"a figure of kind printed has rows: a list of what is measured, and what is printed "
			"of it");
		return false;
	}
	t = table_new(&f->data->keeper, f->spec->name, COLUMNS, doc_count(doc, rows));
	printed_head(t);
	f->title = f->spec->title ? f->spec->title : "Measured and printed";
	f->claims = keep_alloc(&f->data->keeper, doc_count(doc, rows) * sizeof(*f->claims));
	for (size_t i = 0; i < doc_count(doc, rows); i++)
		fine &= draw_row(f, t, i, doc_item(doc, rows, i), diags);
	f->caption = keep_print(&f->data->keeper,
		"What was measured here beside what the paper prints. Gains are compared: a ratio less 1, a "
		"change "
		"in percent, an absolute value as it is. A dash stands where a point is missing, or nothing "
		"is "
		"printed. %zu numbers are printed: %zu in direction, %zu within 25 %% of the gain, %zu not "
		"checked.%s",
		f->printed.numbers, f->printed.in_direction, f->printed.within, f->printed.unchecked,
		f->spec->selection);
	t->caption = f->title;
	figure_add_table(f, t);
	return fine;
}

const struct figure_kind figure_printed = {
	.name = "printed",
	.help = "what was measured beside what a paper prints, a row a number",
	.most_values = 1,
	.is_table = true,
	.has_rows = true,
	.draw = printed_draw,
};
