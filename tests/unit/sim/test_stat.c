/* tests/unit/sim/test_stat.c -- statistics: sums, snapshots, formulas and the three printed forms. */
#include "tests/unit/sim/stat_rig.h"

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
