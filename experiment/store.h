/* experiment/store.h -- the result database of sweeps: one SQLite file. Its schema, which users query too, is
 * in store.sql.
 *
 * Several processes may write one database: every change is one transaction, and a result is stored once,
 * whoever brings it. */
#ifndef EXPERIMENT_STORE_H
#define EXPERIMENT_STORE_H

#include "experiment/engine/job.h"
#include <sqlite3.h>

struct store;

enum store_mode { STORE_READ, STORE_WRITE }; /* WRITE: made where there is none */

/* path NULL: a database in memory, which store_close forgets. NULL, with diagnostics: no database, of another
 * version, cannot be written. */
struct store *store_open(const char *path, enum store_mode mode, struct diag_list *diags);
void store_close(struct store *store);
sqlite3 *store_sqlite(struct store *store);
const char *store_path(const struct store *store);

/* Runs statements that give no rows. false, with a diagnostic, if one fails (a full disk, a lock that nobody
 * gives back). */
bool store_do(struct store *store, const char *sql, struct diag_list *diags);

/* A statement with its parameters: types is a string of one letter a parameter, "t" const char * (NULL:
 * NULL), "i" long long, "r" double. NULL, with a diagnostic, if it is wrong. Ends with sqlite3_finalize. */
sqlite3_stmt *store_prepare(
	struct store *store, struct diag_list *diags, const char *sql, const char *types, ...);
/* Runs one that gives no rows, and ends it. */
bool store_run(struct store *store, struct diag_list *diags, const char *sql, const char *types, ...);
/* Binds other values to a statement, runs it, and makes it ready for the next. */
bool store_again(
	struct store *store, struct diag_list *diags, sqlite3_stmt *statement, const char *types, ...);
/* The whole number that a query gives in its first row; `otherwise` if it gives no row or NULL. */
long long store_number(struct store *store, struct diag_list *diags, long long otherwise, const char *sql,
	const char *types, ...);

/* Everything between begin and end happens, or nothing does. end: keep it, or (fine false) take it back;
 * returns whether it is kept. */
bool store_begin(struct store *store, struct diag_list *diags);
bool store_end(struct store *store, bool fine, struct diag_list *diags);

#endif
