/* experiment/report/spec.c -- which figures a report has: those of the sweep file's `report`, or of --value.
 */
#include "experiment/report/spec.h"
#include "sim/base/xalloc.h"
#include "sim/text/number.h"
#include <math.h>

static const char *const keys[] = { "figure", "value", "values", "x", "y", "title", "workloads", "only",
	"normalise", "mean", "rows", "from", NULL };

void figure_spec_rows(struct figure_spec *s, const struct report_data *d, bool of_kernels)
{
	size_t first = of_kernels ? d->program_count : 0, last = of_kernels ? d->row_count : d->program_count;

	s->of_kernels = of_kernels;
	s->row_count = 0;
	for (size_t i = first; i < last; i++)
		s->rows[s->row_count++] = i;
}

struct figure_spec *figure_spec_add(
	struct figure_specs *specs, struct report_data *d, const struct figure_kind *kind)
{
	struct figure_spec *items = keep_alloc(&d->keeper, (specs->count + 1) * sizeof(*items)), *s;

	if (specs->count)
		memcpy(items, specs->items, specs->count * sizeof(*items));
	specs->items = items;
	s = &items[specs->count++];
	s->kind = kind;
	s->mean = MEANS;
	s->from = NAN;
	s->selection = "";
	s->rows = keep_alloc(&d->keeper, d->row_count * sizeof(*s->rows));
	s->columns = keep_alloc(&d->keeper, d->column_count * sizeof(*s->columns));
	figure_spec_rows(s, d, false);
	for (size_t c = 0; c < d->column_count; c++)
		s->columns[s->column_count++] = c;
	return s;
}

/* -- one figure of the file -- */

bool spec_wrong(struct spec_reader *r, doc_node at, const char *name, const char *what,
	const char *const *names, size_t count)
{
	struct diag_location location = doc_location(r->data->document, at);
	const char *nearest = diag_nearest(name, names, count);

	diag_error(r->diags, &location, "%s '%s'%s%s%s", what, name, nearest ? "; did you mean " : "",
		nearest ? nearest : "", nearest ? "?" : "");
	return false;
}

bool spec_value_exists(struct spec_reader *r, const char *name, doc_node at)
{
	const struct report_before *before = r->data->before;
	const char **derived;
	char nearest[128] = "";
	size_t count = 0;

	/* once there are results, the value is looked for where it is needed */
	if (!before || report_has_value(r->data, name) ||
		before->is_statistic(before->user, name, nearest, sizeof(nearest)))
		return true;
	derived = report_derived_names(r->data, r->diags);
	while (derived[count])
		count++;
	derived = memcpy(keep_alloc(&r->data->keeper, (count + 1) * sizeof(*derived)), derived,
		count * sizeof(*derived));
	if (*nearest)
		derived[count++] = nearest;
	return spec_wrong(r, at, name, "the sweep has no statistic or derived value", derived, count);
}

bool spec_item(struct spec_reader *r, doc_node node, size_t i, const char **text, doc_node *at)
{
	const struct document *doc = r->data->document;

	*at = doc_is_list(doc, node) ? (i < doc_count(doc, node) ? doc_item(doc, node, i) : 0)
		: i == 0             ? node
				     : 0;
	*text = *at ? doc_text(doc, *at) : NULL;
	if (*at && !*text) {
		struct diag_location location = doc_location(doc, *at);

		diag_error(r->diags, &location, "expected a name or a list of names");
		return false;
	}
	return true;
}

static void add_spec_value(struct spec_reader *r, const char *name)
{
	const char **values;
	size_t n = 0;

	while (r->spec->values && r->spec->values[n])
		n++;
	values = keep_alloc(&r->data->keeper, (n + 2) * sizeof(*values));
	for (size_t i = 0; i < n; i++)
		values[i] = r->spec->values[i];
	values[n] = keep_copy(&r->data->keeper, name);
	r->spec->values = values;
}

/* A name, or all that a pattern stands for. */
static bool add_values(struct spec_reader *r, const char *name, doc_node at)
{
	const char **fitting;

	if (!r->spec->kind->takes_patterns || !strpbrk(name, "*?")) {
		add_spec_value(r, name);
		return spec_value_exists(r, name, at);
	}
	if (r->data->before) { /* which statistics there are is not known yet */
		add_spec_value(r, name);
		return true;
	}
	fitting = report_names(r->data, name, r->diags);
	if (!*fitting) {
		struct diag_location location = doc_location(r->data->document, at);

		diag_error(r->diags, &location, "the database has no statistic that '%s' fits", name);
		return false;
	}
	for (; *fitting; fitting++)
		add_spec_value(r, *fitting);
	return true;
}

/* A pattern among them may stand for any number of values: how many there are is known when jobs have run. */
static bool has_open_pattern(const struct spec_reader *r)
{
	for (size_t i = 0; r->data->before && r->spec->values && r->spec->values[i]; i++)
		if (strpbrk(r->spec->values[i], "*?"))
			return true;
	return false;
}

static bool read_values(struct spec_reader *r)
{
	static const char *const names[] = { "value", "values", "x", "y" };
	const struct figure_kind *kind = r->spec->kind;
	size_t count = 0;

	for (size_t k = 0; k < 4; k++) {
		doc_node node = doc_get(r->data->document, r->node, names[k]), at;
		const char *text;

		for (size_t i = 0; node; i++) {
			if (!spec_item(r, node, i, &text, &at))
				return false;
			if (!at)
				break;
			if (!add_values(r, text, at))
				return false;
		}
	}
	while (r->spec->values && r->spec->values[count])
		count++;
	if (has_open_pattern(r))
		return true;
	if (count >= kind->least_values && (!kind->most_values || count <= kind->most_values))
		return true;
	diag_error(r->diags, &r->spec->location, "a figure of kind %s shows %s%zu value%s, not %zu: %s",
		kind->name, kind->most_values ? "" : "at least ", kind->least_values,
		kind->least_values == 1 ? "" : "s", count,
		kind->least_values == 2 && kind->most_values == 2 ? "x: and y:"
			: kind->most_values == 1                  ? "value:"
								  : "values:");
	return false;
}

/* A row for each kernel, or for each program: all values are of the one or the other. */
static bool read_kind_of_rows(struct spec_reader *r)
{
	const char **values = r->spec->values;
	bool of_kernels = values && *values && report_is_of_kernels(r->data, *values);

	for (size_t i = 1; values && *values && values[i]; i++) {
		if (report_is_of_kernels(r->data, values[i]) == of_kernels)
			continue;
		diag_error(r->diags, &r->spec->location,
			"%s is of each kernel, and %s of the whole run: a figure shows either",
			of_kernels ? *values : values[i], of_kernels ? values[i] : *values);
		return false;
	}
	figure_spec_rows(r->spec, r->data, of_kernels);
	return true;
}

/* -- the rest -- */

static bool read_words(struct spec_reader *r)
{
	const struct document *doc = r->data->document;
	doc_node title = doc_get(doc, r->node, "title"), mean = doc_get(doc, r->node, "mean"),
		 normalise = doc_get(doc, r->node, "normalise");
	const char *text = normalise ? doc_text(doc, normalise) : "false";
	static const char *const booleans[] = { "true", "false" };

	r->spec->title =
		title && doc_text(doc, title) ? keep_copy(&r->data->keeper, doc_text(doc, title)) : NULL;
	if (!text || (strcmp(text, "true") && strcmp(text, "false")))
		return spec_wrong(r, normalise, text ? text : "", "normalise: expected true or false, not",
			booleans, 2);
	r->spec->normalise = !strcmp(text, "true");
	if (r->spec->normalise && !r->data->has_baseline) {
		diag_error(r->diags, &r->spec->location,
			"normalise: the sweep has no baseline; --baseline FACTOR=LEVEL,... gives one");
		return false;
	}
	if (!mean)
		return true;
	text = doc_text(doc, mean) ? doc_text(doc, mean) : "";
	r->spec->mean = report_mean_named(text);
	return r->spec->mean != MEANS ||
		spec_wrong(r, mean, text, "expected geometric, harmonic, arithmetic or none, not",
			report_mean_names, MEANS);
}

/* Where the axis begins: of bars alone. */
static bool read_from(struct spec_reader *r)
{
	const struct document *doc = r->data->document;
	doc_node node = doc_get(doc, r->node, "from");
	const char *text = node ? doc_text(doc, node) : NULL;
	struct diag_location location;

	if (!node)
		return true;
	location = doc_location(doc, node);
	if (strcmp(r->spec->kind->name, "bars") != 0) {
		diag_error(r->diags, &location, "from: only the axis of bars can begin elsewhere than at 0");
		return false;
	}
	if (text && number_real(text, &r->spec->from) == NUMBER_FITS && isfinite(r->spec->from))
		return true;
	diag_error(r->diags, &location, "from: expected the number at which the axis begins, not '%s'",
		text ? text : "");
	return false;
}

static const struct figure_kind *read_kind(
	struct report_data *d, doc_node node, const struct diag_location *location, struct diag_list *diags)
{
	doc_node kind = doc_is_mapping(d->document, node) ? doc_get(d->document, node, "figure") : 0;
	const char *text = kind ? doc_text(d->document, kind) : NULL, *names = "";
	const struct figure_kind *found = text ? figure_kind_named(text) : NULL;

	for (size_t i = 0; figure_kinds[i] && !found; i++)
		names = keep_print(&d->keeper, "%s%s%s", names, i ? ", " : "", figure_kinds[i]->name);
	if (!found && text)
		diag_error(diags, location, "there is no kind of figure '%s'; there are %s", text, names);
	else if (!found)
		diag_error(diags, location,
			"expected a figure, as {figure: bars, value: gpu.ipc}; kinds are %s", names);
	return found;
}

static bool read_figure(
	struct figure_specs *specs, struct report_data *d, doc_node node, struct diag_list *diags)
{
	struct spec_reader r = { .data = d, .node = node, .diags = diags };
	struct diag_location location = doc_location(d->document, node);
	const struct figure_kind *kind = read_kind(d, node, &location, diags);

	if (!kind || !doc_allow(d->document, node, keys, diags))
		return false;
	r.spec = figure_spec_add(specs, d, kind);
	r.spec->location = location;
	r.spec->node = node;
	if (doc_get(d->document, node, "rows") && !kind->has_rows) {
		diag_error(diags, &location, "a figure of kind %s has no rows", kind->name);
		return false;
	}
	r.any_rows = kind->has_rows;
	return read_values(&r) && read_kind_of_rows(&r) && spec_workloads(&r) && spec_only(&r) &&
		read_words(&r) && read_from(&r);
}

/* -- all of them -- */

static bool add_asked(
	struct figure_specs *specs, struct report_data *d, const char *name, struct diag_list *diags)
{
	static const char *const kinds[] = { "bars", "heat" };
	struct report_value *v = report_value_get(d, name, false, NULL, diags);
	const char **values = keep_alloc(&d->keeper, 2 * sizeof(*values));

	if (!v)
		return false;
	values[0] = v->name;
	for (size_t i = 0; i < 2; i++) {
		struct figure_spec *s = figure_spec_add(specs, d, figure_kind_named(kinds[i]));

		figure_spec_rows(s, d, v->of_kernels);
		s->values = values;
		s->normalise = d->baseline_is_asked;
	}
	return true;
}

/* figure-1-bars-speedup: in their order, and what they show. */
static void name_figures(struct figure_specs *specs, struct report_data *d)
{
	for (size_t i = 0; i < specs->count; i++) {
		struct figure_spec *s = &specs->items[i];
		const char *value = s->values
			? s->values[s->kind->least_values == 2 && s->kind->most_values == 2] /* what goes up
											      */
			: "";
		const char *colons = strstr(value, "::");

		if (!s->values) {
			s->name = keep_print(&d->keeper, "%02zu-%s", i + 1, s->kind->name);
			continue;
		}
		if (!s->kind->most_values)
			value = colons ? keep_print(&d->keeper, "%.*s", (int)(colons - value), value)
				       : "values";
		s->name = keep_print(
			&d->keeper, "%02zu-%s-%s", i + 1, s->kind->name, text_stem(&d->keeper, value));
	}
}

/* Of a sweep that is not finished a figure shows the workloads that have a result, and says how many have
 * none yet; all of them, if none has. */
static void leave_out_open(struct figure_specs *specs, struct report_data *d)
{
	bool *has_result = keep_alloc(&d->keeper, d->row_count + 1);

	for (size_t i = 0; i < d->value_count; i++)
		has_result[d->points[i].row] |= d->points[i].state == POINT_DONE;
	for (size_t i = 0; d->open && i < specs->count; i++) {
		struct figure_spec *s = &specs->items[i];
		size_t with = 0, kept = 0, all = s->row_count;

		for (size_t k = 0; k < all; k++)
			with += has_result[s->rows[k]];
		if (!with || with == all)
			continue;
		for (size_t k = 0; k < all; k++)
			if (has_result[s->rows[k]])
				s->rows[kept++] = s->rows[k];
		s->row_count = kept;
		s->selection = keep_print(
			&d->keeper, "%s %zu that have not run yet are left out.", s->selection, all - kept);
	}
}

bool figure_specs_read(struct report_data *d, const char *const *values, size_t value_count,
	struct figure_specs *specs, struct diag_list *diags)
{
	doc_node section = d->document ? doc_get(d->document, document_root(d->document), "report") : 0;
	bool fine = true;

	memset(specs, 0, sizeof(*specs));
	for (size_t i = 0; i < value_count; i++)
		fine &= add_asked(specs, d, values[i], diags);
	if (!value_count && section && !doc_is_list(d->document, section)) {
		struct diag_location location = doc_location(d->document, section);

		diag_error(diags, &location, "report: expected a list of figures");
		return false;
	}
	for (size_t i = 0; !value_count && section && i < doc_count(d->document, section); i++)
		fine &= read_figure(specs, d, doc_item(d->document, section, i), diags);
	if (!value_count && !section)
		figure_specs_default(specs, d, diags);
	leave_out_open(specs, d);
	if (fine)
		name_figures(specs, d);
	return fine && !diags->errors;
}
