/* frontend/print/print_names.c -- names for printing. Two open-addressed tables a function: names in use by
 * their text, and new names by the variable or label that has them. */
#include "frontend/print/print_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct print_name {
	const void *thing;
	const char *text;
	bool is_range;
};

static uint32_t hash_text(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash ^ hash >> 15;
}

static uint32_t hash_thing(const void *thing)
{
	return (uint32_t)((uintptr_t)thing >> 4) * 2654435761u;
}

static struct print_name *find_text(const struct print_names *names, const char *text)
{
	uint32_t at = hash_text(text) & (names->capacity - 1);

	while (names->used[at].text && strcmp(names->used[at].text, text))
		at = (at + 1) & (names->capacity - 1);
	return &names->used[at];
}

static struct print_name *find_thing(const struct print_names *names, const void *thing)
{
	uint32_t at = hash_thing(thing) & (names->capacity - 1);

	while (names->things[at].thing && names->things[at].thing != thing)
		at = (at + 1) & (names->capacity - 1);
	return &names->things[at];
}

/* Is it %r17 while there is a range %r? Or a prefix %r1 while there is one? */
static bool is_name_in_range(const struct print_names *names, const char *text)
{
	size_t length = strlen(text);
	char prefix[256];

	if (length >= sizeof(prefix))
		return false;
	memcpy(prefix, text, length + 1);
	while (length > 1 && prefix[length - 1] >= '0' && prefix[length - 1] <= '9') {
		const struct print_name *found;

		prefix[--length] = 0;
		found = find_text(names, prefix);
		if (found->text && found->is_range)
			return true;
	}
	return false;
}

static bool is_name_free(const struct print_names *names, const char *text)
{
	return !find_text(names, text)->text && !is_name_in_range(names, text);
}

/* x, x__2, x__3 ...; a range ends in a letter so that its numbers stay apart. */
static const char *choose_name(struct print_names *names, const char *written, bool is_range)
{
	size_t size = strlen(written) + 24;
	char *text;

	if (is_name_free(names, written))
		return written;
	text = arena_alloc(names->arena, size);
	for (unsigned i = 2;; i++) {
		snprintf(text, size, "%s__%u%s", written, i, is_range ? "_" : "_v");
		if (is_name_free(names, text))
			return text;
	}
}

static void add_printed_name(struct print_names *names, const void *thing, const char *written, bool is_range)
{
	const char *text;

	if (!written)
		return;
	text = choose_name(names, written, is_range);
	*find_text(names, text) = (struct print_name){ thing, text, is_range };
	*find_thing(names, thing) = (struct print_name){ thing, text, is_range };
}

static void add_variables(struct print_names *names, const struct ptx_var *v, bool ranges)
{
	for (; v; v = v->next)
		if ((v->range != 0) == ranges)
			add_printed_name(names, v, v->name, ranges);
}

/* The module's names are what they are: only reserved. */
static void reserve_name(struct print_names *names, const char *text)
{
	if (text)
		find_text(names, text)->text = text;
}

static uint32_t count_printed_names(const struct ptx_module *m, const struct ptx_function *f)
{
	uint32_t count = 0;

	for (const struct ptx_var *v = m->variables; v; v = v->next)
		count++;
	for (const struct ptx_function *g = m->functions; g; g = g->next)
		count++;
	if (!f)
		return count;
	for (const struct ptx_var *v = f->variables; v; v = v->next)
		count++;
	for (const struct ptx_var *v = f->params; v; v = v->next)
		count++;
	for (const struct ptx_var *v = f->returns; v; v = v->next)
		count++;
	for (const struct ptx_label *l = f->labels; l; l = l->next)
		count++;
	return count;
}

static void make_tables(struct print_names *names, uint32_t count)
{
	print_names_fini(names);
	names->capacity = 64;
	while (names->capacity < 2 * count)
		names->capacity *= 2;
	names->used = calloc(names->capacity, sizeof(*names->used));
	names->things = calloc(names->capacity, sizeof(*names->things));
	if (!names->used || !names->things)
		abort();
}

void print_names_begin(struct print_names *names, const struct ptx_function *f)
{
	make_tables(names, count_printed_names(names->module, f));
	for (const struct ptx_var *v = names->module->variables; v; v = v->next)
		reserve_name(names, v->name);
	for (const struct ptx_function *g = names->module->functions; g; g = g->next)
		reserve_name(names, g->name);
	if (!f)
		return;
	add_variables(names, f->variables, true);
	add_variables(names, f->params, false);
	add_variables(names, f->returns, false);
	add_variables(names, f->variables, false);
	for (const struct ptx_label *l = f->labels; l; l = l->next)
		add_printed_name(names, l, l->name, false);
}

void print_names_fini(struct print_names *names)
{
	free(names->used);
	free(names->things);
	names->used = names->things = NULL;
}

const char *printed_name(const struct print_names *names, const void *thing, const char *written)
{
	const struct print_name *found = find_thing(names, thing);

	return found->thing ? found->text : written;
}
