/* sim/stats/stat_select.c -- statistics chosen by name, compiled to parts and cells.
 *
 * A part is the sum of a group, or one member, of which something was chosen. It keeps the counters as
 * they were last read, and a scratch object of the component's own type that contains the differences. A
 * cell is one chosen number and points into its part's scratch object; a formula reads that object as it
 * would read the component. */
#include "sim/stats/stat_select.h"
#include "sim/base/diag.h"
#include "sim/stats/stat_internal.h"
#include "sim/base/xalloc.h"
#include <math.h>

struct field {
	size_t offset, words;
	bool is_histogram;
};

struct part {
	const struct stat_group *group;
	const struct stat_member *member; /* NULL: the sum */
	const void **objects;
	size_t object_count;
	struct field *fields;
	size_t field_count;
	uint64_t *last; /* the counters of the fields, one after the other */
	char *scratch;
	struct part *next;
};

enum cell_kind { CELL_COUNT, CELL_TOTAL, CELL_MEAN, CELL_FORMULA };

struct cell {
	char *name;
	const struct part *part;
	const struct sim_stat *stat;
	enum cell_kind kind;
	size_t offset; /* in the scratch object: CELL_COUNT's word, else the statistic */
	size_t words;  /* CELL_TOTAL: elements */
};

struct stat_selection {
	struct part *parts, **end;
	struct cell *cells;
	size_t count, capacity;
};

/* -- names -- */

bool stat_name_fits(const char *pattern, const char *name)
{
	const char *star = NULL, *resume = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			resume = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* -- walking over all cells that there are -- */

/* A number that could be chosen. usual: it is chosen by the name of the statistic alone. */
struct candidate {
	const struct stat_group *group;
	const struct stat_member *member;
	const struct sim_stat *stat;
	const char *base, *element; /* "sm.l1d.hits"; NULL or "samples" */
	enum cell_kind kind;
	size_t offset, words;
	bool usual;
};
typedef void candidate_visit(const struct candidate *candidate, void *context);

static void visit_vector(struct candidate c, candidate_visit *visit, void *context)
{
	c.kind = CELL_COUNT;
	c.usual = true;
	for (size_t i = 0; c.stat->names[i]; i++) {
		c.element = c.stat->names[i];
		c.offset = c.stat->offset + i * sizeof(uint64_t);
		visit(&c, context);
	}
	c.kind = CELL_TOTAL;
	c.element = "total";
	c.offset = c.stat->offset;
	c.words = stat_words(c.stat);
	visit(&c, context);
}

static void visit_part(struct candidate c, const char *element, enum cell_kind kind, size_t offset,
	bool usual, candidate_visit *visit, void *context)
{
	c.element = element;
	c.kind = kind;
	c.offset = c.stat->offset + offset;
	c.usual = usual;
	visit(&c, context);
}

static void visit_histogram(struct candidate c, candidate_visit *visit, void *context)
{
	visit_part(c, "samples", CELL_COUNT, offsetof(struct sim_histogram, samples), true, visit, context);
	visit_part(c, "mean", CELL_MEAN, 0, true, visit, context);
	visit_part(c, "max", CELL_COUNT, offsetof(struct sim_histogram, maximum), false, visit, context);
	for (int i = 0; i < SIM_HIST_BUCKETS; i++) {
		char name[32];

		stat_bucket_name(name, sizeof(name), i);
		visit_part(c, name, CELL_COUNT,
			offsetof(struct sim_histogram, bucket) + (size_t)i * sizeof(uint64_t), false, visit,
			context);
	}
}

static void visit_stat(struct candidate c, candidate_visit *visit, void *context)
{
	switch (c.stat->type) {
	case SIM_STAT_VECTOR:
		visit_vector(c, visit, context);
		return;
	case SIM_STAT_HIST:
		visit_histogram(c, visit, context);
		return;
	case SIM_STAT_FORMULA:
		visit_part(c, NULL, CELL_FORMULA, 0, true, visit, context);
		return;
	default:
		visit_part(c, NULL, CELL_COUNT, 0, true, visit, context);
	}
}

/* Whether names of the statistic (NULL: of any of the group) can fit the pattern: without * and the like it
 * begins with the group's path and the statistic's name. */
static bool may_fit(const struct stat_group *group, const struct sim_stat *stat, const char *pattern)
{
	size_t size = strlen(group->path);

	if (strpbrk(pattern, "*?["))
		return true;
	if (strncmp(pattern, group->path, size) || pattern[size] != '.')
		return false;
	return !stat || !strncmp(pattern + size + 1, stat->name, strlen(stat->name));
}

static void visit_object(const struct stat_group *group, const struct stat_member *member,
	const char *pattern, candidate_visit *visit, void *context)
{
	char path[256], base[512];

	stat_form_path(path, sizeof(path), group->path, member ? member->index : -1);
	for (const struct sim_stat *s = group->table; s->type != SIM_STAT_END_TYPE; s++) {
		if (!may_fit(group, s, pattern))
			continue;
		snprintf(base, sizeof(base), "%s.%s", path, s->name);
		visit_stat((struct candidate){ .group = group, .member = member, .stat = s, .base = base },
			visit, context);
	}
}

/* Visits all candidates that may fit the pattern. one_by_one: those of members too, not only those of
 * sums. */
static void visit_all(const struct stat_tree *tree, const char *pattern, bool one_by_one,
	candidate_visit *visit, void *context)
{
	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		if (!may_fit(g, NULL, pattern))
			continue;
		visit_object(g, NULL, pattern, visit, context);
		for (const struct stat_member *m = g->members; one_by_one && m; m = m->next)
			if (m->index >= 0)
				visit_object(g, m, pattern, visit, context);
	}
}

static void form_name(char *to, size_t size, const struct candidate *c)
{
	snprintf(to, size, "%s%s%s", c->base, c->element ? "::" : "", c->element ? c->element : "");
}

/* -- parts -- */

static void part_objects(struct part *p)
{
	size_t count = 0;

	for (const struct stat_member *m = p->group->members; m; m = m->next)
		count++;
	p->objects = xcalloc(count, sizeof(*p->objects));
	for (const struct stat_member *m = p->group->members; m; m = m->next)
		if (!p->member || m == p->member)
			p->objects[p->object_count++] = m->object;
}

static void part_fields(struct part *p)
{
	size_t count = 0, words = 0;

	for (const struct sim_stat *s = p->group->table; s->type != SIM_STAT_END_TYPE; s++)
		count++;
	p->fields = xcalloc(count, sizeof(*p->fields));
	for (const struct sim_stat *s = p->group->table; s->type != SIM_STAT_END_TYPE; s++) {
		struct field f = { s->offset, stat_words(s), s->type == SIM_STAT_HIST };

		if (f.words)
			p->fields[p->field_count++] = f;
		words += f.words;
	}
	p->last = xcalloc(words ? words : 1, sizeof(*p->last));
}

static const struct part *part_of(struct stat_selection *s, const struct candidate *c)
{
	struct part *p;

	for (p = s->parts; p; p = p->next)
		if (p->group == c->group && p->member == c->member)
			return p;
	p = xcalloc(1, sizeof(*p));
	p->group = c->group;
	p->member = c->member;
	p->scratch = xcalloc(1, c->group->size);
	part_objects(p);
	part_fields(p);
	*s->end = p;
	s->end = &p->next;
	return p;
}

/* Copies the field's counters of all objects, as differences, to the scratch object. Returns whether any
 * has changed since they were last read. */
static bool step_field(struct part *p, const struct field *f, uint64_t *last)
{
	uint64_t *to = (uint64_t *)(p->scratch + f->offset), maximum = 0;
	bool any = false;

	for (size_t w = 0; w < f->words; w++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < p->object_count; i++)
			sum += ((const uint64_t *)((const char *)p->objects[i] + f->offset))[w];
		to[w] = sum - last[w];
		any |= to[w] != 0;
		last[w] = sum;
	}
	for (size_t i = 0; f->is_histogram && i < p->object_count; i++) {
		const struct sim_histogram *h = (const void *)((const char *)p->objects[i] + f->offset);

		maximum = h->maximum > maximum ? h->maximum : maximum;
	}
	if (f->is_histogram)
		((struct sim_histogram *)to)->maximum = maximum;
	return any;
}

static bool step_part(struct part *p)
{
	uint64_t *last = p->last;
	bool any = false;

	for (size_t i = 0; i < p->field_count; i++) {
		any |= step_field(p, &p->fields[i], last);
		last += p->fields[i].words;
	}
	return any;
}

/* -- choosing -- */

struct choice {
	struct stat_selection *selection;
	const char *pattern;
	bool has_element, found;
};

static bool is_chosen(const struct stat_selection *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->cells[i].name, name))
			return true;
	return false;
}

static void choose_candidate(const struct candidate *c, void *context)
{
	struct choice *choice = context;
	struct stat_selection *s = choice->selection;
	char name[600];

	form_name(name, sizeof(name), c);
	if (choice->has_element ? !stat_name_fits(choice->pattern, name)
				: !c->usual || !stat_name_fits(choice->pattern, c->base))
		return;
	choice->found = true;
	if (is_chosen(s, name))
		return;
	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 16;
		s->cells = xrealloc(s->cells, s->capacity * sizeof(*s->cells));
	}
	s->cells[s->count++] =
		(struct cell){ xstrdup(name), part_of(s, c), c->stat, c->kind, c->offset, c->words };
}

struct name_list {
	const char **names;
	size_t count, capacity;
};

static void list_name(struct name_list *l, const char *name)
{
	if (l->count && !strcmp(l->names[l->count - 1], name))
		return;
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? 2 * l->capacity : 256;
		l->names = xrealloc(l->names, l->capacity * sizeof(*l->names));
	}
	l->names[l->count++] = xstrdup(name);
}

static void list_base(const struct candidate *c, void *context)
{
	list_name(context, c->base);
}

static void list_full(const struct candidate *c, void *context)
{
	char name[600];

	form_name(name, sizeof(name), c);
	list_name(context, name);
}

static void complain_of_selection(
	const struct stat_tree *tree, const char *pattern, struct stat_select_error *error)
{
	struct name_list l = { 0 };
	const char *nearest;

	visit_all(tree, "*", strchr(pattern, '['), strstr(pattern, "::") ? list_full : list_base, &l);
	nearest = diag_nearest(pattern, l.names, l.count);
	snprintf(error->name, sizeof(error->name), "%s", pattern);
	snprintf(error->nearest, sizeof(error->nearest), "%s", nearest ? nearest : "");
	for (size_t i = 0; i < l.count; i++)
		free((char *)l.names[i]);
	free(l.names);
}

static bool choose_all(
	struct stat_selection *s, const struct stat_tree *tree, char *names, struct stat_select_error *error)
{
	for (char *name; (name = strsep(&names, ", \t\n"));) {
		struct choice choice = { s, name, strstr(name, "::"), false };

		if (!*name)
			continue;
		visit_all(tree, name, strchr(name, '['), choose_candidate, &choice);
		if (!choice.found) {
			if (error)
				complain_of_selection(tree, name, error);
			return false;
		}
	}
	return s->count;
}

struct stat_selection *stat_select(
	const struct stat_tree *tree, const char *names, struct stat_select_error *error)
{
	struct stat_selection *s = xcalloc(1, sizeof(*s));
	char *copy = xstrdup(names);
	bool fine;

	if (error)
		*error = (struct stat_select_error){ "", "" };
	s->end = &s->parts;
	fine = choose_all(s, tree, copy, error);
	free(copy);
	if (!fine) {
		stat_selection_free(s);
		return NULL;
	}
	stat_selection_step(s);
	return s;
}

void stat_selection_free(struct stat_selection *s)
{
	if (!s)
		return;
	for (struct part *p = s->parts, *next; p; p = next) {
		next = p->next;
		free(p->objects);
		free(p->fields);
		free(p->last);
		free(p->scratch);
		free(p);
	}
	for (size_t i = 0; i < s->count; i++)
		free(s->cells[i].name);
	free(s->cells);
	free(s);
}

/* -- reading -- */

size_t stat_selection_count(const struct stat_selection *s)
{
	return s->count;
}

const char *stat_selection_name(const struct stat_selection *s, size_t i)
{
	return s->cells[i].name;
}

bool stat_selection_step(struct stat_selection *s)
{
	bool any = false;

	for (struct part *p = s->parts; p; p = p->next)
		any |= step_part(p);
	return any;
}

static struct stat_number whole_stat_number(uint64_t number)
{
	return (struct stat_number){ .is_whole = true, .whole = number, .real = (double)number };
}

struct stat_number stat_selection_value(const struct stat_selection *s, size_t i)
{
	const struct cell *c = &s->cells[i];
	const char *field = c->part->scratch + c->offset;
	uint64_t total = 0;

	switch (c->kind) {
	case CELL_COUNT:
		return whole_stat_number(*(const uint64_t *)field);
	case CELL_TOTAL:
		for (size_t w = 0; w < c->words; w++)
			total += ((const uint64_t *)field)[w];
		return whole_stat_number(total);
	case CELL_MEAN: {
		const struct sim_histogram *h = (const void *)field;

		return (struct stat_number){ .real = h->samples ? (double)h->sum / (double)h->samples : NAN };
	}
	default:
		return (struct stat_number){ .real = c->stat->formula(c->part->scratch) };
	}
}
