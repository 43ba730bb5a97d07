/* experiment/report/kernels.c -- the kernels of programs as rows of their own, for derived values that are of
 * each kernel (`kernels: each`). */
#include "experiment/report/data.h"
#include "sim/base/xalloc.h"
#include <ctype.h>

/* A database that was made before there were values of each kernel has no tables of them. */
static bool has_tables(struct report_data *d, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(
		d->store, "SELECT 1 FROM sqlite_master WHERE name = 'derived_of_kernels'", 0, NULL, diags);
	int status = q ? sqlite3_step(q) : SQLITE_ERROR;

	return q && report_query_end(d->store, q, status, diags) && status == SQLITE_ROW;
}

static bool load_names(struct report_data *d, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(
		d->store, "SELECT name FROM derived_of_kernels WHERE sweep = ?1", d->sweep, NULL, diags);
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		d->of_kernels = xrealloc(d->of_kernels, (d->of_kernels_count + 1) * sizeof(*d->of_kernels));
		d->of_kernels[d->of_kernels_count++] = report_column_text(d, q, 0);
	}
	return q && report_query_end(d->store, q, status, diags);
}

static size_t add_row(
	struct report_data *d, size_t program, const char *kernel, long long position, bool is_only)
{
	struct report_row *row;

	for (size_t i = d->program_count; i < d->row_count; i++)
		if (d->rows[i].size == d->rows[program].size && !strcmp(d->rows[i].kernel, kernel) &&
			d->rows[i].workload == d->rows[program].workload)
			return i;
	d->rows = xrealloc(d->rows, (d->row_count + 1) * sizeof(*d->rows));
	row = &d->rows[d->row_count];
	*row = d->rows[program];
	row->kernel = keep_copy(&d->keeper, kernel);
	if (*kernel && !is_only)
		row->label = keep_print(&d->keeper, "%s_%lld", row->label, position);
	row->name = *row->suite ? keep_print(&d->keeper, "%s/%s", row->suite, row->label) : row->label;
	return d->row_count++;
}

static void add_kernel_point(struct report_data *d, size_t point, size_t row, long long kernel)
{
	d->points = xrealloc(d->points, (d->value_count + 1) * sizeof(*d->points));
	d->points[d->value_count] = d->points[point];
	d->points[d->value_count].row = row;
	d->points[d->value_count++].kernel = kernel;
}

static bool load_kernels(struct report_data *d, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store,
		"SELECT k.number, k.kernel, k.name, (SELECT count(*) FROM job_kernels j WHERE j.job = p.job) "
		"= 1 FROM "
		"point_kernels k JOIN points p ON p.sweep = k.sweep AND p.number = k.number WHERE k.sweep = "
		"?1 "
		"ORDER BY k.number, k.kernel",
		d->sweep, NULL, diags);
	int status = SQLITE_ERROR;
	size_t point = 0;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		long long kernel = sqlite3_column_int64(q, 1);

		while (point < d->point_count && d->points[point].number < sqlite3_column_int64(q, 0))
			point++;
		if (point < d->point_count)
			add_kernel_point(d, point,
				add_row(d, d->points[point].row, (const char *)sqlite3_column_text(q, 2),
					kernel, sqlite3_column_int(q, 3)),
				kernel);
	}
	return q && report_query_end(d->store, q, status, diags);
}

/* A program of which no run has ended has one row, without values: it is not left out. */
static void add_unknown(struct report_data *d)
{
	for (size_t i = 0; i < d->program_count; i++) {
		bool is_known = false;

		for (size_t k = d->program_count; k < d->row_count; k++)
			is_known |= d->rows[k].workload == d->rows[i].workload &&
				d->rows[k].size == d->rows[i].size;
		if (!is_known)
			add_row(d, i, "", 0, true);
	}
}

/* A point of which the kernels are not known, because it has failed or has not run, or without one of the
 * kernels that others have: it is missing there. */
static void add_missing(struct report_data *d)
{
	size_t known = d->value_count;

	for (size_t row = d->program_count; row < d->row_count; row++) {
		size_t next = d->point_count;

		for (size_t i = 0; i < d->point_count; i++) {
			const struct report_row *program = &d->rows[d->points[i].row];

			if (program->workload != d->rows[row].workload || program->size != d->rows[row].size)
				continue;
			while (next < known &&
				(d->points[next].row != row || d->points[next].number < d->points[i].number))
				next++;
			if (next == known || d->points[next].number != d->points[i].number)
				add_kernel_point(d, i, row, 0);
		}
	}
}

static int by_number_and_kernel(const void *a, const void *b)
{
	const struct report_point *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

bool report_kernels_load(struct report_data *d, struct diag_list *diags)
{
	size_t errors = diags->errors;

	d->program_count = d->row_count;
	d->value_count = d->point_count;
	if (!has_tables(d, diags))
		return diags->errors == errors;
	if (!load_names(d, diags))
		return false;
	if (!d->of_kernels_count)
		return true;
	if (!load_kernels(d, diags))
		return false;
	add_unknown(d);
	add_missing(d);
	qsort(&d->points[d->point_count], d->value_count - d->point_count, sizeof(*d->points),
		by_number_and_kernel);
	return true;
}

bool report_is_of_kernels(const struct report_data *d, const char *name)
{
	for (size_t i = 0; i < d->of_kernels_count; i++)
		if (!strcmp(d->of_kernels[i], name))
			return true;
	return false;
}

/* NAME_1 of a program whose kernels are not known yet. */
static bool is_kernel_of(const char *word, const char *program)
{
	size_t length = strlen(program);

	return !strncmp(word, program, length) && word[length] == '_' &&
		isdigit((unsigned char)word[length + 1]) &&
		!word[length + 1 + strspn(word + length + 1, "0123456789")];
}

bool report_row_is(const struct report_row *row, const char *name)
{
	if (!strcmp(name, row->name))
		return true;
	return row->kernel && !*row->kernel && is_kernel_of(name, row->name);
}
