/* experiment/report/query.c -- questions to the database, with diagnostics. */
#include "experiment/report/data.h"

static void cannot_read(struct store *store, struct diag_list *diags)
{
	diag_error(
		diags, NULL, "%s cannot be read: %s", store_path(store), sqlite3_errmsg(store_sqlite(store)));
}

sqlite3_stmt *report_query(
	struct store *store, const char *sql, long long number, const char *text, struct diag_list *diags)
{
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(store_sqlite(store), sql, -1, &q, NULL) != SQLITE_OK) {
		cannot_read(store, diags);
		return NULL;
	}
	if (sqlite3_bind_parameter_count(q) > 0)
		sqlite3_bind_int64(q, 1, number);
	if (sqlite3_bind_parameter_count(q) > 1)
		sqlite3_bind_text(q, 2, text, -1, SQLITE_TRANSIENT);
	return q;
}

bool report_query_end(struct store *store, sqlite3_stmt *q, int status, struct diag_list *diags)
{
	if (status != SQLITE_DONE && status != SQLITE_ROW)
		cannot_read(store, diags);
	sqlite3_finalize(q);
	return status == SQLITE_DONE || status == SQLITE_ROW;
}

const char *report_column_text(struct report_data *d, sqlite3_stmt *q, int column)
{
	return keep_copy(&d->keeper, (const char *)sqlite3_column_text(q, column));
}
