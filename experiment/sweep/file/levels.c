/* experiment/sweep/file/levels.c -- levels that stand for others: ranges of them (swl-{1..24}), and the best
 * of others. */
#include "experiment/sweep/file/read.h"
#include "sim/text/number.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

#define MOST_ITEMS 1000

/* -- ranges -- */

static bool add_item(char ***items, size_t *count, char *item)
{
	if (*count == MOST_ITEMS) {
		free(item);
		return false;
	}
	*items = xrealloc(*items, (*count + 1) * sizeof(**items));
	(*items)[(*count)++] = item;
	return true;
}

/* 4 or 1..4; false if it is neither, or there are too many. */
static bool add_numbers(char ***items, size_t *count, const char *text)
{
	const char *end;
	uint64_t first, last;
	char *number;

	if (number_read(text, &end, &first) != NUMBER_FITS)
		return false;
	last = first;
	if (!strncmp(end, "..", 2) && number_read(end + 2, &end, &last) != NUMBER_FITS)
		return false;
	if (*end || last < first)
		return false;
	for (uint64_t n = first; n <= last; n++) {
		if (asprintf(&number, "%" PRIu64, n) < 0)
			bug("out of memory");
		if (!add_item(items, count, number))
			return false;
	}
	return true;
}

static void free_items(char **items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(items[i]);
	free(items);
}

char **sweep_range_items(struct sweep_reader *r, doc_node key, size_t *count)
{
	const char *text = doc_text(r->d, key), *from = text ? strchr(text, '{') : NULL,
		   *to = from ? strchr(from, '}') : NULL;
	char **items = NULL, *list, *rest, *item;
	bool fine = to;

	*count = 0;
	if (!from)
		return NULL;
	list = rest = to ? strndup(from + 1, (size_t)(to - from - 1)) : NULL;
	while (fine && (item = strsep(&rest, ",")))
		fine = add_numbers(&items, count, item);
	free(list);
	if (fine && *count)
		return items;
	sweep_wrong(r, key,
		"a range of levels is like swl-{1..4,8}: numbers, at most %d; {} in the values stands for "
		"each",
		MOST_ITEMS);
	free_items(items, *count);
	*count = 0;
	return NULL;
}

const char *sweep_range_text(struct sweep_file *f, const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *made;

	if (!at)
		return text;
	if (asprintf(&made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) < 0)
		bug("out of memory");
	f->made = xrealloc(f->made, (f->made_count + 1) * sizeof(*f->made));
	f->made[f->made_count++] = made;
	return made;
}

/* -- the best of others -- */

static struct sweep_factor *find_factor(struct sweep_reader *r, doc_node of)
{
	struct sweep_file *f = r->file;
	const char *name, **names, *nearest;

	if (!doc_is_mapping(r->d, of) || doc_count(r->d, of) != 1) {
		sweep_wrong(
			r, of, "of: expected one factor with levels, as in {of: {machine: [swl-1, swl-2]}}");
		return NULL;
	}
	name = doc_key(r->d, of, 0);
	names = xcalloc(f->factor_count + 1, sizeof(*names));
	for (size_t i = 0; i < f->factor_count; i++)
		names[i] = f->factors[i].name;
	nearest = diag_nearest(name, names, f->factor_count);
	free(names);
	for (size_t i = 0; i < f->factor_count; i++)
		if (!strcmp(f->factors[i].name, name))
			return &f->factors[i];
	sweep_wrong(r, doc_key_node(r->d, of, 0), "there is no factor %s%s%s%s", name,
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	return NULL;
}

/* Levels by names and patterns; not those that are the best of others themselves. */
static bool *read_of(struct sweep_reader *r, const struct sweep_factor *factor, doc_node node)
{
	bool *of = xcalloc(factor->count + 1, sizeof(*of));
	struct sweep_texts texts = { 0 };

	sweep_read_set(r, node, factor->name, &texts);
	for (size_t i = 0; i < texts.count; i++) {
		bool any = false;

		for (size_t k = 0; k < factor->count; k++)
			if (!factor->levels[k].best && factor->levels[k].name &&
				stat_name_fits(texts.items[i], factor->levels[k].name))
				any = of[k] = true;
		if (!any)
			sweep_wrong(r, texts.nodes[i], "factor %s has no level %s to choose from",
				factor->name, texts.items[i]);
	}
	sweep_texts_free(&texts);
	return of;
}

static bool read_least(struct sweep_reader *r, doc_node node)
{
	const char *text = node ? doc_text(r->d, node) : "true";

	if (!text || (strcmp(text, "true") && strcmp(text, "false")))
		sweep_wrong(r, node, "least: expected true or false");
	return text && !strcmp(text, "true");
}

static void read_one(struct sweep_reader *r, doc_node key, doc_node node)
{
	static const char *const keys[] = { "of", "by", "least", NULL };
	doc_node of = doc_get(r->d, node, "of"), by = doc_get(r->d, node, "by");
	const char *name = doc_text(r->d, key);
	struct sweep_factor *factor;
	struct sweep_best *best;

	doc_allow(r->d, node, keys, r->diags);
	if (!of || !by) {
		sweep_wrong(r, of ? node : key,
			"expected what it is the best of, and by which statistic: {of: {machine: [swl-1, "
			"swl-2]}, by: gpu.cycles}");
		return;
	}
	factor = find_factor(r, of);
	if (!factor)
		return;
	if (name && sweep_level_find(factor, name))
		sweep_wrong(r, key, "factor %s has a level %s already", factor->name, name);
	best = xcalloc(1, sizeof(*best));
	*best = (struct sweep_best){ read_of(r, factor, doc_value(r->d, of, 0)), sweep_read_text(r, by, "by"),
		read_least(r, doc_get(r->d, node, "least")) };
	factor->levels = xrealloc(factor->levels, (factor->count + 1) * sizeof(*factor->levels));
	factor->levels[factor->count++] = (struct sweep_level){ .name = name, .node = key, .best = best };
}

void sweep_read_best(struct sweep_reader *r, doc_node node)
{
	if (node && !doc_is_mapping(r->d, node))
		sweep_wrong(r, node, "best: expected names with what they are the best of");
	for (size_t i = 0; doc_is_mapping(r->d, node) && i < doc_count(r->d, node); i++)
		read_one(r, doc_key_node(r->d, node, i), doc_value(r->d, node, i));
}
