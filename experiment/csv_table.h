/* experiment/csv_table.h -- a CSV file with a header (RFC 4180; lines may end in CR LF), read whole.
 */
#ifndef EXPERIMENT_CSV_TABLE_H
#define EXPERIMENT_CSV_TABLE_H

#include "sim/base/diag.h"
#include <stddef.h>

#define NO_COLUMN ((size_t)-1)

struct csv_row {
	unsigned line;
	char **fields; /* as many as the header has */
};

struct csv_table {
	char *path;
	char **columns;
	size_t column_count;
	struct csv_row *rows;
	size_t row_count;
	char *text; /* all fields are in it */
};

/* NULL, with diagnostics and their lines: the file cannot be read, has no header or no row, a row of another
 * length, a column twice, a quote that is not closed. Empty lines do not count. first: the first column of
 * the header, before which there may be other lines; NULL: the first line is the header. */
struct csv_table *csv_table_read(const char *path, const char *first, struct diag_list *diags);
void csv_table_free(struct csv_table *table);
/* NO_COLUMN if there is none of this name. */
size_t csv_table_column(const struct csv_table *table, const char *name);
/* The same, but an error with the nearest name that there is. */
size_t csv_table_need(const struct csv_table *table, const char *name, struct diag_list *diags);
/* A finite number that is not negative; else an error with its line, and 0. */
double csv_table_number(const struct csv_table *table, size_t row, size_t column, struct diag_list *diags);
/* An error at a row. */
void csv_table_error(const struct csv_table *table, size_t row, struct diag_list *diags, const char *format,
	...) __attribute__((format(printf, 4, 5)));

#endif
