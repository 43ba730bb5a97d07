/* experiment/sweep/csv.c -- a sweep as CSV (RFC 4180): a line a point, a column a factor, derived value or
 * statistic. */
#include "experiment/csv.h"
#include "experiment/sweep/store.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <unistd.h>

struct csv {
	struct store *store;
	struct diag_list *diags;
	long long sweep;
	FILE *to;
	char **factors, **derived, **statistics;
	size_t factor_count, derived_count, statistic_count;
};

/* The first column of a query as texts. */
static char **names_of(struct csv *c, const char *sql, size_t *count)
{
	sqlite3_stmt *q = store_prepare(c->store, c->diags, sql, "i", c->sweep);
	char **names = NULL;

	*count = 0;
	while (q && sqlite3_step(q) == SQLITE_ROW) {
		names = xrealloc(names, (*count + 1) * sizeof(*names));
		names[*count] = xstrdup((const char *)sqlite3_column_text(q, 0));
		++*count;
	}
	sqlite3_finalize(q);
	return names;
}

static void put_head(const struct csv *c)
{
	fputs("point,workload,size,seed,base", c->to);
	for (size_t i = 0; i < c->factor_count; i++) {
		fputc(',', c->to);
		csv_put(c->to, c->factors[i]);
	}
	fputs(",state,message", c->to);
	for (size_t i = 0; i < c->derived_count; i++) {
		fputc(',', c->to);
		csv_put(c->to, c->derived[i]);
	}
	for (size_t i = 0; i < c->statistic_count; i++) {
		fputc(',', c->to);
		csv_put(c->to, c->statistics[i]);
	}
	fputs(",job\n", c->to);
}

/* The values that `q` gives for (sweep, point) by name, in the order of names; what is missing stays empty.
 */
static void put_values(
	const struct csv *c, sqlite3_stmt *q, long long point, char *const *names, size_t count)
{
	size_t i = 0;

	sqlite3_bind_int64(q, 1, c->sweep);
	sqlite3_bind_int64(q, 2, point);
	while (sqlite3_step(q) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(q, 0);

		for (; i < count && strcmp(names[i], name); i++)
			fputc(',', c->to);
		if (i == count)
			break;
		fputc(',', c->to);
		csv_put_column(c->to, q, 1);
		i++;
	}
	for (; i < count; i++)
		fputc(',', c->to);
	sqlite3_reset(q);
}

static bool put_points(const struct csv *c)
{
	sqlite3_stmt *points = store_prepare(c->store, c->diags,
		"SELECT p.number, p.workload, p.size, p.seed, p.base, j.state, j.message, j.hash FROM points "
		"p JOIN jobs j ON j.id = p.job WHERE p.sweep = ? ORDER BY 1",
		"i", c->sweep);
	sqlite3_stmt *levels = store_prepare(c->store, c->diags,
		"SELECT l.factor, l.level FROM point_levels l JOIN levels v USING (sweep, factor, level) "
		"WHERE l.sweep = ? AND l.number = ? ORDER BY v.position",
		"");
	sqlite3_stmt *derived = store_prepare(c->store, c->diags,
		"SELECT r.name, r.value FROM derived_results r JOIN derived d USING (sweep, name) WHERE "
		"r.sweep = ? AND r.number = ? ORDER BY d.position",
		"");
	sqlite3_stmt *values = store_prepare(c->store, c->diags,
		"SELECT t.name, r.value FROM points p JOIN results r ON r.job = p.job JOIN statistics t ON "
		"t.id = r.statistic WHERE p.sweep = ? AND p.number = ? ORDER BY t.name",
		"");
	bool fine = points && levels && derived && values;
	int code = SQLITE_DONE;

	while (fine && (code = sqlite3_step(points)) == SQLITE_ROW) {
		long long number = sqlite3_column_int64(points, 0);

		for (int i = 0; i < 5; i++) {
			fputs(i ? "," : "", c->to);
			csv_put_column(c->to, points, i);
		}
		put_values(c, levels, number, c->factors, c->factor_count);
		fputc(',', c->to);
		csv_put_column(c->to, points, 5);
		fputc(',', c->to);
		csv_put_column(c->to, points, 6);
		put_values(c, derived, number, c->derived, c->derived_count);
		put_values(c, values, number, c->statistics, c->statistic_count);
		fputc(',', c->to);
		csv_put_column(c->to, points, 7);
		fputc('\n', c->to);
	}
	if (code != SQLITE_DONE)
		diag_error(c->diags, NULL, "%s cannot be read: %s", store_path(c->store),
			sqlite3_errmsg(store_sqlite(c->store)));
	sqlite3_finalize(points);
	sqlite3_finalize(levels);
	sqlite3_finalize(derived);
	sqlite3_finalize(values);
	return fine && code == SQLITE_DONE;
}

static void free_names(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

static bool write_file(const struct csv *c, const char *fresh, const char *path)
{
	size_t errors = c->diags->errors;
	bool fine = c->to;

	if (fine) {
		put_head(c);
		fine = put_points(c);
		fine = !ferror(c->to) & (fclose(c->to) == 0) & fine;
		fine = fine && rename(fresh, path) == 0;
	}
	if (fine)
		return true;
	if (c->diags->errors == errors)
		diag_error(c->diags, NULL, "%s cannot be written: %s", path, strerror(errno));
	unlink(fresh);
	return false;
}

bool sweep_csv_write(struct store *store, long long sweep, const char *path, struct diag_list *diags)
{
	struct csv c = { .store = store, .diags = diags, .sweep = sweep };
	char *fresh = NULL;
	bool fine;

	if (asprintf(&fresh, "%s.new%d", path, (int)getpid()) < 0)
		bug("out of memory");
	fine = store_do(store, "BEGIN", diags); /* one state of the database for all questions */
	if (fine) {
		c.factors =
			names_of(&c, "SELECT DISTINCT factor FROM levels WHERE sweep = ? ORDER BY position",
				&c.factor_count);
		c.derived = names_of(
			&c, "SELECT name FROM derived WHERE sweep = ? ORDER BY position", &c.derived_count);
		c.statistics = names_of(&c,
			"SELECT name FROM statistics WHERE id IN (SELECT r.statistic FROM results r JOIN "
			"points p ON p.job = r.job WHERE p.sweep = ?) AND name NOT LIKE 'kernels.%' ORDER BY "
			"name",
			&c.statistic_count);
		c.to = fopen(fresh, "w");
		fine = write_file(&c, fresh, path);
		store_end(store, false, diags);
	}
	free_names(c.factors, c.factor_count);
	free_names(c.derived, c.derived_count);
	free_names(c.statistics, c.statistic_count);
	free(fresh);
	return fine;
}
