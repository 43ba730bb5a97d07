/* experiment/report/figure/figure_printed.c -- what was measured beside what a paper prints: a line a number.
 *
 * A line names one configuration, workloads, a value and a mean (or the least, or the greatest); with `over`
 * the value is divided by that of another configuration, with `pairs` by that of another workload. Where a
 * point is missing there is no number. */
#include "experiment/report/spec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHAT, OURS, PRINTED, RATIO, OF, SOURCE, COLUMNS };

struct line {
	struct figure *figure;
	struct spec_reader reader; /* of the line; its spec is the figure's, narrowed */
	struct figure_spec spec;
	struct report_value *value;
	const char *mean;
	size_t above, below; /* columns; below NONE: nothing to divide by */
	double *numbers;
	size_t count, missing;
	double printed;
};

static const char *text_of(const struct line *l, const char *key)
{
	const struct document *doc = l->figure->data->document;
	doc_node node = doc_get(doc, l->reader.node, key);

	return node ? doc_text(doc, node) : NULL;
}

static bool wrong(struct line *l, const char *key, const char *message)
{
	const struct document *doc = l->figure->data->document;
	doc_node node = key ? doc_get(doc, l->reader.node, key) : 0;
	struct diag_location location = doc_location(doc, node ? node : l->reader.node);

	diag_error(l->reader.diags, &location, "%s%s%s", key ? key : "", key ? ": " : "", message);
	return false;
}

/* -- what a line says -- */

static bool read_value(struct line *l)
{
	const char *name = text_of(l, "value");

	if (!name && l->spec.values)
		name = l->spec.values[0];
	if (!name)
		return wrong(l, NULL,
			"expected a value, as {what: IPC, value: speedup, only: {machine: mrpb}, printed: "
			"2.65}");
	l->value = report_value_get(
		l->figure->data, name, l->spec.normalise, &l->spec.location, l->reader.diags);
	return l->value != NULL;
}

static bool read_mean(struct line *l)
{
	static const char *const names[] = { "geometric", "harmonic", "arithmetic", "least", "greatest" };
	const char *text = text_of(l, "mean");

	l->mean = text ? text
		       : report_mean_names[l->value->mean == MEAN_NONE ? MEAN_ARITHMETIC : l->value->mean];
	if (!text && l->spec.mean != MEANS && l->spec.mean != MEAN_NONE)
		l->mean = report_mean_names[l->spec.mean];
	for (size_t i = 0; i < 5; i++)
		if (!strcmp(l->mean, names[i]))
			return true;
	return spec_wrong(&l->reader, doc_get(l->figure->data->document, l->reader.node, "mean"), l->mean,
		"expected geometric, harmonic, arithmetic, least or greatest, not", names, 5);
}

static bool read_printed(struct line *l)
{
	const char *text = text_of(l, "printed");
	char *end;

	l->printed = NAN;
	if (!doc_get(l->figure->data->document, l->reader.node, "printed"))
		return true;
	l->printed = text ? strtod(text, &end) : NAN;
	return (text && end != text && !*end && isfinite(l->printed)) ||
		wrong(l, "printed", "expected a number");
}

/* The column above with the levels of `over` in place of its own. */
static bool find_below(struct line *l)
{
	struct report_data *d = l->figure->data;
	doc_node over = doc_get(d->document, l->reader.node, "over");
	struct figure_spec all = l->spec;
	struct spec_reader reader = l->reader;
	size_t found = NONE;

	l->below = NONE;
	if (!over)
		return true;
	all.columns = keep_alloc(&d->keeper, (d->column_count + 1) * sizeof(*all.columns));
	all.column_count = d->column_count;
	for (size_t c = 0; c < d->column_count; c++)
		all.columns[c] = c;
	reader.spec = &all;
	if (!spec_levels(&reader, "over"))
		return false;
	for (size_t i = 0; i < all.column_count; i++) {
		bool same = true;

		for (size_t f = 0; f < d->factor_count; f++)
			same &= doc_get(d->document, over, d->factors[f].name) ||
				!strcmp(d->columns[all.columns[i]].levels[f], d->columns[l->above].levels[f]);
		if (same && found != NONE)
			return wrong(l, "over", "expected one level of each factor");
		if (same)
			found = all.columns[i];
	}
	l->below = found;
	return found != NONE || wrong(l, "over", "no point has these levels, and the line's others");
}

/* -- numbers -- */

static void add_number(struct line *l, double number)
{
	l->numbers[l->count++] = number;
	if (!isfinite(number)) /* infinite: divided by 0 */
		l->missing++;
}

static double at(const struct line *l, size_t row, size_t column)
{
	return l->value->cells[row * l->figure->data->column_count + column];
}

static bool add_pair(struct line *l, doc_node key, const char *above, const char *below)
{
	struct report_data *d = l->figure->data;
	size_t rows[2] = { NONE, NONE };

	for (size_t i = 0; i < d->row_count; i++) {
		rows[0] = !strcmp(d->rows[i].workload, above) ? i : rows[0];
		rows[1] = below && !strcmp(d->rows[i].workload, below) ? i : rows[1];
	}
	for (size_t i = 0; i < 2; i++)
		if (rows[i] == NONE)
			return spec_wrong(&l->reader, key, i && below ? below : above,
				"the sweep has no workload", NULL, 0);
	add_number(l, at(l, rows[0], l->above) / at(l, rows[1], l->below == NONE ? l->above : l->below));
	return true;
}

static bool take_numbers(struct line *l)
{
	const struct document *doc = l->figure->data->document;
	doc_node pairs = doc_get(doc, l->reader.node, "pairs");

	l->numbers = keep_alloc(
		&l->figure->data->keeper, (l->spec.row_count + doc_count(doc, pairs) + 1) * sizeof(double));
	if (pairs && !doc_is_mapping(doc, pairs))
		return wrong(l, "pairs",
			"expected workloads with those they are divided by, as {rodinia/srad: "
			"rodinia/srad-unshared}");
	for (size_t i = 0; pairs && i < doc_count(doc, pairs); i++)
		if (!add_pair(l, doc_key_node(doc, pairs, i), doc_key(doc, pairs, i),
			    doc_text(doc, doc_value(doc, pairs, i))))
			return false;
	for (size_t i = 0; !pairs && i < l->spec.row_count; i++) {
		size_t row = l->spec.rows[i];

		add_number(l,
			l->below == NONE ? at(l, row, l->above)
					 : at(l, row, l->above) / at(l, row, l->below));
	}
	return true;
}

static double result(const struct line *l)
{
	double extreme = NAN;

	if (l->missing || !l->count)
		return NAN;
	if (strcmp(l->mean, "least") && strcmp(l->mean, "greatest"))
		return report_mean(report_mean_named(l->mean), l->numbers, l->count);
	for (size_t i = 0; i < l->count; i++)
		if (isnan(extreme) || (*l->mean == 'l' ? l->numbers[i] < extreme : l->numbers[i] > extreme))
			extreme = l->numbers[i];
	return extreme;
}

static bool read_line(struct line *l)
{
	static const char *const keys[] = { "what", "value", "mean", "workloads", "pairs", "only", "over",
		"printed", "source", NULL };
	struct report_data *d = l->figure->data;

	if (!doc_is_mapping(d->document, l->reader.node))
		return wrong(l, NULL,
			"expected a line, as {what: IPC, value: speedup, only: {machine: mrpb}, printed: "
			"2.65, source: Section 5.5}");
	if (!doc_allow(d->document, l->reader.node, keys, l->reader.diags))
		return false;
	if (!text_of(l, "what"))
		return wrong(l, NULL, "expected what the number is, as {what: IPC ...}");
	if (!spec_workloads(&l->reader) || !spec_only(&l->reader))
		return false;
	if (l->spec.column_count != 1) {
		struct diag_location location = doc_location(d->document, l->reader.node);

		diag_error(l->reader.diags, &location,
			"%zu configurations have these levels; a line is of one: only: {factor: level} "
			"chooses it",
			l->spec.column_count);
		return false;
	}
	l->above = l->spec.columns[0];
	return read_value(l) && read_mean(l) && read_printed(l) && find_below(l) && take_numbers(l);
}

/* "least of 28", "geometric mean of 12", "1 of 12 missing" */
static const char *of_text(const struct line *l, struct keeper *k)
{
	if (l->missing)
		return keep_print(k, "%zu of %zu missing", l->missing, l->count);
	if (l->count == 1)
		return "one";
	return keep_print(k, "%s%s of %zu", l->mean,
		*l->mean == 'l' || (*l->mean == 'g' && l->mean[1] == 'r') ? "" : " mean", l->count);
}

static bool draw_line(
	struct figure *f, struct report_table *t, size_t row, doc_node node, struct diag_list *diags)
{
	struct keeper *k = &f->data->keeper;
	struct line l = { .figure = f, .spec = *f->spec, .reader = { f->data, NULL, node, diags } };
	const char *source;
	double ours;

	l.reader.spec = &l.spec;
	l.spec.location = doc_location(f->data->document, node);
	l.spec.rows = keep_alloc(k, (f->data->row_count + 1) * sizeof(*l.spec.rows));
	l.spec.columns = keep_alloc(k, (f->data->column_count + 1) * sizeof(*l.spec.columns));
	memcpy(l.spec.rows, f->spec->rows, f->spec->row_count * sizeof(*l.spec.rows));
	memcpy(l.spec.columns, f->spec->columns, f->spec->column_count * sizeof(*l.spec.columns));
	if (!read_line(&l))
		return false;
	ours = result(&l);
	source = text_of(&l, "source");
	table_text(t, row, WHAT, keep_copy(k, text_of(&l, "what")), NULL);
	table_number(t, row, OURS, ours, NULL);
	table_number(t, row, PRINTED, l.printed, NULL);
	table_number(t, row, RATIO, l.printed != 0 ? ours / l.printed : NAN, NULL);
	table_text(t, row, OF, of_text(&l, k), NULL);
	table_text(t, row, SOURCE, source ? keep_copy(k, source) : "", NULL);
	return true;
}

static bool draw(struct figure *f, struct diag_list *diags)
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
	table_head(t, WHAT, "what", NULL, true);
	table_head(t, OURS, "measured", NULL, false);
	table_head(t, PRINTED, "printed", NULL, false);
	table_head(t, RATIO, "ratio", NULL, false);
	table_head(t, OF, "of workloads", NULL, true);
	table_head(t, SOURCE, "source", NULL, true);
	for (size_t i = 0; i < doc_count(doc, rows); i++)
		fine &= draw_line(f, t, i, doc_item(doc, rows, i), diags);
	f->title = f->spec->title ? f->spec->title : "Measured and printed";
	f->caption = keep_print(&f->data->keeper,
		"What was measured here beside what the paper prints, and the former divided by the latter; "
		"a dash where a point is "
		"missing, or nothing is printed.%s",
		f->spec->selection);
	t->caption = f->title;
	figure_add_table(f, t);
	return fine;
}

const struct figure_kind figure_printed = {
	.name = "printed",
	.help = "what was measured beside what a paper prints, a line a number",
	.most_values = 1,
	.is_table = true,
	.has_rows = true,
	.draw = draw,
};
