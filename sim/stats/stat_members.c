/* sim/stats/stat_members.c -- a counter in each object of its group. */
#include "sim/stats/stat_members.h"
#include "sim/base/xalloc.h"
#include "sim/stats/stat_internal.h"
#include <string.h>

struct stat_members {
	const struct stat_group *group;
	const struct stat_member **members;
	size_t count;
	size_t offset, words; /* the value is the sum of the words */
};

/* Whether `name`, without the path of the group, is this statistic or an element of it: where it is. */
static bool find_words(const struct sim_stat *s, const char *name, size_t *offset, size_t *words)
{
	size_t length = strlen(s->name);

	*offset = s->offset;
	*words = 1;
	if (strncmp(name, s->name, length) != 0)
		return false;
	if (s->type == SIM_STAT_COUNT)
		return !name[length];
	if (s->type != SIM_STAT_VECTOR || strncmp(name + length, "::", 2) != 0)
		return false;
	name += length + 2;
	for (size_t i = 0; s->names[i]; i++, *offset += sizeof(uint64_t))
		if (strcmp(s->names[i], name) == 0)
			return true;
	*offset = s->offset;
	*words = stat_words(s);
	return strcmp(name, "total") == 0;
}

static struct stat_members *members_of(const struct stat_group *g, size_t offset, size_t words)
{
	struct stat_members *m = xcalloc(1, sizeof(*m));

	*m = (struct stat_members){ .group = g, .offset = offset, .words = words };
	for (const struct stat_member *i = g->members; i; i = i->next)
		m->count++;
	m->members = xcalloc(m->count, sizeof(*m->members));
	m->count = 0;
	for (const struct stat_member *i = g->members; i; i = i->next)
		m->members[m->count++] = i;
	return m;
}

struct stat_members *stat_members_find(const struct stat_tree *tree, const char *name)
{
	size_t offset, words;

	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		size_t length = strlen(g->path);

		if (strncmp(name, g->path, length) != 0 || name[length] != '.')
			continue;
		for (const struct sim_stat *s = g->table; s->type != SIM_STAT_END_TYPE; s++)
			if (find_words(s, name + length + 1, &offset, &words))
				return members_of(g, offset, words);
	}
	return NULL;
}

void stat_members_free(struct stat_members *m)
{
	if (!m)
		return;
	free(m->members);
	free(m);
}

const char *stat_members_group(const struct stat_members *m)
{
	return m->group->path;
}

size_t stat_members_count(const struct stat_members *m)
{
	return m->count;
}

int stat_members_index(const struct stat_members *m, size_t i)
{
	return m->members[i]->index;
}

uint64_t stat_members_value(const struct stat_members *m, size_t i)
{
	const uint64_t *from = (const uint64_t *)((const char *)m->members[i]->object + m->offset);
	uint64_t sum = 0;

	for (size_t w = 0; w < m->words; w++)
		sum += from[w];
	return sum;
}
