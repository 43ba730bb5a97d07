/* sim/stats/stat_sum.c -- counters of all groups in a row, and such counters added up over several stretches
 * of time: those of a kernel over its launches. */
#include "sim/base/xalloc.h"
#include "sim/stats/stat_internal.h"
#include <math.h>
#include <stdlib.h>

static void make_vector_room(struct stat_vector *v, size_t count)
{
	if (count <= v->count)
		return;
	v->words = xrealloc(v->words, count * sizeof(*v->words));
	memset(v->words + v->count, 0, (count - v->count) * sizeof(*v->words));
	v->count = count;
}

static void add_member(const struct stat_group *g, const char *object, uint64_t *to)
{
	for (size_t i = 0; i < g->run_count; i++) {
		const uint64_t *from = (const uint64_t *)(object + g->runs[i].offset);
		size_t words = g->runs[i].words;

		for (size_t k = 0; k < words; k++)
			to[k] += from[k];
		to += words;
	}
}

void stat_vector_take(struct stat_vector *v, const struct stat_tree *tree)
{
	make_vector_room(v, tree->words);
	v->count = tree->words;
	memset(v->words, 0, v->count * sizeof(*v->words));
	for (const struct stat_group *g = tree->groups; g; g = g->next)
		for (const struct stat_member *m = g->members; m; m = m->next)
			add_member(g, m->object, v->words + g->first);
}

void stat_vector_free(struct stat_vector *v)
{
	free(v->words);
	*v = (struct stat_vector){ 0 };
}

/* A counter that was registered later has been zero before. */
void stat_vector_since(struct stat_vector *then, const struct stat_vector *now)
{
	make_vector_room(then, now->count);
	for (size_t i = 0; i < now->count; i++)
		then->words[i] = now->words[i] - then->words[i];
}

void stat_sum_add(struct stat_vector *sum, const struct stat_vector *counted)
{
	make_vector_room(sum, counted->count);
	for (size_t i = 0; i < counted->count; i++)
		sum->words[i] += counted->words[i];
}

const void *stat_gather_sum(const struct stat_group *group, const struct stat_vector *sum)
{
	const uint64_t *from = group->first < sum->count ? sum->words + group->first : NULL;

	stat_clear_object(group, group->scratch);
	for (size_t i = 0; from && i < group->run_count; i++) {
		memcpy((char *)group->scratch + group->runs[i].offset, from,
			group->runs[i].words * sizeof(*from));
		from += group->runs[i].words;
	}
	return group->scratch;
}

static const void *gather_members(
	const struct stat_group *group, const struct stat_member *member, const void *sum)
{
	(void)member;
	return stat_gather_sum(group, sum);
}

double stat_sum_value(const struct stat_tree *tree, const struct stat_vector *sum, const char *name)
{
	return strchr(name, '[') ? NAN : stat_find_value(tree, name, gather_members, sum);
}
