/* experiment/interactions/study.c -- from a sweep's rows and columns to a factorial design. */
#include "experiment/interactions/study.h"
#include "sim/base/xalloc.h"
#include "sim/stats/stat_select.h"
#include <math.h>

/* ---- the section `interactions` ---- */

static bool wrong_study(const struct report_data *d, doc_node node, struct diag_list *diags, const char *what)
{
	struct diag_location at = doc_location(d->document, node);

	at.file = d->path;
	diag_error(diags, &at, "interactions: %s", what);
	return false;
}

static bool is_true(const struct report_data *d, doc_node map, const char *key)
{
	const char *text = doc_text(d->document, doc_get(d->document, map, key));

	return text && strcmp(text, "true") == 0;
}

static bool read_response(
	struct report_data *d, doc_node node, struct study_response *r, struct diag_list *diags)
{
	static const char *const keys[] = { "value", "linear", "least", NULL };
	bool is_map = doc_is_mapping(d->document, node);

	*r = (struct study_response){ .name = is_map
			? doc_text(d->document, doc_get(d->document, node, "value"))
			: doc_text(d->document, node),
		.node = node };
	if (is_map && !doc_allow(d->document, node, keys, diags))
		return false;
	if (!r->name)
		return wrong_study(
			d, node, diags, "a value was expected: the name of a statistic or derived value");
	r->is_linear = is_map && is_true(d, node, "linear");
	r->is_least = is_map && is_true(d, node, "least");
	return true;
}

static bool read_responses(
	struct report_data *d, doc_node list, struct study_section *s, struct diag_list *diags)
{
	if (!list)
		return true;
	if (!doc_is_list(d->document, list) || !doc_count(d->document, list))
		return wrong_study(d, list, diags, "values: a list was expected");
	s->response_count = doc_count(d->document, list);
	s->responses = keep_alloc(&d->keeper, s->response_count * sizeof(*s->responses));
	for (size_t i = 0; i < s->response_count; i++)
		if (!read_response(d, doc_item(d->document, list, i), &s->responses[i], diags))
			return false;
	return true;
}

static bool read_class(
	struct report_data *d, doc_node map, size_t i, struct study_class *c, struct diag_list *diags)
{
	doc_node list = doc_value(d->document, map, i);

	c->name = doc_key(d->document, map, i);
	if (!doc_is_list(d->document, list) || !doc_count(d->document, list))
		return wrong_study(d, list, diags, "a class is a list of workloads");
	c->count = doc_count(d->document, list);
	c->workloads = keep_alloc(&d->keeper, c->count * sizeof(*c->workloads));
	for (size_t k = 0; k < c->count; k++) {
		bool found = false;

		c->workloads[k] = doc_text(d->document, doc_item(d->document, list, k));
		if (!c->workloads[k])
			return wrong_study(d, list, diags, "a class is a list of workloads");
		for (size_t row = 0; row < d->program_count; row++)
			found |= stat_name_fits(c->workloads[k], d->rows[row].workload);
		if (!found)
			return wrong_study(d, doc_item(d->document, list, k), diags,
				"no workload of the sweep has that name");
	}
	return true;
}

static bool read_classes(
	struct report_data *d, doc_node map, struct study_section *s, struct diag_list *diags)
{
	if (!map)
		return true;
	if (!doc_is_mapping(d->document, map))
		return wrong_study(d, map, diags, "classes: expected \"name: [workloads]\" lines");
	s->class_count = doc_count(d->document, map);
	s->classes = keep_alloc(&d->keeper, (s->class_count + 1) * sizeof(*s->classes));
	for (size_t i = 0; i < s->class_count; i++)
		if (!read_class(d, map, i, &s->classes[i], diags))
			return false;
	return true;
}

bool study_section_read(struct report_data *d, struct study_section *s, struct diag_list *diags)
{
	static const char *const keys[] = { "values", "classes", NULL };
	doc_node node = d->document ? doc_get(d->document, document_root(d->document), "interactions") : 0;

	*s = (struct study_section){ 0 };
	if (node && (!doc_is_mapping(d->document, node) || !doc_allow(d->document, node, keys, diags)))
		return wrong_study(d, node, diags, "expected values and classes");
	if (node &&
		(!read_responses(d, doc_get(d->document, node, "values"), s, diags) ||
			!read_classes(d, doc_get(d->document, node, "classes"), s, diags)))
		return false;
	if (!s->response_count) {
		s->responses = keep_alloc(&d->keeper, sizeof(*s->responses));
		s->responses[0] = (struct study_response){ .name = "gpu.ipc" };
		s->response_count = 1;
	}
	return true;
}

/* ---- classes ---- */

static size_t add_cause_class(struct study_table *t, const char *name)
{
	for (size_t i = 0; i < t->class_count; i++)
		if (strcmp(t->classes[i], name) == 0)
			return i;
	t->classes[t->class_count] = name;
	return t->class_count++;
}

static void find_classes(struct report_data *d, struct study_table *t, const struct study_section *s)
{
	size_t *of = keep_alloc(&d->keeper, (d->program_count + 1) * sizeof(*of));

	t->classes = keep_alloc(&d->keeper, (d->program_count + s->class_count + 1) * sizeof(*t->classes));
	for (size_t i = 0; i < s->class_count; i++)
		add_cause_class(t, s->classes[i].name);
	for (size_t row = 0; row < d->program_count; row++) {
		of[row] = SIZE_MAX;
		if (!s->class_count)
			of[row] = add_cause_class(t, *d->rows[row].suite ? d->rows[row].suite : "own");
		for (size_t i = 0; i < s->class_count && of[row] == SIZE_MAX; i++)
			for (size_t k = 0; k < s->classes[i].count; k++)
				if (stat_name_fits(s->classes[i].workloads[k], d->rows[row].workload))
					of[row] = i;
	}
	for (size_t row = 0; row < d->program_count; row++)
		of[row] = of[row] == SIZE_MAX ? t->class_count : of[row];
	t->class_of = of;
}

/* ---- the table ---- */

static size_t level_number(const struct report_factor *f, const char *name)
{
	size_t i = 0;

	while (i < f->count && strcmp(f->levels[i], name) != 0)
		i++;
	return i;
}

/* The file's baseline; of a factor that it does not name the first level. */
static void find_levels(struct report_data *d, struct study *s)
{
	size_t *levels = keep_alloc(&d->keeper, d->factor_count * sizeof(*levels));
	size_t *baseline = keep_alloc(&d->keeper, d->factor_count * sizeof(*baseline));
	doc_node map = d->document ? doc_get(d->document, document_root(d->document), "baseline") : 0;

	for (size_t f = 0; f < d->factor_count; f++) {
		const char *text =
			map ? doc_text(d->document, doc_get(d->document, map, d->factors[f].name)) : NULL;
		size_t number = text ? level_number(&d->factors[f], text) : 0;

		levels[f] = d->factors[f].count;
		baseline[f] = number < levels[f] ? number : 0;
	}
	s->factors = d->factor_count;
	s->levels = levels;
	s->baseline = baseline;
}

static void find_combinations(struct report_data *d, struct study_table *t)
{
	size_t *at = keep_alloc(&d->keeper, d->column_count * d->factor_count * sizeof(*at));
	size_t *column = keep_alloc(&d->keeper, d->column_count * sizeof(*column)), n = 0;

	for (size_t c = 0; c < d->column_count; c++) {
		bool fine = true;

		for (size_t f = 0; f < d->factor_count; f++) {
			size_t number = level_number(&d->factors[f], d->columns[c].levels[f]);

			fine &= number < d->factors[f].count;
			at[n * d->factor_count + f] = number;
		}
		if (fine)
			column[n++] = c;
	}
	t->study.at = at;
	t->study.combinations = n;
	t->column = column;
}

static void find_values(struct report_data *d, struct study_table *t, const struct report_value *v)
{
	size_t n = t->study.combinations;
	double *y = keep_alloc(&d->keeper, d->program_count * n * sizeof(*y));

	for (size_t row = 0; row < d->program_count; row++)
		for (size_t i = 0; i < n; i++) {
			double value = v->cells[row * d->column_count + t->column[i]];

			if (!t->response->is_linear)
				value = value > 0 ? log(value) : NAN;
			y[row * n + i] = value;
			t->no_value += isnan(value) ? 1 : 0;
		}
	t->study.y = y;
	t->study.blocks = d->program_count;
}

struct study_table *study_table_make(struct report_data *d, const struct study_section *section,
	const struct study_response *response, struct diag_list *diags)
{
	struct study_table *t = keep_alloc(&d->keeper, sizeof(*t));
	struct diag_location at =
		response->node ? doc_location(d->document, response->node) : (struct diag_location){ 0 };
	struct report_value *v =
		report_value_get(d, response->name, false, response->node ? &at : NULL, diags);
	size_t varied = 0;

	if (!v)
		return NULL;
	for (size_t f = 0; f < d->factor_count; f++)
		varied += d->factors[f].count > 1;
	if (varied < 2 || d->program_count < 2) {
		diag_error(
			diags, NULL, "%s: interactions need two factors and two workloads at least", d->name);
		return NULL;
	}
	t->data = d;
	t->response = response;
	find_levels(d, &t->study);
	find_combinations(d, t);
	find_values(d, t, v);
	find_classes(d, t, section);
	return t;
}

const char *study_effect_name(const struct study_table *t, const struct effect *x)
{
	struct report_data *d = t->data;
	const struct report_factor *f = &d->factors[x->factor[0]],
				   *g = x->is_pair ? &d->factors[x->factor[1]] : NULL;

	if (!g)
		return keep_print(&d->keeper, "%s=%s", f->name, f->levels[x->level[0]]);
	return keep_print(&d->keeper, "%s=%s x %s=%s", f->name, f->levels[x->level[0]], g->name,
		g->levels[x->level[1]]);
}

double study_change(const struct study_table *t, double difference)
{
	return t->response->is_linear ? difference : 100 * expm1(difference);
}

/* ---- the best ---- */

static bool is_better(const struct study_table *t, double a, double b)
{
	return t->response->is_least ? a < b : a > b;
}

size_t study_baseline(const struct study_table *t)
{
	const struct study *s = &t->study;

	for (size_t i = 0; i < s->combinations; i++)
		if (memcmp(s->at + i * s->factors, s->baseline, s->factors * sizeof(*s->at)) == 0)
			return i;
	return SIZE_MAX;
}

static bool is_complete(const struct study *s, size_t workload)
{
	for (size_t i = 0; i < s->combinations; i++)
		if (isnan(s->y[workload * s->combinations + i]))
			return false;
	return true;
}

size_t study_best_of(const struct study_table *t, size_t workload, double *gain)
{
	const struct study *s = &t->study;
	const double *y = s->y + workload * s->combinations;
	size_t best = 0, baseline = study_baseline(t);

	if (!is_complete(s, workload) || baseline == SIZE_MAX)
		return SIZE_MAX;
	for (size_t i = 1; i < s->combinations; i++)
		if (is_better(t, y[i], y[best]))
			best = i;
	*gain = y[best] - y[baseline];
	return best;
}

struct study_best study_find_best(const struct study_table *t, size_t class)
{
	const struct study *s = &t->study;
	struct study_best b = { .combination = SIZE_MAX };
	double *sum = xcalloc(s->combinations + 1, sizeof(*sum));
	size_t baseline = study_baseline(t);

	for (size_t w = 0; w < s->blocks; w++) {
		double gain;

		if ((class < t->class_count && t->class_of[w] != class) ||
			study_best_of(t, w, &gain) == SIZE_MAX)
			continue;
		b.workloads++;
		b.of_each += gain;
		for (size_t i = 0; i < s->combinations; i++)
			sum[i] += s->y[w * s->combinations + i] - s->y[w * s->combinations + baseline];
	}
	for (size_t i = 0; i < s->combinations && b.workloads; i++)
		if (b.combination == SIZE_MAX || is_better(t, sum[i], sum[b.combination]))
			b.combination = i;
	if (b.workloads) {
		b.gain = sum[b.combination] / (double)b.workloads;
		b.of_each /= (double)b.workloads;
	}
	free(sum);
	return b;
}

const char *study_combination_name(const struct study_table *t, size_t combination)
{
	struct report_data *d = t->data;
	const char *name = "";

	for (size_t f = 0; f < t->study.factors; f++)
		if (d->factors[f].count > 1)
			name = keep_print(&d->keeper, "%s%s%s", name, *name ? ", " : "",
				d->factors[f].levels[t->study.at[combination * t->study.factors + f]]);
	return name;
}
