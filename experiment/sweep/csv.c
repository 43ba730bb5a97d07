/* experiment/sweep/csv.c -- a sweep as CSV (RFC 4180): a line a point, a column a factor, derived value or
 * statistic. Values of each kernel are in a table of their own: a line a point and kernel. */
#include "experiment/csv.h"
#include "experiment/sweep/store.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"

struct csv_kind;

struct csv {
	struct store *store;
	struct diag_list *diags;
	long long sweep;
	FILE *to;
	const struct csv_kind *kind;
	char **factors, **derived, **statistics;
	size_t factor_count, derived_count, statistic_count;
};

/* What a table has: its lines and columns. Lines are (number, workload, size, seed, base, state, message,
 * job), of kernels with (kernel, its name) behind; values are (name, value) of a sweep, a point and a kernel
 * (0: of programs), in the order of the columns. */
struct csv_kind {
	bool of_kernels;
	const char *lines, *derived_names, *statistic_names, *derived, *statistics;
};

static const struct csv_kind of_programs = {
	.lines = "SELECT p.number, p.workload, p.size, p.seed, p.base, j.state, j.message, j.hash FROM "
		 "points p "
		 "JOIN jobs j ON j.id = p.job WHERE p.sweep = ? ORDER BY 1",
	.derived_names = "SELECT name FROM derived WHERE sweep = ?1 AND name NOT IN (SELECT name FROM "
			 "derived_of_kernels WHERE sweep = ?1) ORDER BY position",
	.statistic_names =
		"SELECT name FROM statistics WHERE id IN (SELECT r.statistic FROM results r JOIN points p "
		"ON p.job = r.job WHERE p.sweep = ?) AND name NOT LIKE 'kernels.%' ORDER BY name",
	.derived = "SELECT r.name, r.value FROM derived_results r JOIN derived d USING (sweep, name) WHERE "
		   "r.sweep = "
		   "?1 AND r.number = ?2 AND ?3 = 0 ORDER BY d.position",
	.statistics =
		"SELECT t.name, r.value FROM points p JOIN results r ON r.job = p.job JOIN statistics t ON "
		"t.id = r.statistic WHERE p.sweep = ?1 AND p.number = ?2 AND ?3 = 0 ORDER BY t.name",
};

static const struct csv_kind of_kernels = {
	.of_kernels = true,
	.lines = "SELECT p.number, p.workload, p.size, p.seed, p.base, j.state, j.message, j.hash, k.kernel, "
		 "k.name "
		 "FROM points p JOIN jobs j ON j.id = p.job JOIN point_kernels k ON k.sweep = p.sweep AND "
		 "k.number = p.number WHERE p.sweep = ? ORDER BY p.number, k.kernel",
	.derived_names =
		"SELECT name FROM derived JOIN derived_of_kernels USING (sweep, name) WHERE sweep = ? ORDER "
		"BY position",
	.statistic_names =
		"SELECT name FROM statistics WHERE id IN (SELECT r.statistic FROM kernel_results r JOIN "
		"points p ON p.job = r.job WHERE p.sweep = ?) ORDER BY name",
	.derived = "SELECT r.name, r.value FROM derived_kernel_results r JOIN derived d USING (sweep, name) "
		   "WHERE "
		   "r.sweep = ?1 AND r.number = ?2 AND r.kernel = ?3 ORDER BY d.position",
	.statistics = "SELECT t.name, r.value FROM points p JOIN kernel_results r ON r.job = p.job JOIN "
		      "statistics t "
		      "ON t.id = r.statistic WHERE p.sweep = ?1 AND p.number = ?2 AND r.kernel = ?3 ORDER BY "
		      "t.name",
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

static void put_csv_head(const struct csv *c)
{
	fputs("point,workload,size,seed,base", c->to);
	for (size_t i = 0; i < c->factor_count; i++) {
		fputc(',', c->to);
		csv_put(c->to, c->factors[i]);
	}
	fputs(c->kind->of_kernels ? ",kernel,name,state,message" : ",state,message", c->to);
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

/* The values that `q` gives for (sweep, point, kernel) by name, in the order of names; what is missing stays
 * empty.
 */
static void put_values(
	const struct csv *c, sqlite3_stmt *q, const long long at[2], char *const *names, size_t count)
{
	size_t i = 0;

	sqlite3_bind_int64(q, 1, c->sweep);
	sqlite3_bind_int64(q, 2, at[0]);
	if (sqlite3_bind_parameter_count(q) > 2)
		sqlite3_bind_int64(q, 3, at[1]);
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

static void put_columns(const struct csv *c, sqlite3_stmt *q, int first, int last)
{
	for (int i = first; i <= last; i++) {
		fputs(i ? "," : "", c->to);
		csv_put_column(c->to, q, i);
	}
}

static bool put_lines(const struct csv *c)
{
	sqlite3_stmt *lines = store_prepare(c->store, c->diags, c->kind->lines, "i", c->sweep);
	sqlite3_stmt *levels = store_prepare(c->store, c->diags,
		"SELECT l.factor, l.level FROM point_levels l JOIN levels v USING (sweep, factor, level) "
		"WHERE l.sweep = ? AND l.number = ? ORDER BY v.position",
		"");
	sqlite3_stmt *derived = store_prepare(c->store, c->diags, c->kind->derived, "");
	sqlite3_stmt *values = store_prepare(c->store, c->diags, c->kind->statistics, "");
	bool fine = lines && levels && derived && values;
	int code = SQLITE_DONE;

	while (fine && (code = sqlite3_step(lines)) == SQLITE_ROW) {
		long long at[2] = { sqlite3_column_int64(lines, 0),
			c->kind->of_kernels ? sqlite3_column_int64(lines, 8) : 0 };

		put_columns(c, lines, 0, 4);
		put_values(c, levels, at, c->factors, c->factor_count);
		if (c->kind->of_kernels)
			put_columns(c, lines, 8, 9);
		put_columns(c, lines, 5, 6);
		put_values(c, derived, at, c->derived, c->derived_count);
		put_values(c, values, at, c->statistics, c->statistic_count);
		put_columns(c, lines, 7, 7);
		fputc('\n', c->to);
	}
	if (code != SQLITE_DONE)
		diag_error(c->diags, NULL, "%s cannot be read: %s", store_path(c->store),
			sqlite3_errmsg(store_sqlite(c->store)));
	sqlite3_finalize(lines);
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

static bool write_csv_rows(const struct csv *c)
{
	if (!c->to)
		return false;
	put_csv_head(c);
	if (put_lines(c))
		return whole_file_close(c->to);
	whole_file_discard(c->to);
	return false;
}

static bool write_table(struct csv c, const struct csv_kind *kind, const char *path)
{
	bool fine;

	c.kind = kind;
	c.factors = names_of(
		&c, "SELECT DISTINCT factor FROM levels WHERE sweep = ? ORDER BY position", &c.factor_count);
	c.derived = names_of(&c, kind->derived_names, &c.derived_count);
	c.statistics = names_of(&c, kind->statistic_names, &c.statistic_count);
	c.to = whole_file_open(path, "w", c.diags);
	fine = write_csv_rows(&c);
	free_names(c.factors, c.factor_count);
	free_names(c.derived, c.derived_count);
	free_names(c.statistics, c.statistic_count);
	return fine;
}

/* NAME.kernels.csv beside NAME.csv */
static char *kernels_path(const char *path)
{
	size_t length = strlen(path);
	bool has_end = length > 4 && !strcmp(path + length - 4, ".csv");
	char *text = NULL;

	if (asprintf(&text, "%.*s.kernels.csv", (int)(has_end ? length - 4 : length), path) < 0)
		bug("out of memory");
	return text;
}

bool sweep_csv_write(struct store *store, long long sweep, const char *path, struct diag_list *diags)
{
	struct csv c = { .store = store, .diags = diags, .sweep = sweep };
	bool fine = store_do(store, "BEGIN", diags); /* one state of the database for all questions */
	char *kernels = kernels_path(path);

	if (fine) {
		fine = write_table(c, &of_programs, path);
		if (fine &&
			store_number(store, diags, 0,
				"SELECT count(*) FROM derived_of_kernels WHERE sweep = ?", "i", sweep))
			fine = write_table(c, &of_kernels, kernels);
		store_end(store, false, diags);
	}
	free(kernels);
	return fine;
}
