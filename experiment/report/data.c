/* experiment/report/data.c -- reads a sweep's points out of the database, and orders them into rows and
 * columns. */
#include "experiment/report/data.h"
#include "sim/base/xalloc.h"
#include <search.h>
#include <string.h>

/* -- which sweep -- */

static void print_sweeps(struct store *store, const char *asked, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(store,
		"SELECT group_concat(name, ', ') FROM (SELECT name FROM sweeps ORDER BY id)", 0, NULL, diags);
	const char *names =
		q && sqlite3_step(q) == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;

	if (!names)
		diag_error(diags, NULL, "%s has no sweep yet", store_path(store));
	else if (asked)
		diag_error(diags, NULL, "%s has no sweep '%s'; it has %s", store_path(store), asked, names);
	else
		diag_error(diags, NULL, "%s has several sweeps: choose one with --sweep: %s",
			store_path(store), names);
	sqlite3_finalize(q);
}

static bool find_sweep(struct report_data *d, const char *name, struct diag_list *diags)
{
	const char *sql = name ? "SELECT id, name, text, path FROM sweeps WHERE name = ?2 AND ?1 = 0"
			       : "SELECT id, name, text, path FROM sweeps";
	sqlite3_stmt *q = report_query(d->store, sql, 0, name, diags);
	size_t found = 0;
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		found++;
		d->sweep = sqlite3_column_int64(q, 0);
		d->name = report_column_text(d, q, 1);
		d->text = report_column_text(d, q, 2);
		d->path = report_column_text(d, q, 3);
	}
	if (!q || !report_query_end(d->store, q, status, diags))
		return false;
	if (found != 1)
		print_sweeps(d->store, name, diags);
	return found == 1;
}

/* -- factors -- */

static void add_level(struct report_data *d, struct report_level level)
{
	struct report_factor *f = d->factor_count ? &d->factors[d->factor_count - 1] : NULL;

	if (!f || strcmp(f->name, level.factor) != 0) {
		d->factors = xrealloc(d->factors, (d->factor_count + 1) * sizeof(*d->factors));
		f = &d->factors[d->factor_count++];
		*f = (struct report_factor){ .name = level.factor };
	}
	f->levels = xrealloc(f->levels, (f->count + 1) * sizeof(*f->levels));
	f->changes = xrealloc(f->changes, (f->count + 1) * sizeof(*f->changes));
	f->levels[f->count] = level.name;
	f->changes[f->count++] = level.changes;
}

static bool load_factors(struct report_data *d, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store,
		"SELECT factor, level, changes FROM levels WHERE sweep = ?1 ORDER BY position, factor, rank",
		d->sweep, NULL, diags);
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW)
		add_level(d,
			(struct report_level){ report_column_text(d, q, 0), report_column_text(d, q, 1),
				report_column_text(d, q, 2) });
	return q && report_query_end(d->store, q, status, diags);
}

/* Several bases are a factor, the first one; the database has them with the points alone. */
static bool load_bases(struct report_data *d, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store,
		"SELECT base FROM points WHERE sweep = ?1 AND NOT EXISTS (SELECT 1 FROM levels WHERE sweep = "
		"?1 AND factor = 'base') "
		"GROUP BY base ORDER BY min(number)",
		d->sweep, NULL, diags);
	int status = SQLITE_ERROR;

	while (q && (status = sqlite3_step(q)) == SQLITE_ROW) {
		const char *base = report_column_text(d, q, 0);

		add_level(d, (struct report_level){ "base", base, keep_print(&d->keeper, "-c %s", base) });
	}
	return q && report_query_end(d->store, q, status, diags);
}

/* -- rows and columns -- */

/* Whether it is a label that the sweep file gives a program, with a slash or without; else the name of a
 * benchmark has its suite in front. */
static bool is_own_label(const struct report_data *d, const char *workload)
{
	doc_node list = d->document ? doc_get(d->document, document_root(d->document), "workloads") : 0;

	for (size_t i = 0; list && doc_is_list(d->document, list) && i < doc_count(d->document, list); i++) {
		doc_node item = doc_item(d->document, list, i), label = 0;

		if (doc_is_mapping(d->document, item))
			label = doc_get(d->document, item, "label");
		if (label && doc_text(d->document, label) && !strcmp(doc_text(d->document, label), workload))
			return true;
	}
	return false;
}

static size_t find_row(struct report_data *d, const char *workload, const char *size)
{
	const char *slash = is_own_label(d, workload) ? NULL : strchr(workload, '/');
	struct report_row *row;

	for (size_t i = d->row_count; i-- > 0;)
		if (!strcmp(d->rows[i].workload, workload) && !strcmp(d->rows[i].size, size))
			return i;
	d->rows = xrealloc(d->rows, (d->row_count + 1) * sizeof(*d->rows));
	row = &d->rows[d->row_count];
	*row = (struct report_row){ .workload = keep_copy(&d->keeper, workload) };
	row->name = row->workload;
	row->size = keep_copy(&d->keeper, size);
	row->suite = slash ? keep_print(&d->keeper, "%.*s", (int)(slash - workload), workload) : "";
	row->label = slash ? keep_copy(&d->keeper, slash + 1) : row->workload;
	return d->row_count++;
}

/* A column in a tree (tsearch(3)), so that ten thousand of them are found as fast as ten. */
struct column_key {
	const char **levels;
	size_t factors, column;
};

static int by_levels(const void *a, const void *b)
{
	const struct column_key *x = a, *y = b;
	int order = 0;

	for (size_t f = 0; f < x->factors && !order; f++)
		order = strcmp(x->levels[f], y->levels[f]);
	return order;
}

static void keep_key(void *key)
{
	(void)key; /* the keeper has it */
}

/* levels: by factor, the caller's. *tree: of the columns so far. */
static size_t find_column(struct report_data *d, const char **levels, const char *config, void **tree)
{
	struct column_key asked = { levels, d->factor_count, d->column_count }, *key;
	void *place = tfind(&asked, tree, by_levels);

	if (place)
		return (*(struct column_key **)place)->column;
	d->columns = xrealloc(d->columns, (d->column_count + 1) * sizeof(*d->columns));
	d->columns[d->column_count].levels = keep_alloc(&d->keeper, (d->factor_count + 1) * sizeof(*levels));
	for (size_t f = 0; f < d->factor_count; f++)
		d->columns[d->column_count].levels[f] = levels[f];
	d->columns[d->column_count].baseline = NONE;
	d->columns[d->column_count].config = config;
	key = keep_alloc(&d->keeper, sizeof(*key));
	*key = (struct column_key){ d->columns[d->column_count].levels, d->factor_count, d->column_count };
	bug_if(!tsearch(key, tree, by_levels), "out of memory");
	return d->column_count++;
}

/* The levels of a point in the order of the factors. */
static void load_levels(
	struct report_data *d, long long number, const char *base, const char **levels, sqlite3_stmt *q)
{
	sqlite3_reset(q);
	sqlite3_bind_int64(q, 1, d->sweep);
	sqlite3_bind_int64(q, 2, number);
	for (size_t f = 0; f < d->factor_count; f++)
		levels[f] = strcmp(d->factors[f].name, "base") ? "" : base;
	while (sqlite3_step(q) == SQLITE_ROW)
		for (size_t f = 0; f < d->factor_count; f++)
			if (!strcmp(report_column_text(d, q, 0), d->factors[f].name))
				levels[f] = report_column_text(d, q, 1);
}

static const char points_sql[] =
	"SELECT p.number, p.workload, p.size, p.seed, j.id, j.state, j.message, j.config, j.command, "
	"b.version, b.build, "
	"(SELECT count(*) FROM attempts a WHERE a.job = j.id), a.host, a.outcome, a.seconds, p.base "
	"FROM points p JOIN jobs j ON j.id = p.job LEFT JOIN builds b ON b.hash = j.build LEFT JOIN attempts "
	"a ON a.job = j.id "
	"AND a.number = (SELECT max(number) FROM attempts WHERE job = j.id) WHERE p.sweep = ?1 ORDER BY "
	"p.number";

static struct report_point read_point(
	struct report_data *d, sqlite3_stmt *q, const char **levels, void **tree)
{
	const char *state = (const char *)sqlite3_column_text(q, 5), *config = report_column_text(d, q, 7);
	struct report_point p = {
		.number = sqlite3_column_int64(q, 0),
		.seed = sqlite3_column_int64(q, 3),
		.has_seed = sqlite3_column_type(q, 3) != SQLITE_NULL,
		.job = sqlite3_column_int64(q, 4),
		.state = !strcmp(state, "done")    ? POINT_DONE
			: !strcmp(state, "failed") ? POINT_FAILED
						   : POINT_OPEN,
		.message = report_column_text(d, q, 6),
		.config = config,
		.command = report_column_text(d, q, 8),
		.version = report_column_text(d, q, 9),
		.build = report_column_text(d, q, 10),
		.attempts = (size_t)sqlite3_column_int64(q, 11),
		.host = report_column_text(d, q, 12),
		.outcome = report_column_text(d, q, 13),
		.seconds = sqlite3_column_double(q, 14),
	};

	p.row = find_row(d, report_column_text(d, q, 1), report_column_text(d, q, 2));
	p.column = find_column(d, levels, config, tree);
	return p;
}

static bool load_points(struct report_data *d, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(d->store, points_sql, d->sweep, NULL, diags), *l;
	const char **levels = keep_alloc(&d->keeper, (d->factor_count + 1) * sizeof(*levels));
	int status = SQLITE_ERROR;
	void *tree = NULL;

	l = report_query(d->store, "SELECT factor, level FROM point_levels WHERE sweep = ?1 AND number = ?2",
		0, NULL, diags);
	while (q && l && (status = sqlite3_step(q)) == SQLITE_ROW) {
		load_levels(d, sqlite3_column_int64(q, 0), report_column_text(d, q, 15), levels, l);
		if ((d->point_count & (d->point_count - 1)) == 0)
			d->points = xrealloc(
				d->points, (d->point_count ? 2 * d->point_count : 1) * sizeof(*d->points));
		d->points[d->point_count++] = read_point(d, q, levels, &tree);
	}
	sqlite3_finalize(l);
	tdestroy(tree, keep_key);
	if (!q || !report_query_end(d->store, q, status, diags))
		return false;
	if (!d->point_count)
		diag_error(diags, NULL, "%s: sweep '%s' has no points", store_path(d->store), d->name);
	return d->point_count > 0;
}

/* -- labels, counts -- */

static bool factor_differs(const struct report_data *d, size_t f)
{
	for (size_t c = 1; c < d->column_count; c++)
		if (strcmp(d->columns[c].levels[f], d->columns[0].levels[f]) != 0)
			return true;
	return false;
}

static void label_columns(struct report_data *d)
{
	for (size_t c = 0; c < d->column_count; c++) {
		const char *label = "";

		for (size_t f = 0; f < d->factor_count; f++)
			if (factor_differs(d, f))
				label = keep_print(&d->keeper, "%s%s%s", label, *label ? " " : "",
					*d->columns[c].levels[f] ? d->columns[c].levels[f] : "–");
		d->columns[c].label = *label ? label : "all points";
	}
}

static void label_rows(struct report_data *d)
{
	for (size_t i = 0; i < d->row_count; i++)
		for (size_t k = 0; k < d->row_count; k++)
			if (!strcmp(d->rows[i].workload, d->rows[k].workload) &&
				strcmp(d->rows[i].size, d->rows[k].size)) {
				d->rows[i].label =
					keep_print(&d->keeper, "%s %s", d->rows[i].label, d->rows[i].size);
				break;
			}
}

static void count_points(struct report_data *d)
{
	size_t *at = xcalloc(d->row_count * d->column_count, sizeof(*at));

	for (size_t i = 0; i < d->point_count; i++) {
		const struct report_point *p = &d->points[i];
		size_t n = ++at[p->row * d->column_count + p->column];

		d->seeds = n > d->seeds ? n : d->seeds;
		d->done += p->state == POINT_DONE;
		d->failed += p->state == POINT_FAILED;
		d->open += p->state == POINT_OPEN;
	}
	free(at);
}

static int by_suite(const void *a, const void *b)
{
	const struct report_row *const *x = a, *const *y = b;
	int order = !(*x)->kernel != !(*y)->kernel ? !!(*x)->kernel - !!(*y)->kernel
						   : strcmp((*x)->suite, (*y)->suite);

	return order ? order : *x < *y ? -1 : *x > *y;
}

/* Programs before kernels; suites together, in the order of their names; within one, as the file has them. */
static void sort_rows(struct report_data *d)
{
	struct report_row **order = xcalloc(d->row_count, sizeof(*order)),
			  *sorted = xcalloc(d->row_count, sizeof(*sorted));
	size_t *location = xcalloc(d->row_count, sizeof(*location));

	for (size_t i = 0; i < d->row_count; i++)
		order[i] = &d->rows[i];
	qsort(order, d->row_count, sizeof(*order), by_suite);
	for (size_t i = 0; i < d->row_count; i++) {
		sorted[i] = *order[i];
		location[order[i] - d->rows] = i;
	}
	for (size_t i = 0; i < d->value_count; i++)
		d->points[i].row = location[d->points[i].row];
	free(d->rows);
	free(order);
	free(location);
	d->rows = sorted;
}

static void find_first_points(struct report_data *d)
{
	size_t cells = d->row_count * d->column_count;

	d->first_of_cell = keep_alloc(&d->keeper, (cells + 1) * sizeof(*d->first_of_cell));
	for (size_t i = 0; i < cells; i++)
		d->first_of_cell[i] = NO_POINT;
	for (size_t i = d->value_count; i-- > 0;)
		d->first_of_cell[d->points[i].row * d->column_count + d->points[i].column] = i;
}

struct report_data *report_data_load(struct store *store, const char *sweep, struct diag_list *diags)
{
	struct report_data *d = xcalloc(1, sizeof(*d));
	struct diag_list ignored;

	d->store = store;
	if (!find_sweep(d, sweep, diags)) {
		report_data_free(d);
		return NULL;
	}
	diag_init(&ignored); /* an empty text has no sections */
	d->document = document_parse(d->path, d->text, strlen(d->text), *d->text ? diags : &ignored);
	diag_fini(&ignored);
	if ((!d->document && *d->text) || !load_bases(d, diags) || !load_factors(d, diags) ||
		!load_points(d, diags) || !report_kernels_load(d, diags)) {
		report_data_free(d);
		return NULL;
	}
	sort_rows(d);
	find_first_points(d);
	label_rows(d);
	label_columns(d);
	count_points(d);
	return d;
}

void report_data_free(struct report_data *d)
{
	if (d->document)
		document_free(d->document);
	for (size_t f = 0; f < d->factor_count; f++) {
		free(d->factors[f].levels);
		free(d->factors[f].changes);
	}
	free(d->factors);
	free(d->rows);
	free(d->columns);
	free(d->points);
	free(d->of_kernels);
	keeper_fini(&d->keeper);
	free(d);
}
