/* Reports: means and ratios worked out by hand, values that are not there, baselines, texts. */
#include "experiment/report/figure/figure.h"
#include "experiment/report/table.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <math.h>
#include <unistd.h>

#define NEAR(a, b) \
	cr_assert_lt(fabs((double)(a) - (double)(b)), 1e-12 * fabs((double)(b)), "%.17g, not %.17g", \
		(double)(a), (double)(b))

static struct diag_list diags;
static struct store *store;
static struct report_data *data;
static char path[32];

/* Two workloads, policies a, b and c, sizes 1 and 2 of a cache; two seeds. Not there: c with 2 by exclusion;
 * what failed and what is open. Points by number: x: a1 a1' a2 a2' b1 b1' b2 b2' c1 c1'; then y the same. */
static const char sample[] =
	"INSERT INTO sweeps VALUES(1, 's', 'baseline: {policy: a}', 's.yaml'), (2, 'other', '', '');"
	"INSERT INTO levels "
	"VALUES(1,'policy',1,'a',1,''),(1,'policy',1,'b',2,''),(1,'policy',1,'c',3,''),(1,'l1',2,'1',1,''),("
	"1,'l1',2,'2',2,'');"
	"INSERT INTO configs VALUES('h', 'p = 1'); INSERT INTO builds VALUES('b', '1', 'x');"
	"WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 20)"
	" INSERT INTO jobs SELECT i, i, 'p', 'h', 'b', 'run', 'done', '' FROM n;"
	"INSERT INTO points SELECT 1, id, id, iif(id <= 10, 'suite/x', 'suite/y'), 'tiny', 1 + (id + 1) % 2, "
	"'base' FROM jobs;"
	"INSERT INTO point_levels SELECT 1, number, 'policy', substr('aaaabbbbcc', 1 + (number - 1) % 10, 1) "
	"FROM points;"
	"INSERT INTO point_levels SELECT 1, number, 'l1', substr('1122112211', 1 + (number - 1) % 10, 1) "
	"FROM points;"
	"INSERT INTO statistics VALUES(1, 'gpu.cycles', 'cycles', 'time'), (2, 'v::a', '', ''), (3, "
	"'v::total', '', '');"
	"INSERT INTO results SELECT id, 1, 100 * id FROM jobs;"
	"DELETE FROM results WHERE job IN (7, 13, 14);" /* x b2, one seed; y a2, both */
	"INSERT INTO derived VALUES(1, 'speed', 1, 'base(gpu.cycles) / gpu.cycles', 'times', 'geometric');"
	"INSERT INTO derived_results SELECT 1, 'speed', number, 1.0 * number FROM points;";

static void set_up(void)
{
	int file = mkstemp(strcpy(path, "/tmp/lockstep-report-XXXXXX"));

	cr_assert(file >= 0);
	close(file);
	unlink(path);
	diag_init(&diags);
	store = store_open(path, STORE_WRITE, &diags);
	cr_assert(store);
	cr_assert(store_do(store, sample, &diags), "%s", diags.count ? diags.items[0].message : "");
	data = report_data_load(store, "s", &diags);
	cr_assert(data, "%s", diags.count ? diags.items[0].message : "");
}

static void tear_down(void)
{
	report_data_free(data);
	store_close(store);
	unlink(path);
	diag_fini(&diags);
}

TestSuite(report, .init = set_up, .fini = tear_down);

static double cell(const struct report_value *v, size_t row, size_t column)
{
	return v->cells[row * data->column_count + column];
}

Test(report, rows_and_columns)
{
	cr_assert_eq(data->row_count, 2);
	cr_assert_eq(data->column_count, 5);
	cr_assert_eq(data->seeds, 2);
	cr_assert_str_eq(data->rows[1].label, "y");
	cr_assert_str_eq(data->rows[1].suite, "suite");
	cr_assert_str_eq(data->columns[1].label, "a 2");
	cr_assert_str_eq(data->columns[4].label, "c 1");
}

Test(report, a_database_of_several_sweeps_asks_which_one)
{
	cr_assert_null(report_data_load(store, NULL, &diags));
	cr_assert_str_eq(diags.items[0].message + strlen(path),
		" has several sweeps: choose one with --sweep: s, other");
	cr_assert_null(report_data_load(store, "no", &diags));
	cr_assert_null(report_data_load(store, "other", &diags), "a sweep without points");
}

/* x a1: seeds 100 and 200. x b2: seed 1 (point 7) is not there, seed 2 has 800. y a2: neither. */
Test(report, means_over_seeds)
{
	struct report_value *v = report_value_get(data, "gpu.cycles", false, NULL, &diags);

	cr_assert(v);
	NEAR(cell(v, 0, 0), 150);
	NEAR(cell(v, 0, 3), 800);
	cr_assert(isnan(cell(v, 1, 1)));
	cr_assert_eq(v->fewer_seeds, 1);
	NEAR(cell(v, 1, 4), 1950);
}

/* Each seed by its own baseline, then the mean: x b1 is (500/100 + 600/200) / 2 = 4, not 550/150. */
Test(report, ratios_by_seed)
{
	struct report_value *v;

	cr_assert(report_baseline(data, NULL, &diags));
	cr_assert_eq(data->columns[2].baseline, 0);
	cr_assert_eq(data->columns[3].baseline, 1);
	cr_assert_eq(data->columns[1].baseline, 1);
	v = report_value_get(data, "gpu.cycles", true, NULL, &diags);
	NEAR(cell(v, 0, 2), 4);
	NEAR(cell(v, 0, 0), 1);
	NEAR(cell(v, 0, 4), (9 + 5) / 2.0);
	cr_assert(isnan(cell(v, 1, 3)), "no baseline, no ratio");
	cr_assert(v->is_ratio);
	cr_assert_eq(v->mean, MEAN_GEOMETRIC);
}

Test(report, a_baseline_asked_for)
{
	struct report_value *v;

	cr_assert(report_baseline(data, "policy=b,l1=2", &diags));
	for (size_t c = 0; c < 5; c++)
		cr_assert_eq(data->columns[c].baseline, 3);
	cr_assert_str_eq(data->baseline_label, "policy b, l1 2");
	v = report_value_get(data, "speed", false, NULL, &diags); /* is the point's number: 1/7 and 2/8 */
	NEAR(cell(v, 0, 0), (1 / 7.0 + 2 / 8.0) / 2);
	NEAR(cell(v, 0, 3), 1);
}

Test(report, a_baseline_that_is_no_level_is_refused)
{
	cr_assert_not(report_baseline(data, "polcy=a", &diags));
	cr_assert_str_eq(
		diags.items[0].message, "baseline: the sweep has no factor 'polcy'; did you mean policy?");
	cr_assert_not(report_baseline(data, "policy=d", &diags));
	cr_assert_not(report_baseline(data, "policy", &diags));
	cr_assert_not(report_baseline(data, "policy=c,l1=2", &diags));
	cr_assert_str_eq(diags.items[3].message, "baseline: no point has policy c, l1 2");
}

Test(report, an_unknown_value_is_refused_with_the_nearest)
{
	cr_assert_null(report_value_get(data, "gpu.cycle", false, NULL, &diags));
	cr_assert_str_eq(diags.items[0].message,
		"the database has no statistic or derived value 'gpu.cycle'; did you mean gpu.cycles?");
	cr_assert(report_has_value(data, "speed"));
	cr_assert_not(report_has_value(data, "sped"));
}

Test(report, patterns_leave_totals_out)
{
	const char **names = report_names(data, "v::*", &diags);

	cr_assert_str_eq(names[0], "v::a");
	cr_assert_null(names[1]);
}

/* y has no a2; c2 is no column; a column without any value does not count. */
Test(report, means_compare)
{
	struct report_value *v = report_value_get(data, "gpu.cycles", false, NULL, &diags);
	size_t rows[] = { 0, 1 }, columns[] = { 0, 1, 2, 3, 4 }, others[] = { 0, 2, 4 };
	bool complete[2];

	cr_assert_eq(report_complete_rows(data, v->cells, rows, 2, columns, 5, complete), 1);
	cr_assert(complete[0] && !complete[1]);
	cr_assert_eq(report_complete_rows(data, v->cells, rows, 2, others, 3, complete), 2);
	v->cells[1] = NAN; /* x a2 as well: a2 has none */
	cr_assert_eq(report_complete_rows(data, v->cells, rows, 2, columns, 5, complete), 2);
}

/* -- beside what is printed -- */

/* The table of the first figure of a section `report` for sweep 1; NULL if it is refused. */
static struct report_table *table_of(const char *section)
{
	struct figure_specs specs;
	struct figure f = { 0 };
	char *sql = sqlite3_mprintf("UPDATE sweeps SET text = %Q WHERE id = 1", section);

	report_data_free(data);
	cr_assert(store_do(store, sql, &diags));
	sqlite3_free(sql);
	data = report_data_load(store, "s", &diags);
	cr_assert(data);
	if (!report_baseline(data, NULL, &diags) || !figure_specs_read(data, NULL, 0, &specs, &diags))
		return NULL;
	f.spec = &specs.items[0];
	f.data = data;
	return f.spec->kind->draw(&f, &diags) ? f.tables[0] : NULL;
}

/* One row: its numbers (NAN: none), and of how many workloads. */
static void expect_row(const char *line, double ours, double printed, const char *of)
{
	struct report_table *t;
	char text[512];

	snprintf(text, sizeof(text), "report:\n- {figure: printed, rows: [%s]}\n", line);
	t = table_of(text);
	cr_assert(t, "%s: %s", line, diags.count ? diags.items[0].message : "");
	cr_expect_eq(t->rows, 1);
	for (size_t c = 1; c <= 3; c++) {
		const char *cell = t->cells[c].text; /* what is printed, as the file has it */
		double number = cell ? atof(cell) : t->cells[c].number;
		bool is_ratio =
			!strstr(line, "gpu.cycles") || strstr(line, "over:") || strstr(line, "pairs:");
		double expected = c == 1 ? ours
			: c == 2         ? printed
			: is_ratio       ? (ours - 1) / (printed - 1)
					 : ours / printed;

		if (isnan(expected))
			cr_expect(isnan(number), "%s: column %zu is %g", line, c, number);
		else
			NEAR(number, expected);
	}
	cr_expect_str_eq(t->cells[5].text, of, "%s: %s", line, t->cells[5].text);
}

/* speed, means over seeds: x: a1 1.5, a2 3.5, b1 5.5, b2 7.5, c1 9.5; y: 10 more each. */
Test(report, means_beside_what_is_printed)
{
	expect_row("{what: w, value: speed, only: {policy: b, l1: 1}, printed: 10}", sqrt(5.5 * 15.5), 10,
		"geometric mean of 2");
	expect_row("{what: w, value: speed, only: {policy: b, l1: 1}, mean: harmonic, printed: 0.5}",
		2 * 5.5 * 15.5 / 21, 0.5, "harmonic mean of 2");
	expect_row("{what: w, value: speed, only: {policy: b, l1: 1}, mean: arithmetic}", 10.5, NAN,
		"arithmetic mean of 2");
	expect_row("{what: w, value: speed, only: {policy: c}, mean: least, printed: -2}", 9.5, -2,
		"least of 2");
	expect_row("{what: w, value: speed, only: {policy: c}, mean: greatest}", 19.5, NAN, "greatest of 2");
	expect_row("{what: w, value: speed, only: {policy: b, l1: 2}, workloads: y, printed: 35}", 17.5, 35,
		"one");
}

Test(report, ratios_beside_what_is_printed)
{
	/* 5.5 / 1.5 and 15.5 / 11.5 */
	expect_row("{what: w, value: speed, only: {policy: b, l1: 1}, over: {policy: a}, mean: arithmetic}",
		(5.5 / 1.5 + 15.5 / 11.5) / 2, NAN, "arithmetic mean of 2");
	expect_row("{what: w, value: speed, only: {policy: b, l1: 1}, over: {policy: a, l1: 2}, mean: least}",
		15.5 / 13.5, NAN, "least of 2");
	expect_row("{what: w, value: speed, only: {policy: a, l1: 1}, pairs: {suite/y: suite/x}, printed: 8}",
		11.5 / 1.5, 8, "one");
	expect_row("{what: w, value: speed, only: {policy: a, l1: 1}, over: {policy: b}, pairs: {suite/y: "
		   "suite/x}}",
		11.5 / 5.5, NAN, "one");
	expect_row("{what: w, value: speed, only: {policy: a, l1: 1}, pairs: {suite/y: suite/x, suite/x: "
		   "suite/y}, mean: arithmetic}",
		(11.5 / 1.5 + 1.5 / 11.5) / 2, NAN, "arithmetic mean of 2");
}

Test(report, what_is_missing_is_no_number)
{
	expect_row("{what: w, value: gpu.cycles, only: {policy: a, l1: 2}, printed: 1}", NAN, 1,
		"1 of 2 missing");
	expect_row(
		"{what: w, value: gpu.cycles, only: {policy: b, l1: 2}, over: {policy: a}, mean: greatest}",
		NAN, NAN, "1 of 2 missing");
	expect_row("{what: w, value: gpu.cycles, only: {policy: a, l1: 2}, pairs: {suite/x: suite/y}}", NAN,
		NAN, "1 of 1 missing");
	expect_row("{what: w, value: gpu.cycles, only: {policy: a, l1: 2}, workloads: x}", 350, NAN, "one");
}

/* What the figure says holds for its rows. */
Test(report, rows_take_after_their_figure)
{
	struct report_table *t = table_of("report:\n- {figure: printed, value: speed, mean: arithmetic, "
					  "workloads: x, only: {l1: 1}, rows: [{what: u, only: {policy: b}},"
					  "{what: v, only: {policy: b}, workloads: all, source: s}, {what: "
					  "w, value: gpu.cycles, only: {policy: a}, mean: least}]}\n");

	cr_assert(t);
	NEAR(t->cells[1].number, 5.5);
	NEAR(t->cells[8].number, 10.5);
	NEAR(t->cells[15].number, 150);
	cr_expect_str_eq(t->cells[0].text, "u");
	cr_expect_str_eq(t->cells[6].text, "");
	cr_expect_str_eq(t->cells[13].text, "s");
}

static void expect_row_refused(const char *line, const char *message)
{
	char text[512];

	snprintf(text, sizeof(text), "report:\n- {figure: printed, rows: [%s]}\n", line);
	cr_expect_null(table_of(text), "accepted: %s", line);
	cr_assert(diags.count, "%s", line);
	cr_expect(!strncmp(diags.items[0].message, message, strlen(message)), "%s: expected: %s, got: %s",
		line, message, diags.items[0].message);
	cr_expect_eq(diags.items[0].line, 2);
	diag_fini(&diags);
	diag_init(&diags);
}

Test(report, a_wrong_row_is_refused_with_what_was_expected)
{
	expect_row_refused("w", "expected a row, as {what: IPC");
	expect_row_refused("{value: speed, only: {policy: c}}", "expected what the number is");
	expect_row_refused("{what: w, only: {policy: c}}", "expected a value");
	expect_row_refused("{what: w, value: sped, only: {policy: c}}",
		"the database has no statistic or derived value 'sped'; did you mean speed?");
	expect_row_refused("{what: w, value: speed, printd: 1, only: {policy: c}}",
		"unknown key printd; did you mean printed?");
	expect_row_refused("{what: w, value: speed, only: {policy: b}}",
		"2 configurations have these levels; a row is of one");
	expect_row_refused("{what: w, value: speed}", "5 configurations have these levels");
	expect_row_refused("{what: w, value: speed, only: {policy: c, l1: 2}}",
		"only: no point has these levels together");
	expect_row_refused("{what: w, value: speed, only: {policy: b, l1: 2}, over: {policy: c}}",
		"over: no point has these levels, and the row's others");
	expect_row_refused("{what: w, value: speed, only: {policy: b, l1: 2}, over: {policy: [a, b]}}",
		"over: expected one level of each factor");
	expect_row_refused("{what: w, value: speed, only: {policy: c}, over: {polcy: a}}",
		"the sweep has no factor 'polcy'; did you mean policy?");
	expect_row_refused(
		"{what: w, value: speed, only: {policy: c}, printed: 1x}", "printed: expected a number");
	expect_row_refused(
		"{what: w, value: speed, only: {policy: c}, printed: [1]}", "printed: expected a number");
	expect_row_refused("{what: w, value: speed, only: {policy: c}, mean: leest}",
		"expected geometric, harmonic, arithmetic, least or greatest, not 'leest'; did you mean "
		"least?");
	expect_row_refused("{what: w, value: speed, only: {policy: c}, workloads: z}",
		"the sweep has no workload or suite 'z'");
	expect_row_refused("{what: w, value: speed, only: {policy: c}, pairs: x}",
		"pairs: expected workloads with those they are divided by");
	expect_row_refused("{what: w, value: speed, only: {policy: c}, pairs: {suite/x: suite/z}}",
		"the sweep has no workload 'suite/z'");
	expect_row_refused("{what: w, value: speed, only: {policy: c}, pairs: {suite/x: [suite/y]}}",
		"the sweep has no workload");
}

Test(report_mean, means_are_those_worked_out_by_hand)
{
	static const double values[] = { 1, 2, 4 }, zero[] = { 0, 2 }, below[] = { -1, 2 };

	NEAR(report_mean(MEAN_ARITHMETIC, values, 3), 7 / 3.0);
	NEAR(report_mean(MEAN_GEOMETRIC, values, 3), 2);
	NEAR(report_mean(MEAN_HARMONIC, values, 3), 12 / 7.0);
	cr_assert_eq(report_mean(MEAN_GEOMETRIC, zero, 2), 0);
	cr_assert_eq(report_mean(MEAN_HARMONIC, zero, 2), 0);
	cr_assert(isnan(report_mean(MEAN_GEOMETRIC, below, 2)));
	NEAR(report_mean(MEAN_ARITHMETIC, below, 2), 0.5);
	cr_assert(isnan(report_mean(MEAN_ARITHMETIC, values, 0)));
	cr_assert(isnan(report_mean(MEAN_NONE, values, 3)));
	cr_assert_eq(report_mean_named("harmonic"), MEAN_HARMONIC);
	cr_assert_eq(report_mean_named("median"), MEANS);
}

Test(report_text, exact_numbers_are_read_back_and_short_ones_have_four_digits)
{
	struct keeper k = { 0 };
	static const double hard[] = { 0.1, 1.0 / 3, 1e-300, 123456789012345678.0, 2.5, -7,
		9007199254740991.0 };

	for (size_t i = 0; i < sizeof(hard) / sizeof(*hard); i++)
		cr_assert_eq(strtod(number_exact(&k, hard[i]), NULL), hard[i]);
	cr_assert_str_eq(number_exact(&k, 0.1), "0.1");
	cr_assert_str_eq(number_exact(&k, 9007199254740991.0), "9007199254740991");
	cr_assert_str_eq(number_exact(&k, NAN), "");
	cr_assert_str_eq(number_short(&k, 1.0), "1");
	cr_assert_str_eq(number_short(&k, 1.0964), "1.096");
	cr_assert_str_eq(number_short(&k, 0.00012), "1.200e-04");
	cr_assert_str_eq(number_short(&k, 31.256), "31.26");
	keeper_fini(&k);
}

static const char *printed(struct keeper *k, void (*print)(FILE *, const char *), const char *text)
{
	struct text t;

	text_init(&t);
	print(t.stream, text);
	return text_done(&t, k);
}

Test(report_text, text_is_escaped_for_each_format)
{
	struct keeper k = { 0 };

	cr_assert_str_eq(printed(&k, print_xml, "<a href=\"&\">\x01"), "&lt;a href=&quot;&amp;&quot;&gt;?");
	cr_assert_str_eq(printed(&k, print_markdown, "a|<b>\n[c](d) `e`"), "a\\|\\<b> \\[c\\](d) \\`e\\`");
	cr_assert_str_eq(printed(&k, print_latex, "50% of a_b & \\c {d} ~ <"),
		"50\\% of a\\_b \\& \\textbackslash{}c \\{d\\} \\~{} $<$");
	cr_assert_str_eq(printed(&k, print_gnuplot, "it's\n"), "'it''s '");
	cr_assert_str_eq(printed(&k, print_gnuplot, "]]>]]"), "']] >]]'");
	cr_assert_str_eq(printed(&k, print_data, "a \"b\"\t"), "\"a 'b' \"");
	cr_assert_str_eq(text_stem(&k, "sm.l1d::a/b "), "sm-l1d-a-b");
	keeper_fini(&k);
}

Test(report_text, what_is_no_text_of_xml_is_replaced)
{
	static const char text[] =
		"\xe2\x80\x93 \x1b[31m\x7f\t\n\r \xff\xc3 \xed\xa0\x80 \xef\xbf\xbf \xc3\xa4\xf0\x9f";
	struct keeper k = { 0 };

	cr_assert_str_eq(printed(&k, print_xml, text), "\xe2\x80\x93 ?[31m?\t\n? ?? ??? ??? \xc3\xa4??");
	cr_assert_str_eq(printed(&k, print_gnuplot, text), "'\xe2\x80\x93  [31m                \xc3\xa4  '");
	keeper_fini(&k);
}

Test(report_text, text_is_as_wide_as_its_letters_and_cut_to_fit)
{
	struct keeper k = { 0 };

	NEAR(text_width("iii", 1000), 3 * 278.0);
	NEAR(text_width("é", 10), 10.0); /* one letter, not two bytes */
	cr_assert_str_eq(text_fit(&k, "short", 10, 100), "short");
	cr_assert_lt(text_width(text_fit(&k, "a rather long name éééé", 10, 60), 10), 60.1);
	keeper_fini(&k);
}

Test(report_table, csv_and_latex)
{
	struct keeper k = { 0 };
	struct report_table *t = table_new(&k, "t", 2, 2);
	struct text text;

	table_head(t, 0, "work,load", NULL, true);
	table_head(t, 1, "a_b", "%", false);
	table_text(t, 0, 0, "x & y", NULL);
	table_number(t, 0, 1, 1.0 / 3, NULL);
	table_text(t, 1, 0, "mean", NULL);
	t->feet = 1;
	text_init(&text);
	table_csv(t, &k, text.stream);
	cr_assert_str_eq(text_done(&text, &k),
		"\"work,load\",a_b (%)\nx & y,0.333333333333333"
		"3\nmean,\n");
	text_init(&text);
	table_latex(t, &k, text.stream);
	cr_assert_str_eq(text_done(&text, &k),
		"% needs \\usepackage{booktabs}\n% t\n\\begin{tabular}{lr}\n\\toprule\nwork,load & a\\_b "
		"(\\%) \\\\\n"
		"\\midrule\nx \\& y & 0.333 \\\\\n\\midrule\nmean & -- \\\\\n\\bottomrule\n\\end{tabular}\n");
	t->cells[0].text = "ä–b";
	text_init(&text);
	table_print(t, &k, text.stream);
	cr_assert_str_eq(
		text_done(&text, &k), "work,load  a_b (%)\nä–b          0.333\nmean             -\n");
	keeper_fini(&k);
}
