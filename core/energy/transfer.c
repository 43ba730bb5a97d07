/* core/energy/transfer.c -- bases and scales. */
#include "core/energy/transfer.h"
#include "sim/base/xalloc.h"
#include "sim/config/config_find.h"
#include <math.h>
#include <unistd.h>

#define MOST_BASES 8
#define BLANKS     " \t\n"

static const char *const scale_keys[] = { "name", "of", "as", "value", "error", "source", NULL };

/* -- which coefficients a scale names -- */

static bool word_is(const char *word, size_t length, const char *name)
{
	return name && strlen(name) == length && strncmp(word, name, length) == 0;
}

static bool scale_word_names(const char *word, size_t length, const struct coefficient *c)
{
	return word_is(word, length, c->name) || word_is(word, length, c->component);
}

static bool scale_names(const struct scale *s, const struct coefficient *c)
{
	for (const char *word = s->of; *(word += strspn(word, BLANKS)); word += strcspn(word, BLANKS))
		if (scale_word_names(word, strcspn(word, BLANKS), c))
			return true;
	return false;
}

/* What the base has no name for would scale nothing, and nobody would notice. */
static void check_scale_words(const struct scale *s, const struct coefficients *base,
	const struct diag_location *at, struct diag_list *diags)
{
	const char **names = xcalloc(2 * base->count + 1, sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < base->count; i++) {
		names[count++] = base->items[i].name;
		if (base->items[i].component)
			names[count++] = base->items[i].component;
	}
	for (const char *word = s->of; *(word += strspn(word, BLANKS)); word += strcspn(word, BLANKS)) {
		size_t length = strcspn(word, BLANKS), i = 0;
		char *copy = strndup(word, length);
		const char *near = diag_nearest(copy, names, count);

		while (i < count && !word_is(word, length, names[i]))
			i++;
		if (i == count)
			diag_error(diags, at, "of: the base has no coefficient or component %s%s%s%s", copy,
				near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
		free(copy);
	}
	free(names);
}

/* -- reading -- */

static bool scale_is_there(const struct coefficients *m, const char *name)
{
	for (size_t i = 0; i < m->scale_count; i++)
		if (strcmp(m->scales[i].name, name) == 0)
			return true;
	return false;
}

static void read_scale(struct coefficients *m, const struct document *d, doc_node item,
	const struct coefficients *base, struct diag_list *diags)
{
	static const char *const ways[] = { "factor", "voltage", NULL };
	struct diag_location at = doc_location(d, item);
	const char *name = doc_text(d, doc_get(d, item, "name")), *of = doc_text(d, doc_get(d, item, "of")),
		   *source = doc_text(d, doc_get(d, item, "source"));
	struct scale *s = &m->scales[m->scale_count];
	uint8_t way;

	if (!doc_allow(d, item, scale_keys, diags))
		return;
	if (!name || !of || !of[strspn(of, BLANKS)] || !source) {
		diag_error(diags, &at,
			"a scale { name: ..., of: ..., value: ..., error: ..., source: ... } was "
			"expected");
		return;
	}
	if (m->scale_count == ENERGY_SCALES) {
		diag_error(diags, &at, "more than %d scales, with those of the bases", ENERGY_SCALES);
		return;
	}
	coefficients_words(d, item, "name", diags);
	if (scale_is_there(m, name))
		diag_error(diags, &at, "the scale %s is there twice, here or in a base", name);
	coefficients_choice(d, item, "as", ways, &way, diags);
	*s = (struct scale){ xstrdup(name), xstrdup(of), xstrdup(source),
		coefficients_number(d, item, "value", true, diags),
		coefficients_number(d, item, "error", true, diags), way == 1 };
	m->scale_count++;
	if (!(s->value > 0))
		diag_error(diags, &at, "a scale above 0 was expected");
	check_scale_words(s, base, &at, diags);
}

static void inherit_text(char **own, const char *from)
{
	if (!*own && from)
		*own = xstrdup(from);
}

/* A coefficient of the file's own in the place of the base's. */
static void inherit_coefficient(struct coefficient *own, const struct coefficient *from)
{
	inherit_text(&own->component, from->component);
	inherit_text(&own->event, from->event);
	if (strcmp(own->column, own->name) == 0) {
		free(own->column);
		own->column = xstrdup(from->column);
	}
	own->is_optional |= from->is_optional;
	own->scale = own->scale ? own->scale : from->scale;
	own->place = own->place ? own->place : from->place;
}

static void scale_coefficient(const struct coefficients *m, struct coefficient *c, size_t first)
{
	double error;

	for (size_t s = first; s < m->scale_count; s++) {
		if (!scale_names(&m->scales[s], c))
			continue;
		c->scales |= 1u << s;
		c->value *= coefficient_factor(m, c, s, &error);
		c->error *= coefficient_factor(m, c, s, &error);
	}
}

static void free_coefficient(struct coefficient *c)
{
	free(c->name);
	free(c->column);
	free(c->source);
	free(c->component);
	free(c->event);
}

/* The base's coefficients in their order, scaled or replaced, then those that are new. */
static void merge_items(struct coefficients *m, struct coefficients *base, size_t first_scale)
{
	struct coefficient *all = xcalloc(m->count + base->count, sizeof(*all));
	size_t count = 0;

	for (size_t i = 0; i < base->count; i++) {
		struct coefficient *c = &base->items[i], *own = coefficients_find(m, c->name);

		if (own) {
			inherit_coefficient(own, c);
			free_coefficient(c);
			all[count++] = *own;
			m->count--;
			memmove(own, own + 1, (size_t)(m->items + m->count - own) * sizeof(*own));
		} else {
			scale_coefficient(m, c, first_scale);
			all[count++] = *c;
		}
	}
	if (m->count) /* else it may be NULL */
		memcpy(all + count, m->items, m->count * sizeof(*all));
	free(m->items);
	m->items = all;
	m->count += count;
	base->count = 0;
}

static void take_files(struct coefficients *m, struct coefficients *base)
{
	base->files = xrealloc(base->files, (base->file_count + 1) * sizeof(*base->files));
	base->files[base->file_count] = m->files[0];
	free(m->files);
	m->files = base->files;
	m->file_count = base->file_count + 1;
	base->files = NULL;
	base->file_count = 0;
	for (size_t i = 0; i < m->count; i++)
		m->items[i].file = (uint32_t)m->file_count - 1;
}

static void transfer_from(
	struct coefficients *m, const struct document *d, struct coefficients *base, struct diag_list *diags)
{
	doc_node scales = doc_get(d, document_root(d), "scales");
	size_t first = base->scale_count;

	memcpy(m->scales, base->scales, sizeof(m->scales));
	m->scale_count = base->scale_count;
	base->scale_count = 0;
	take_files(m, base);
	for (size_t i = 0; scales && i < doc_count(d, scales); i++)
		read_scale(m, d, doc_item(d, scales, i), base, diags);
	m->model_error = m->model_error > 0 ? m->model_error : base->model_error;
	if (!(m->clock > 0) && !base->voltages.count) { /* points are the base chip's own */
		m->clock = base->clock;
		m->voltage_slope = base->voltage_slope;
	}
	merge_items(m, base, first);
}

/* Beside the file that names it, or one that comes with Lockstep. */
static char *base_path(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	char *path;

	if (asprintf(&path, "%.*s%s%s", (int)(slash && *name != '/' ? slash + 1 - file : 0), file, name,
		    strstr(name, ".yaml") ? "" : ".yaml") < 0)
		bug("out of memory");
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return config_path(CONFIG_ENERGY, name);
}

void transfer_read(struct coefficients *m, const struct document *d, unsigned depth, struct diag_list *diags)
{
	doc_node root = document_root(d), node = doc_get(d, root, "base"),
		 scales = doc_get(d, root, "scales");
	struct diag_location at = doc_location(d, node ? node : scales);
	const char *name = doc_text(d, node);
	struct coefficients *base;
	char *path;

	if (scales && (!node || !doc_is_list(d, scales)))
		diag_error(diags, &at, "scales: a list was expected, and a base: the model that they scale");
	else if (node && !name)
		diag_error(diags, &at, "base: the name of a model or a file was expected");
	else if (node && depth == MOST_BASES)
		diag_error(diags, &at, "base: more than %d bases, one below the other", MOST_BASES);
	if (!node || diags->errors)
		return;
	path = base_path(m->files[0], name);
	base = coefficients_read_at(path, depth + 1, diags);
	if (base)
		transfer_from(m, d, base, diags);
	coefficients_free(base);
	free(path);
}
