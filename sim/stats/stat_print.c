/* sim/stats/stat_print.c -- prints statistics as gem5's lines, as JSON, and as a manual. */
#include "sim/text/c_locale.h"
#include "sim/text/text_buffer.h"
#include "sim/stats/stat_internal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define NAME_COLUMN  48
#define VALUE_COLUMN 16

void stat_form_path(char *to, size_t size, const char *path, int index)
{
	int first = (int)strcspn(path, ".");

	if (index < 0)
		snprintf(to, size, "%s", path);
	else
		snprintf(to, size, "%.*s[%d]%s", first, path, index, path + first);
}

static char *member_path(const struct stat_group *group, int index)
{
	size_t size = strlen(group->path) + 16;
	char *path = xmalloc(size);

	stat_form_path(path, size, group->path, index);
	return path;
}

void stat_show_members(struct stat_tree *tree, bool on)
{
	tree->hides_members = !on;
}

void stat_show_zeros(struct stat_tree *tree, bool on)
{
	tree->hides_zeros = !on;
}

/* Nothing was counted, or the value is that of a division by 0. */
static bool is_nothing(const struct stat_cell *cell)
{
	return cell->whole ? !cell->count : !isfinite(cell->real) || cell->real == 0;
}

/* -- lines -- */

struct text {
	struct text_buffer line;
	const char *path;
	size_t path_size;
	bool without_maxima; /* of histograms */
	bool hides_zeros;
};

static size_t put_name(struct text *t, const struct stat_cell *cell)
{
	size_t name = strlen(cell->stat->name), element = cell->element ? strlen(cell->element) : 0;

	text_buffer_put(&t->line, t->path, t->path_size);
	text_buffer_put_char(&t->line, '.');
	text_buffer_put(&t->line, cell->stat->name, name);
	if (!cell->element)
		return t->path_size + 1 + name;
	text_buffer_put(&t->line, "::", 2);
	text_buffer_put(&t->line, cell->element, element);
	return t->path_size + 1 + name + 2 + element;
}

static void print_stat_cell(const struct stat_cell *cell, void *context)
{
	struct text *t = context;
	const struct sim_stat *s = cell->stat;

	if (t->without_maxima && s->type == SIM_STAT_HIST && !strcmp(cell->element, "max"))
		return;
	if (t->hides_zeros && is_nothing(cell))
		return;
	text_buffer_put_spaces(&t->line, NAME_COLUMN - (int)put_name(t, cell));
	text_buffer_put_char(&t->line, ' ');
	if (cell->whole)
		text_buffer_put_integer(&t->line, cell->count, VALUE_COLUMN);
	else if (isnan(cell->real)) /* NaN of either sign */
		text_buffer_put(&t->line, "             nan", VALUE_COLUMN);
	else if (cell->real != 0 && fabs(cell->real) < 0.001) /* which has few digits in the form below */
		text_buffer_put_digits(&t->line, cell->real, VALUE_COLUMN);
	else
		text_buffer_put_fixed(&t->line, cell->real, VALUE_COLUMN);
	text_buffer_put(&t->line, " # ", 3);
	text_buffer_put_text(&t->line, s->help);
	if (*s->unit) {
		text_buffer_put(&t->line, " (", 2);
		text_buffer_put_text(&t->line, s->unit);
		text_buffer_put_char(&t->line, ')');
	}
	text_buffer_put_char(&t->line, '\n');
}

/* Prints one member, or, if member is NULL, the sum of the group. */
static void print_object(const struct stat_group *group, const struct stat_member *member,
	const struct stat_snapshot *since, struct text *text)
{
	const void *scratch = stat_gather(group, member, since);
	char *path = member_path(group, member ? member->index : -1);

	text->path = path;
	text->path_size = strlen(path);
	stat_walk(group->table, scratch, print_stat_cell, text);
	free(path);
}

/* The buffer for a line is large: it is not cleared. */
static void text_begin(struct text *text, const struct stat_tree *tree, FILE *stream)
{
	text->line.stream = stream;
	text->line.used = 0;
	text->without_maxima = false;
	text->hides_zeros = tree->hides_zeros;
}

void stat_print_text(const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream)
{
	locale_t before = c_locale_enter();
	struct text text;

	text_begin(&text, tree, stream);
	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		print_object(g, NULL, since, &text);
		for (const struct stat_member *m = g->members; m; m = m->next) {
			if (m->index >= 0 && !tree->hides_members)
				print_object(g, m, since, &text);
		}
	}
	text_buffer_flush(&text.line);
	c_locale_leave(before);
}

void stat_print_sum(const struct stat_tree *tree, const struct stat_vector *sum, FILE *stream)
{
	locale_t before = c_locale_enter();
	struct text text;

	text_begin(&text, tree, stream);
	text.without_maxima = true;
	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		text.path = g->path;
		text.path_size = strlen(g->path);
		stat_walk(g->table, stat_gather_sum(g, sum), print_stat_cell, &text);
	}
	text_buffer_flush(&text.line);
	c_locale_leave(before);
}

/* -- JSON -- */

/* The tree of paths: several groups may meet in one object ("sm" and "sm.l1"). */
struct json_part { /* a group's sum or member, printed inside a node */
	const struct stat_group *group;
	const struct stat_member *member;
	struct json_part *next;
};

struct json_node {
	char *name;
	uint32_t hash; /* of the name: large chips have thousands of nodes */
	struct json_part *parts;
	struct json_node *first, *next;
	struct json_node *recent; /* the child that was found last: the next one sought is often this one or
				     the one after it */
};

struct json {
	struct text_buffer line;
	const struct stat_snapshot *since;
	const struct stat_vector *sum; /* if it is not NULL, counters are taken from it */
	bool hides_zeros;
	int indent;
	bool comma;                  /* an element precedes in this object */
	const struct sim_stat *open; /* the vector or histogram being printed */
	bool buckets;                /* its buckets have begun */
};

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t json_hash(const char *name, size_t size)
{
	uint32_t hash = 2166136261u;

	while (size--)
		hash = (hash ^ (unsigned char)*name++) * 16777619u;
	return hash;
}

static bool json_is(const struct json_node *node, const char *name, size_t size, uint32_t hash)
{
	return node->hash == hash && !strncmp(node->name, name, size) && !node->name[size];
}

static struct json_node *json_child(struct json_node *node, const char *name, size_t size)
{
	struct json_node **link = &node->recent;
	uint32_t hash = json_hash(name, size);

	while (*link && !json_is(*link, name, size, hash))
		link = &(*link)->next;
	if (!*link)
		for (link = &node->first; *link && !json_is(*link, name, size, hash);)
			link = &(*link)->next;
	if (!*link) {
		*link = xcalloc(1, sizeof(**link));
		(*link)->hash = hash;
		(*link)->name = xcalloc(1, size + 1);
		memcpy((*link)->name, name, size);
	}
	return node->recent = *link;
}

static void json_insert(
	struct json_node *node, const struct stat_group *group, const struct stat_member *member)
{
	char *path = member_path(group, member ? member->index : -1);
	struct json_part *part = xcalloc(1, sizeof(*part)), **link;

	for (const char *at = path; *at;) {
		size_t size = strcspn(at, ".");

		node = json_child(node, at, size);
		at += size + (at[size] == '.');
	}
	for (link = &node->parts; *link;)
		link = &(*link)->next;
	part->group = group;
	part->member = member;
	*link = part;
	free(path);
}

static void json_free(struct json_node *node)
{
	for (struct json_part *p = node->parts, *next; p; p = next) {
		next = p->next;
		free(p);
	}
	for (struct json_node *n = node->first, *next; n; n = next) {
		next = n->next;
		json_free(n);
		free(n->name);
		free(n);
	}
}

static void json_text(struct text_buffer *line, const char *text)
{
	for (;;) {
		size_t unescaped = strcspn(text, "\"\\");

		text_buffer_put(line, text, unescaped);
		text += unescaped;
		if (!*text)
			return;
		text_buffer_put_char(line, '\\');
		text_buffer_put_char(line, *text++);
	}
}

static void json_key(struct json *j, const char *key)
{
	if (j->comma)
		text_buffer_put_char(&j->line, ',');
	text_buffer_put_char(&j->line, '\n');
	text_buffer_put_spaces(&j->line, j->indent);
	text_buffer_put_char(&j->line, '"');
	json_text(&j->line, key);
	text_buffer_put(&j->line, "\": ", 3);
	j->comma = true;
}

static void json_open(struct json *j)
{
	text_buffer_put_char(&j->line, '{');
	j->indent += 2;
	j->comma = false;
}

static void json_close(struct json *j)
{
	j->indent -= 2;
	if (j->comma) {
		text_buffer_put_char(&j->line, '\n');
		text_buffer_put_spaces(&j->line, j->indent);
	}
	text_buffer_put_char(&j->line, '}');
	j->comma = true;
}

static void json_close_stat(struct json *j)
{
	if (j->buckets)
		json_close(j);
	if (j->open)
		json_close(j);
	j->buckets = false;
	j->open = NULL;
}

static void json_number(const struct stat_cell *cell, struct text_buffer *line)
{
	if (cell->whole)
		text_buffer_put_integer(line, cell->count, 0);
	else if (isfinite(cell->real))
		text_buffer_put_general(line, cell->real);
	else
		text_buffer_put(line, "null", 4);
}

static void json_cell(const struct stat_cell *cell, void *context)
{
	struct json *j = context;

	if (j->hides_zeros && is_nothing(cell))
		return;
	if (j->sum && cell->stat->type == SIM_STAT_HIST && !strcmp(cell->element, "max"))
		return;
	if (j->open != cell->stat)
		json_close_stat(j);
	if (cell->element && !j->open) {
		json_key(j, cell->stat->name);
		json_open(j);
		j->open = cell->stat;
	}
	if (cell->bucket && !j->buckets) {
		json_key(j, "buckets");
		json_open(j);
		j->buckets = true;
	}
	json_key(j, cell->element ? cell->element : cell->stat->name);
	json_number(cell, &j->line);
}

static const void *json_gather(
	const struct json *j, const struct stat_group *group, const struct stat_member *member)
{
	return j->sum ? stat_gather_sum(group, j->sum) : stat_gather(group, member, j->since);
}

static void json_print(struct json *j, const struct json_node *node)
{
	json_open(j);
	for (const struct json_part *p = node->parts; p; p = p->next) {
		stat_walk(p->group->table, json_gather(j, p->group, p->member), json_cell, j);
		json_close_stat(j);
	}
	for (const struct json_node *n = node->first; n; n = n->next) {
		json_key(j, n->name);
		json_print(j, n);
	}
	json_close(j);
}

/* Whether anything was counted in the group, where that matters. */
static bool json_is_wanted(const struct json *j, const struct stat_group *group)
{
	uint64_t *words, any = 0;

	if (!j->hides_zeros)
		return true;
	words = stat_copy_words(group, json_gather(j, group, NULL));
	for (size_t i = 0; i < group->words; i++)
		any |= words[i];
	free(words);
	return any;
}

static void json_tree(struct json *j, const struct stat_tree *tree)
{
	struct json_node root = { 0 };
	locale_t before = c_locale_enter();

	j->hides_zeros = tree->hides_zeros;
	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		if (!json_is_wanted(j, g))
			continue;
		json_insert(&root, g, NULL);
		for (const struct stat_member *m = g->members; m; m = m->next) {
			if (m->index >= 0 && !tree->hides_members && !j->sum)
				json_insert(&root, g, m);
		}
	}
	json_print(j, &root);
	text_buffer_flush(&j->line);
	json_free(&root);
	c_locale_leave(before);
}

void stat_print_json(
	const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream, int indent)
{
	struct json json = { .line.stream = stream, .since = since, .indent = indent };

	json_tree(&json, tree);
}

void stat_print_sum_json(
	const struct stat_tree *tree, const struct stat_vector *sum, FILE *stream, int indent)
{
	struct json json = { .line.stream = stream, .sum = sum, .indent = indent };

	json_tree(&json, tree);
}

/* -- the manual -- */

static void print_manual(const struct stat_group *group, FILE *stream)
{
	int name = 4, unit = 4; /* widths of the headings */

	for (const struct sim_stat *s = group->table; s->type != SIM_STAT_END_TYPE; s++) {
		name = (int)strlen(s->name) > name ? (int)strlen(s->name) : name;
		unit = (int)strlen(s->unit) > unit ? (int)strlen(s->unit) : unit;
	}
	fprintf(stream, "%s\n  %-*s  %-*s  description\n", group->path, name, "name", unit, "unit");
	for (const struct sim_stat *s = group->table; s->type != SIM_STAT_END_TYPE; s++)
		fprintf(stream, "  %-*s  %-*s  %s\n", name, s->name, unit, *s->unit ? s->unit : "-", s->help);
}

void stat_print_doc(const struct stat_tree *tree, FILE *stream)
{
	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		fprintf(stream, "%s", g == tree->groups ? "" : "\n");
		print_manual(g, stream);
	}
}
