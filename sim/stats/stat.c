/* sim/stats/stat.c -- the registered statistics of a machine: sums over objects, differences from a
 * snapshot, values.
 *
 * Everything that is printed is first gathered into a scratch object of the component's own type: the
 * counters of all members of the group added up, less those of the snapshot. A formula then reads that
 * object as it would read the component. */
#include "sim/stats/stat_internal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct stat_snapshot {
	uint64_t **words; /* the counters of each member, by its number */
	size_t count;
};

/* -- registration -- */

struct stat_tree *stat_tree_new(void)
{
	struct stat_tree *tree = xcalloc(1, sizeof(*tree));

	tree->end = &tree->groups;
	return tree;
}

static void free_group(struct stat_group *group)
{
	for (struct stat_member *m = group->members, *next; m; m = next) {
		next = m->next;
		free(m);
	}
	free(group->path);
	free(group->words_of);
	free(group->runs);
	free(group->scratch);
	free(group);
}

void stat_tree_free(struct stat_tree *tree)
{
	if (!tree)
		return;
	for (struct stat_group *g = tree->groups, *next; g; g = next) {
		next = g->next;
		free_group(g);
	}
	free(tree);
}

static size_t count_element_names(const char *const *names)
{
	size_t count = 0;

	while (names[count])
		count++;
	return count;
}

size_t stat_words(const struct sim_stat *stat)
{
	switch (stat->type) {
	case SIM_STAT_COUNT:
		return 1;
	case SIM_STAT_VECTOR:
		return count_element_names(stat->names);
	case SIM_STAT_HIST:
		return sizeof(struct sim_histogram) / sizeof(uint64_t);
	default:
		return 0;
	}
}

/* Counters that follow one another in the table and in the object are one run. */
static void add_run(struct stat_group *g, size_t offset, size_t words)
{
	struct stat_run *last = g->run_count ? &g->runs[g->run_count - 1] : NULL;

	if (!words)
		return;
	if (last && last->offset + last->words * sizeof(uint64_t) == offset)
		last->words += words;
	else
		g->runs[g->run_count++] = (struct stat_run){ offset, words };
}

static void count_words(struct stat_group *g)
{
	size_t count = 0;

	while (g->table[count].type != SIM_STAT_END_TYPE)
		count++;
	g->words_of = xcalloc(count + 1, sizeof(*g->words_of));
	g->runs = xcalloc(count + 1, sizeof(*g->runs));
	for (size_t i = 0; i < count; i++) {
		g->words_of[i] = stat_words(&g->table[i]);
		g->words += g->words_of[i];
		add_run(g, g->table[i].offset, g->words_of[i]);
	}
}

static struct stat_group *group_of(
	struct stat_tree *tree, const char *path, const struct sim_stat *table, size_t size)
{
	struct stat_group *g;

	for (g = tree->groups; g; g = g->next) {
		if (g->table == table && !strcmp(g->path, path)) {
			bug_if(g->size != size, "statistics \"%s\" registered with sizes %zu and %zu", path,
				g->size, size);
			return g;
		}
	}
	g = xcalloc(1, sizeof(*g));
	g->path = xstrdup(path);
	g->table = table;
	g->size = size;
	count_words(g);
	g->scratch = xcalloc(1, size);
	g->first = tree->words;
	tree->words += g->words;
	*tree->end = g;
	tree->end = &g->next;
	return g;
}

void stat_register(struct stat_tree *tree, const char *group, int index, const struct sim_stat *table,
	void *object, size_t size)
{
	struct stat_group *g = group_of(tree, group, table, size);
	struct stat_member **link = &g->members, *fresh = xcalloc(1, sizeof(*fresh));

	bug_if(g->members && (index < 0 || g->members->index < 0),
		"statistics \"%s\": the only one, and another", group);
	while (*link && (*link)->index < index)
		link = &(*link)->next;
	bug_if(*link && (*link)->index == index, "statistics \"%s\": index %d registered twice", group,
		index);
	fresh->object = object;
	fresh->index = index;
	fresh->number = tree->members++;
	fresh->next = *link;
	*link = fresh;
}

void stat_take_over(struct stat_tree *tree, const void *old, void *object)
{
	for (struct stat_group *g = tree->groups; g; g = g->next)
		for (struct stat_member *m = g->members; m; m = m->next) {
			const size_t *words = g->words_of;

			if (m->object != old)
				continue;
			for (const struct sim_stat *s = g->table; s->type != SIM_STAT_END_TYPE; s++, words++)
				memcpy((char *)object + s->offset, (const char *)old + s->offset,
					*words * sizeof(uint64_t));
			m->object = object;
		}
}

/* -- snapshots -- */

uint64_t *stat_put_words(const struct stat_group *group, const void *object, uint64_t *to)
{
	for (size_t i = 0; i < group->run_count; i++) {
		const struct stat_run *run = &group->runs[i];

		memcpy(to, (const char *)object + run->offset, run->words * sizeof(*to));
		to += run->words;
	}
	return to;
}

uint64_t *stat_copy_words(const struct stat_group *group, const void *object)
{
	uint64_t *words = xcalloc(group->words, sizeof(*words));

	stat_put_words(group, object, words);
	return words;
}

struct stat_snapshot *stat_snapshot_take(const struct stat_tree *tree)
{
	struct stat_snapshot *snapshot = xcalloc(1, sizeof(*snapshot));

	snapshot->count = tree->members;
	snapshot->words = xcalloc(snapshot->count, sizeof(*snapshot->words));
	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		for (const struct stat_member *m = g->members; m; m = m->next)
			snapshot->words[m->number] = stat_copy_words(g, m->object);
	}
	return snapshot;
}

void stat_snapshot_free(struct stat_snapshot *snapshot)
{
	if (!snapshot)
		return;
	for (size_t i = 0; i < snapshot->count; i++)
		free(snapshot->words[i]);
	free(snapshot->words);
	free(snapshot);
}

/* NULL: the member was registered later, so that its counters were zero. */
static const uint64_t *words_then(const struct stat_snapshot *since, const struct stat_member *member)
{
	return since && member->number < since->count ? since->words[member->number] : NULL;
}

/* -- gathering -- */

static void add_words(uint64_t *to, const uint64_t *now, const uint64_t *then, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += now[i] - (then ? then[i] : 0);
}

/* A maximum is neither added up nor reduced by the snapshot: the largest value of all time is taken. */
static void add_histogram(struct sim_histogram *to, const struct sim_histogram *now, const uint64_t *then)
{
	uint64_t maximum = to->maximum > now->maximum ? to->maximum : now->maximum;

	add_words((uint64_t *)to, (const uint64_t *)now, then, sizeof(*to) / sizeof(uint64_t));
	to->maximum = maximum;
}

static void add_object(const struct stat_group *group, char *to, const char *now, const uint64_t *then)
{
	const size_t *words = group->words_of;

	for (const struct sim_stat *s = group->table; s->type != SIM_STAT_END_TYPE; s++, words++) {
		void *field = to + s->offset;
		const void *source = now + s->offset;

		if (s->type == SIM_STAT_HIST)
			add_histogram(field, source, then);
		else if (s->type != SIM_STAT_FORMULA)
			add_words(field, source, then, *words);
		if (then)
			then += *words;
	}
}

void stat_clear_object(const struct stat_group *group, char *object)
{
	for (size_t i = 0; i < group->run_count; i++)
		memset(object + group->runs[i].offset, 0, group->runs[i].words * sizeof(uint64_t));
}

const void *stat_gather(
	const struct stat_group *group, const struct stat_member *member, const struct stat_snapshot *since)
{
	stat_clear_object(group, group->scratch);
	if (member)
		add_object(group, group->scratch, member->object, words_then(since, member));
	else
		for (const struct stat_member *m = group->members; m; m = m->next)
			add_object(group, group->scratch, m->object, words_then(since, m));
	return group->scratch;
}

/* -- cells -- */

static void visit_count(
	const struct sim_stat *stat, const char *element, uint64_t count, stat_visit *visit, void *context)
{
	visit(&(struct stat_cell){ .stat = stat, .element = element, .whole = true, .count = count },
		context);
}

static void visit_real(
	const struct sim_stat *stat, const char *element, double real, stat_visit *visit, void *context)
{
	visit(&(struct stat_cell){ .stat = stat, .element = element, .real = real }, context);
}

static void walk_vector(const struct sim_stat *stat, const uint64_t *values, stat_visit *visit, void *context)
{
	uint64_t total = 0;

	for (size_t i = 0; stat->names[i]; i++) {
		total += values[i];
		visit_count(stat, stat->names[i], values[i], visit, context);
	}
	visit_count(stat, "total", total, visit, context);
}

void stat_bucket_name(char *name, size_t size, int i)
{
	uint64_t low = i ? (uint64_t)1 << (i - 1) : 0;

	if (i == SIM_HIST_BUCKETS - 1)
		snprintf(name, size, "%" PRIu64 "+", low);
	else if (i < 2)
		snprintf(name, size, "%" PRIu64, low);
	else
		snprintf(name, size, "%" PRIu64 "-%" PRIu64, low, 2 * low - 1);
}

static void walk_histogram(
	const struct sim_stat *stat, const struct sim_histogram *h, stat_visit *visit, void *context)
{
	visit_count(stat, "samples", h->samples, visit, context);
	visit_real(stat, "mean", h->samples ? (double)h->sum / (double)h->samples : NAN, visit, context);
	visit_count(stat, "max", h->maximum, visit, context);
	for (int i = 0; i < SIM_HIST_BUCKETS; i++) {
		char name[32];
		struct stat_cell cell = { stat, name, true, true, h->bucket[i], 0 };

		if (!h->bucket[i])
			continue;
		stat_bucket_name(name, sizeof(name), i);
		visit(&cell, context);
	}
}

void stat_walk(const struct sim_stat *table, const void *object, stat_visit *visit, void *context)
{
	for (const struct sim_stat *s = table; s->type != SIM_STAT_END_TYPE; s++) {
		const void *field = (const char *)object + s->offset;

		if (s->type == SIM_STAT_COUNT)
			visit_count(s, NULL, *(const uint64_t *)field, visit, context);
		else if (s->type == SIM_STAT_VECTOR)
			walk_vector(s, field, visit, context);
		else if (s->type == SIM_STAT_HIST)
			walk_histogram(s, field, visit, context);
		else
			visit_real(s, NULL, s->formula(object), visit, context);
	}
}

/* -- one value by name -- */

struct wanted {
	const char *name; /* the part of the name after the group's path and dot */
	double value;
};

static void match(const struct stat_cell *cell, void *context)
{
	struct wanted *w = context;
	size_t size = strlen(cell->stat->name);
	const char *rest = w->name + size;

	if (strncmp(w->name, cell->stat->name, size))
		return;
	if (cell->element ? strncmp(rest, "::", 2) || strcmp(rest + 2, cell->element) : *rest)
		return;
	w->value = cell->whole ? (double)cell->count : cell->real;
}

/* The part of the name after the path and its dot; NULL: the name has another path. */
static const char *name_behind_path(const char *name, const char *path)
{
	size_t size = strlen(path);

	return strncmp(name, path, size) || name[size] != '.' ? NULL : name + size + 1;
}

/* Splits a name: "sm[3].l1d.misses" into "sm.l1d.misses" and 3. false: it has no index. */
static bool without_index(const char *name, char *stripped, size_t size, int *index)
{
	const char *open = strchr(name, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close || (size_t)snprintf(stripped, size, "%.*s%s", (int)(open - name), name, close + 1) >= size)
		return false;
	*index = atoi(open + 1);
	return true;
}

static const struct stat_member *member_of(const struct stat_group *g, int index)
{
	const struct stat_member *m = g->members;

	while (m && m->index != index)
		m = m->next;
	return m;
}

double stat_find_value(const struct stat_tree *tree, const char *name,
	const void *(*gather)(
		const struct stat_group *group, const struct stat_member *member, const void *from),
	const void *from)
{
	struct wanted wanted = { NULL, NAN };
	int index = -1;
	char stripped[256];
	bool is_one = without_index(name, stripped, sizeof(stripped), &index);

	for (const struct stat_group *g = tree->groups; g && isnan(wanted.value); g = g->next) {
		const struct stat_member *member = is_one ? member_of(g, index) : NULL;

		wanted.name = name_behind_path(is_one ? stripped : name, g->path);
		if (wanted.name && (member || !is_one))
			stat_walk(g->table, gather(g, member, from), match, &wanted);
	}
	return wanted.value;
}

static const void *gather_since(
	const struct stat_group *group, const struct stat_member *member, const void *since)
{
	return stat_gather(group, member, since);
}

double stat_value(const struct stat_tree *tree, const struct stat_snapshot *since, const char *name)
{
	return stat_find_value(tree, name, gather_since, since);
}
