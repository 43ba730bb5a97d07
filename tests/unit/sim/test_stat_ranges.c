/* tests/unit/sim/test_stat_ranges.c -- sums over stretches of time, ranges and printed zeros. */
#include "tests/unit/sim/stat_rig.h"

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
