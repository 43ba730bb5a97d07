/* experiment/csv.h -- fields of CSV (RFC 4180). */
#ifndef EXPERIMENT_CSV_H
#define EXPERIMENT_CSV_H

#include <sqlite3.h>
#include <stdio.h>

/* Quoted where it must be. */
void csv_put(FILE *to, const char *text);
/* A column of a row that SQLite gave: NULL is empty. */
void csv_put_column(FILE *to, sqlite3_stmt *row, int column);

#endif
