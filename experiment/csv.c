/* experiment/csv.c -- fields of CSV. */
#include "experiment/csv.h"
#include <string.h>

void csv_put(FILE *to, const char *text)
{
	if (!text[strcspn(text, ",\"\n\r")]) {
		fputs(text, to);
		return;
	}
	fputc('"', to);
	for (; *text; text++)
		fputs(*text == '"' ? "\"\"" : (char[]){ *text, 0 }, to);
	fputc('"', to);
}

void csv_put_column(FILE *to, sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	if (sqlite3_column_type(row, column) == SQLITE_FLOAT)
		fprintf(to, "%.15g", sqlite3_column_double(row, column));
	else
		csv_put(to, text ? text : "");
}
