/* experiment/report/baseline.c -- which column each column is compared with. */
#include "experiment/report/data.h"
#include "sim/base/xalloc.h"

static size_t find_factor(const struct report_data *d, const char *name)
{
	for (size_t f = 0; f < d->factor_count; f++)
		if (!strcmp(d->factors[f].name, name))
			return f;
	return NONE;
}

static bool unknown_baseline(
	const char *what, const char *name, const char *const *names, size_t count, struct diag_list *diags)
{
	const char *nearest = diag_nearest(name, names, count);

	diag_error(diags, NULL, "baseline: the sweep has no %s '%s'%s%s%s", what, name,
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	return false;
}

static bool set_level(struct report_data *d, const char **levels, const char *factor, const char *level,
	struct diag_list *diags)
{
	const char **names = keep_alloc(&d->keeper, (d->factor_count + 1) * sizeof(*names));
	size_t f = find_factor(d, factor);

	for (size_t i = 0; i < d->factor_count; i++)
		names[i] = d->factors[i].name;
	if (f == NONE)
		return unknown_baseline("factor", factor, names, d->factor_count, diags);
	for (size_t i = 0; i < d->factors[f].count; i++)
		if (!strcmp(d->factors[f].levels[i], level)) {
			levels[f] = d->factors[f].levels[i];
			return true;
		}
	return unknown_baseline(keep_print(&d->keeper, "level of factor %s called", factor), level,
		d->factors[f].levels, d->factors[f].count, diags);
}

static bool read_option(
	struct report_data *d, const char *asked, const char **levels, struct diag_list *diags)
{
	char *words = keep_copy(&d->keeper, asked), *rest = NULL;

	for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		char *equals = strchr(word, '=');

		if (!equals) {
			diag_error(diags, NULL, "--baseline %s: expected FACTOR=LEVEL,...", asked);
			return false;
		}
		*equals = 0;
		if (!set_level(d, levels, word, equals + 1, diags))
			return false;
	}
	return true;
}

static bool read_section(
	struct report_data *d, doc_node section, const char **levels, struct diag_list *diags)
{
	for (size_t i = 0; i < doc_count(d->document, section); i++) {
		const char *level = doc_text(d->document, doc_value(d->document, section, i));

		if (level && !set_level(d, levels, doc_key(d->document, section, i), level, diags))
			return false;
	}
	return true;
}

/* The column with the baseline's levels where it names some, and its own elsewhere. */
static size_t column_of(const struct report_data *d, size_t column, const char *const *levels)
{
	for (size_t c = 0; c < d->column_count; c++) {
		size_t f = 0;

		while (f < d->factor_count &&
			!strcmp(d->columns[c].levels[f],
				levels[f] ? levels[f] : d->columns[column].levels[f]))
			f++;
		if (f == d->factor_count)
			return c;
	}
	return NONE;
}

bool report_baseline(struct report_data *d, const char *asked, struct diag_list *diags)
{
	const char **levels = keep_alloc(&d->keeper, (d->factor_count + 1) * sizeof(*levels));
	doc_node section = d->document ? doc_get(d->document, document_root(d->document), "baseline") : 0;

	if (!asked && !section)
		return true;
	if (asked ? !read_option(d, asked, levels, diags) : !read_section(d, section, levels, diags))
		return false;
	d->baseline_is_asked = asked != NULL;
	d->baseline_levels = levels;
	d->baseline_label = "";
	for (size_t f = 0; f < d->factor_count; f++)
		if (levels[f])
			d->baseline_label = keep_print(&d->keeper, "%s%s%s %s", d->baseline_label,
				*d->baseline_label ? ", " : "", d->factors[f].name, levels[f]);
	for (size_t c = 0; c < d->column_count; c++) {
		d->columns[c].baseline = column_of(d, c, levels);
		d->has_baseline |= d->columns[c].baseline != NONE;
	}
	if (!d->has_baseline)
		diag_error(diags, NULL, "baseline: no point has %s", d->baseline_label);
	return d->has_baseline;
}
