/* sim/config/config_read.c -- compares what the user wrote with what a component declares: values, range
 * errors, and the record of what has been read. */
#include "sim/text/c_locale.h"
#include "sim/config/config_internal.h"
#include <string.h>

const char *config_join(struct config *config, const char *path, const char *key)
{
	return *path ? config_format(config, "%s.%s", path, key) : key;
}

/* -- sections and readings -- */

struct config_section *config_subsection(const struct config_section *section, const char *name, size_t size)
{
	for (struct config_section *s = section->first; s; s = s->next) {
		if (!strncmp(s->name, name, size) && !s->name[size])
			return s;
	}
	return NULL;
}

const struct sim_param *config_row(const struct config_section *section, const char *name)
{
	for (const struct config_reading *r = section->readings; r; r = r->next) {
		for (const struct sim_param *p = r->table; p->type != SIM_PARAM_END; p++) {
			if (!strcmp(p->name, name))
				return p;
		}
	}
	return NULL;
}

static struct config_section *new_subsection(
	struct config *config, struct config_section *section, const char *name, size_t size)
{
	struct config_section *fresh = config_alloc(config, sizeof(*fresh)), **link = &section->first;

	fresh->name = config_format(config, "%.*s", (int)size, name);
	fresh->path = config_join(config, section->path, fresh->name);
	bug_if(config_row(section, fresh->name), "\"%s\" is a section and a parameter", fresh->path);
	while (*link)
		link = &(*link)->next;
	*link = fresh;
	return fresh;
}

static struct config_section *section_at(struct config *config, const char *path)
{
	struct config_section *section = config->top;

	while (*path) {
		size_t size = strcspn(path, ".");
		struct config_section *known = config_subsection(section, path, size);

		section = known ? known : new_subsection(config, section, path, size);
		path += size + (path[size] == '.');
	}
	return section;
}

/* The number of rows of the table. No row may have the name of a subsection. */
static size_t count_rows(const struct config_section *section, const struct sim_param *table)
{
	size_t count = 0;

	for (; table[count].type != SIM_PARAM_END; count++) {
		bug_if(config_subsection(section, table[count].name, strlen(table[count].name)),
			"%s of \"%s\" is a section and a parameter", table[count].name, section->path);
	}
	return count;
}

/* The same table read again for the same section (as by each of many SMs) is recorded once. */
static struct config_reading *reading_of(
	struct config *config, struct config_section *section, const struct sim_param *table)
{
	struct config_reading **link = &section->readings, *fresh;

	for (; *link; link = &(*link)->next) {
		if ((*link)->table == table)
			return *link;
	}
	config_check_table(section->path, table);
	fresh = config_alloc(config, sizeof(*fresh));
	fresh->table = table;
	fresh->values = config_alloc(config, count_rows(section, table) * sizeof(*fresh->values));
	return *link = fresh;
}

/* -- complaints -- */

struct complaint {
	struct config *config;
	struct diag_list *diags;
	const char *path; /* of the parameter, in full */
	const struct sim_param *param;
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* A section that is read once per SM, or by two tables, reports each mistake once. */
static bool is_diagnosed(const struct diag_list *diags, const struct diag_location *location)
{
	for (size_t i = 0; i < diags->count; i++) {
		const struct diag *d = &diags->items[i];

		if (d->kind == DIAG_ERROR && d->line == location->line && d->column == location->column &&
			same_text(d->file, location->file))
			return true;
	}
	return false;
}

static const char *default_hint(const struct complaint *c)
{
	struct config_value value = config_value_default(c->param);
	const char *text = config_show_value(c->config, c->param, &value);
	bool quote = c->param->type == SIM_PARAM_STRING && value.text;

	return config_format(c->config, quote ? "default: \"%s\"" : "default: %s", text);
}

static const char *hint(const struct complaint *c, const struct config_node *node)
{
	const char *text = default_hint(c), *nearest;
	size_t count = 0;

	if (c->param->type != SIM_PARAM_ENUM || !node->value)
		return text;
	while (c->param->names[count])
		count++;
	nearest = diag_nearest(node->value, c->param->names, count);
	return nearest ? config_format(c->config, "did you mean %s? %s", nearest, text) : text;
}

/* "1 to 64 lines", preceded by the kind of value if the form of the value was wrong. */
static const char *expectation(const struct complaint *c, bool with_form)
{
	const char *form = "", *unit = c->param->unit;

	if (c->param->type == SIM_PARAM_ENUM)
		form = "one of ";
	else if (with_form && c->param->type == SIM_PARAM_F64)
		form = "a number, ";
	else if (with_form && (c->param->type == SIM_PARAM_U32 || c->param->type == SIM_PARAM_U64))
		form = "a whole number, ";
	return config_format(
		c->config, "%s%s%s%s", form, config_show_range(c->config, c->param), *unit ? " " : "", unit);
}

static void complain_of_number(const struct complaint *c, const struct config_node *node, enum number_fit fit)
{
	struct diag_location location = node->value ? config_value_location(node) : config_key_location(node);
	const char *expected =
		expectation(c, node->value && !config_is_nothing(node) && fit == NUMBER_WRONG_FORM);

	if (is_diagnosed(c->diags, &location))
		return;
	if (!node->value)
		diag_add(c->diags, DIAG_ERROR, &location, hint(c, node), "%s is a section: expected %s",
			c->path, expected);
	else if (config_is_nothing(node))
		diag_add(c->diags, DIAG_ERROR, &location, hint(c, node), "%s has no value: expected %s",
			c->path, expected);
	else
		diag_add(c->diags, DIAG_ERROR, &location, hint(c, node), "%s = %s: expected %s%s", c->path,
			node->value, expected,
			c->param->type == SIM_PARAM_STRING || fit != NUMBER_WRONG_FORM
				? ""
				: number_hint(node->value));
}

/* Reports overlays that contradict each other. */
static void compare_rivals(
	const struct complaint *c, const struct config_node *node, const struct config_value *value)
{
	const char *mine = config_show_value(c->config, c->param, value);

	for (const struct config_node *r = node->rival; r; r = r->rival) {
		struct diag_location location = config_value_location(node);
		struct config_value other;
		bool fits = config_value_parse(c->param, r, &other) == NUMBER_FITS;

		if ((fits && !strcmp(config_show_value(c->config, c->param, &other), mine)) ||
			is_diagnosed(c->diags, &location))
			continue;
		diag_add(c->diags, DIAG_ERROR, &location,
			"to decide between them, set the value in a later file without +, or with --set",
			"%s = %s, but %s:%u:%u has %s = %s: overlays must not contradict each other", c->path,
			node->value, r->file->name, r->line, config_value_location(r).column, c->path,
			r->value);
	}
}

/* -- reading -- */

/* The section at path, or NULL if there is none; a value in its place is reported. */
static const struct config_node *find_section(
	struct config *config, const char *path, struct diag_list *diags)
{
	const struct config_node *node = config->root;

	while (node && !node->value && *path) {
		size_t size = strcspn(path, ".");

		node = config_child(node, path, size);
		path += size + (path[size] == '.');
	}
	if (node && node->value && !config_is_nothing(node)) {
		struct diag_location location = config_value_location(node);

		if (!is_diagnosed(diags, &location))
			diag_error(diags, &location, "%s = %s: expected a section of keys",
				config_node_path(config, node), node->value);
	}
	return node && !node->value ? node : NULL;
}

static struct config_value read_one(const struct complaint *c, const struct config_node *section)
{
	const char *name = c->param->name;
	const struct config_node *node = section ? config_child(section, name, strlen(name)) : NULL;
	enum number_fit fit = NUMBER_WRONG_FORM;
	struct config_value value;

	if (!node)
		return config_value_default(c->param);
	if (node->value)
		fit = config_value_parse(c->param, node, &value);
	if (fit == NUMBER_FITS) {
		if (node->rival)
			compare_rivals(c, node, &value);
		return value;
	}
	complain_of_number(c, node, fit);
	return config_value_default(c->param);
}

void config_read(struct config *config, const char *path, const struct sim_param *table, void *object,
	struct diag_list *diags)
{
	struct config_section *section = section_at(config, path);
	struct config_reading *reading = reading_of(config, section, table);
	const struct config_node *node = find_section(config, path, diags);
	locale_t before = c_locale_enter();

	for (size_t i = 0; table[i].type != SIM_PARAM_END; i++) {
		struct complaint c = { config, diags, config_join(config, path, table[i].name), &table[i] };

		reading->values[i] = read_one(&c, node);
		if (object)
			config_value_store(&table[i], &reading->values[i], object);
	}
	c_locale_leave(before);
}

void config_defaults(const struct sim_param *table, void *object)
{
	for (size_t i = 0; table[i].type != SIM_PARAM_END; i++) {
		struct config_value value = config_value_default(&table[i]);

		config_value_store(&table[i], &value, object);
	}
}
