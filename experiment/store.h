/* experiment/store.h -- the result database of sweeps: one SQLite file. Its schema, which users query too, is in store.sql.
 *
 * Several processes may write one database: every change is one transaction, and a result is stored once, whoever brings it. */
#ifndef EXPERIMENT_STORE_H
#define EXPERIMENT_STORE_H

#include "experiment/job.h"
#include <sqlite3.h>

struct store;

enum store_mode { STORE_READ, STORE_WRITE }; /* WRITE: made where there is none */

/* NULL, with diagnostics: no database, of another version, cannot be written. */
struct store *store_open(const char *path, enum store_mode mode, struct diag_list *diags);
void store_close(struct store *store);
sqlite3 *store_sqlite(struct store *store);
const char *store_path(const struct store *store);

/* Runs statements that give no rows. false, with a diagnostic, if one fails (a full disk, a lock that nobody gives back). */
bool store_do(struct store *store, const char *sql, struct diag_list *diags);

#endif
