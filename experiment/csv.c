/* experiment/csv.c -- columns of SQLite as fields of CSV. */
#include "experiment/csv.h"

void csv_put_column(FILE *to, sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	if (sqlite3_column_type(row, column) == SQLITE_FLOAT)
		fprintf(to, "%.15g", sqlite3_column_double(row, column));
	else
		csv_put(to, text ? text : "");
}
