/* tests/unit/sim/stat_rig.h -- what test_stat.c and test_stat_ranges.c share. */
#ifndef STAT_RIG_H
#define STAT_RIG_H

#include "sim/stats/stat.h"
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct toy {
	uint64_t misses, accesses;
	uint64_t fails[2];
	struct sim_histogram depth;
};

static inline double miss_rate(const void *object)
{
	const struct toy *t = object;

	return (double)t->misses / (double)t->accesses;
}

static const char *const fail_names[] = { "line", "mshr", NULL };

static const struct sim_stat toy_stats[] = {
	SIM_COUNT(struct toy, misses, "requests", "not found"),
	SIM_COUNT(struct toy, accesses, "requests", "looked up"),
	SIM_VECTOR(struct toy, fails, fail_names, "cycles", "failed by cause"),
	SIM_HIST(struct toy, depth, "requests", "merged"),
	SIM_FORMULA("miss_rate", miss_rate, "", "misses per access"),
	SIM_STAT_END,
};

struct tiny {
	uint64_t ticks;
};

static const struct sim_stat tiny_stats[] = { SIM_COUNT(struct tiny, ticks, "cycles", "passed"),
	SIM_STAT_END };

typedef void print(const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream);

static inline void print_json(const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream)
{
	stat_print_json(tree, since, stream, 0);
}

static inline void expect_printed(
	print *how, const struct stat_tree *tree, const struct stat_snapshot *since, const char *expected)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	how(tree, since, stream);
	fclose(stream);
	cr_expect_str_eq(text, expected, "got:\n%s", text);
	free(text);
}

static inline struct stat_tree *tree_of_tinies(struct tiny *tinies, int count, const char *group)
{
	struct stat_tree *tree = stat_tree_new();

	for (int i = 0; i < count; i++)
		stat_register(tree, group, i, tiny_stats, &tinies[i], sizeof(tinies[i]));
	return tree;
}

static inline struct stat_tree *tree_of(struct toy *toy)
{
	struct stat_tree *tree = stat_tree_new();

	stat_register(tree, "l2", -1, toy_stats, toy, sizeof(*toy));
	return tree;
}

#endif
