/* tests/unit/experiment/sweep/test_formula.c -- formulas over statistics, and that nothing of SQL gets in. */
#include "experiment/sweep/derived/formula.h"
#include "tests/unit/experiment/rig.h"
#include <math.h>

static sqlite3 *db;
static struct formula formula;
static char message[256];
static const char *const derived[] = { "mpki", "cost_2", NULL };

static void start(void)
{
	cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	cr_assert_eq(
		sqlite3_exec(db, "CREATE TABLE jobs(hash); INSERT INTO jobs VALUES(7)", NULL, NULL, NULL),
		SQLITE_OK);
}

static void stop(void)
{
	formula_free(&formula);
	cr_expect_eq(sqlite3_close(db), SQLITE_OK); /* not if a statement were left */
}

TestSuite(formula, .init = start, .fini = stop);

static void parse(const char *text)
{
	formula_free(&formula);
	cr_assert(formula_parse(&formula, db, text, derived, message, sizeof(message)), "%s: %s", text,
		message);
}

static void expect_value(const char *text, double expected)
{
	parse(text);
	cr_assert_eq(formula.count, 0, "%s", text);
	cr_expect_float_eq(formula_value(&formula, NULL), expected, 1e-12, "%s is %.17g", text,
		formula_value(&formula, NULL));
}

static void expect_missing(const char *text)
{
	parse(text);
	cr_expect(isnan(formula_value(&formula, NULL)), "%s is %.17g", text, formula_value(&formula, NULL));
}

static void expect_refused(const char *text, const char *told)
{
	formula_free(&formula);
	cr_expect_not(
		formula_parse(&formula, db, text, derived, message, sizeof(message)), "accepted: %s", text);
	cr_expect_not_null(strstr(message, told), "%s: expected: %s, got: %s", text, told, message);
	cr_expect_eq(formula.count, 0);
	cr_expect_null(formula.statement);
}

/* The names that are taken out, the baseline's with a star. */
static void expect_names(const char *text, const char *expected)
{
	char names[256] = "";

	parse(text);
	for (size_t i = 0; i < formula.count; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s%s", i ? " " : "",
			formula.names[i].text, formula.names[i].of_baseline ? "*" : "");
	cr_expect_str_eq(names, expected, "%s: expected %s, got %s", text, expected, names);
}

Test(formula, numbers_are_real)
{
	expect_value("1/2", 0.5);
	expect_value("7/2/7", 0.5);
	expect_value("2 + 3 * 4 - (1 - 2)", 15);
	expect_value(".5 + 1e-1 + 2.", 2.6);
	expect_value("1000000000000000000001 / 2e21", 0.5);
	expect_value("3e15 / 2e15", 1.5);
	expect_value("abs(-3) + min(1, 2) + max(1, 2) + sqrt(16) + pow(2, 3)", 18);
	expect_value("mod(5.5, 2)", 1.5);
	expect_value("log(100) + log2(8) + ln(exp(1))", 6);
	expect_value("case when 1 > 2 then 3 else 4 end", 4);
	expect_value("iif(1 <= 2 and not 3 <> 3 and 2 != 1, 5, 6)", 5);
}

Test(formula, two_minus_signs_are_two_and_no_comment)
{
	expect_value("5--3", 8);
	expect_value("5 - -3 --- 1", 7);
	expect_refused("1 /* 2", "no formula");
	expect_refused("1 /* 2 */", "no formula");
}

Test(formula, what_cannot_be_computed_is_missing)
{
	expect_missing("1/0");
	expect_missing("0/0");
	expect_missing("sqrt(-1)");
	expect_missing("ln(0)");
	expect_missing("pow(10, 400)");
	expect_missing("1e308 * 10");
	expect_missing("nullif(1, 1)");
	expect_missing("null");
}

Test(formula, names_have_dots_or_elements_or_are_derived)
{
	expect_names("sm.l1d.misses / gpu.cycles", "sm.l1d.misses gpu.cycles");
	expect_names("a.b*a.b+c_1.d", "a.b c_1.d");
	expect_names(
		"sm.issue_slots::barrier - sm.issue_slots::2", "sm.issue_slots::barrier sm.issue_slots::2");
	expect_names("dram.row_requests::2-3 + d.r::64-127*2", "dram.row_requests::2-3 d.r::64-127");
	expect_names("d.r::1 - 3", "d.r::1");
	expect_names("mpki * cost_2", "mpki cost_2");
	expect_names("max(mpki,a.b)", "mpki a.b");
}

Test(formula, base_means_the_baseline_all_over_its_parentheses)
{
	expect_names("base(gpu.cycles) / gpu.cycles", "gpu.cycles* gpu.cycles");
	expect_names("base ( gpu.cycles )/gpu.cycles", "gpu.cycles* gpu.cycles");
	expect_names("base(a.b / c.d) - c.d", "a.b* c.d* c.d");
	expect_names("base((a.b + (mpki)) * e.f) * (a.b)", "a.b* mpki* e.f* a.b");
	expect_names("base(max(a.b, c.d)) + a.b", "a.b* c.d* a.b");
	parse("base(a.b + c.d) / (a.b + c.d)");
	cr_expect_eq(formula_value(&formula, (double[]){ 10, 2, 3, 1 }), 3);
	expect_refused("base a.b", "base is followed by parentheses");
	expect_refused("base(base(a.b))", "base() within base()");
	expect_refused("base", "base is followed by parentheses");
	expect_refused("base()", "no formula");
}

/* It is a name of its own: another one than the statistic of that name, and than the baseline's. */
Test(formula, a_parameter_is_one_of_the_configuration)
{
	parse("parameter(sm.l1d.ways) * sm.l1d.ways + base( parameter ( sm.l1d.ways ) ) - "
	      "parameter(sm.l1d.ways)");
	cr_assert_eq(formula.count, 3);
	cr_expect(formula.names[0].is_parameter && !formula.names[0].of_baseline);
	cr_expect(!formula.names[1].is_parameter);
	cr_expect(formula.names[2].is_parameter && formula.names[2].of_baseline);
	cr_expect_eq(formula_value(&formula, (double[]){ 10, 3, 4 }), 24);
	expect_refused("parameter", "parameter is followed by a path");
	expect_refused("parameter a.b", "parameter is followed by a path");
	expect_refused("parameter()", "parameter is followed by a path");
	expect_refused("parameter(a.b", "parameter is followed by a path");
	expect_refused("parameter(a.b + 1)", "parameter is followed by a path");
}

Test(formula, values_are_taken_in_the_order_of_the_names)
{
	parse("(a.b - c.d) / a.b");
	cr_expect_eq(formula_value(&formula, (double[]){ 8, 6 }), 0.25);
	cr_expect_eq(formula_value(&formula, (double[]){ -4, 4 }), 2);
	cr_expect(isnan(formula_value(&formula, (double[]){ 0, 6 })));
	cr_expect(isnan(formula_value(&formula, (double[]){ NAN, 6 })));
	cr_expect(isnan(formula_value(&formula, (double[]){ 8, NAN })));
	cr_expect_eq(formula_value(&formula, (double[]){ 8, 4 }), 0.5);
}

Test(formula, a_missing_value_is_missing_also_where_it_does_not_count)
{
	parse("iif(1 > 0, 5, a.b)");
	cr_expect(isnan(formula_value(&formula, (double[]){ NAN })));
	cr_expect_eq(formula_value(&formula, (double[]){ 1 }), 5);
}

Test(formula, nothing_else_of_sql_gets_in)
{
	static const char *const bad[] = { "(select 1)", "select", "(SELECT hash FROM jobs)", "hash",
		"count(a.b)", "random()", "randomblob(1e9)", "sqlite_version()", "load_extension(a.b)",
		"attach", "a.b in (1)", "exists(1)", "cast(a.b as text)", "a.b like a.b",
		"a.b collate nocase", "raise(ignore)", "sum(a.b) over ()", "a.b from jobs", "zeroblob(1e9)",
		"printf(a.b)", "current_timestamp", "1 limit 1", "rowid", "true", "a.b union", "quote(a.b)",
		"hex(1)", "length(1)" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		expect_refused(bad[i], "is no statistic");
}

Test(formula, forbidden_characters_are_named)
{
	expect_refused("1; drop table jobs", "a formula has no ;");
	expect_refused("'a'", "a formula has no '");
	expect_refused("\"jobs\"", "a formula has no \"");
	expect_refused("`jobs`", "a formula has no `");
	expect_refused("[jobs]", "a formula has no [");
	expect_refused("?1", "a formula has no ?");
	expect_refused("@a", "a formula has no @");
	expect_refused("$a", "a formula has no $");
	expect_refused(":a", "a formula has no :");
	expect_refused("a.b::", "a formula has no :");
	expect_refused("1 | 2", "a formula has no |");
	expect_refused("5 % 2", "a formula has no %");
	expect_refused("~1", "a formula has no ~");
	expect_refused("a.b.", "a formula has no .");
	expect_refused("x'00'", "is no statistic");
	expect_refused("\xc3\xa4", "a formula has no character of code 195");
	expect_refused("\x01", "a formula has no character of code 1");
}

Test(formula, parentheses_must_match)
{
	expect_refused("(1", "a parenthesis is not closed");
	expect_refused("1)", "a parenthesis closes that was not opened");
	expect_refused("1) + (2", "a parenthesis closes that was not opened");
	expect_refused("1) -- ", "a parenthesis closes that was not opened");
}

Test(formula, mistakes_are_told)
{
	expect_refused("a.b c.d", "no formula: near");
	expect_refused("a.b +", "no formula: ");
	expect_refused("a.b, c.d", "no formula: ");
	expect_refused("", "no formula: ");
	expect_refused("sqrt()", "no formula: wrong number of arguments to function sqrt()");
	expect_refused("sqr(4)", "did you mean sqrt?");
	expect_refused("mpkj + 1", "did you mean mpki?");
	expect_refused("speedup",
		"speedup is no statistic (those have a dot), no value derived before this "
		"one, and no function");
	expect_refused("1e999", "no number: 1e999");
	expect_refused("12abc", "no number: 12abc");
	expect_refused("1.2.3", "no number: 1.2.3");
	expect_refused("SQRT(4)", "SQRT is no statistic");
}

Test(formula, deep_formulas_are_refused_and_long_ones_work)
{
	char text[5000] = "";

	for (int i = 0; i < 20; i++)
		strcat(text, "sqrt(");
	strcat(text, "1))))))))))))))))))))");
	expect_value(text, 1);
	memset(text, '(', 21);
	strcpy(text + 21, "1)))))))))))))))))))))");
	expect_refused(text, "more than 20 parentheses are open");
	expect_value(
		"(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)*(1)", 1);
	strcpy(text, "0");
	for (int i = 0; i < 400; i++)
		sprintf(text + strlen(text), "+a.b%d", i);
	parse(text);
	cr_expect_eq(formula.count, 400);
}

Test(formula, names_of_derived_values)
{
	cr_expect(formula_can_name("speedup"));
	cr_expect(formula_can_name("_a9"));
	cr_expect_not(formula_can_name("speed-up"));
	cr_expect_not(formula_can_name("9a"));
	cr_expect_not(formula_can_name("a.b"));
	cr_expect_not(formula_can_name("a b"));
	cr_expect_not(formula_can_name(""));
	cr_expect_not(formula_can_name("max"));
	cr_expect_not(formula_can_name("base"));
	cr_expect_not(formula_can_name("parameter"));
	cr_expect_not(formula_can_name("\xc3\xa4"));
}
