/* experiment/csv.h -- columns of SQLite as fields of CSV. */
#ifndef EXPERIMENT_CSV_H
#define EXPERIMENT_CSV_H

#include "sim/text/csv.h"
#include <sqlite3.h>

/* A column of a row that SQLite gave: NULL is empty. */
void csv_put_column(FILE *to, sqlite3_stmt *row, int column);

#endif
