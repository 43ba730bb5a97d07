/* experiment/sweep/file/file.c -- reads a sweep file, with a message at its place for all that is wrong in
 * it. */
#include "core/gpu/change.h"
#include "experiment/files.h"
#include "experiment/sweep/derived/formula.h"
#include "experiment/sweep/file/read.h"
#include "experiment/workload.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <libgen.h>

#define DEFAULT_SIZE    "small"
#define DEFAULT_RETRIES 2

static void read_size_name(struct sweep_reader *r, doc_node node, const char **to)
{
	const char *size = doc_text(r->d, node);

	if (!node)
		return;
	if (size && workload_is_preset(size))
		*to = size;
	else
		sweep_wrong(r, node, "size: expected " WORKLOAD_PRESET_LIST);
}

static void read_bool(
	struct sweep_reader *r, doc_node mapping, const char *key, const char *otherwise, bool *to)
{
	doc_node node = doc_get(r->d, mapping, key);
	const char *text = node ? doc_text(r->d, node) : otherwise;

	*to = text && !strcmp(text, "true");
	if (!text || (!*to && strcmp(text, "false") != 0))
		sweep_wrong(r, node, "%s: expected true or false", key);
}

static void read_permission(struct sweep_reader *r, doc_node mapping, bool *to)
{
	read_bool(r, mapping, "allow_untimed_kernels", "false", to);
}

/* -- workloads -- */

/* Numbers from 1, or names. */
static void read_kernels(struct sweep_reader *r, doc_node node, struct sweep_texts *to)
{
	if (node)
		sweep_read_set(r, node, "kernels", to);
	for (size_t i = 0; i < to->count; i++) {
		const char *text = to->items[i];

		if (!text[strspn(text, "-0123456789")] &&
			(*text == '-' || strspn(text, "0") || strlen(text) > 6))
			sweep_wrong(r, to->nodes[i],
				"kernels: expected numbers from 1 (in the order of first launch) or names, "
				"not %s",
				text);
	}
}

static void read_item_mapping(struct sweep_reader *r, doc_node node, struct sweep_item *item)
{
	static const char *const keys[] = { "name", "label", "program", "size", "arguments", "inputs",
		"kernels", "set", "allow_untimed_kernels", NULL };
	doc_node name = doc_get(r->d, node, "name"), program = doc_get(r->d, node, "program"),
		 label = doc_get(r->d, node, "label");

	doc_allow(r->d, node, keys, r->diags);
	if (!name == !program) {
		sweep_wrong(r, node,
			"a workload has a name (of 'lockstep bench list') or a program, one of them");
		return;
	}
	item->word = name ? sweep_read_text(r, name, "name") : NULL;
	item->program = program ? sweep_read_text(r, program, "program") : NULL;
	item->label = label ? sweep_read_text(r, label, "label") : NULL;
	item->has_arguments = doc_get(r->d, node, "arguments");
	if (item->has_arguments)
		sweep_read_texts(r, doc_get(r->d, node, "arguments"), "arguments", &item->arguments);
	if (doc_get(r->d, node, "inputs"))
		sweep_read_texts(r, doc_get(r->d, node, "inputs"), "inputs", &item->inputs);
	read_kernels(r, doc_get(r->d, node, "kernels"), &item->kernels);
	if (doc_get(r->d, node, "set"))
		sweep_read_changes(r, doc_get(r->d, node, "set"), false, &item->own);
	item->own_number = item->own.paths.count ? ++r->file->own_count : 0;
	read_size_name(r, doc_get(r->d, node, "size"), &item->size);
	read_permission(r, node, &item->allow_untimed_kernels);
	if (label && !program)
		sweep_wrong(r, label, "label is for a program; benchmarks have their names");
	if (item->size && (item->has_arguments || program))
		sweep_wrong(r, node, "size is for a benchmark without arguments of its own");
}

static void read_sweep_item(struct sweep_reader *r, doc_node node)
{
	struct sweep_file *f = r->file;
	struct sweep_item *item;

	f->items = xrealloc(f->items, (f->item_count + 1) * sizeof(*f->items));
	item = &f->items[f->item_count++];
	*item = (struct sweep_item){ .node = node };
	if (doc_is_mapping(r->d, node))
		read_item_mapping(r, node, item);
	else
		item->word = sweep_read_text(r, node, "workloads");
}

static void read_items(struct sweep_reader *r, doc_node node)
{
	if (!node) {
		sweep_wrong(r, document_root(r->d),
			"no workloads: expected a key workloads with names, suites or tags of 'lockstep "
			"bench list'");
		return;
	}
	if (!doc_is_list(r->d, node)) {
		read_sweep_item(r, node);
		return;
	}
	if (!doc_count(r->d, node))
		sweep_wrong(r, node, "no workloads: the list is empty");
	for (size_t i = 0; i < doc_count(r->d, node); i++)
		read_sweep_item(r, doc_item(r->d, node, i));
}

/* -- the rest -- */

static void read_limits(struct sweep_reader *r, doc_node node)
{
	static const char *const keys[] = { "time", "memory", "retries", NULL };
	struct sweep_file *f = r->file;

	if (node && !doc_is_mapping(r->d, node))
		sweep_wrong(r, node, "limits: expected time (seconds), memory (MiB), retries");
	doc_allow(r->d, node, keys, r->diags);
	f->seconds = sweep_read_number(r, doc_get(r->d, node, "time"), "time, in seconds", 1, 0);
	f->mebibytes = sweep_read_number(r, doc_get(r->d, node, "memory"), "memory, in MiB", 1, 0);
	f->retries = sweep_read_number(r, doc_get(r->d, node, "retries"), "retries", 0, DEFAULT_RETRIES);
}

static void read_design(struct sweep_reader *r, doc_node node)
{
	static const char *const keys[] = { "runs", "seed", NULL };
	struct sweep_file *f = r->file;

	if (!node)
		return;
	f->design_node = node;
	if (!doc_is_mapping(r->d, node) || !doc_get(r->d, node, "runs"))
		sweep_wrong(r, node, "design: expected runs, the number of combinations, and perhaps seed");
	else if (!f->factor_count)
		sweep_wrong(r, node, "design: there are no factors");
	doc_allow(r->d, node, keys, r->diags);
	f->design_runs = sweep_read_number(r, doc_get(r->d, node, "runs"), "runs", 1, 1);
	f->design_seed = sweep_read_number(r, doc_get(r->d, node, "seed"), "seed", 0, 1);
}

/* One of the means, by a key; otherwise without it. others: what stands there in place of a mean, in the
 * message
 * ("" : nothing). */
static const char *read_mean(
	struct sweep_reader *r, doc_node derived, const char *key, const char *others, const char *otherwise)
{
	static const char *const means[] = { "geometric", "harmonic", "arithmetic", "none" };
	doc_node node = doc_get(r->d, derived, key);

	for (size_t i = 0; node && i < 4; i++)
		if (doc_text(r->d, node) && !strcmp(means[i], doc_text(r->d, node)))
			return means[i];
	if (node)
		sweep_wrong(r, node, "%s: expected %sgeometric, harmonic, arithmetic or none", key, others);
	return otherwise;
}

static void read_derived_one(
	struct sweep_reader *r, const char *name, doc_node node, struct sweep_derived *to)
{
	static const char *const keys[] = { "value", "unit", "mean", "kernels", NULL };
	doc_node value = doc_is_mapping(r->d, node) ? doc_get(r->d, node, "value") : node;
	doc_node unit = doc_get(r->d, node, "unit"), kernels = doc_get(r->d, node, "kernels");
	bool is_each = kernels && doc_text(r->d, kernels) && !strcmp(doc_text(r->d, kernels), "each");

	*to = (struct sweep_derived){ .name = name,
		.node = value ? value : node,
		.unit = unit ? doc_text(r->d, unit) : "",
		.mean = read_mean(r, node, "mean", "", "arithmetic"),
		.is_each = is_each,
		.kernels = is_each ? NULL : read_mean(r, node, "kernels", "each, ", NULL) };
	doc_allow(r->d, node, keys, r->diags);
	to->formula = value ? sweep_read_text(r, value, "value") : NULL;
	if (!value)
		sweep_wrong(r, node, "%s has no value: expected a formula of statistics", name);
	if (!to->unit)
		to->unit = "";
	if (to->kernels && !strcmp(to->kernels, "none"))
		to->kernels = NULL;
}

static void read_derived(struct sweep_reader *r, doc_node node)
{
	struct sweep_file *f = r->file;

	if (node && !doc_is_mapping(r->d, node)) {
		sweep_wrong(r, node, "derived: expected names with formulas");
		return;
	}
	f->derived = xcalloc(doc_count(r->d, node) + 1, sizeof(*f->derived));
	for (size_t i = 0; i < doc_count(r->d, node); i++) {
		if (!formula_can_name(doc_key(r->d, node, i)))
			sweep_wrong(r, doc_key_node(r->d, node, i),
				"%s: a derived value is called by letters, digits and _, and not like a word "
				"of formulas",
				doc_key(r->d, node, i));
		read_derived_one(
			r, doc_key(r->d, node, i), doc_value(r->d, node, i), &f->derived[f->derived_count++]);
	}
}

static char *default_name(const char *path)
{
	char *copy = xstrdup(path), *name = xstrdup(basename(copy)), *dot = strrchr(name, '.');

	free(copy);
	if (dot && dot != name)
		*dot = 0;
	return name;
}

static void read_sweep_name(struct sweep_reader *r, doc_node node)
{
	const char *name = node ? sweep_read_text(r, node, "name") : NULL;

	r->file->name = name ? xstrdup(name) : default_name(r->file->path);
	if (strchr(r->file->name, '/') || r->file->name[0] == '.')
		sweep_wrong(r, node ? node : document_root(r->d),
			"name: expected one without slashes that does not begin with a dot");
}

/* Whether a level changes what may change while kernels are timed. */
static bool has_change(const struct sweep_file *f)
{
	for (size_t i = 0; i < f->factor_count; i++)
		for (size_t j = 0; j < f->factors[i].count; j++) {
			const struct sweep_texts *paths = &f->factors[i].levels[j].changes.paths;

			for (size_t k = 0; k < paths->count; k++)
				if (gpu_may_change(paths->items[k]))
					return true;
		}
	return false;
}

/* After factors and series. */
static void read_at(struct sweep_reader *r, doc_node node)
{
	static const char *const kinds[] = { "cycle:", "instructions:", "kernel:" };
	struct sweep_file *f = r->file;
	const char *number = NULL;
	uint64_t value;

	if (!node)
		return;
	f->at = sweep_read_text(r, node, "at");
	f->at_node = node;
	for (size_t i = 0; f->at && i < 3; i++)
		if (!strncmp(f->at, kinds[i], strlen(kinds[i])))
			number = f->at + strlen(kinds[i]);
	if (f->at && (!number || !number_parse(number, 1, UINT64_MAX, &value)))
		sweep_wrong(r, node, "at: expected cycle:N, instructions:N or kernel:N%s",
			number ? number_hint(number) : "");
	else if (f->series)
		sweep_wrong(r, node, "at: a run whose policies change at a point cannot have series");
	else if (f->at && !has_change(f))
		sweep_wrong(r, node,
			"at: no level sets a parameter of sm.scheduler or gpu.dispatch, which are what can "
			"change while kernels are timed");
}

static void read_sections(struct sweep_reader *r)
{
	static const char *const keys[] = { "name", "workloads", "size", "base", "overlays", "set", "factors",
		"best", "exclude", "design", "seeds", "limits", "series", "baseline", "derived", "report",
		"interactions", "allow_untimed_kernels", "fork", "at", NULL };
	doc_node root = document_root(r->d), series;
	struct sweep_file *f = r->file;

	if (!doc_is_mapping(r->d, root)) {
		sweep_wrong(r, root, "expected \"key: value\" lines: workloads, base, factors ...");
		f->name = default_name(f->path);
		return;
	}
	doc_allow(r->d, root, keys, r->diags);
	read_sweep_name(r, doc_get(r->d, root, "name"));
	f->size = DEFAULT_SIZE;
	read_size_name(r, doc_get(r->d, root, "size"), &f->size);
	read_items(r, doc_get(r->d, root, "workloads"));
	sweep_read_space(r, root);
	read_design(r, doc_get(r->d, root, "design"));
	read_limits(r, doc_get(r->d, root, "limits"));
	read_permission(r, root, &f->allow_untimed_kernels);
	read_bool(r, root, "fork", "true", &f->forks);
	series = doc_get(r->d, root, "series");
	f->series_node = series;
	f->series = series ? sweep_read_text(r, series, "series") : NULL;
	read_at(r, doc_get(r->d, root, "at"));
	read_derived(r, doc_get(r->d, root, "derived"));
}

struct sweep_file *sweep_file_read(const char *path, struct diag_list *diags)
{
	struct sweep_file *f = xcalloc(1, sizeof(*f));
	struct sweep_reader r = { .file = f, .diags = diags };
	size_t errors = diags->errors;
	char *slash;

	f->path = xstrdup(path);
	f->text = file_read(path, &f->size_of_text);
	f->folder = f->text ? realpath(path, NULL) : NULL;
	if (!f->folder) {
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
		sweep_file_free(f);
		return NULL;
	}
	slash = strrchr(f->folder, '/');
	slash[slash == f->folder] = 0;
	f->document = document_parse(path, f->text, f->size_of_text, diags);
	r.d = f->document;
	if (r.d)
		read_sections(&r);
	if (diags->errors == errors)
		return f;
	sweep_file_free(f);
	return NULL;
}

/* Arguments that name a size keep the others; without one there is no telling which of them are the size. */
static void resize_arguments(struct sweep_item *item, const char *size)
{
	for (size_t i = 0; i + 1 < item->arguments.count; i++)
		if (!strcmp(item->arguments.items[i], "--size")) {
			item->arguments.items[i + 1] = size;
			return;
		}
	item->has_arguments = false;
	item->arguments.count = 0;
}

void sweep_file_resize(struct sweep_file *f, const char *size)
{
	if (!strcmp(f->size, size))
		return;
	f->size = size;
	for (size_t i = 0; i < f->item_count; i++) {
		struct sweep_item *item = &f->items[i];

		if (!item->word)
			continue;
		item->size = NULL;
		resize_arguments(item, size);
	}
}

/* -- the end -- */

void sweep_file_free(struct sweep_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->item_count; i++) {
		sweep_texts_free(&f->items[i].arguments);
		sweep_texts_free(&f->items[i].inputs);
		sweep_texts_free(&f->items[i].kernels);
		sweep_texts_free(&f->items[i].own.paths);
		sweep_texts_free(&f->items[i].own.values);
	}
	sweep_free_space(f);
	free(f->items);
	free(f->derived);
	document_free(f->document);
	free(f->name);
	free(f->folder);
	free(f->text);
	free(f->path);
	free(f);
}
