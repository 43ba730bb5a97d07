/* tests/unit/experiment/report/test_report_kernels.c -- values of each kernel: rows of kernels, what is
 * missing, means, ratios, runs that were cut. */
#include "experiment/report/figure/figure.h"
#include "experiment/report/shares.h"
#include "tests/unit/experiment/rig.h"
#include <math.h>

static struct store *store;
static struct report_data *data;

/* x launches p, q and r, of which p and r are chosen, y only k; z has no run. Policies a and b: points x a, x
 * b, y a, y b (failed), z a (failed), z b (not run). */
static const char sample[] =
	"INSERT INTO sweeps VALUES(1, 's', 'baseline: {policy: a}', 's.yaml');"
	"INSERT INTO levels VALUES(1, 'policy', 1, 'a', 1, ''), (1, 'policy', 1, 'b', 2, '');"
	"INSERT INTO configs VALUES('h', 'p = 1'); INSERT INTO builds VALUES('b', '1', 'x');"
	"INSERT INTO jobs VALUES(1, '1', 'p', 'h', 'b', '', 'done', ''), (2, '2', 'p', 'h', 'b', '', 'done', "
	"''),"
	"(3, '3', 'p', 'h', 'b', '', 'done', ''), (4, '4', 'p', 'h', 'b', '', 'failed', ''),"
	"(5, '5', 'p', 'h', 'b', '', 'failed', ''), (6, '6', 'p', 'h', 'b', '', 'open', '');"
	"INSERT INTO points SELECT 1, id, id, 's/' || substr('xxyyzz', id, 1), 'tiny', 1, 'base' FROM jobs;"
	"INSERT INTO point_levels SELECT 1, number, 'policy', substr('ababab', number, 1) FROM points;"
	"INSERT INTO job_kernels VALUES(1, 1, 'p'), (1, 2, 'q'), (1, 3, 'r'), (2, 1, 'p'), (2, 2, 'q'), (2, "
	"3, 'r'),"
	"(3, 1, 'k');"
	"INSERT INTO point_kernels VALUES(1, 1, 1, 'p'), (1, 1, 3, 'r'), (1, 2, 1, 'p'), (1, 2, 3, 'r'),"
	"(1, 3, 1, 'k');"
	"INSERT INTO derived VALUES(1, 'speed', 1, 'x', 'times', 'geometric'), (1, 'n', 2, 'y', '', "
	"'arithmetic'),"
	"(1, 'whole', 3, 'z', '', 'arithmetic');"
	"INSERT INTO derived_of_kernels VALUES(1, 'speed'), (1, 'n');"
	"INSERT INTO derived_results SELECT 1, 'whole', number, number FROM points;"
	"INSERT INTO derived_kernel_results VALUES(1, 'speed', 1, 1, 1), (1, 'speed', 1, 3, 1), (1, 'speed', "
	"2, 1, 4),"
	"(1, 'speed', 2, 3, 9), (1, 'speed', 3, 1, 1), (1, 'n', 1, 1, 10), (1, 'n', 2, 1, 30), (1, 'n', 2, "
	"3, 7);"
	"INSERT INTO statistics VALUES(1, 'kernels.timed_share::p', '', ''), (2, 'kernels.timed_share::r', "
	"'', '');"
	"INSERT INTO results VALUES(1, 1, 1), (1, 2, 1), (2, 1, 0.5), (2, 2, 1);";

static void start(void)
{
	rig_start();
	store = store_open(at("r.db"), STORE_WRITE, &diags);
	cr_assert(store && store_do(store, sample, &diags));
	data = report_data_load(store, NULL, &diags);
	cr_assert(data);
}

static void stop(void)
{
	report_data_free(data);
	store_close(store);
	rig_stop();
}

TestSuite(report_kernels, .init = start, .fini = stop);

enum { X, Y, Z, X_1, X_3, Y_1, Z_ANY, ROWS };

static struct report_value *value(const char *name, bool normalise)
{
	struct report_value *v = report_value_get(data, name, normalise, NULL, &diags);

	cr_assert(v);
	return v;
}

static double cell(const struct report_value *v, size_t row, size_t column)
{
	return v->cells[row * data->column_count + column];
}

Test(report_kernels, rows_of_kernels_stand_behind_those_of_programs)
{
	static const char *const names[ROWS] = { "s/x", "s/y", "s/z", "s/x_1", "s/x_3", "s/y", "s/z" };

	cr_assert_eq(data->program_count, 3);
	cr_assert_eq(data->row_count, ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		cr_expect_str_eq(data->rows[i].name, names[i]);
		cr_expect_str_eq(data->rows[i].label, names[i] + 2);
		cr_expect_eq(!data->rows[i].kernel, i < X_1);
	}
	cr_expect_eq(data->point_count, 6, "points of kernels are no points of the sweep");
	cr_expect_eq(data->done + data->failed + data->open, 6);
	cr_expect(report_is_of_kernels(data, "speed") && !report_is_of_kernels(data, "whole"));
}

Test(report_kernels, values_are_those_of_their_kernel_and_others_missing)
{
	struct report_value *speed = value("speed", false), *whole = value("whole", false);

	cr_expect(speed->of_kernels && !whole->of_kernels);
	cr_expect_eq(cell(speed, X_1, 1), 4);
	cr_expect_eq(cell(speed, X_3, 1), 9);
	cr_expect_eq(cell(speed, Y_1, 0), 1);
	cr_expect(isnan(cell(speed, Y_1, 1)), "a point that has failed");
	cr_expect(isnan(cell(speed, Z_ANY, 0)) && isnan(cell(speed, Z_ANY, 1)));
	for (size_t i = X; i <= Z; i++)
		cr_expect(isnan(cell(speed, i, 0)), "a program has no value of its kernels");
	cr_expect_eq(cell(whole, X, 1), 2);
	for (size_t i = X_1; i < ROWS; i++)
		cr_expect(isnan(cell(whole, i, 0)), "nor a kernel one of the whole run");
}

Test(report_kernels, means_are_over_the_kernels_that_have_values_everywhere)
{
	struct report_value *speed = value("speed", false);
	struct figure_specs specs = { 0 };
	struct figure_spec *spec = figure_spec_add(&specs, data, figure_kind_named("bars"));
	struct figure f = { .spec = spec, .data = data };
	bool complete[ROWS];
	double means[2];

	figure_spec_rows(spec, data, true);
	cr_assert_eq(spec->row_count, 4);
	cr_assert_eq(spec->rows[0], X_1);
	cr_expect_eq(report_complete_rows(data, speed->cells, spec->rows, 4, spec->columns, 2, complete), 2);
	figure_means(&f, MEAN_GEOMETRIC, speed->cells, 0, 4, complete, means);
	cr_expect(fabs(means[1] - 6) < 1e-12);
	figure_spec_rows(spec, data, false);
	cr_expect_eq(spec->row_count, 3);
}

Test(report_kernels, ratios_are_to_the_same_kernel_of_the_baseline)
{
	struct report_value *n;

	cr_assert(report_baseline(data, NULL, &diags));
	n = value("n", true);
	cr_expect_eq(cell(n, X_1, 1), 3);
	cr_expect(isnan(cell(n, X_3, 1)), "the baseline has none");
}

Test(report_kernels, names_that_select_a_row)
{
	cr_expect(report_row_is(&data->rows[X_3], "s/x_3") && !report_row_is(&data->rows[X_3], "s/x"));
	cr_expect(report_row_is(&data->rows[Z_ANY], "s/z_12"), "a kernel of a program that has not run");
	cr_expect(!report_row_is(&data->rows[Z_ANY], "s/z_") && !report_row_is(&data->rows[Z_ANY], "s/z_1x"));
	cr_expect(!report_row_is(&data->rows[Y_1], "s/y_2"));
}

Test(report_kernels, a_cut_is_that_of_the_kernel)
{
	cr_assert(report_shares_load(data, &diags));
	cr_expect(report_is_cut(data, X, 1) && report_is_cut(data, X_1, 1));
	cr_expect(!report_is_cut(data, X_3, 1) && !report_is_cut(data, X_1, 0));
	cr_expect(report_shares_differ(data, X_1, 1, 0) && !report_shares_differ(data, X_3, 1, 0));
}

Test(report_kernels, a_database_of_before_has_none_and_gets_the_tables_when_it_is_written)
{
	report_data_free(data);
	cr_assert(store_do(store,
		"DROP TABLE derived_kernel_results; DROP TABLE derived_of_kernels; DROP TABLE point_kernels;"
		"DROP TABLE kernel_results; DROP TABLE job_kernels",
		&diags));
	data = report_data_load(store, NULL, &diags);
	cr_assert(data);
	cr_expect_eq(data->row_count, 3);
	store_close(store);
	store = store_open(at("r.db"), STORE_READ, &diags);
	cr_assert(store);
	store_close(store);
	store = store_open(at("r.db"), STORE_WRITE, &diags);
	cr_assert(store);
	cr_expect_eq(store_number(store, &diags, -1, "SELECT count(*) FROM job_kernels", ""), 0);
	cr_expect_eq(diags.count, 0);
}
