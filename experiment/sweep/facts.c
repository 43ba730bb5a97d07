/* experiment/sweep/facts.c -- what in a database does not depend on the host, as CSV. */
#include "experiment/sweep/store.h"
#include "experiment/csv.h"

bool sweep_facts_print(struct store *store, FILE *to, struct diag_list *diags)
{
	sqlite3_stmt *q =
		store_prepare(store, diags, "SELECT * FROM facts ORDER BY sweep, number, statistic", "");
	int code;

	if (!q)
		return false;
	for (int i = 0; i < sqlite3_column_count(q); i++) {
		fputs(i ? "," : "", to);
		csv_put(to, sqlite3_column_name(q, i));
	}
	fputc('\n', to);
	while ((code = sqlite3_step(q)) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(q); i++) {
			fputs(i ? "," : "", to);
			csv_put_column(to, q, i);
		}
		fputc('\n', to);
	}
	sqlite3_finalize(q);
	if (code != SQLITE_DONE)
		diag_error(diags, NULL, "%s: %s", store_path(store), sqlite3_errmsg(store_sqlite(store)));
	return code == SQLITE_DONE;
}
