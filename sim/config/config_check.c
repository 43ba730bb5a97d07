/* sim/config/config_check.c -- reports keys that no component has read, each with the known key that was
 * probably meant. */
#include "sim/config/config_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

struct names {
	const char **items;
	size_t count;
};

static void add_known_name(struct names *names, const char *name)
{
	names->items = xrealloc(names->items, (names->count + 1) * sizeof(*names->items));
	names->items[names->count++] = name;
}

/* Adds the keys that a section may contain: parameters, then subsections, with their full paths if asked. */
static void add_section(
	struct config *config, struct names *names, const struct config_section *section, bool full)
{
	const char *path = full ? section->path : "";

	for (const struct config_reading *r = section->readings; r; r = r->next) {
		for (const struct sim_param *p = r->table; p->type != SIM_PARAM_END; p++)
			add_known_name(names, config_join(config, path, p->name));
	}
	for (const struct config_section *s = section->first; s; s = s->next)
		add_known_name(names, config_join(config, path, s->name));
}

static void add_tree(struct config *config, struct names *names, const struct config_section *section)
{
	add_section(config, names, section, true);
	for (const struct config_section *s = section->first; s; s = s->next)
		add_tree(config, names, s);
}

static const char *nearest_sibling(
	struct config *config, const struct config_section *section, const char *key)
{
	struct names names = { 0 };
	const char *nearest;

	add_section(config, &names, section, false);
	if (section == config->top)
		add_known_name(&names, "base");
	nearest = diag_nearest(key, names.items, names.count);
	free(names.items);
	return nearest ? config_join(config, section->path, nearest) : NULL;
}

/* The most similar path, or else a path that ends in the same name: the right key in the wrong section. */
static const char *nearest_anywhere(struct config *config, const struct config_node *node)
{
	struct names names = { 0 };
	const char *nearest;

	add_tree(config, &names, config->top);
	nearest = diag_nearest(config_node_path(config, node), names.items, names.count);
	for (size_t i = 0; i < names.count && !nearest; i++) {
		const char *dot = strrchr(names.items[i], '.');

		if (!strcmp(dot ? dot + 1 : names.items[i], node->key))
			nearest = names.items[i];
	}
	free(names.items);
	return nearest;
}

/* What is to be said of a parameter that the section had; NULL: it never had it. */
static const char *former(const struct config_section *section, const char *key)
{
	for (const struct config_reading *r = section->readings; r; r = r->next) {
		const struct sim_param *end = r->table;

		while (end->type != SIM_PARAM_END)
			end++;
		for (const char *const *name = end->names; name && *name; name += 2)
			if (!strcmp(*name, key))
				return name[1];
	}
	return NULL;
}

static void unknown_key(struct config *config, const struct config_section *section,
	const struct config_node *node, struct diag_list *diags)
{
	const char *nearest = nearest_sibling(config, section, node->key), *now = former(section, node->key);
	struct diag_location location = config_key_location(node);

	if (now) {
		diag_error(diags, &location, "key %s: %s", config_node_path(config, node), now);
		return;
	}
	if (!nearest)
		nearest = nearest_anywhere(config, node);
	diag_add(diags, DIAG_ERROR, &location,
		nearest ? config_format(config, "did you mean %s?", nearest) : NULL, "unknown key %s",
		config_node_path(config, node));
}

static void check_config_section(struct config *config, const struct config_section *section,
	const struct config_node *keys, struct diag_list *diags)
{
	for (const struct config_node *n = keys->first; n && !diag_is_full(diags); n = n->next) {
		const struct config_section *known = config_subsection(section, n->key, strlen(n->key));

		if (known)
			check_config_section(config, known, n, diags);
		else if (!config_row(section, n->key))
			unknown_key(config, section, n, diags);
	}
}

void config_check_unknown(struct config *config, struct diag_list *diags)
{
	check_config_section(config, config->top, config->root, diags);
}
