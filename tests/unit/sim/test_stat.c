/* tests/unit/sim/test_stat.c -- statistics: sums, snapshots, formulas and the three printed forms. */
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

static double miss_rate(const void *object)
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

static void print_json(const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream)
{
	stat_print_json(tree, since, stream, 0);
}

static void expect_printed(
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

static struct stat_tree *tree_of_tinies(struct tiny *tinies, int count, const char *group)
{
	struct stat_tree *tree = stat_tree_new();

	for (int i = 0; i < count; i++)
		stat_register(tree, group, i, tiny_stats, &tinies[i], sizeof(tinies[i]));
	return tree;
}

static struct stat_tree *tree_of(struct toy *toy)
{
	struct stat_tree *tree = stat_tree_new();

	stat_register(tree, "l2", -1, toy_stats, toy, sizeof(*toy));
	return tree;
}

Test(histogram, buckets_are_powers_of_two_and_zero_has_its_own)
{
	struct sim_histogram h = { 0 };

	sim_hist_add(&h, 0);
	sim_hist_add(&h, 1);
	sim_hist_add(&h, 2);
	sim_hist_add(&h, 3);
	sim_hist_add(&h, 4);
	sim_hist_add(&h, UINT64_MAX);
	cr_expect_eq(h.bucket[0], 1);
	cr_expect_eq(h.bucket[1], 1);
	cr_expect_eq(h.bucket[2], 2);
	cr_expect_eq(h.bucket[3], 1);
	cr_expect_eq(h.bucket[31], 1);
	cr_expect_eq(h.maximum, UINT64_MAX);
	cr_expect_eq(h.samples, 6);
}

Test(stat, text_has_a_line_per_number_with_description_and_unit)
{
	struct toy toy = { 1, 4, { 5, 6 }, { 0 } };
	struct stat_tree *tree = tree_of(&toy);

	sim_hist_add(&toy.depth, 0);
	sim_hist_add(&toy.depth, 3);
	expect_printed(stat_print_text, tree, NULL,
		"l2.misses                                                       1 # not found (requests)\n"
		"l2.accesses                                                     4 # looked up (requests)\n"
		"l2.fails::line                                                  5 # failed by cause "
		"(cycles)\n"
		"l2.fails::mshr                                                  6 # failed by cause "
		"(cycles)\n"
		"l2.fails::total                                                11 # failed by cause "
		"(cycles)\n"
		"l2.depth::samples                                               2 # merged (requests)\n"
		"l2.depth::mean                                           1.500000 # merged (requests)\n"
		"l2.depth::max                                                   3 # merged (requests)\n"
		"l2.depth::0                                                     1 # merged (requests)\n"
		"l2.depth::2-3                                                   1 # merged (requests)\n"
		"l2.miss_rate                                             0.250000 # misses per access\n");
	stat_tree_free(tree);
}

Test(stat, json_nests_paths_vectors_and_histograms)
{
	struct toy toy = { 1, 4, { 5, 6 }, { 0 } };
	struct stat_tree *tree = tree_of(&toy);

	sim_hist_add(&toy.depth, 3);
	expect_printed(print_json, tree, NULL,
		"{\n"
		"  \"l2\": {\n"
		"    \"misses\": 1,\n"
		"    \"accesses\": 4,\n"
		"    \"fails\": {\n"
		"      \"line\": 5,\n"
		"      \"mshr\": 6,\n"
		"      \"total\": 11\n"
		"    },\n"
		"    \"depth\": {\n"
		"      \"samples\": 1,\n"
		"      \"mean\": 3,\n"
		"      \"max\": 3,\n"
		"      \"buckets\": {\n"
		"        \"2-3\": 1\n"
		"      }\n"
		"    },\n"
		"    \"miss_rate\": 0.25\n"
		"  }\n"
		"}");
	stat_tree_free(tree);
}

Test(stat, not_a_number_is_nan_in_text_and_null_in_json)
{
	struct toy toy = { 0 };
	struct stat_tree *tree = tree_of(&toy);
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	stat_print_text(tree, NULL, stream);
	stat_print_json(tree, NULL, stream, 0);
	fclose(stream);
	cr_expect(strstr(text, "              nan # misses per access\n"), "%s", text);
	cr_expect(strstr(text, "\"miss_rate\": null\n"), "%s", text);
	cr_expect(strstr(text, "\"mean\": null,\n"), "%s", text);
	free(text);
	stat_tree_free(tree);
}

Test(stat, a_group_of_several_prints_its_sum_then_each_with_its_index)
{
	struct tiny tinies[2] = { { 3 }, { 4 } };
	struct stat_tree *tree = tree_of_tinies(tinies, 2, "sm.l1");

	expect_printed(stat_print_text, tree, NULL,
		"sm.l1.ticks                                                     7 # passed (cycles)\n"
		"sm[0].l1.ticks                                                  3 # passed (cycles)\n"
		"sm[1].l1.ticks                                                  4 # passed (cycles)\n");
	expect_printed(print_json, tree, NULL,
		"{\n"
		"  \"sm\": {\n    \"l1\": {\n      \"ticks\": 7\n    }\n  },\n"
		"  \"sm[0]\": {\n    \"l1\": {\n      \"ticks\": 3\n    }\n  },\n"
		"  \"sm[1]\": {\n    \"l1\": {\n      \"ticks\": 4\n    }\n  }\n"
		"}");
	stat_tree_free(tree);
}

Test(stat, members_are_hidden_where_only_sums_are_wanted)
{
	struct tiny tinies[2] = { { 3 }, { 4 } };
	struct stat_tree *tree = tree_of_tinies(tinies, 2, "sm.l1");

	stat_show_members(tree, false);
	expect_printed(stat_print_text, tree, NULL,
		"sm.l1.ticks                                                     7 # passed (cycles)\n");
	expect_printed(
		print_json, tree, NULL, "{\n  \"sm\": {\n    \"l1\": {\n      \"ticks\": 7\n    }\n  }\n}");
	stat_show_members(tree, true);
	expect_printed(stat_print_text, tree, NULL,
		"sm.l1.ticks                                                     7 # passed (cycles)\n"
		"sm[0].l1.ticks                                                  3 # passed (cycles)\n"
		"sm[1].l1.ticks                                                  4 # passed (cycles)\n");
	stat_tree_free(tree);
}

Test(stat, members_are_printed_by_index_whatever_the_order_of_registration)
{
	struct tiny tinies[2] = { { 3 }, { 4 } };
	struct stat_tree *tree = stat_tree_new();

	stat_register(tree, "sm", 1, tiny_stats, &tinies[1], sizeof(tinies[1]));
	stat_register(tree, "sm", 0, tiny_stats, &tinies[0], sizeof(tinies[0]));
	expect_printed(stat_print_text, tree, NULL,
		"sm.ticks                                                        7 # passed (cycles)\n"
		"sm[0].ticks                                                     3 # passed (cycles)\n"
		"sm[1].ticks                                                     4 # passed (cycles)\n");
	stat_tree_free(tree);
}

Test(stat, groups_that_share_a_path_share_a_json_object)
{
	struct toy toy = { 0 };
	struct tiny tiny = { 9 }, inner = { 8 };
	struct stat_tree *tree = stat_tree_new();
	static const struct sim_stat one[] = { SIM_COUNT(struct toy, misses, "", "m"), SIM_STAT_END };

	stat_register(tree, "sm", -1, one, &toy, sizeof(toy));
	stat_register(tree, "sm.l1", -1, tiny_stats, &inner, sizeof(inner));
	stat_register(tree, "sm", -1, tiny_stats, &tiny, sizeof(tiny));
	expect_printed(print_json, tree, NULL,
		"{\n  \"sm\": {\n    \"misses\": 0,\n    \"ticks\": 9,\n    \"l1\": {\n      \"ticks\": 8\n  "
		"  }\n  }\n}");
	stat_tree_free(tree);
}

Test(stat, a_formula_over_several_objects_sees_their_sums)
{
	struct toy toys[2] = { { .misses = 1, .accesses = 2 }, { .misses = 0, .accesses = 2 } };
	struct stat_tree *tree = stat_tree_new();

	stat_register(tree, "sm.l1", 0, toy_stats, &toys[0], sizeof(toys[0]));
	stat_register(tree, "sm.l1", 1, toy_stats, &toys[1], sizeof(toys[1]));
	cr_expect_float_eq(stat_value(tree, NULL, "sm.l1.miss_rate"), 0.25, 1e-12);
	stat_tree_free(tree);
}

Test(stat, one_object_of_several_by_its_number)
{
	struct toy toys[2] = { { .misses = 1, .accesses = 2 }, { .misses = 0, .accesses = 3 } };
	struct stat_tree *tree = stat_tree_new();
	struct stat_snapshot *then;

	stat_register(tree, "sm.l1", 0, toy_stats, &toys[0], sizeof(toys[0]));
	stat_register(tree, "sm.l1", 7, toy_stats, &toys[1], sizeof(toys[1]));
	cr_expect_eq(stat_value(tree, NULL, "sm[0].l1.miss_rate"), 0.5);
	cr_expect_eq(stat_value(tree, NULL, "sm[7].l1.accesses"), 3);
	cr_expect_eq(stat_value(tree, NULL, "sm[7].l1.fails::total"), 0);
	cr_expect(isnan(stat_value(tree, NULL, "sm[1].l1.accesses")), "there is none of this number");
	cr_expect(isnan(stat_value(tree, NULL, "sm[7].l1.nothing")));
	cr_expect(isnan(stat_value(tree, NULL, "sm[7.l1.accesses")));
	then = stat_snapshot_take(tree);
	toys[1].accesses++;
	cr_expect_eq(stat_value(tree, then, "sm[7].l1.accesses"), 1);
	cr_expect_eq(stat_value(tree, then, "sm[0].l1.accesses"), 0);
	stat_snapshot_free(then);
	stat_tree_free(tree);
}

Test(stat, since_a_snapshot_shows_differences)
{
	struct toy toy = { 1, 4, { 5, 6 }, { 0 } };
	struct stat_tree *tree = tree_of(&toy);
	struct stat_snapshot *then;

	sim_hist_add(&toy.depth, 100);
	then = stat_snapshot_take(tree);
	toy.misses += 3;
	toy.accesses += 4;
	toy.fails[1] += 2;
	sim_hist_add(&toy.depth, 10);
	cr_expect_eq(stat_value(tree, then, "l2.misses"), 3);
	cr_expect_eq(stat_value(tree, then, "l2.miss_rate"), 0.75);
	cr_expect_eq(stat_value(tree, then, "l2.fails::line"), 0);
	cr_expect_eq(stat_value(tree, then, "l2.fails::total"), 2);
	cr_expect_eq(stat_value(tree, then, "l2.depth::mean"), 10);
	cr_expect_eq(stat_value(tree, then, "l2.depth::max"), 100, "a maximum is as of now");
	cr_expect(isnan(stat_value(tree, then, "l2.depth::64-127")), "an empty bucket has no line");
	cr_expect_eq(stat_value(tree, NULL, "l2.misses"), 4);
	stat_snapshot_free(then);
	stat_tree_free(tree);
}

Test(stat, an_object_registered_after_the_snapshot_counts_from_zero)
{
	struct tiny tinies[2] = { { 3 }, { 4 } };
	struct stat_tree *tree = tree_of_tinies(tinies, 1, "sm");
	struct stat_snapshot *then = stat_snapshot_take(tree);

	stat_register(tree, "sm", 1, tiny_stats, &tinies[1], sizeof(tinies[1]));
	cr_expect_eq(stat_value(tree, then, "sm.ticks"), 4);
	stat_snapshot_free(then);
	stat_tree_free(tree);
}

Test(stat, a_name_that_is_none_has_no_value)
{
	struct toy toy = { 0 };
	struct stat_tree *tree = tree_of(&toy);

	cr_expect(isnan(stat_value(tree, NULL, "l2.hits")));
	cr_expect(isnan(stat_value(tree, NULL, "l2")));
	cr_expect(isnan(stat_value(tree, NULL, "l2.")));
	cr_expect(isnan(stat_value(tree, NULL, "l2.fails")));
	cr_expect(isnan(stat_value(tree, NULL, "l2.fails::nobody")));
	cr_expect(isnan(stat_value(tree, NULL, "l2.misses::total")));
	cr_expect(isnan(stat_value(tree, NULL, "l22.misses")));
	cr_expect(isnan(stat_value(tree, NULL, "")));
	stat_tree_free(tree);
}

Test(stat, large_counters_keep_every_digit)
{
	struct tiny tiny = { UINT64_MAX };
	struct stat_tree *tree = stat_tree_new();

	stat_register(tree, "gpu", -1, tiny_stats, &tiny, sizeof(tiny));
	expect_printed(stat_print_text, tree, NULL,
		"gpu.ticks                                        18446744073709551615 # passed (cycles)\n");
	stat_tree_free(tree);
}

Test(stat, an_empty_tree_prints_nothing_and_an_empty_object)
{
	struct stat_tree *tree = stat_tree_new();

	expect_printed(stat_print_text, tree, NULL, "");
	expect_printed(print_json, tree, NULL, "{}");
	stat_tree_free(tree);
}

Test(stat, the_manual_lists_every_statistic_once)
{
	struct toy toy = { 0 };
	struct tiny tinies[2] = { { 0 } };
	struct stat_tree *tree = tree_of_tinies(tinies, 2, "sm.l1");
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	stat_register(tree, "l2", -1, toy_stats, &toy, sizeof(toy));
	stat_print_doc(tree, stream);
	fclose(stream);
	cr_expect_str_eq(text,
		"sm.l1\n"
		"  name   unit    description\n"
		"  ticks  cycles  passed\n"
		"\n"
		"l2\n"
		"  name       unit      description\n"
		"  misses     requests  not found\n"
		"  accesses   requests  looked up\n"
		"  fails      cycles    failed by cause\n"
		"  depth      requests  merged\n"
		"  miss_rate  -         misses per access\n");
	free(text);
	stat_tree_free(tree);
}

Test(stat, registering_an_index_twice_is_a_bug, .signal = SIGABRT)
{
	struct tiny tiny = { 0 };
	struct stat_tree *tree = stat_tree_new();

	stat_register(tree, "sm", 0, tiny_stats, &tiny, sizeof(tiny));
	stat_register(tree, "sm", 0, tiny_stats, &tiny, sizeof(tiny));
}

/* -- sums over stretches of time -- */

static void expect_sum(const struct stat_tree *tree, const struct stat_vector *sum, const char *expected)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	stat_print_sum(tree, sum, stream);
	fclose(stream);
	cr_expect_str_eq(text, expected, "got:\n%s", text);
	free(text);
}

/* What is counted outside of the stretches (the misses before, 1000 accesses between them) is in no sum; the
 * formula is that of the sums, 5 / 20, and not of one stretch (3 / 10, 2 / 10). */
Test(stat, sums_have_what_was_counted_in_their_stretches)
{
	struct toy toy = { 100, 7, { 1, 1 }, { 0 } };
	struct stat_tree *tree = tree_of(&toy);
	struct stat_vector sum = { 0 }, none = { 0 }, from = { 0 }, to = { 0 };

	sim_hist_add(&toy.depth, 900);
	stat_vector_take(&from, tree);
	toy.misses += 3;
	toy.accesses += 10;
	toy.fails[0] += 4;
	sim_hist_add(&toy.depth, 2);
	stat_vector_take(&to, tree);
	stat_vector_since(&from, &to);
	stat_sum_add(&sum, &from);
	toy.accesses += 1000;
	stat_vector_take(&from, tree);
	toy.misses += 2;
	toy.accesses += 10;
	toy.fails[1] += 6;
	sim_hist_add(&toy.depth, 4);
	stat_vector_take(&to, tree);
	stat_vector_since(&from, &to);
	stat_sum_add(&sum, &from);
	expect_sum(tree, &sum,
		"l2.misses                                                       5 # not found (requests)\n"
		"l2.accesses                                                    20 # looked up (requests)\n"
		"l2.fails::line                                                  4 # failed by cause "
		"(cycles)\n"
		"l2.fails::mshr                                                  6 # failed by cause "
		"(cycles)\n"
		"l2.fails::total                                                10 # failed by cause "
		"(cycles)\n"
		"l2.depth::samples                                               2 # merged (requests)\n"
		"l2.depth::mean                                           3.000000 # merged (requests)\n"
		"l2.depth::2-3                                                   1 # merged (requests)\n"
		"l2.depth::4-7                                                   1 # merged (requests)\n"
		"l2.miss_rate                                             0.250000 # misses per access\n");
	cr_expect_eq(stat_value(tree, NULL, "l2.misses"), 105, "the tree is as it was");
	expect_sum(tree, &none,
		"l2.misses                                                       0 # not found (requests)\n"
		"l2.accesses                                                     0 # looked up (requests)\n"
		"l2.fails::line                                                  0 # failed by cause "
		"(cycles)\n"
		"l2.fails::mshr                                                  0 # failed by cause "
		"(cycles)\n"
		"l2.fails::total                                                 0 # failed by cause "
		"(cycles)\n"
		"l2.depth::samples                                               0 # merged (requests)\n"
		"l2.depth::mean                                                nan # merged (requests)\n"
		"l2.miss_rate                                                  nan # misses per access\n");
	cr_expect_eq(stat_sum_value(tree, &sum, "l2.accesses"), 20);
	cr_expect_eq(stat_sum_value(tree, &sum, "l2.miss_rate"), 0.25);
	cr_expect(isnan(stat_sum_value(tree, &sum, "l2.hits")));
	stat_vector_free(&sum);
	stat_vector_free(&from);
	stat_vector_free(&to);
	stat_tree_free(tree);
}

/* The sum of a group's members, and groups that were registered after the first stretch. */
Test(stat, sums_are_of_groups_and_grow_with_the_tree)
{
	struct tiny tinies[3] = { { 10 }, { 20 }, { 30 } }, late = { 5 };
	struct stat_tree *tree = tree_of_tinies(tinies, 3, "sm");
	struct stat_vector sum = { 0 }, from = { 0 }, to = { 0 };

	stat_vector_take(&from, tree);
	tinies[0].ticks += 1;
	tinies[2].ticks += 2;
	stat_vector_take(&to, tree);
	stat_vector_since(&from, &to);
	stat_sum_add(&sum, &from);
	stat_vector_free(&from);
	stat_vector_take(&from, tree);
	stat_register(tree, "late", -1, tiny_stats, &late, sizeof(late));
	stat_vector_take(&to, tree);
	stat_vector_since(&from, &to);
	stat_sum_add(&sum, &from);
	expect_sum(tree, &sum,
		"sm.ticks                                                        3 # passed (cycles)\n"
		"late.ticks                                                      5 # passed (cycles)\n");
	cr_expect(isnan(stat_sum_value(tree, &sum, "sm[1].ticks")), "of objects there are only sums");
	stat_vector_free(&sum);
	stat_vector_free(&from);
	stat_vector_free(&to);
	stat_tree_free(tree);
}

/* -- zeros -- */

static char *printed(const struct stat_tree *tree, bool as_json)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (as_json)
		stat_print_json(tree, NULL, stream, 0);
	else
		stat_print_text(tree, NULL, stream);
	fclose(stream);
	return text;
}

/* Neither zeros nor quotients by zero, nor objects and groups in which nothing was counted. */
Test(stat, zeros_are_left_out_if_they_are_not_wanted)
{
	struct toy toy = { 0, 7, { 0, 3 }, { 0 } };
	struct tiny tinies[2] = { { 0 }, { 0 } };
	struct stat_tree *tree = tree_of(&toy);
	char *text;

	for (int i = 0; i < 2; i++)
		stat_register(tree, "sm.idle", i, tiny_stats, &tinies[i], sizeof(tinies[i]));
	stat_show_zeros(tree, false);
	text = printed(tree, false);
	cr_expect_str_eq(text,
		"l2.accesses                                                     7 # looked up (requests)\n"
		"l2.fails::mshr                                                  3 # failed by cause "
		"(cycles)\n"
		"l2.fails::total                                                 3 # failed by cause "
		"(cycles)\n",
		"got:\n%s", text);
	free(text);
	text = printed(tree, true);
	cr_expect_str_eq(text,
		"{\n  \"l2\": {\n    \"accesses\": 7,\n    \"fails\": {\n      \"mshr\": 3,\n"
		"      \"total\": 3\n    }\n  }\n}",
		"got:\n%s", text);
	free(text);
	stat_tree_free(tree);
}
