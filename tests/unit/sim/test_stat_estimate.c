/* Statistics that are estimated from parts: worked examples of the ratio and of its jackknife. */
#include "sim/stats/stat_estimate.h"
#include <criterion/criterion.h>
#include <math.h>

struct thing {
	uint64_t a, b, v[2];
	struct sim_histogram h;
};
static const char *const v_names[] = { "left", "right", NULL };
static double quotient(const void *object)
{
	const struct thing *t = object;

	return (double)t->a / (double)t->b;
}
static const struct sim_stat table[] = { SIM_COUNT(struct thing, a, "apples", "apples there are"),
	SIM_COUNT(struct thing, b, "", "boxes"), SIM_VECTOR(struct thing, v, v_names, "", "sides"),
	SIM_HIST(struct thing, h, "", "sizes"), SIM_FORMULA("quotient", quotient, "ratio", "apples in a box"),
	SIM_STAT_END };

static struct thing things[2];
static struct stat_tree *tree;
static struct stat_estimate estimate;
static struct stat_parts parts;

/* Two objects count in turn: parts of size 10 with 1, 2, 3 and 4 thousand apples and 10 thousand boxes each,
 * and as much as in 8 such parts that was not counted. */
static void set_up(void)
{
	struct stat_vector from = { 0 }, to = { 0 };

	memset(things, 0, sizeof(things));
	memset(&estimate, 0, sizeof(estimate));
	memset(&parts, 0, sizeof(parts));
	tree = stat_tree_new();
	stat_register(tree, "thing", 0, table, &things[0], sizeof(things[0]));
	stat_register(tree, "thing", 1, table, &things[1], sizeof(things[1]));
	for (uint32_t i = 0; i < 4; i++) {
		struct stat_part part = { 0 };

		stat_vector_take(&from, tree);
		things[i % 2].a += 1000 * (i + 1);
		things[i % 2].b += 10000;
		things[i % 2].v[1] += 2;
		sim_hist_add(&things[i % 2].h, 5);
		stat_vector_take(&to, tree);
		stat_part_add(&part, &from, &to, 10);
		stat_parts_add(&parts, &part, 1, i);
		stat_part_free(&part);
	}
	stat_vector_free(&from);
	stat_vector_free(&to);
}

static void tear_down(void)
{
	stat_estimate_free(&estimate);
	stat_parts_free(&parts);
	stat_tree_free(tree);
}

TestSuite(stat_estimate, .init = set_up, .fini = tear_down);

static void check(const char *name, double value, double half)
{
	double low, high;
	double found = stat_estimate_value(tree, &estimate, (struct stat_trust){ 0 }, name, &low, &high);

	cr_expect_float_eq(found, value, 1e-9, "%s: %g, not %g", name, found, value);
	cr_expect_float_eq((high - low) / 2, half, 0.01 * half + 1e-9, "%s: +- %g, not %g", name,
		(high - low) / 2, half);
}

/* Without each part 24, 21.3, 18.7 and 16 thousand apples are estimated in place of 20: 3/4 of the squares
 * 16, 1.8, 1.8 and 16 is the variance, and 3.182 the quantile for three degrees of freedom. */
Test(stat_estimate, of_a_count_and_of_what_follows_from_it)
{
	stat_estimate_add(&estimate, &parts, 80);
	check("thing.a", 30000, 3182 * sqrt(0.75 * (2 * 16 + 2 * 16 / 9.0)));
	check("thing.b", 120000, 0);
	check("thing.v::left", 0, 0);
	check("thing.v::total", 8 + 16, 0);
	check("thing.h::samples", 4 + 8, 0);
	check("thing.h::mean", 5, 0);
	check("thing.quotient", 0.25, 3.182 * sqrt(0.75 * (2 * 16 + 2 * 16 / 9.0)) / 120);
	cr_expect(
		isnan(stat_estimate_value(tree, &estimate, (struct stat_trust){ 0 }, "thing.c", NULL, NULL)));
}

/* Twice as much of it is twice as uncertain: the error of the parts is the same in both. */
Test(stat_estimate, what_the_same_parts_say_twice_has_one_error)
{
	double low, high, once, twice;
	struct stat_trust trust = { 0 };

	stat_estimate_add(&estimate, &parts, 80);
	stat_estimate_value(tree, &estimate, trust, "thing.a", &low, &high);
	once = high - low;
	stat_estimate_add(&estimate, &parts, 80);
	stat_estimate_value(tree, &estimate, trust, "thing.a", &low, &high);
	twice = high - low;
	cr_expect_float_eq(twice / once, 2, 0.1, "%g and %g", once, twice);
}

Test(stat_estimate, nothing_is_estimated_where_all_was_counted)
{
	check("thing.a", 10000, 0);
	check("thing.quotient", 0.25, 0);
}

/* What was timed behind a jump counts no more, and is estimated instead. */
Test(stat_estimate, what_is_taken_off_is_in_no_sum)
{
	struct stat_vector from = { 0 }, to = { 0 };
	struct stat_part warming = { 0 };

	stat_vector_take(&from, tree);
	things[0].a += 1000;
	stat_vector_take(&to, tree);
	stat_part_add(&warming, &from, &to, 10);
	stat_estimate_add(&estimate, &parts, 40);
	stat_estimate_take_off(&estimate, &warming);
	check("thing.a", 20000, 3182 * sqrt(0.75 * (2 * 16 + 2 * 16 / 9.0)) / 2);
	stat_part_free(&warming);
	stat_vector_free(&from);
	stat_vector_free(&to);
}

/* half a per cent of what is estimated, and, of a quotient, of the share of the run that is */
Test(stat_estimate, the_allowance_is_in_the_interval)
{
	double low, high;
	struct stat_trust trust = { .allowance = 0.005, .share = 0.5 };

	stat_estimate_add(&estimate, &parts, 80);
	stat_estimate_value(tree, &estimate, trust, "thing.v::total", &low, &high);
	cr_expect_float_eq(high - low, 2 * 0.005 * 16, 1e-9,
		"all parts have as many, but for what is allowed: %g", high - low);
}

/* One part alone says nothing about how parts differ. */
Test(stat_estimate, one_part_is_not_enough)
{
	struct stat_vector none = { 0 }, to = { 0 };
	struct stat_part part = { 0 };
	struct stat_parts one = { 0 };
	double low, high;

	stat_vector_take(&to, tree);
	stat_part_add(&part, &none, &to, 40);
	stat_parts_add(&one, &part, 1, 7);
	stat_estimate_add(&estimate, &one, 40);
	cr_expect_float_eq(
		stat_estimate_value(tree, &estimate, (struct stat_trust){ 0 }, "thing.a", &low, &high), 20000,
		1e-9);
	cr_expect(isnan(low) && isnan(high));
	stat_parts_free(&one);
	stat_part_free(&part);
	stat_vector_free(&to);
}

Test(stat_estimate, lines_have_intervals_where_something_is_estimated)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	stat_estimate_add(&estimate, &parts, 80);
	stat_print_estimate(tree, &estimate, (struct stat_trust){ 0 }, f);
	fclose(f);
	cr_expect(strstr(text, "thing.a"), "%s", text);
	cr_expect(strstr(text, "30000 # apples there are (apples) [95 %: 13569 to 46431]\n"), "%s", text);
	cr_expect(strstr(text, "120000 # boxes\n"), "%s", text);
	cr_expect(strstr(text, "# apples in a box (ratio) [95 %: 0.113"), "%s", text);
	cr_expect_null(strstr(text, "::max"));
	free(text);
}

Test(stat_estimate, json_has_value_and_interval)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	stat_estimate_add(&estimate, &parts, 80);
	stat_print_estimate_json(tree, &estimate, (struct stat_trust){ 0 }, f, 0);
	fclose(f);
	cr_expect(strstr(text, "\"thing.a\": [30000, 13569, 46431],\n"), "%s", text);
	cr_expect(strstr(text, "\"thing.v::total\": [24, 24, 24],\n"), "%s", text);
	free(text);
}
