/* experiment/report/sampled.c -- see sampled.h. */
#include "experiment/report/sampled.h"
#include <math.h>

struct report_sample {
	size_t row, column;
	double half; /* of the 95 % interval of gpu.cycles, relative; NAN: not known */
};

bool report_sampled_load(struct report_data *d, struct diag_list *diags)
{
	static const char sql[] = "WITH v AS (SELECT r.job, t.name, r.value FROM results r JOIN statistics t "
				  "ON t.id = r.statistic WHERE "
				  "t.name IN ('sample.sampled_kernels', 'gpu.cycles', 'gpu.cycles::low95', "
				  "'gpu.cycles::high95')) "
				  "SELECT p.number, (h.value - l.value) / 2 / c.value FROM points p JOIN "
				  "jobs j ON j.id = p.job JOIN v s "
				  "ON s.job = p.job AND s.name = 'sample.sampled_kernels' AND s.value > 0 "
				  "LEFT JOIN v c ON c.job = p.job "
				  "AND c.name = 'gpu.cycles' LEFT JOIN v l ON l.job = p.job AND l.name = "
				  "'gpu.cycles::low95' LEFT JOIN v h "
				  "ON h.job = p.job AND h.name = 'gpu.cycles::high95' WHERE p.sweep = ?1 AND "
				  "j.state = 'done' ORDER BY "
				  "p.number";
	sqlite3_stmt *q = report_query(d->store, sql, d->sweep, NULL, diags);
	size_t point = 0;
	int status = SQLITE_ERROR;

	d->samples = keep_alloc(&d->keeper, (d->point_count + 1) * sizeof(*d->samples));
	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		while (point < d->point_count && d->points[point].number < sqlite3_column_int64(q, 0))
			point++;
		if (point < d->point_count)
			d->samples[d->sample_count++] = (struct report_sample){
				d->points[point].row, d->points[point].column,
				sqlite3_column_type(q, 1) == SQLITE_NULL ? NAN : sqlite3_column_double(q, 1)
			};
	}
	return q && report_query_end(d->store, q, status, diags);
}

static bool is_listed(size_t what, const size_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == what)
			return true;
	return false;
}

const char *report_sampled_note(struct report_data *d, const size_t *rows, size_t row_count,
	const size_t *columns, size_t column_count)
{
	const struct report_sample *widest = NULL;
	size_t count = 0;

	for (size_t i = 0; i < d->sample_count; i++) {
		const struct report_sample *s = &d->samples[i];

		if (!is_listed(s->row, rows, row_count) || !is_listed(s->column, columns, column_count))
			continue;
		count++;
		if (!widest || isnan(widest->half) || s->half > widest->half)
			widest = s;
	}
	if (!count)
		return "";
	return keep_print(&d->keeper,
		" Of %zu run%s a sample was timed, and the values are estimates; half the 95 %% interval of "
		"their "
		"cycles is at most %.2g %% (%s).",
		count, count == 1 ? "" : "s", 100 * widest->half, d->rows[widest->row].name);
}
