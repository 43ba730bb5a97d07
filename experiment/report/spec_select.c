/* experiment/report/spec_select.c -- which workloads and configurations a figure shows. */
#include "experiment/report/spec.h"
#include "sim/stats/stat_select.h"
#include <string.h>

/* Whether a word of `workloads:` selects a row: its suite, its name, suite/name; a kernel also by its number:
 * name_2, suite/name_2. */
static bool selects(const struct report_row *row, const char *word)
{
	const char *slash = *row->suite ? strchr(row->workload, '/') : NULL;
	struct report_row short_name = *row;

	if (slash)
		short_name.name = strchr(row->name, '/') + 1;
	return !strcmp(word, "all") || report_row_is(row, word) || report_row_is(&short_name, word) ||
		!strcmp(word, row->workload) || (*row->suite && !strcmp(word, row->suite)) ||
		(slash && !strcmp(word, slash + 1));
}

/* Before a job has run, kernels are not known: name_2 may become one of the workload name. */
static bool may_select(const struct spec_reader *r, const struct report_row *row, const char *word)
{
	size_t length = strlen(word), digits = 0;
	char name[256];

	if (selects(row, word))
		return true;
	if (!r->data->before || !row->kernel)
		return false;
	while (digits < length && word[length - digits - 1] >= '0' && word[length - digits - 1] <= '9')
		digits++;
	if (!digits || digits + 1 >= length || word[length - digits - 1] != '_' || length >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(length - digits - 1), word);
	return selects(row, name);
}

static bool may_show(const struct spec_reader *r, size_t row)
{
	return r->any_rows || !r->data->rows[row].kernel != r->spec->of_kernels;
}

static bool unknown_workload(struct spec_reader *r, const char *word, doc_node at)
{
	const char **names = keep_alloc(&r->data->keeper, 4 * r->data->row_count * sizeof(*names));
	size_t n = 0;

	for (size_t i = 0; i < r->data->row_count; i++) {
		if (!may_show(r, i))
			continue;
		names[n++] = r->data->rows[i].name;
		names[n++] = r->data->rows[i].workload;
		names[n++] = r->data->rows[i].label;
		names[n++] = r->data->rows[i].suite;
	}
	return spec_wrong(r, at, word,
		r->spec->of_kernels ? "the sweep has no kernel, workload or suite"
				    : "the sweep has no workload or suite",
		names, n);
}

bool spec_workloads(struct spec_reader *r)
{
	return spec_workloads_of(r, doc_get(r->data->document, r->node, "workloads"));
}

bool spec_workloads_of(struct spec_reader *r, doc_node node)
{
	doc_node at;
	bool *chosen = keep_alloc(&r->data->keeper, r->data->row_count + 1);
	const char *text, *all = "";

	for (size_t i = 0; node; i++) {
		bool any = false;

		if (!spec_item(r, node, i, &text, &at))
			return false;
		if (!at)
			break;
		for (size_t k = 0; k < r->data->row_count; k++)
			if (may_show(r, k) && may_select(r, &r->data->rows[k], text))
				any = chosen[k] = true;
		if (!any)
			return unknown_workload(r, text, at);
		all = keep_print(&r->data->keeper, "%s%s%s", all, *all ? ", " : "", text);
	}
	if (!node)
		return true;
	r->spec->row_count = 0;
	for (size_t k = 0; k < r->data->row_count; k++)
		if (chosen[k])
			r->spec->rows[r->spec->row_count++] = k;
	r->spec->selection = keep_print(&r->data->keeper, " Workloads: %s.", all);
	return true;
}

/* -- only: {factor: level or levels} -- */

static bool has_level(struct spec_reader *r, doc_node levels, const char *level)
{
	const char *text;
	doc_node at;

	for (size_t i = 0; spec_item(r, levels, i, &text, &at) && at; i++)
		if (stat_name_fits(text, level))
			return true;
	return false;
}

/* All its levels must be levels of the factor. */
static bool check_levels(struct spec_reader *r, const struct report_factor *f, doc_node levels)
{
	const char *text;
	doc_node at;

	for (size_t i = 0;; i++) {
		size_t l = 0;

		if (!spec_item(r, levels, i, &text, &at))
			return false;
		if (!at)
			return true;
		while (l < f->count && !stat_name_fits(text, f->levels[l]))
			l++;
		if (l == f->count)
			return spec_wrong(r, at, text,
				keep_print(&r->data->keeper, "factor %s has no level", f->name), f->levels,
				f->count);
	}
}

static void print_levels(struct spec_reader *r, const char *factor, doc_node levels)
{
	const char *text, *all = "";
	doc_node at;

	for (size_t i = 0; spec_item(r, levels, i, &text, &at) && at; i++)
		all = keep_print(&r->data->keeper, "%s%s %s", all, i ? "," : "", text);
	r->spec->selection = keep_print(&r->data->keeper, "%s Only %s%s.", r->spec->selection, factor, all);
}

static bool keep_columns(struct spec_reader *r, const char *factor, doc_node key, doc_node levels)
{
	const char **names = keep_alloc(&r->data->keeper, (r->data->factor_count + 1) * sizeof(*names));
	size_t f = 0, kept = 0;

	for (size_t i = 0; i < r->data->factor_count; i++)
		names[i] = r->data->factors[i].name;
	while (f < r->data->factor_count && strcmp(names[f], factor) != 0)
		f++;
	if (f == r->data->factor_count)
		return spec_wrong(r, key, factor, "the sweep has no factor", names, r->data->factor_count);
	if (!check_levels(r, &r->data->factors[f], levels))
		return false;
	for (size_t i = 0; i < r->spec->column_count; i++)
		if (has_level(r, levels, r->data->columns[r->spec->columns[i]].levels[f]))
			r->spec->columns[kept++] = r->spec->columns[i];
	r->spec->column_count = kept;
	print_levels(r, factor, levels);
	return true;
}

bool spec_only(struct spec_reader *r)
{
	return spec_levels(r, "only");
}

bool spec_levels(struct spec_reader *r, const char *key)
{
	const struct document *doc = r->data->document;
	doc_node node = doc_get(doc, r->node, key);
	struct diag_location location;

	if (!node)
		return true;
	location = doc_location(doc, node);
	if (!doc_is_mapping(doc, node)) {
		diag_error(r->diags, &location,
			"%s: expected factors with their levels, as {scheduler: [lrr, gto]}", key);
		return false;
	}
	for (size_t i = 0; i < doc_count(doc, node); i++)
		if (!keep_columns(
			    r, doc_key(doc, node, i), doc_key_node(doc, node, i), doc_value(doc, node, i)))
			return false;
	if (!r->spec->column_count)
		diag_error(r->diags, &location, "%s: no point has these levels together", key);
	return r->spec->column_count > 0;
}
