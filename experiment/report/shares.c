/* experiment/report/shares.c -- the timed shares of kernels: read, compared, put into words. */
#include "experiment/report/shares.h"
#include "sim/base/xalloc.h"

#define NAMED 6 /* workloads that a note names, of each kind */

struct report_share {
	size_t row, column;
	const char *kernel;
	double share;
};

static void add_share(
	struct report_data *d, struct report_share **shares, size_t *room, struct report_share share)
{
	if (d->share_count == *room) {
		*room = *room ? 2 * *room : 64;
		*shares = xrealloc(*shares, *room * sizeof(**shares));
	}
	(*shares)[d->share_count++] = share;
}

/* The row of a kernel of a point; NONE: it has none. */
static size_t row_of_kernel(const struct report_data *d, const struct report_point *point, const char *kernel)
{
	for (size_t i = d->point_count; i < d->value_count; i++)
		if (d->points[i].number == point->number && !strcmp(d->rows[d->points[i].row].kernel, kernel))
			return d->points[i].row;
	return NONE;
}

bool report_shares_load(struct report_data *d, struct diag_list *diags)
{
	static const char sql[] =
		"SELECT p.number, substr(t.name, instr(t.name, '::') + 2), r.value FROM points p JOIN jobs j "
		"ON "
		"j.id = p.job JOIN results r ON r.job = p.job JOIN statistics t ON t.id = r.statistic WHERE "
		"p.sweep = ?1 AND t.name GLOB 'kernels.timed_share::*' AND j.state = 'done' AND NOT EXISTS "
		"(SELECT 1 FROM results s JOIN statistics u ON u.id = s.statistic WHERE s.job = p.job AND "
		"u.name = 'sample.sampled_kernels' AND s.value > 0) ORDER BY "
		"p.number, t.id";
	sqlite3_stmt *q = report_query(d->store, sql, d->sweep, NULL, diags);
	struct report_share *shares = NULL;
	size_t point = 0, room = 0, row;
	bool is_any_cut = false;
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		while (point < d->point_count && d->points[point].number < sqlite3_column_int64(q, 0))
			point++;
		if (point == d->point_count)
			continue;
		add_share(d, &shares, &room,
			(struct report_share){ d->points[point].row, d->points[point].column,
				report_column_text(d, q, 1), sqlite3_column_double(q, 2) });
		row = row_of_kernel(d, &d->points[point], shares[d->share_count - 1].kernel);
		if (row != NONE)
			add_share(d, &shares, &room,
				(struct report_share){ row, d->points[point].column,
					shares[d->share_count - 1].kernel, sqlite3_column_double(q, 2) });
		is_any_cut |= sqlite3_column_double(q, 2) < 1;
	}
	if (shares)
		d->shares = keep(&d->keeper, shares);
	d->share_count = is_any_cut ? d->share_count : 0; /* nothing to say */
	return q && report_query_end(d->store, q, status, diags);
}

bool report_is_cut(const struct report_data *d, size_t row, size_t column)
{
	for (size_t i = 0; i < d->share_count; i++)
		if (d->shares[i].row == row && d->shares[i].column == column && d->shares[i].share < 1)
			return true;
	return false;
}

/* The least and the greatest share of the kernel in two columns. */
struct range {
	double least, greatest;
};

static void widen_error_range(
	struct range *range, const struct report_data *d, size_t row, size_t column, const char *kernel)
{
	for (size_t i = 0; i < d->share_count && column != NONE; i++) {
		const struct report_share *s = &d->shares[i];

		if (s->row != row || s->column != column || strcmp(s->kernel, kernel) != 0)
			continue;
		range->least = s->share < range->least ? s->share : range->least;
		range->greatest = s->share > range->greatest ? s->share : range->greatest;
	}
}

bool report_shares_differ(const struct report_data *d, size_t row, size_t column, size_t other)
{
	for (size_t i = 0; i < d->share_count; i++) {
		struct range range = { 1, 0 };

		if (d->shares[i].row != row || d->shares[i].column != column)
			continue;
		widen_error_range(&range, d, row, column, d->shares[i].kernel);
		widen_error_range(&range, d, row, other, d->shares[i].kernel);
		if (range.greatest - range.least > SHARES_DIFFER)
			return true;
	}
	return false;
}

/* -- in words -- */

/* Whether it is the first of its workload and kernel: each is said once. */
static bool is_first(const struct report_data *d, size_t which)
{
	for (size_t i = 0; i < which; i++)
		if (d->shares[i].row == d->shares[which].row &&
			!strcmp(d->shares[i].kernel, d->shares[which].kernel))
			return false;
	return true;
}

/* "polybench/atax: atax1 31.8 %, atax2 0 to 5.0 %"; "" if all of it was timed (differ: the same share of it).
 */
static const char *workload_text(
	struct report_data *d, size_t row, const size_t *columns, size_t count, bool differ)
{
	struct keeper *k = &d->keeper;
	const char *text = "";

	for (size_t i = 0; i < d->share_count; i++) {
		struct range range = { 1, 0 };

		if (d->shares[i].row != row || !is_first(d, i))
			continue;
		for (size_t c = 0; c < count; c++) {
			widen_error_range(&range, d, row, columns[c], d->shares[i].kernel);
			widen_error_range(
				&range, d, row, d->columns[columns[c]].baseline, d->shares[i].kernel);
		}
		if (range.greatest < range.least ||
			(differ ? range.greatest - range.least <= SHARES_DIFFER : range.least >= 1))
			continue;
		text = keep_print(
			k, "%s%s%s %.1f", text, *text ? ", " : "", d->shares[i].kernel, 100 * range.least);
		if (range.greatest - range.least > SHARES_DIFFER)
			text = keep_print(k, "%s to %.1f", text, 100 * range.greatest);
		text = keep_print(k, "%s %%", text);
	}
	return *text ? keep_print(k, "%s: %s", d->rows[row].name, text) : "";
}

static const char *list_differing(struct report_data *d, const size_t *rows, size_t row_count,
	const size_t *columns, size_t column_count, bool differ)
{
	const char *all = "";
	size_t n = 0;

	for (size_t i = 0; i < row_count; i++) {
		const char *text = workload_text(d, rows[i], columns, column_count, differ);

		n += *text != 0;
		if (*text && n <= NAMED)
			all = keep_print(&d->keeper, "%s%s%s", all, n > 1 ? "; " : "", text);
	}
	return n > NAMED ? keep_print(&d->keeper, "%s; and %zu more workloads", all, n - NAMED) : all;
}

const char *report_shares_note(struct report_data *d, const size_t *rows, size_t row_count,
	const size_t *columns, size_t column_count, bool compare)
{
	const char *cut = list_differing(d, rows, row_count, columns, column_count, false),
		   *differ = compare ? list_differing(d, rows, row_count, columns, column_count, true) : "";

	if (!*cut)
		return "";
	cut = keep_print(&d->keeper,
		" A limit cut runs; of these kernels only a share of the thread instructions was timed: %s.",
		cut);
	return *differ ? keep_print(&d->keeper,
				 "%s Configurations timed different shares, so that their values do not "
				 "compare: %s.",
				 cut, differ)
		       : cut;
}
