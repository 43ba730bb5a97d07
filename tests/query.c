/* tests/query.c -- query DATABASE SQL: the rows, a line each, fields separated by |. A transaction that a
 * killed process left is rolled back. For tests, where no sqlite3 program need be. */
#include <sqlite3.h>
#include <stdio.h>

static int row(void *user, int count, char **values, char **names)
{
	for (int i = 0; i < count; i++)
		printf("%s%s", i ? "|" : "", values[i] ? values[i] : "");
	putchar('\n');
	return 0;
}

int main(int argc, char **argv)
{
	char *message = NULL;
	sqlite3 *db;

	if (argc != 3 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) ||
		sqlite3_busy_timeout(db, 5000) || sqlite3_exec(db, argv[2], row, NULL, &message)) {
		fprintf(stderr, "query: %s\n", message ? message : "usage: query DATABASE SQL");
		return 1;
	}
	return sqlite3_close(db);
}
