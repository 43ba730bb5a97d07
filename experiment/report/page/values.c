/* experiment/report/page/values.c -- the values of all points in the page, as JSON for its script: with these
 * the page takes another baseline, value or mean by the rules of value.c and mean.c. */
#include "experiment/report/internal.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* In double quotes. What is special in XML is written by its number, so that the page stays well-formed. */
static void print_json(FILE *to, const char *text)
{
	size_t length;

	fputc('"', to);
	for (; *text; text += length ? length : 1) {
		length = text_character(text);
		if (strchr("\"\\<>&\n\t", *text))
			fprintf(to, "\\u%04x", (unsigned)*text);
		else if (length)
			fwrite(text, 1, length, to);
		else
			fputc('?', to);
	}
	fputc('"', to);
}

static void print_text_or_null(FILE *to, const char *text)
{
	if (text)
		print_json(to, text);
	else
		fputs("null", to);
}

static void print_numbers(FILE *to, const double *numbers, size_t count, struct keeper *k)
{
	fputc('[', to);
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%s", i ? "," : "",
			isfinite(numbers[i]) ? number_exact(k, numbers[i]) : "null");
	fputc(']', to);
}

static void print_indices(FILE *to, const size_t *indices, size_t count)
{
	fputc('[', to);
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%zu", i ? "," : "", indices[i]);
	fputc(']', to);
}

/* -- the sweep -- */

static void print_factors(const struct report_data *d, FILE *to)
{
	fputs("\"factors\":[", to);
	for (size_t f = 0; f < d->factor_count; f++) {
		fprintf(to, "%s{\"name\":", f ? ",\n" : "");
		print_json(to, d->factors[f].name);
		fputs(",\"levels\":[", to);
		for (size_t l = 0; l < d->factors[f].count; l++) {
			fputs(l ? "," : "", to);
			print_json(to, d->factors[f].levels[l]);
		}
		fputs("],\"baseline\":", to);
		print_text_or_null(to, d->baseline_levels ? d->baseline_levels[f] : NULL);
		fputc('}', to);
	}
	fprintf(to, "],\n\"asked\":%s,\n\"programs\":%zu,\n", d->baseline_is_asked ? "true" : "false",
		d->program_count);
}

static void print_rows(struct report_data *d, FILE *to)
{
	struct figure all = { .data = d };

	fputs("\"rows\":[", to);
	for (size_t r = 0; r < d->row_count; r++) {
		fprintf(to, "%s{\"name\":", r ? ",\n" : "");
		print_json(to, figure_row_name(&all, r));
		fputs(",\"label\":", to);
		print_json(to, d->rows[r].label);
		fputs(",\"suite\":", to);
		print_json(to, d->rows[r].suite);
		fputc('}', to);
	}
	fputs("],\n", to);
}

static void print_columns(struct report_data *d, FILE *to)
{
	struct figure all = { .data = d };

	fputs("\"columns\":[", to);
	for (size_t c = 0; c < d->column_count; c++) {
		fprintf(to, "%s{\"label\":", c ? ",\n" : "");
		print_json(to, d->columns[c].label);
		fprintf(to, ",\"colour\":\"%s\",\"levels\":[", figure_colour(&all, c));
		for (size_t f = 0; f < d->factor_count; f++) {
			fputs(f ? "," : "", to);
			print_json(to, d->columns[c].levels[f]);
		}
		fputs("]}", to);
	}
	fputs("],\n", to);
}

/* [number, row, column, seed or null] */
static void print_points(const struct report_data *d, FILE *to)
{
	fputs("\"points\":[", to);
	for (size_t i = 0; i < d->value_count; i++) {
		const struct report_point *p = &d->points[i];

		fprintf(to, "%s[%lld,%zu,%zu,", i ? "," : "", p->number, p->row, p->column);
		if (p->has_seed)
			fprintf(to, "%lld]", p->seed);
		else
			fputs("null]", to);
	}
	fputs("],\n", to);
}

/* -- values -- */

struct names {
	const char **items;
	size_t count;
};

static void add_value_name(struct names *n, struct keeper *k, const char *name)
{
	const char **more = keep_alloc(k, (n->count + 1) * sizeof(*more));

	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->items[i], name))
			return;
	if (n->count)
		memcpy(more, n->items, n->count * sizeof(*more));
	more[n->count++] = name;
	n->items = more;
}

/* Whether the script can compute the numbers of a figure: a value at each row and column. */
static bool is_one_value_a_cell(const struct figure_kind *kind)
{
	return !strcmp(kind->name, "bars") || !strcmp(kind->name, "heat") || !strcmp(kind->name, "scatter") ||
		!strcmp(kind->name, "table");
}

/* What the sweep derives, what figures show, and two that are always of interest. */
static struct names value_names(struct report *r, struct diag_list *diags)
{
	static const char *const usual[] = { "gpu.ipc", "gpu.cycles" };
	struct report_data *d = r->data;
	struct names n = { 0 };

	for (const char **name = report_derived_names(d, diags); *name; name++)
		add_value_name(&n, &d->keeper, *name);
	for (size_t i = 0; i < r->figure_count; i++)
		for (const char **name = r->figures[i].spec->values;
			is_one_value_a_cell(r->figures[i].spec->kind) && *name; name++)
			add_value_name(&n, &d->keeper, *name);
	for (size_t i = 0; i < 2; i++)
		if (report_has_value(d, usual[i]))
			add_value_name(&n, &d->keeper, usual[i]);
	return n;
}

static void print_json_value(struct report_data *d, const char *name, FILE *to, struct diag_list *diags)
{
	struct report_value *v = report_value_stored(d, name, NULL, diags);

	if (!v)
		return;
	print_json(to, name);
	fputs(":{\"unit\":", to);
	print_json(to, v->unit);
	fprintf(to, ",\"mean\":\"%s\",\"ratio\":%s,\"kernels\":%s,\"at\":", report_mean_names[v->mean],
		v->is_ratio ? "true" : "false", v->of_kernels ? "true" : "false");
	print_numbers(to, v->of_point, d->value_count, &d->keeper);
	fputc('}', to);
}

static void print_values(struct report *r, FILE *to, struct diag_list *diags)
{
	struct names n = value_names(r, diags);

	fputs("\"values\":{", to);
	for (size_t i = 0; i < n.count; i++) {
		fputs(i ? ",\n" : "", to);
		print_json_value(r->data, n.items[i], to, diags);
	}
	fputs("},\n", to);
}

static void print_figure(const struct figure *f, FILE *to)
{
	const struct figure_spec *s = f->spec;

	fputs("{\"id\":", to);
	print_json(to, keep_print(&f->data->keeper, "f%s", s->name));
	fprintf(to, ",\"kind\":\"%s\",\"normalise\":%s,\"mean\":", s->kind->name,
		s->normalise ? "true" : "false");
	print_text_or_null(to, s->mean == MEANS ? NULL : report_mean_names[s->mean]);
	fprintf(to, ",\"kernels\":%s,\"rows\":", s->of_kernels ? "true" : "false");
	print_indices(to, s->rows, s->row_count);
	fputs(",\"columns\":", to);
	print_indices(to, s->columns, s->column_count);
	fputs(",\"values\":[", to);
	for (size_t i = 0; is_one_value_a_cell(s->kind) && s->values[i]; i++) {
		fputs(i ? "," : "", to);
		print_json(to, s->values[i]);
	}
	fputs("]}", to);
}

bool html_values(struct report *r, FILE *to, struct diag_list *diags)
{
	fputs("<script type=\"application/json\" id=\"values\">{", to);
	print_factors(r->data, to);
	print_rows(r->data, to);
	print_columns(r->data, to);
	print_points(r->data, to);
	print_values(r, to, diags);
	fputs("\"summary\":[", to);
	for (size_t i = 0; i < r->mean_count; i++) {
		fputs(i ? "," : "", to);
		print_json(to, r->mean_names[i]);
	}
	fputs("],\n\"figures\":[", to);
	for (size_t i = 0; i < r->figure_count; i++) {
		fputs(i ? ",\n" : "", to);
		print_figure(&r->figures[i], to);
	}
	fputs("]}</script>\n", to);
	return !diags->errors;
}
