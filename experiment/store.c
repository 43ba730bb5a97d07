/* experiment/store.c -- opens the result database. */
#include "experiment/store.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <unistd.h>

#define APPLICATION    0x4c4b5354 /* "LKST" */
#define SCHEMA_VERSION 1
#define PATIENCE_MS    60000 /* while another process writes */

static const char schema[] = {
#include "store_sql.h" /* store.sql, a byte and a comma each */
	0
};

static const char kernel_schema[] = {
#include "store_kernels_sql.h" /* store_kernels.sql */
	0
};

struct store {
	sqlite3 *db;
	char *path;
};

static bool report_store_error(struct store *s, const char *what, struct diag_list *diags)
{
	diag_error(diags, NULL, "%s %s: %s", s->path, what, s->db ? sqlite3_errmsg(s->db) : "out of memory");
	return false;
}

bool store_do(struct store *s, const char *sql, struct diag_list *diags)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
		report_store_error(s, "cannot be written", diags);
}

/* A number that a PRAGMA or SELECT gives; -1, with a diagnostic, if it cannot be asked. */
static long long query_number(struct store *s, const char *sql, struct diag_list *diags)
{
	sqlite3_stmt *q = NULL;
	long long number = -1;

	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
		number = sqlite3_column_int64(q, 0);
	else
		report_store_error(s, "cannot be read", diags);
	sqlite3_finalize(q);
	return number;
}

static bool create_tables(struct store *s, struct diag_list *diags)
{
	char pragmas[96];

	snprintf(pragmas, sizeof(pragmas), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		APPLICATION, SCHEMA_VERSION);
	return store_do(s, schema, diags) && store_do(s, pragmas, diags);
}

/* A new database is made under a lock, so that of two processes one makes it. */
static bool check_version(struct store *s, enum store_mode mode, struct diag_list *diags)
{
	bool fine = mode == STORE_READ || store_do(s, "BEGIN IMMEDIATE", diags);
	long long application = fine ? query_number(s, "PRAGMA application_id", diags) : -1;
	long long version = application < 0 ? -1 : query_number(s, "PRAGMA user_version", diags);
	long long tables = version < 0 ? -1 : query_number(s, "SELECT count(*) FROM sqlite_master", diags);

	fine = tables >= 0;
	if (!tables && !application && mode == STORE_WRITE) {
		fine = create_tables(s, diags);
	} else if (fine && application != APPLICATION) {
		diag_error(diags, NULL, "%s is a database, but none of 'lockstep sweep'", s->path);
		fine = false;
	} else if (fine && version != SCHEMA_VERSION) {
		diag_error(diags, NULL,
			"%s has schema version %lld, and this lockstep reads and writes version %d: take the "
			"lockstep that made it, or a new file",
			s->path, version, SCHEMA_VERSION);
		fine = false;
	}
	fine = fine && (mode == STORE_READ || store_do(s, kernel_schema, diags));
	if (mode == STORE_WRITE && !sqlite3_get_autocommit(s->db))
		fine = fine ? store_do(s, "COMMIT", diags)
			    : !sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL) && false;
	return fine;
}

struct store *store_open(const char *path, enum store_mode mode, struct diag_list *diags)
{
	struct store *s = xcalloc(1, sizeof(*s));
	bool fine = false;
	/* what begins with a colon is no file to SQLite */
	char *file = !path ? xstrdup(":memory:") : *path == ':' ? file_path(".", path) : xstrdup(path);
	int flags = mode == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	s->path = xstrdup(path ? path : "(in memory)");
	if (sqlite3_open_v2(file, &s->db, flags, NULL) != SQLITE_OK) {
		report_store_error(s, mode == STORE_READ ? "cannot be read" : "cannot be written", diags);
	} else {
		sqlite3_busy_timeout(s->db, PATIENCE_MS);
		sqlite3_extended_result_codes(s->db, 1);
		fine = (mode == STORE_READ || store_do(s, "PRAGMA foreign_keys = ON", diags)) &&
			check_version(s, mode, diags);
	}
	free(file);
	if (fine)
		return s;
	store_close(s);
	return NULL;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}

sqlite3 *store_sqlite(struct store *s)
{
	return s->db;
}

const char *store_path(const struct store *s)
{
	return s->path;
}
