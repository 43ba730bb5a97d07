/* tests/unit/experiment/test_store.c -- the result database: whose it is, transactions, statements. */
#include "experiment/store.h"
#include "tests/unit/experiment/rig.h"
#include <sys/wait.h>

TestSuite(store, .init = rig_start, .fini = rig_stop);

static struct store *open_or_fail(enum store_mode mode)
{
	struct store *s = store_open(at("r.db"), mode, &diags);

	if (!s)
		expect_told("");
	cr_assert_not_null(s);
	return s;
}

static void expect_refused(const char *name, enum store_mode mode, const char *told)
{
	cr_expect_null(store_open(at(name), mode, &diags));
	expect_told_of(told);
}

/* Another program's hand on the file. */
static void change(const char *sql)
{
	sqlite3 *db;

	cr_assert_eq(sqlite3_open(at("r.db"), &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static long long configs_in(struct store *s)
{
	return store_number(s, &diags, -1, "SELECT count(*) FROM configs", "");
}

/* -- whose it is -- */

Test(store, a_database_is_made_and_opened_again)
{
	struct store *s = open_or_fail(STORE_WRITE);

	cr_expect(store_run(s, &diags, "INSERT INTO configs VALUES(?, ?)", "tt", "h", "text"));
	cr_expect_eq(store_number(s, &diags, 0, "PRAGMA application_id", ""), 0x4c4b5354);
	cr_expect_eq(store_number(s, &diags, 0, "PRAGMA user_version", ""), 1);
	cr_expect_str_eq(store_path(s), at("r.db"));
	store_close(s);
	s = open_or_fail(STORE_WRITE);
	cr_expect_eq(configs_in(s), 1);
	store_close(s);
	s = open_or_fail(STORE_READ);
	cr_expect_eq(configs_in(s), 1);
	store_close(s);
	store_close(NULL);
	expect_told("");
}

Test(store, an_empty_file_becomes_a_database_and_is_none_to_read)
{
	put("r.db", "");
	expect_refused("r.db", STORE_READ, "r.db is a database, but none of 'lockstep sweep'");
	store_close(open_or_fail(STORE_WRITE));
}

Test(store, other_files_are_refused_and_not_touched)
{
	static const char text[] = "This is a text, and long enough that it could be one of SQLite's "
				   "headers, had it their beginning: it has not.\n";

	put("r.db", text);
	expect_refused("r.db", STORE_WRITE, "r.db cannot be written: file is not a database");
	expect_refused("r.db", STORE_READ, "r.db cannot be read: file is not a database");
	expect_content("r.db", text);
	cr_assert(folder_make(at("f"), &diags));
	expect_refused("f", STORE_WRITE, "f cannot be written: unable to open database file");
	expect_refused("f", STORE_READ, "f cannot be read: ");
	expect_refused("none.db", STORE_READ, "none.db cannot be read: unable to open database file");
	cr_expect_not(is_there(at("none.db")));
	expect_refused("no/folder.db", STORE_WRITE, "cannot be written: unable to open database file");
}

Test(store, other_programs_databases_are_refused_and_not_touched)
{
	change("CREATE TABLE theirs(x)");
	expect_refused("r.db", STORE_WRITE, "r.db is a database, but none of 'lockstep sweep'");
	expect_refused("r.db", STORE_READ, "r.db is a database, but none of 'lockstep sweep'");
	change("PRAGMA application_id = 77");
	expect_refused("r.db", STORE_WRITE, "r.db is a database, but none of 'lockstep sweep'");
	change("DROP TABLE theirs");
	expect_refused("r.db", STORE_WRITE, "r.db is a database, but none of 'lockstep sweep'");
}

Test(store, other_versions_are_refused_with_both_named)
{
	store_close(open_or_fail(STORE_WRITE));
	change("PRAGMA user_version = 2");
	expect_refused("r.db", STORE_WRITE,
		"r.db has schema version 2, and this lockstep reads and writes version 1: take the lockstep "
		"that made it, or a new file");
	expect_refused("r.db", STORE_READ, "r.db has schema version 2");
}

/* SQLite's names of databases that are no files mean files here. */
Test(store, names_that_sqlite_takes_for_memory_are_files)
{
	struct store *s;

	cr_assert_eq(chdir(here), 0);
	s = store_open(":memory:", STORE_WRITE, &diags);
	cr_assert_not_null(s);
	store_close(s);
	cr_expect(is_there(at(":memory:")));
}

Test(store, a_reader_cannot_write)
{
	struct store *s;

	store_close(open_or_fail(STORE_WRITE));
	s = open_or_fail(STORE_READ);
	cr_expect_not(store_run(s, &diags, "INSERT INTO configs VALUES(?, ?)", "tt", "h", "text"));
	expect_told_of("r.db: attempt to write a readonly database");
	cr_expect_not(store_do(s, "DELETE FROM configs", &diags));
	expect_told_of("r.db cannot be written: attempt to write a readonly database");
	store_close(s);
}

Test(store, a_cut_database_is_told_and_no_crash)
{
	struct store *s = open_or_fail(STORE_WRITE);
	size_t size;
	char *text;

	store_close(s);
	text = file_read(at("r.db"), &size);
	for (size_t i = 100; i < size; i += size / 23) {
		put_bytes("r.db", text, i);
		s = store_open(at("r.db"), STORE_READ, &diags);
		cr_expect(s || diags.errors);
		store_close(s);
	}
	free(text);
}

/* Of processes that begin at once one makes it; all then write. */
Test(store, many_processes_make_and_write_one_database)
{
	enum { PROCESSES = 4, ROWS = 10 };
	pid_t children[PROCESSES];
	struct store *s;

	for (int i = 0; i < PROCESSES; i++) {
		if ((children[i] = fork()))
			continue;
		s = store_open(at("r.db"), STORE_WRITE, &diags);
		for (int k = 0; s && k < ROWS; k++) {
			char hash[16];

			snprintf(hash, sizeof(hash), "%d-%d", i, k);
			if (!store_begin(s, &diags) ||
				!store_run(s, &diags, "INSERT INTO configs VALUES(?, 'x')", "t", hash) ||
				!store_end(s, true, &diags))
				_exit(1);
		}
		store_close(s);
		_exit(s ? 0 : 2);
	}
	for (int i = 0; i < PROCESSES; i++) {
		int status;

		cr_assert_eq(waitpid(children[i], &status, 0), children[i]);
		cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	s = open_or_fail(STORE_READ);
	cr_expect_eq(configs_in(s), PROCESSES * ROWS);
	store_close(s);
}

/* -- transactions -- */

Test(store, what_is_taken_back_never_happened)
{
	struct store *s = open_or_fail(STORE_WRITE);

	cr_expect(store_begin(s, &diags));
	cr_expect(store_run(s, &diags, "INSERT INTO configs VALUES('a', '')", ""));
	cr_expect_not(store_end(s, false, &diags));
	cr_expect_eq(configs_in(s), 0);
	cr_expect(store_begin(s, &diags));
	cr_expect(store_run(s, &diags, "INSERT INTO configs VALUES('b', '')", ""));
	cr_expect(store_end(s, true, &diags));
	cr_expect_eq(configs_in(s), 1);
	cr_expect(store_begin(s, &diags));
	cr_expect(store_run(s, &diags, "INSERT INTO configs VALUES('c', '')", ""));
	store_close(s); /* as if the process had been killed */
	s = open_or_fail(STORE_WRITE);
	cr_expect_eq(configs_in(s), 1);
	store_close(s);
	expect_told("");
}

Test(store, a_begin_within_another_is_told)
{
	struct store *s = open_or_fail(STORE_WRITE);

	cr_expect(store_begin(s, &diags));
	cr_expect_not(store_begin(s, &diags));
	expect_told_of("cannot start a transaction within a transaction");
	cr_expect(store_end(s, true, &diags));
	store_close(s);
}

Test(store, a_full_database_is_told_and_nothing_of_the_transaction_stays)
{
	struct store *s = open_or_fail(STORE_WRITE);
	bool fine = true;

	store_do(s, "PRAGMA max_page_count = 40", &diags);
	cr_expect(store_begin(s, &diags));
	for (int i = 0; i < 100 && fine; i++)
		fine = store_run(
			s, &diags, "INSERT INTO configs VALUES(?, hex(zeroblob(2000)))", "i", (long long)i);
	cr_expect_not(fine);
	expect_told_of("r.db cannot be written: the disk is full");
	cr_expect_not(store_end(s, fine, &diags));
	cr_expect_eq(configs_in(s), 0);
	store_close(s);
}

/* -- statements -- */

Test(store, numbers_that_queries_give)
{
	struct store *s = open_or_fail(STORE_WRITE);

	cr_expect_eq(store_number(s, &diags, 7, "SELECT ? + ?", "ii", 2LL, 9000000000LL), 9000000002LL);
	cr_expect_eq(store_number(s, &diags, 7, "SELECT 1 WHERE 0", ""), 7);
	cr_expect_eq(store_number(s, &diags, 7, "SELECT NULL", ""), 7);
	cr_expect_eq(store_number(s, &diags, 7, "SELECT ? IS NULL", "t", (char *)NULL), 1);
	cr_expect_eq(
		store_number(s, &diags, 7, "SELECT typeof(?) || typeof(?) || typeof(?) = 'textintegerreal'",
			"tir", "x", 1LL, 1.0),
		1);
	expect_told("");
	cr_expect_eq(store_number(s, &diags, 7, "SELECT x FROM nowhere", ""), 7);
	expect_told_of("no such table: nowhere");
	store_close(s);
}

Test(store, statements_are_used_again_with_other_values)
{
	struct store *s = open_or_fail(STORE_WRITE);
	sqlite3_stmt *q = store_prepare(s, &diags, "INSERT INTO configs VALUES(?, ?)", "");

	cr_assert_not_null(q);
	cr_expect(store_again(s, &diags, q, "tt", "a", "it's \"odd\"; DROP TABLE configs"));
	cr_expect(store_again(s, &diags, q, "tt", "b", ""));
	expect_told("");
	cr_expect_not(store_again(s, &diags, q, "tt", "a", "again"));
	expect_told_of("UNIQUE constraint failed: configs.hash");
	cr_expect_not(store_again(s, &diags, q, "tt", "c", (char *)NULL));
	expect_told_of("NOT NULL constraint failed: configs.text");
	cr_expect(store_again(s, &diags, q, "tt", "c", "fine"));
	sqlite3_finalize(q);
	cr_expect_eq(configs_in(s), 3);
	cr_expect_null(store_prepare(s, &diags, "INSERT INTO nowhere VALUES(?)", "i", 1LL));
	expect_told_of("no such table: nowhere");
	store_close(s);
}

Test(store, rows_stay_true_to_each_other)
{
	struct store *s = open_or_fail(STORE_WRITE);

	cr_expect_not(store_run(s, &diags,
		"INSERT INTO jobs(hash, program, config, build, command) VALUES('h', 'p', 'c', 'b', 'x')",
		""));
	expect_told_of("FOREIGN KEY constraint failed");
	cr_expect_not(store_run(s, &diags,
		"INSERT INTO jobs(hash, program, config, build, command, state) VALUES('h', 'p', 'c', 'b', "
		"'x', 'lost')",
		""));
	expect_told_of("CHECK constraint failed");
	store_close(s);
}
