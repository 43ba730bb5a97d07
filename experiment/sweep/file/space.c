/* experiment/sweep/file/space.c -- the part of a sweep file that says what its points are: machines, factors,
 * what is excluded, seeds, baseline. */
#include "experiment/sweep/file/read.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"

#define DEFAULT_BASE "gtx480"

/* -- the machine -- */

void sweep_read_changes(struct sweep_reader *r, doc_node node, bool may_overlay, struct sweep_changes *to)
{
	if (doc_text(r->d, node) && !*doc_text(r->d, node))
		return; /* nothing written: no change */
	if (!doc_is_mapping(r->d, node)) {
		sweep_wrong(r, node, "expected parameters with their values, as in {sm.l1d.ways: 8}");
		return;
	}
	for (size_t i = 0; i < doc_count(r->d, node); i++) {
		const char *key = doc_key(r->d, node, i), *value = doc_text(r->d, doc_value(r->d, node, i));

		if (may_overlay && !strcmp(key, "config")) {
			sweep_read_texts(r, doc_value(r->d, node, i), "config", &to->configs);
			continue;
		}
		if (may_overlay && !strcmp(key, "arguments")) {
			sweep_read_texts(r, doc_value(r->d, node, i), "arguments", &to->arguments);
			continue;
		}
		if (!value || strchr(value, '\n')) {
			sweep_wrong(r, doc_value(r->d, node, i),
				"%s: expected a value (paths of parameters are written with dots: "
				"sm.l1d.ways: 8)",
				key);
			continue;
		}
		sweep_texts_add(&to->paths, key, doc_key_node(r->d, node, i));
		sweep_texts_add(&to->values, value, doc_value(r->d, node, i));
	}
}

static void fill_texts(struct sweep_reader *r, struct sweep_texts *texts, const char *item)
{
	for (size_t i = 0; i < texts->count; i++)
		texts->items[i] = sweep_range_text(r->file, texts->items[i], "{}", item);
}

/* item: of the range that the key has; NULL: none. */
static void add_level(
	struct sweep_reader *r, struct sweep_factor *factor, doc_node key, doc_node value, const char *item)
{
	const char *name = doc_text(r->d, key), *range = name ? strchr(name, '{') : NULL;
	struct sweep_level *level;
	char braces[256];

	if (item) {
		snprintf(braces, sizeof(braces), "%.*s", (int)strcspn(range, "}") + 1, range);
		name = sweep_range_text(r->file, name, braces, item);
	}
	if (name && sweep_level_find(factor, name))
		sweep_wrong(r, key, "level %s of factor %s is given twice", name, factor->name);
	factor->levels = xrealloc(factor->levels, (factor->count + 1) * sizeof(*factor->levels));
	level = &factor->levels[factor->count++];
	*level = (struct sweep_level){ .name = name, .node = key };
	sweep_read_changes(r, value, true, &level->changes);
	if (!item)
		return;
	fill_texts(r, &level->changes.configs, item);
	fill_texts(r, &level->changes.values, item);
	fill_texts(r, &level->changes.arguments, item);
}

/* One level, or one for each item of a range. */
static void read_level(struct sweep_reader *r, struct sweep_factor *factor, doc_node key, doc_node value)
{
	size_t count = 0;
	char **items = sweep_range_items(r, key, &count);

	if (!items)
		add_level(r, factor, key, value, NULL);
	for (size_t i = 0; i < count; i++) {
		add_level(r, factor, key, value, items[i]);
		free(items[i]);
	}
	free(items);
}

static void read_factors(struct sweep_reader *r, doc_node node)
{
	static const char *const reserved[] = { "workload", "size", "base", "seed", "point", "state",
		"message", "job" };
	struct sweep_file *f = r->file;

	if (node && !doc_is_mapping(r->d, node))
		sweep_wrong(r, node, "factors: expected names with levels");
	for (size_t i = 0; doc_is_mapping(r->d, node) && i < doc_count(r->d, node); i++) {
		doc_node levels = doc_value(r->d, node, i);
		struct sweep_factor *factor;

		f->factors = xrealloc(f->factors, (f->factor_count + 1) * sizeof(*f->factors));
		factor = &f->factors[f->factor_count++];
		*factor = (struct sweep_factor){ .name = doc_key(r->d, node, i),
			.node = doc_key_node(r->d, node, i) };
		for (size_t k = 0; k < sizeof(reserved) / sizeof(*reserved); k++)
			if (!strcmp(reserved[k], factor->name))
				sweep_wrong(r, factor->node,
					"a factor cannot be called %s, which every point has", factor->name);
		if (!doc_is_mapping(r->d, levels) || !doc_count(r->d, levels))
			sweep_wrong(r, levels,
				"factor %s: expected levels, as in {lrr: {sm.scheduler.policy: lrr}}",
				factor->name);
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

static void check_level(
	struct sweep_reader *r, const struct sweep_factor *factor, const char *name, doc_node node)
{
	const char **names, *nearest;

	for (size_t i = 0; i < factor->count; i++)
		if (factor->levels[i].name && stat_name_fits(name, factor->levels[i].name))
			return;
	names = xcalloc(factor->count, sizeof(*names));
	for (size_t i = 0; i < factor->count; i++)
		names[i] = factor->levels[i].name;
	nearest = diag_nearest(name, names, factor->count);
	sweep_wrong(r, node, "factor %s has no level %s%s%s%s", factor->name, name,
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	free(names);
}

static void check_key(
	struct sweep_reader *r, const char *key, doc_node node, const char *const *fixed, size_t fixed_count)
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
		sweep_wrong(r, node, "there is no factor %s%s%s%s", key, nearest ? "; did you mean " : "",
			nearest ? nearest : "", nearest ? "?" : "");
	free(names);
}

/* fixed: what it may name beside factors. */
static void read_rule(struct sweep_reader *r, doc_node node, const char *const *fixed, size_t fixed_count,
	struct sweep_rule *rule)
{
	*rule = (struct sweep_rule){ .node = node };
	if (!doc_is_mapping(r->d, node) || !doc_count(r->d, node)) {
		sweep_wrong(r, node, "expected factors with levels, as in {scheduler: lrr, l1: 16K}");
		return;
	}
	rule->values = xcalloc(doc_count(r->d, node), sizeof(*rule->values));
	for (size_t i = 0; i < doc_count(r->d, node); i++) {
		const char *key = doc_key(r->d, node, i);
		const struct sweep_factor *factor = sweep_factor_find(r->file, key);
		struct sweep_texts *values = &rule->values[rule->keys.count];

		check_key(r, key, doc_key_node(r->d, node, i), fixed, fixed_count);
		sweep_texts_add(&rule->keys, key, doc_key_node(r->d, node, i));
		sweep_read_texts(r, doc_value(r->d, node, i), key, values);
		for (size_t k = 0; factor && k < values->count; k++)
			check_level(r, factor, values->items[k], values->nodes[k]);
	}
}

static void read_excludes(struct sweep_reader *r, doc_node node)
{
	static const char *const fixed[] = { "workload", "size", "base", "seed" };
	struct sweep_file *f = r->file;

	if (node && !doc_is_list(r->d, node)) {
		sweep_wrong(r, node, "exclude: expected a list of combinations");
		return;
	}
	f->excludes = xcalloc(doc_count(r->d, node) + 1, sizeof(*f->excludes));
	for (size_t i = 0; i < doc_count(r->d, node); i++)
		read_rule(r, doc_item(r->d, node, i), fixed, 4, &f->excludes[f->exclude_count++]);
}

static void read_baseline(struct sweep_reader *r, doc_node node)
{
	static const char *const fixed[] = { "base" };
	struct sweep_rule *rule = &r->file->baseline;

	if (!node)
		return;
	read_rule(r, node, fixed, 1, rule);
	for (size_t i = 0; i < rule->keys.count; i++)
		if (rule->values[i].count != 1 || strpbrk(rule->values[i].items[0], "*?"))
			sweep_wrong(r, rule->keys.nodes[i], "the baseline has one level of %s",
				rule->keys.items[i]);
}

/* -- the whole -- */

static void read_seeds(struct sweep_reader *r, doc_node node)
{
	struct sweep_file *f = r->file;
	struct sweep_texts texts = { 0 };

	if (!node)
		return;
	sweep_read_set(r, node, "seeds", &texts);
	f->seeds = xcalloc(texts.count + 1, sizeof(*f->seeds));
	for (size_t i = 0; i < texts.count; i++) {
		size_t errors = r->diags->errors;

		f->seeds[f->seed_count] = sweep_read_number(r, texts.nodes[i], "seeds", 0, 0);
		for (size_t k = 0; k < f->seed_count && r->diags->errors == errors; k++)
			if (f->seeds[k] == f->seeds[f->seed_count] &&
				strcmp(texts.items[k], texts.items[i])) /* 1 and 01 */
				sweep_wrong(r, texts.nodes[i], "seeds: %u is given twice", f->seeds[k]);
		f->seed_count += r->diags->errors == errors;
	}
	sweep_texts_free(&texts);
}

void sweep_read_space(struct sweep_reader *r, doc_node root)
{
	struct sweep_file *f = r->file;
	doc_node base = doc_get(r->d, root, "base");

	if (base)
		sweep_read_set(r, base, "base", &f->bases);
	else
		sweep_texts_add(&f->bases, DEFAULT_BASE, root);
	if (doc_get(r->d, root, "overlays"))
		sweep_read_texts(r, doc_get(r->d, root, "overlays"), "overlays", &f->common.configs);
	if (doc_get(r->d, root, "set"))
		sweep_read_changes(r, doc_get(r->d, root, "set"), false, &f->common);
	read_factors(r, doc_get(r->d, root, "factors"));
	sweep_read_best(r, doc_get(r->d, root, "best"));
	read_excludes(r, doc_get(r->d, root, "exclude"));
	read_seeds(r, doc_get(r->d, root, "seeds"));
	read_baseline(r, doc_get(r->d, root, "baseline"));
}

static void free_changes(struct sweep_changes *c)
{
	sweep_texts_free(&c->configs);
	sweep_texts_free(&c->arguments);
	sweep_texts_free(&c->paths);
	sweep_texts_free(&c->values);
}

static void free_best(struct sweep_best *best)
{
	if (best)
		free(best->of);
	free(best);
}

static void free_rule(struct sweep_rule *rule)
{
	for (size_t i = 0; i < rule->keys.count; i++)
		sweep_texts_free(&rule->values[i]);
	sweep_texts_free(&rule->keys);
	free(rule->values);
}

void sweep_free_space(struct sweep_file *f)
{
	for (size_t i = 0; i < f->factor_count; i++) {
		for (size_t k = 0; k < f->factors[i].count; k++) {
			free_changes(&f->factors[i].levels[k].changes);
			free_best(f->factors[i].levels[k].best);
		}
		free(f->factors[i].levels);
	}
	for (size_t i = 0; i < f->exclude_count; i++)
		free_rule(&f->excludes[i]);
	free_rule(&f->baseline);
	for (size_t i = 0; i < f->made_count; i++)
		free(f->made[i]);
	free(f->made);
	sweep_texts_free(&f->bases);
	free_changes(&f->common);
	free(f->factors);
	free(f->excludes);
	free(f->seeds);
}
