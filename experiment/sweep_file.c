/* experiment/sweep_file.c -- reads a sweep file, with a message at its place for all that is wrong in it. */
#include "experiment/sweep_file.h"
#include "experiment/files.h"
#include "sim/xalloc.h"
#include <errno.h>
#include <libgen.h>

#define DEFAULT_SIZE "small"
#define DEFAULT_RETRIES 2

struct reader {
	struct sweep_file *file;
	const struct document *d;
	struct diag_list *diags;
};

#define wrong(r, node, ...)                                              \
	do {                                                             \
		struct diag_place wrong_ = doc_place((r)->d, node);      \
		diag_error((r)->diags, &wrong_, __VA_ARGS__);            \
	} while (0)

/* -- texts -- */

static void add_text(struct sweep_texts *to, const char *text, doc_node node)
{
	to->items = xrealloc(to->items, (to->count + 1) * sizeof(*to->items));
	to->nodes = xrealloc(to->nodes, (to->count + 1) * sizeof(*to->nodes));
	to->items[to->count] = text;
	to->nodes[to->count++] = node;
}

static void free_texts(struct sweep_texts *t)
{
	free(t->items);
	free(t->nodes);
}

/* A text, or NULL with a message. */
static const char *text_of(struct reader *r, doc_node node, const char *what)
{
	const char *text = doc_text(r->d, node);

	if (text && *text && !strchr(text, '\n'))
		return text;
	wrong(r, node, "%s: expected a text", what);
	return NULL;
}

/* One text, or a list of them. */
static void read_texts(struct reader *r, doc_node node, const char *what, struct sweep_texts *to)
{
	const char *text;

	if (!doc_is_list(r->d, node)) {
		text = text_of(r, node, what);
		if (text)
			add_text(to, text, node);
		return;
	}
	for (size_t i = 0; i < doc_count(r->d, node); i++) {
		text = text_of(r, doc_item(r->d, node, i), what);
		if (text)
			add_text(to, text, doc_item(r->d, node, i));
	}
}

static uint32_t read_number(struct reader *r, doc_node node, const char *what, uint32_t least, uint32_t otherwise)
{
	const char *text = doc_text(r->d, node);
	char *end;
	unsigned long long value;

	if (!node)
		return otherwise;
	errno = 0;
	value = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
	if (text && *text >= '0' && *text <= '9' && !*end && !errno && value >= least && value <= UINT32_MAX)
		return (uint32_t)value;
	wrong(r, node, "%s: expected a whole number from %u", what, least);
	return otherwise;
}

static void read_size_name(struct reader *r, doc_node node, const char **to)
{
	const char *size = doc_text(r->d, node);

	if (!node)
		return;
	if (size && (!strcmp(size, "tiny") || !strcmp(size, "small") || !strcmp(size, "paper")))
		*to = size;
	else
		wrong(r, node, "size: expected tiny, small or paper");
}

/* -- workloads -- */

static void read_item_mapping(struct reader *r, doc_node node, struct sweep_item *item)
{
	static const char *const keys[] = { "name", "label", "program", "size", "arguments", "inputs", NULL };
	doc_node name = doc_get(r->d, node, "name"), program = doc_get(r->d, node, "program"), label = doc_get(r->d, node, "label");

	doc_allow(r->d, node, keys, r->diags);
	if (!name == !program) {
		wrong(r, node, "a workload has a name (of 'lockstep bench list') or a program, one of them");
		return;
	}
	item->word = name ? text_of(r, name, "name") : NULL;
	item->program = program ? text_of(r, program, "program") : NULL;
	item->label = label ? text_of(r, label, "label") : NULL;
	item->has_arguments = doc_get(r->d, node, "arguments");
	if (item->has_arguments)
		read_texts(r, doc_get(r->d, node, "arguments"), "arguments", &item->arguments);
	if (doc_get(r->d, node, "inputs"))
		read_texts(r, doc_get(r->d, node, "inputs"), "inputs", &item->inputs);
	read_size_name(r, doc_get(r->d, node, "size"), &item->size);
	if (item->size && (item->has_arguments || program))
		wrong(r, node, "size is for a benchmark without arguments of its own");
}

static void read_item(struct reader *r, doc_node node)
{
	struct sweep_file *f = r->file;
	struct sweep_item *item;

	f->items = xrealloc(f->items, (f->item_count + 1) * sizeof(*f->items));
	item = &f->items[f->item_count++];
	*item = (struct sweep_item){ .node = node };
	if (doc_is_mapping(r->d, node))
		read_item_mapping(r, node, item);
	else
		item->word = text_of(r, node, "workloads");
}

static void read_items(struct reader *r, doc_node node)
{
	if (!node) {
		wrong(r, document_root(r->d), "no workloads: expected a key workloads with names, suites or tags of 'lockstep bench list'");
		return;
	}
	if (!doc_is_list(r->d, node)) {
		read_item(r, node);
		return;
	}
	if (!doc_count(r->d, node))
		wrong(r, node, "no workloads: the list is empty");
	for (size_t i = 0; i < doc_count(r->d, node); i++)
		read_item(r, doc_item(r->d, node, i));
}

/* -- the machine -- */

/* "path: value" of parameters; `config` may be among them if configs is not NULL. */
static void read_changes(struct reader *r, doc_node node, bool may_overlay, struct sweep_changes *to)
{
	if (doc_text(r->d, node) && !*doc_text(r->d, node))
		return; /* nothing written: no change */
	if (!doc_is_mapping(r->d, node)) {
		wrong(r, node, "expected parameters with their values, as in {sm.l1d.ways: 8}");
		return;
	}
	for (size_t i = 0; i < doc_count(r->d, node); i++) {
		const char *key = doc_key(r->d, node, i), *value = doc_text(r->d, doc_value(r->d, node, i));

		if (may_overlay && !strcmp(key, "config")) {
			read_texts(r, doc_value(r->d, node, i), "config", &to->configs);
			continue;
		}
		if (!value || strchr(value, '\n')) {
			wrong(r, doc_value(r->d, node, i), "%s: expected a value (paths of parameters are written with dots: sm.l1d.ways: 8)", key);
			continue;
		}
		add_text(&to->paths, key, doc_key_node(r->d, node, i));
		add_text(&to->values, value, doc_value(r->d, node, i));
	}
}

static void read_level(struct reader *r, struct sweep_factor *factor, doc_node key, doc_node value)
{
	struct sweep_level *level;

	factor->levels = xrealloc(factor->levels, (factor->count + 1) * sizeof(*factor->levels));
	level = &factor->levels[factor->count++];
	*level = (struct sweep_level){ .name = doc_text(r->d, key), .node = key };
	read_changes(r, value, true, &level->changes);
}

static void read_factors(struct reader *r, doc_node node)
{
	static const char *const reserved[] = { "workload", "size", "base", "seed" };
	struct sweep_file *f = r->file;

	if (node && !doc_is_mapping(r->d, node))
		wrong(r, node, "factors: expected names with levels");
	for (size_t i = 0; doc_is_mapping(r->d, node) && i < doc_count(r->d, node); i++) {
		doc_node levels = doc_value(r->d, node, i);
		struct sweep_factor *factor;

		f->factors = xrealloc(f->factors, (f->factor_count + 1) * sizeof(*f->factors));
		factor = &f->factors[f->factor_count++];
		*factor = (struct sweep_factor){ .name = doc_key(r->d, node, i), .node = doc_key_node(r->d, node, i) };
		for (size_t k = 0; k < sizeof(reserved) / sizeof(*reserved); k++)
			if (!strcmp(reserved[k], factor->name))
				wrong(r, factor->node, "a factor cannot be called %s, which every point has", factor->name);
		if (!doc_is_mapping(r->d, levels) || !doc_count(r->d, levels))
			wrong(r, levels, "factor %s: expected levels, as in {lrr: {sm.scheduler.policy: lrr}}", factor->name);
		for (size_t k = 0; doc_is_mapping(r->d, levels) && k < doc_count(r->d, levels); k++)
			read_level(r, factor, doc_key_node(r->d, levels, k), doc_value(r->d, levels, k));
	}
}

/* -- rules -- */

const struct sweep_factor *sweep_factor_find(const struct sweep_file *f, const char *name)
{
	for (size_t i = 0; i < f->factor_count; i++)
		if (!strcmp(f->factors[i].name, name))
			return &f->factors[i];
	return NULL;
}

const struct sweep_level *sweep_level_find(const struct sweep_factor *factor, const char *name)
{
	for (size_t i = 0; i < factor->count; i++)
		if (!strcmp(factor->levels[i].name, name))
			return &factor->levels[i];
	return NULL;
}

static void check_level(struct reader *r, const struct sweep_factor *factor, const char *name, doc_node node)
{
	const char **names, *nearest;

	if (sweep_level_find(factor, name))
		return;
	names = xcalloc(factor->count, sizeof(*names));
	for (size_t i = 0; i < factor->count; i++)
		names[i] = factor->levels[i].name;
	nearest = diag_nearest(name, names, factor->count);
	wrong(r, node, "factor %s has no level %s%s%s%s", factor->name, name, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	free(names);
}

static void check_key(struct reader *r, const char *key, doc_node node, const char *const *fixed, size_t fixed_count)
{
	const struct sweep_file *f = r->file;
	const char **names = xcalloc(f->factor_count + fixed_count, sizeof(*names)), *nearest;
	bool known = sweep_factor_find(f, key) != NULL;
	size_t n = 0;

	for (size_t i = 0; i < fixed_count; i++) {
		known |= !strcmp(fixed[i], key);
		names[n++] = fixed[i];
	}
	for (size_t i = 0; i < f->factor_count; i++)
		names[n++] = f->factors[i].name;
	nearest = diag_nearest(key, names, n);
	if (!known)
		wrong(r, node, "there is no factor %s%s%s%s", key, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	free(names);
}

/* fixed: what it may name beside factors. */
static void read_rule(struct reader *r, doc_node node, const char *const *fixed, size_t fixed_count, struct sweep_rule *rule)
{
	*rule = (struct sweep_rule){ .node = node };
	if (!doc_is_mapping(r->d, node) || !doc_count(r->d, node)) {
		wrong(r, node, "expected factors with levels, as in {scheduler: lrr, l1: 16K}");
		return;
	}
	rule->values = xcalloc(doc_count(r->d, node), sizeof(*rule->values));
	for (size_t i = 0; i < doc_count(r->d, node); i++) {
		const char *key = doc_key(r->d, node, i);
		const struct sweep_factor *factor = sweep_factor_find(r->file, key);
		struct sweep_texts *values = &rule->values[rule->keys.count];

		check_key(r, key, doc_key_node(r->d, node, i), fixed, fixed_count);
		add_text(&rule->keys, key, doc_key_node(r->d, node, i));
		read_texts(r, doc_value(r->d, node, i), key, values);
		for (size_t k = 0; factor && k < values->count; k++)
			check_level(r, factor, values->items[k], values->nodes[k]);
	}
}

static void read_excludes(struct reader *r, doc_node node)
{
	static const char *const fixed[] = { "workload", "size", "base", "seed" };
	struct sweep_file *f = r->file;

	if (node && !doc_is_list(r->d, node)) {
		wrong(r, node, "exclude: expected a list of combinations");
		return;
	}
	f->excludes = xcalloc(doc_count(r->d, node) + 1, sizeof(*f->excludes));
	for (size_t i = 0; i < doc_count(r->d, node); i++)
		read_rule(r, doc_item(r->d, node, i), fixed, 4, &f->excludes[f->exclude_count++]);
}

static void read_baseline(struct reader *r, doc_node node)
{
	static const char *const fixed[] = { "base" };
	struct sweep_rule *rule = &r->file->baseline;

	if (!node)
		return;
	read_rule(r, node, fixed, 1, rule);
	for (size_t i = 0; i < rule->keys.count; i++)
		if (rule->values[i].count != 1)
			wrong(r, rule->keys.nodes[i], "the baseline has one level of %s", rule->keys.items[i]);
}

/* -- the rest -- */

static void read_seeds(struct reader *r, doc_node node)
{
	struct sweep_file *f = r->file;
	struct sweep_texts texts = { 0 };

	if (!node)
		return;
	read_texts(r, node, "seeds", &texts);
	f->seeds = xcalloc(texts.count + 1, sizeof(*f->seeds));
	for (size_t i = 0; i < texts.count; i++) {
		f->seeds[i] = read_number(r, texts.nodes[i], "seeds", 0, 0);
		for (size_t k = 0; k < i; k++)
			if (f->seeds[k] == f->seeds[i])
				wrong(r, texts.nodes[i], "seed %u is given twice", f->seeds[i]);
		f->seed_count++;
	}
	free_texts(&texts);
}

static void read_limits(struct reader *r, doc_node node)
{
	static const char *const keys[] = { "time", "memory", "retries", NULL };
	struct sweep_file *f = r->file;

	if (node && !doc_is_mapping(r->d, node))
		wrong(r, node, "limits: expected time (seconds), memory (MiB), retries");
	doc_allow(r->d, node, keys, r->diags);
	f->seconds = read_number(r, doc_get(r->d, node, "time"), "time, in seconds", 1, 0);
	f->mebibytes = read_number(r, doc_get(r->d, node, "memory"), "memory, in MiB", 1, 0);
	f->retries = read_number(r, doc_get(r->d, node, "retries"), "retries", 0, DEFAULT_RETRIES);
}

static void read_derived_one(struct reader *r, const char *name, doc_node node, struct sweep_derived *to)
{
	static const char *const keys[] = { "value", "unit", "mean", NULL };
	static const char *const means[] = { "geometric", "harmonic", "arithmetic", "none" };
	doc_node value = doc_is_mapping(r->d, node) ? doc_get(r->d, node, "value") : node;
	doc_node unit = doc_get(r->d, node, "unit"), mean = doc_get(r->d, node, "mean");
	bool known = !mean;

	*to = (struct sweep_derived){ .name = name, .node = value ? value : node, .unit = unit ? doc_text(r->d, unit) : "", .mean = "arithmetic" };
	doc_allow(r->d, node, keys, r->diags);
	to->formula = value ? text_of(r, value, "value") : NULL;
	if (!value)
		wrong(r, node, "%s has no value: expected a formula of statistics", name);
	if (!to->unit)
		to->unit = "";
	for (size_t i = 0; mean && i < 4; i++)
		if (doc_text(r->d, mean) && !strcmp(means[i], doc_text(r->d, mean))) {
			to->mean = means[i];
			known = true;
		}
	if (!known)
		wrong(r, mean, "mean: expected geometric, harmonic, arithmetic or none");
}

static void read_derived(struct reader *r, doc_node node)
{
	struct sweep_file *f = r->file;

	if (node && !doc_is_mapping(r->d, node)) {
		wrong(r, node, "derived: expected names with formulas");
		return;
	}
	f->derived = xcalloc(doc_count(r->d, node) + 1, sizeof(*f->derived));
	for (size_t i = 0; i < doc_count(r->d, node); i++)
		read_derived_one(r, doc_key(r->d, node, i), doc_value(r->d, node, i), &f->derived[f->derived_count++]);
}

static char *default_name(const char *path)
{
	char *copy = xstrdup(path), *name = xstrdup(basename(copy)), *dot = strrchr(name, '.');

	free(copy);
	if (dot && dot != name)
		*dot = 0;
	return name;
}

static void read_name(struct reader *r, doc_node node)
{
	const char *name = node ? text_of(r, node, "name") : NULL;

	r->file->name = name ? xstrdup(name) : default_name(r->file->path);
	if (strchr(r->file->name, '/') || r->file->name[0] == '.')
		wrong(r, node ? node : document_root(r->d), "name: expected one without slashes that does not begin with a dot");
}

static void read_all(struct reader *r)
{
	static const char *const keys[] = { "name", "workloads", "size", "base", "overlays", "set", "factors", "exclude", "seeds", "limits", "series",
		"baseline", "derived", "report", NULL };
	doc_node root = document_root(r->d), series, base;
	struct sweep_file *f = r->file;

	if (!doc_is_mapping(r->d, root)) {
		wrong(r, root, "expected \"key: value\" lines: workloads, base, factors ...");
		f->name = default_name(f->path);
		return;
	}
	doc_allow(r->d, root, keys, r->diags);
	read_name(r, doc_get(r->d, root, "name"));
	f->size = DEFAULT_SIZE;
	read_size_name(r, doc_get(r->d, root, "size"), &f->size);
	read_items(r, doc_get(r->d, root, "workloads"));
	base = doc_get(r->d, root, "base");
	if (base)
		read_texts(r, base, "base", &f->bases);
	else
		add_text(&f->bases, "gtx480", root);
	if (doc_get(r->d, root, "overlays"))
		read_texts(r, doc_get(r->d, root, "overlays"), "overlays", &f->common.configs);
	if (doc_get(r->d, root, "set"))
		read_changes(r, doc_get(r->d, root, "set"), false, &f->common);
	read_factors(r, doc_get(r->d, root, "factors"));
	read_excludes(r, doc_get(r->d, root, "exclude"));
	read_baseline(r, doc_get(r->d, root, "baseline"));
	read_seeds(r, doc_get(r->d, root, "seeds"));
	read_limits(r, doc_get(r->d, root, "limits"));
	series = doc_get(r->d, root, "series");
	f->series_node = series;
	f->series = series ? text_of(r, series, "series") : NULL;
	read_derived(r, doc_get(r->d, root, "derived"));
}

struct sweep_file *sweep_file_read(const char *path, struct diag_list *diags)
{
	struct sweep_file *f = xcalloc(1, sizeof(*f));
	struct reader r = { .file = f, .diags = diags };
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
		read_all(&r);
	if (diags->errors == errors)
		return f;
	sweep_file_free(f);
	return NULL;
}

/* -- the end -- */

static void free_changes(struct sweep_changes *c)
{
	free_texts(&c->configs);
	free_texts(&c->paths);
	free_texts(&c->values);
}

static void free_rule(struct sweep_rule *rule)
{
	for (size_t i = 0; i < rule->keys.count; i++)
		free_texts(&rule->values[i]);
	free_texts(&rule->keys);
	free(rule->values);
}

void sweep_file_free(struct sweep_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->item_count; i++) {
		free_texts(&f->items[i].arguments);
		free_texts(&f->items[i].inputs);
	}
	for (size_t i = 0; i < f->factor_count; i++) {
		for (size_t k = 0; k < f->factors[i].count; k++)
			free_changes(&f->factors[i].levels[k].changes);
		free(f->factors[i].levels);
	}
	for (size_t i = 0; i < f->exclude_count; i++)
		free_rule(&f->excludes[i]);
	free_rule(&f->baseline);
	free_texts(&f->bases);
	free_changes(&f->common);
	free(f->items);
	free(f->factors);
	free(f->excludes);
	free(f->seeds);
	free(f->derived);
	document_free(f->document);
	free(f->name);
	free(f->folder);
	free(f->text);
	free(f->path);
	free(f);
}
