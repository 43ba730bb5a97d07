/* sim/stat_print.c -- statistics as gem5's lines, as JSON, and their manual. */
#include "sim/c_locale.h"
#include "sim/stat_internal.h"
#include "sim/xalloc.h"
#include <inttypes.h>
#include <math.h>

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

/* -- lines -- */

struct text {
	FILE *stream;
	const char *path;
};

static void print_cell(const struct stat_cell *cell, void *context)
{
	const struct text *t = context;
	const struct sim_stat *s = cell->stat;
	int width = fprintf(t->stream, "%s.%s", t->path, s->name);

	if (cell->element)
		width += fprintf(t->stream, "::%s", cell->element);
	fprintf(t->stream, "%*s", width < NAME_COLUMN ? NAME_COLUMN - width : 0, "");
	if (cell->whole)
		fprintf(t->stream, " %*" PRIu64, VALUE_COLUMN, cell->count);
	else if (isnan(cell->real)) /* of either sign */
		fprintf(t->stream, " %*s", VALUE_COLUMN, "nan");
	else
		fprintf(t->stream, " %*.6f", VALUE_COLUMN, cell->real);
	fprintf(t->stream, *s->unit ? " # %s (%s)\n" : " # %s\n", s->help, s->unit);
}

/* member NULL: the group's sum. */
static void print_object(const struct stat_group *group, const struct stat_member *member,
	const struct stat_snapshot *since, FILE *stream)
{
	void *scratch = stat_gather(group, member, since);
	char *path = member_path(group, member ? member->index : -1);
	struct text text = { stream, path };

	stat_walk(group->table, scratch, print_cell, &text);
	free(path);
	free(scratch);
}

void stat_print_text(const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream)
{
	locale_t before = c_locale_enter();

	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		print_object(g, NULL, since, stream);
		for (const struct stat_member *m = g->members; m; m = m->next) {
			if (m->index >= 0)
				print_object(g, m, since, stream);
		}
	}
	c_locale_leave(before);
}

/* -- JSON -- */

/* Paths unfolded into a tree: several groups may meet in one object ("sm" and "sm.l1"). */
struct json_part { /* a group's sum or member, printed inside a node */
	const struct stat_group *group;
	const struct stat_member *member;
	struct json_part *next;
};

struct json_node {
	char *name;
	struct json_part *parts;
	struct json_node *first, *next;
};

struct json {
	FILE *stream;
	const struct stat_snapshot *since;
	int indent;
	bool comma;                  /* something precedes in this object */
	const struct sim_stat *open; /* the vector or histogram being printed */
	bool buckets;                /* and its buckets have begun */
};

static struct json_node *json_child(struct json_node *node, const char *name, size_t size)
{
	struct json_node **link = &node->first;

	while (*link && (strncmp((*link)->name, name, size) || (*link)->name[size]))
		link = &(*link)->next;
	if (!*link) {
		*link = xcalloc(1, sizeof(**link));
		(*link)->name = xcalloc(1, size + 1);
		memcpy((*link)->name, name, size);
	}
	return *link;
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

static void json_key(struct json *j, const char *key)
{
	fprintf(j->stream, "%s\n%*s\"", j->comma ? "," : "", j->indent, "");
	for (; *key; key++) {
		if (*key == '"' || *key == '\\')
			fputc('\\', j->stream);
		fputc(*key, j->stream);
	}
	fputs("\": ", j->stream);
	j->comma = true;
}

static void json_open(struct json *j)
{
	fputc('{', j->stream);
	j->indent += 2;
	j->comma = false;
}

static void json_close(struct json *j)
{
	j->indent -= 2;
	if (j->comma)
		fprintf(j->stream, "\n%*s", j->indent, "");
	fputc('}', j->stream);
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

static void json_number(const struct stat_cell *cell, FILE *stream)
{
	if (cell->whole)
		fprintf(stream, "%" PRIu64, cell->count);
	else if (isfinite(cell->real))
		fprintf(stream, "%.15g", cell->real);
	else
		fputs("null", stream);
}

static void json_cell(const struct stat_cell *cell, void *context)
{
	struct json *j = context;

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
	json_number(cell, j->stream);
}

static void json_print(struct json *j, const struct json_node *node)
{
	json_open(j);
	for (const struct json_part *p = node->parts; p; p = p->next) {
		void *scratch = stat_gather(p->group, p->member, j->since);

		stat_walk(p->group->table, scratch, json_cell, j);
		json_close_stat(j);
		free(scratch);
	}
	for (const struct json_node *n = node->first; n; n = n->next) {
		json_key(j, n->name);
		json_print(j, n);
	}
	json_close(j);
}

void stat_print_json(
	const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream, int indent)
{
	struct json_node root = { 0 };
	struct json json = { .stream = stream, .since = since, .indent = indent };
	locale_t before = c_locale_enter();

	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		json_insert(&root, g, NULL);
		for (const struct stat_member *m = g->members; m; m = m->next) {
			if (m->index >= 0)
				json_insert(&root, g, m);
		}
	}
	json_print(&json, &root);
	json_free(&root);
	c_locale_leave(before);
}

/* -- the manual -- */

static void print_manual(const struct stat_group *group, FILE *stream)
{
	int name = 4, unit = 4; /* as wide as the headings */

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
