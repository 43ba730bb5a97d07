/* sim/stats/stat_sum.c -- counters added up over several stretches of time: those of a kernel over its
 * launches. */
#include "sim/base/xalloc.h"
#include "sim/stats/stat_internal.h"
#include <stdlib.h>

struct stat_sum {
	uint64_t **words; /* the counters of each group, by its number; NULL: nothing was added */
	size_t *sizes;    /* how many these are */
	size_t count;
};

struct stat_sum *stat_sum_new(void)
{
	return xcalloc(1, sizeof(struct stat_sum));
}

struct stat_sum *stat_sum_copy(const struct stat_sum *sum)
{
	struct stat_sum *copy = stat_sum_new();

	copy->count = sum->count;
	copy->words = xcalloc(sum->count + 1, sizeof(*copy->words));
	copy->sizes = xcalloc(sum->count + 1, sizeof(*copy->sizes));
	for (size_t i = 0; i < sum->count; i++) {
		copy->sizes[i] = sum->sizes[i];
		if (!sum->words[i])
			continue;
		copy->words[i] = xcalloc(sum->sizes[i] + 1, sizeof(**copy->words));
		memcpy(copy->words[i], sum->words[i], sum->sizes[i] * sizeof(**copy->words));
	}
	return copy;
}

void stat_sum_free(struct stat_sum *sum)
{
	if (!sum)
		return;
	for (size_t i = 0; i < sum->count; i++)
		free(sum->words[i]);
	free(sum->words);
	free(sum->sizes);
	free(sum);
}

static void make_room(struct stat_sum *sum, size_t count)
{
	if (count <= sum->count)
		return;
	sum->words = xrealloc(sum->words, count * sizeof(*sum->words));
	sum->sizes = xrealloc(sum->sizes, count * sizeof(*sum->sizes));
	for (; sum->count < count; sum->count++) {
		sum->words[sum->count] = NULL;
		sum->sizes[sum->count] = 0;
	}
}

void stat_sum_add(struct stat_sum *sum, const struct stat_tree *tree, const struct stat_snapshot *since)
{
	make_room(sum, tree->group_count);
	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		uint64_t *words = stat_copy_words(g, stat_gather(g, NULL, since)),
			 *before = sum->words[g->number];

		for (size_t i = 0; before && i < g->words; i++)
			words[i] += before[i];
		free(before);
		sum->words[g->number] = words;
		sum->sizes[g->number] = g->words;
	}
}

const void *stat_gather_sum(const struct stat_group *group, const struct stat_sum *sum)
{
	const uint64_t *from = group->number < sum->count ? sum->words[group->number] : NULL;
	const size_t *words = group->words_of;

	stat_clear_object(group, group->scratch);
	for (const struct sim_stat *s = group->table; from && s->type != SIM_STAT_END_TYPE; s++, words++) {
		memcpy((char *)group->scratch + s->offset, from, *words * sizeof(*from));
		from += *words;
	}
	return group->scratch;
}
