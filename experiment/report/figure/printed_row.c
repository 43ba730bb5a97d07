/* experiment/report/figure/printed_row.c -- one row of a figure of kind printed: what it says, and what was
 * measured. */
#include "experiment/report/figure/printed.h"
#include "experiment/report/shares.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *printed_text(const struct printed_row *row, const char *key)
{
	const struct document *doc = row->figure->data->document;
	doc_node node = doc_get(doc, row->reader.node, key);

	return node ? doc_text(doc, node) : NULL;
}

static bool wrong_printed_row(struct printed_row *row, const char *key, const char *message)
{
	const struct document *doc = row->figure->data->document;
	doc_node node = key ? doc_get(doc, row->reader.node, key) : 0;
	struct diag_location location = doc_location(doc, node ? node : row->reader.node);

	diag_error(row->reader.diags, &location, "%s%s%s", key ? key : "", key ? ": " : "", message);
	return false;
}

/* -- what is measured -- */

static bool read_printed_value(struct printed_row *row)
{
	const char *name = printed_text(row, "value");

	if (!name && row->spec.values)
		name = row->spec.values[0];
	if (!name)
		return wrong_printed_row(row, NULL,
			"expected a value, as {what: IPC, value: speedup, only: {machine: mrpb}, printed: "
			"2.65}");
	if (!spec_value_exists(
		    &row->reader, name, doc_get(row->figure->data->document, row->reader.node, "value")))
		return false;
	/* a policy's statistic is known from its first run on */
	row->value = (row->figure->data->open || row->figure->data->failed) &&
			!report_has_value(row->figure->data, name)
		? report_value_none(row->figure->data, name)
		: report_value_get(row->figure->data, name, row->spec.normalise, &row->spec.location,
			  row->reader.diags);
	return row->value != NULL;
}

static bool read_mean(struct printed_row *row)
{
	static const char *const names[] = { "geometric", "harmonic", "arithmetic", "least", "greatest" };
	const char *text = printed_text(row, "mean");

	row->mean = text
		? text
		: report_mean_names[row->value->mean == MEAN_NONE ? MEAN_ARITHMETIC : row->value->mean];
	if (!text && row->spec.mean != MEANS && row->spec.mean != MEAN_NONE)
		row->mean = report_mean_names[row->spec.mean];
	for (size_t i = 0; i < 5; i++)
		if (!strcmp(row->mean, names[i]))
			return true;
	return spec_wrong(&row->reader, doc_get(row->figure->data->document, row->reader.node, "mean"),
		row->mean, "expected geometric, harmonic, arithmetic, least or greatest, not", names, 5);
}

/* -- what is printed -- */

/* One of names, by a key; -1, with a diagnostic. Without the key: otherwise. */
static int read_printed_name(
	struct printed_row *row, const char *key, const char *const *names, size_t count, int otherwise)
{
	const struct document *doc = row->figure->data->document;
	const char *text = printed_text(row, key), *all = "";

	if (!doc_get(doc, row->reader.node, key))
		return otherwise;
	for (size_t i = 0; i < count; i++) {
		if (text && !strcmp(text, names[i]))
			return (int)i;
		all = keep_print(&row->figure->data->keeper, "%s%s%s", all, i ? ", " : "", names[i]);
	}
	spec_wrong(&row->reader, doc_get(doc, row->reader.node, key), text ? text : "",
		keep_print(&row->figure->data->keeper, "%s: expected one of %s, not", key, all), names,
		count);
	return -1;
}

/* A change in percent is a derived value that compares with the baseline; other percentages are values. */
static enum printed_quantity likely_quantity(const struct printed_row *row)
{
	const struct document *doc = row->figure->data->document;
	const struct report_value *v = row->value;

	if (!v || v->is_ratio || !strcmp(v->unit, "times") || doc_get(doc, row->reader.node, "over") ||
		doc_get(doc, row->reader.node, "pairs"))
		return QUANTITY_RATIO;
	return !strcmp(v->unit, "%") && v->is_derived && strstr(v->help, "base(") ? QUANTITY_CHANGE
										  : QUANTITY_VALUE;
}

static bool read_printed_number(struct printed_row *row, const char *text)
{
	char *end;

	for (int word = WORD_HIGHER; word <= WORD_EQUAL; word++)
		if (!strcmp(text, printed_word_names[word]))
			row->printed.word = (enum printed_word)word;
	if (row->printed.word != WORD_NONE)
		return true;
	row->printed.number = strtod(text, &end);
	row->printed.has_number = end != text && !*end && isfinite(row->printed.number);
	if (!row->printed.has_number && row->unchecked)
		row->printed.word = WORD_OTHER;
	return row->printed.has_number || row->unchecked ||
		wrong_printed_row(row, "printed", "expected a number, or higher, lower or equal");
}

static bool read_printed(struct printed_row *row)
{
	const struct document *doc = row->figure->data->document;
	const char *text = printed_text(row, "printed");
	int quantity = read_printed_name(
		row, "quantity", printed_quantity_names, QUANTITIES, (int)likely_quantity(row));
	int bound = read_printed_name(row, "bound", printed_bound_names, BOUNDS, BOUND_NONE);

	if (quantity < 0 || bound < 0)
		return false;
	row->printed.quantity = (enum printed_quantity)quantity;
	row->printed.bound = (enum printed_bound)bound;
	if (!doc_get(doc, row->reader.node, "printed"))
		row->printed.word = row->unchecked ? WORD_OTHER : WORD_NONE;
	else if (!read_printed_number(row, text ? text : ""))
		return false;
	if (row->printed.bound != BOUND_NONE && !row->printed.has_number)
		return wrong_printed_row(row, "bound", "expected a printed number that is the bound");
	if (row->printed.word != WORD_NONE && quantity == QUANTITY_VALUE && !row->unchecked)
		return wrong_printed_row(row, "printed",
			"higher, lower or equal to what? The row needs over or pairs, or a value that "
			"compares "
			"with the baseline (quantity: ratio or change says that it does)");
	return true;
}

/* -- what it is divided by -- */

/* The column above with the levels of `over` in place of its own. */
static bool find_below(struct printed_row *row)
{
	struct report_data *d = row->figure->data;
	doc_node over = doc_get(d->document, row->reader.node, "over");
	struct figure_spec all = row->spec;
	struct spec_reader reader = row->reader;
	size_t found = NONE;

	row->below = NONE;
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
				!strcmp(d->columns[all.columns[i]].levels[f],
					d->columns[row->above].levels[f]);
		if (same && found != NONE)
			return wrong_printed_row(row, "over", "expected one level of each factor");
		if (same)
			found = all.columns[i];
	}
	row->below = found;
	return found != NONE ||
		wrong_printed_row(row, "over", "no point has these levels, and the row's others");
}

/* -- numbers -- */

static void add_number(struct printed_row *row, double number)
{
	row->numbers[row->count++] = number;
	if (!isfinite(number)) /* infinite: divided by 0 */
		row->missing++;
}

static double at(const struct printed_row *row, size_t workload, size_t column)
{
	return row->value->cells[workload * row->figure->data->column_count + column];
}

/* Which of what is compared was timed only in part. */
static void count_cut(struct printed_row *row, size_t workload, size_t column)
{
	const struct report_data *d = row->figure->data;
	size_t other = row->below != NONE ? row->below : d->columns[column].baseline;

	row->cut +=
		report_is_cut(d, workload, column) || (other != NONE && report_is_cut(d, workload, other));
	row->differing += report_shares_differ(d, workload, column, other);
}

static bool add_pair(struct printed_row *row, doc_node key, const char *above, const char *below)
{
	struct report_data *d = row->figure->data;
	size_t rows[2] = { NONE, NONE };

	for (size_t i = 0; i < d->row_count; i++) {
		if (!d->rows[i].kernel == row->spec.of_kernels)
			continue;
		rows[0] = report_row_is(&d->rows[i], above) ? i : rows[0];
		rows[1] = below && report_row_is(&d->rows[i], below) ? i : rows[1];
	}
	if (d->before && row->spec.of_kernels) { /* none of them is known yet */
		add_number(row, NAN);
		return true;
	}
	for (size_t i = 0; i < 2; i++)
		if (rows[i] == NONE)
			return spec_wrong(&row->reader, key, i && below ? below : above,
				row->spec.of_kernels ? "the sweep has no kernel"
						     : "the sweep has no workload",
				NULL, 0);
	add_number(row,
		at(row, rows[0], row->above) /
			at(row, rows[1], row->below == NONE ? row->above : row->below));
	row->cut += report_is_cut(d, rows[0], row->above) ||
		report_is_cut(d, rows[1], row->below == NONE ? row->above : row->below);
	return true;
}

static bool take_numbers(struct printed_row *row)
{
	const struct document *doc = row->figure->data->document;
	doc_node pairs = doc_get(doc, row->reader.node, "pairs");

	row->numbers = keep_alloc(&row->figure->data->keeper,
		(row->spec.row_count + doc_count(doc, pairs) + 1) * sizeof(double));
	if (pairs && !doc_is_mapping(doc, pairs))
		return wrong_printed_row(row, "pairs",
			"expected workloads with those they are divided by, as {rodinia/srad: "
			"rodinia/srad-unshared}");
	for (size_t i = 0; pairs && i < doc_count(doc, pairs); i++)
		if (!add_pair(row, doc_key_node(doc, pairs, i), doc_key(doc, pairs, i),
			    doc_text(doc, doc_value(doc, pairs, i))))
			return false;
	for (size_t i = 0; !pairs && i < row->spec.row_count; i++) {
		size_t workload = row->spec.rows[i];

		add_number(row,
			row->below == NONE ? at(row, workload, row->above)
					   : at(row, workload, row->above) / at(row, workload, row->below));
		count_cut(row, workload, row->above);
	}
	return true;
}

double printed_row_measured(const struct printed_row *row)
{
	double extreme = NAN;

	if (row->unchecked || row->missing || !row->count)
		return NAN;
	if (strcmp(row->mean, "least") && strcmp(row->mean, "greatest"))
		return report_mean(report_mean_named(row->mean), row->numbers, row->count);
	for (size_t i = 0; i < row->count; i++)
		if (isnan(extreme) ||
			(*row->mean == 'l' ? row->numbers[i] < extreme : row->numbers[i] > extreme))
			extreme = row->numbers[i];
	return extreme;
}

/* -- all of it -- */

/* A row that is not checked says only what is printed: neither workloads nor levels are looked up. */
static bool read_unchecked(struct printed_row *row)
{
	row->unchecked = printed_text(row, "unchecked");
	if (!row->unchecked || !*row->unchecked)
		return wrong_printed_row(
			row, "unchecked", "expected the reason why the number is not checked");
	return read_printed(row);
}

/* Kernels or programs, as the value is; the row's workloads, or the figure's. */
static bool read_rows(struct printed_row *row)
{
	struct report_data *d = row->figure->data;
	doc_node own = doc_get(d->document, row->reader.node, "workloads"), figure = row->figure->spec->node;

	figure_spec_rows(&row->spec, d, row->value->of_kernels);
	return spec_workloads_of(&row->reader, own ? own : doc_get(d->document, figure, "workloads"));
}

static bool read_configuration(struct printed_row *row)
{
	struct diag_location location = doc_location(row->figure->data->document, row->reader.node);

	if (!spec_only(&row->reader))
		return false;
	if (row->spec.column_count != 1) {
		diag_error(row->reader.diags, &location,
			"%zu configurations have these levels; a row is of one: only: {factor: level} "
			"chooses it",
			row->spec.column_count);
		return false;
	}
	row->above = row->spec.columns[0];
	return true;
}

bool printed_row_read(struct printed_row *row)
{
	static const char *const keys[] = { "what", "value", "mean", "workloads", "pairs", "only", "over",
		"printed", "quantity", "bound", "unchecked", "source", "why", NULL };
	struct report_data *d = row->figure->data;

	if (!doc_is_mapping(d->document, row->reader.node))
		return wrong_printed_row(row, NULL,
			"expected a row, as {what: IPC, value: speedup, only: {machine: mrpb}, printed: "
			"2.65, source: Section 5.5}");
	if (!doc_allow(d->document, row->reader.node, keys, row->reader.diags))
		return false;
	if (!printed_text(row, "what"))
		return wrong_printed_row(row, NULL, "expected what the number is, as {what: IPC ...}");
	if (doc_get(d->document, row->reader.node, "unchecked"))
		return read_unchecked(row);
	return read_configuration(row) && read_printed_value(row) && read_rows(row) && read_mean(row) &&
		read_printed(row) && find_below(row) && take_numbers(row);
}
