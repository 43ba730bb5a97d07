/* Statistics chosen by name: which cells a name stands for, and what a step takes. */
#include "sim/stats/stat_members.h"
#include "sim/stats/stat_select.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

struct thing {
	uint64_t hits, misses, kinds[2];
	struct sim_histogram delay;
};

static double rate(const void *object)
{
	const struct thing *t = object;

	return (double)t->hits / (double)(t->hits + t->misses);
}

static const char *const kinds[] = { "red", "blue", NULL };
static const struct sim_stat table[] = { SIM_COUNT(struct thing, hits, "", ""),
	SIM_COUNT(struct thing, misses, "", ""), SIM_VECTOR(struct thing, kinds, kinds, "", ""),
	SIM_HIST(struct thing, delay, "", ""), SIM_FORMULA("rate", rate, "", ""), SIM_STAT_END };

static struct thing things[3];
static struct stat_tree *tree;

static void set_up(void)
{
	tree = stat_tree_new();
	memset(things, 0, sizeof(things));
	stat_register(tree, "a.b", 0, table, &things[0], sizeof(things[0]));
	stat_register(tree, "a.b", 1, table, &things[1], sizeof(things[1]));
	stat_register(tree, "c", -1, table, &things[2], sizeof(things[2]));
}

static void tear_down(void)
{
	stat_tree_free(tree);
}

TestSuite(select, .init = set_up, .fini = tear_down);

/* The chosen names, with blanks between. */
static const char *names_of(const char *pattern)
{
	static char text[4096];
	struct stat_select_error error;
	struct stat_selection *s = stat_select(tree, pattern, &error);

	text[0] = '\0';
	for (size_t i = 0; s && i < stat_selection_count(s); i++) {
		strcat(text, i ? " " : "");
		strcat(text, stat_selection_name(s, i));
	}
	stat_selection_free(s);
	return text;
}

Test(select, a_name_stands_for_what_is_usual)
{
	cr_assert_str_eq(names_of("a.b.hits"), "a.b.hits");
	cr_assert_str_eq(names_of("c.kinds"), "c.kinds::red c.kinds::blue c.kinds::total");
	cr_assert_str_eq(names_of("c.delay"), "c.delay::samples c.delay::mean");
	cr_assert_str_eq(names_of("c.delay::2-3"), "c.delay::2-3");
	cr_assert_str_eq(names_of("a[1].b.rate"), "a[1].b.rate");
}

Test(select, wildcards_and_lists_choose_each_once_in_order)
{
	cr_assert_str_eq(names_of("*.hits"), "a.b.hits c.hits");
	cr_assert_str_eq(names_of("c.misses, *.misses\tc.misses"), "c.misses a.b.misses");
	cr_assert_str_eq(names_of("a[*].b.hits"), "a[0].b.hits a[1].b.hits");
	cr_assert_str_eq(names_of("c.*::*l*"), "c.kinds::blue c.kinds::total c.delay::samples");
	cr_assert_str_eq(names_of("?.rate"), "c.rate");
}

Test(select, patterns_fit_as_a_shell_would_have_it)
{
	cr_assert(stat_name_fits("*", ""));
	cr_assert(stat_name_fits("a*b*c", "aXbYbZc"));
	cr_assert_not(stat_name_fits("a*b*c", "aXbYbZ"));
	cr_assert(stat_name_fits("sm[3]*", "sm[3].l1d.hits"));
	cr_assert_not(stat_name_fits("sm[3]", "sm3"));
	cr_assert_not(stat_name_fits("a", "ab"));
}

Test(select, what_names_nothing_is_named_with_what_is_near)
{
	struct stat_select_error e;

	cr_assert_null(stat_select(tree, "c.hits,a.b.mises", &e));
	cr_assert_str_eq(e.name, "a.b.mises");
	cr_assert_str_eq(e.nearest, "a.b.misses");
	cr_assert_null(stat_select(tree, "c.kinds::rad", &e));
	cr_assert_str_eq(e.nearest, "c.kinds::red");
	cr_assert_null(stat_select(tree, "a[2].b.hits", &e));
	cr_assert_str_eq(e.name, "a[2].b.hits");
	cr_assert_null(stat_select(tree, " , ", &e));
	cr_assert_str_eq(e.name, "");
}

Test(select, a_step_takes_differences_and_formulas_read_them)
{
	struct stat_select_error e;
	struct stat_selection *s;

	things[0].hits = 100; /* before: counts as read */
	s = stat_select(
		tree, "a.b.hits,a.b.rate,a[1].b.hits,a.b.kinds::total,a.b.delay::mean,a.b.delay::max", &e);
	things[0].hits += 2;
	things[1].hits += 1;
	things[1].misses += 1;
	things[1].kinds[0] = 5;
	sim_hist_add(&things[0].delay, 4);
	sim_hist_add(&things[1].delay, 8);
	cr_assert(stat_selection_step(s));
	cr_assert_eq(stat_selection_value(s, 0).whole, 3);
	cr_assert_float_eq(stat_selection_value(s, 1).real, 0.75, 1e-12);
	cr_assert_eq(stat_selection_value(s, 2).whole, 1);
	cr_assert_eq(stat_selection_value(s, 3).whole, 5);
	cr_assert_float_eq(stat_selection_value(s, 4).real, 6, 1e-12);
	cr_assert_eq(stat_selection_value(s, 5).whole, 8);
	cr_assert_not(stat_selection_step(s), "nothing more was counted");
	cr_assert_eq(stat_selection_value(s, 0).whole, 0);
	cr_assert(isnan(stat_selection_value(s, 1).real));
	cr_assert(isnan(stat_selection_value(s, 4).real));
	things[0].misses++; /* of the same object, though not chosen */
	cr_assert(stat_selection_step(s));
	stat_selection_free(s);
}

static uint64_t member_value(const char *name, size_t i, int index)
{
	struct stat_members *m = stat_members_find(tree, name);
	uint64_t found;

	cr_assert(m, "%s", name);
	cr_assert_eq(stat_members_index(m, i), index);
	found = stat_members_value(m, i);
	stat_members_free(m);
	return found;
}

Test(select, a_counter_is_read_object_by_object)
{
	things[0].hits = 5;
	things[1].hits = 7;
	things[1].kinds[0] = 1;
	things[1].kinds[1] = 2;
	things[2].misses = 9;
	cr_assert_eq(member_value("a.b.hits", 0, 0), 5);
	cr_assert_eq(member_value("a.b.hits", 1, 1), 7);
	cr_assert_eq(member_value("a.b.kinds::blue", 1, 1), 2);
	cr_assert_eq(member_value("a.b.kinds::total", 1, 1), 3);
	cr_assert_eq(member_value("c.misses", 0, -1), 9);
	cr_assert_null(stat_members_find(tree, "a.b.kinds"));
	cr_assert_null(stat_members_find(tree, "a.b.rate"));
	cr_assert_null(stat_members_find(tree, "a.b.delay::samples"));
	cr_assert_null(stat_members_find(tree, "a.b.hit"));
	cr_assert_null(stat_members_find(tree, "a.hits"));
}
