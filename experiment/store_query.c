/* experiment/store_query.c -- statements with their parameters, transactions. */
#include "experiment/store.h"
#include "sim/base/xalloc.h"

static bool report_query_error(struct store *s, struct diag_list *diags)
{
	int code = sqlite3_extended_errcode(store_sqlite(s));

	if (code == SQLITE_FULL)
		diag_error(diags, NULL, "%s cannot be written: the disk is full", store_path(s));
	else
		diag_error(diags, NULL, "%s: %s", store_path(s), sqlite3_errmsg(store_sqlite(s)));
	return false;
}

static void bind_values(sqlite3_stmt *q, const char *types, va_list values)
{
	for (int i = 1; *types; types++, i++) {
		const char *text;

		switch (*types) {
		case 't':
			text = va_arg(values, const char *);
			sqlite3_bind_text(q, i, text, -1, SQLITE_TRANSIENT);
			break;
		case 'i':
			sqlite3_bind_int64(q, i, va_arg(values, long long));
			break;
		case 'r':
			sqlite3_bind_double(q, i, va_arg(values, double));
			break;
		default:
			bug("no type of a parameter: %c", *types);
		}
	}
}

static sqlite3_stmt *prepare_query(
	struct store *s, struct diag_list *diags, const char *sql, const char *types, va_list values)
{
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(store_sqlite(s), sql, -1, &q, NULL) != SQLITE_OK) {
		report_query_error(s, diags);
		return NULL;
	}
	bind_values(q, types, values);
	return q;
}

sqlite3_stmt *store_prepare(struct store *s, struct diag_list *diags, const char *sql, const char *types, ...)
{
	va_list values;
	sqlite3_stmt *q;

	va_start(values, types);
	q = prepare_query(s, diags, sql, types, values);
	va_end(values);
	return q;
}

bool store_run(struct store *s, struct diag_list *diags, const char *sql, const char *types, ...)
{
	va_list values;
	sqlite3_stmt *q;
	bool fine;

	va_start(values, types);
	q = prepare_query(s, diags, sql, types, values);
	va_end(values);
	fine = q && (sqlite3_step(q) == SQLITE_DONE || report_query_error(s, diags));
	sqlite3_finalize(q);
	return fine;
}

bool store_again(struct store *s, struct diag_list *diags, sqlite3_stmt *q, const char *types, ...)
{
	va_list values;
	int code;

	va_start(values, types);
	bind_values(q, types, values);
	va_end(values);
	code = sqlite3_step(q);
	if (code != SQLITE_DONE && code != SQLITE_ROW)
		report_query_error(s, diags);
	sqlite3_reset(q);
	return code == SQLITE_DONE || code == SQLITE_ROW;
}

long long store_number(struct store *s, struct diag_list *diags, long long otherwise, const char *sql,
	const char *types, ...)
{
	long long number = otherwise;
	va_list values;
	sqlite3_stmt *q;
	int code;

	va_start(values, types);
	q = prepare_query(s, diags, sql, types, values);
	va_end(values);
	code = q ? sqlite3_step(q) : SQLITE_DONE;
	if (code == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
		number = sqlite3_column_int64(q, 0);
	else if (code != SQLITE_ROW && code != SQLITE_DONE)
		report_query_error(s, diags);
	sqlite3_finalize(q);
	return number;
}

bool store_begin(struct store *s, struct diag_list *diags)
{
	return store_run(s, diags, "BEGIN IMMEDIATE", "");
}

bool store_end(struct store *s, bool fine, struct diag_list *diags)
{
	if (fine && store_run(s, diags, "COMMIT", ""))
		return true;
	if (!sqlite3_get_autocommit(store_sqlite(s)))
		sqlite3_exec(store_sqlite(s), "ROLLBACK", NULL, NULL, NULL);
	return false;
}
