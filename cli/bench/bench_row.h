/* cli/bench/bench_row.h -- what one run of a benchmark came to: verdict, statistics of the whole run, a line
 * of a table, a line of CSV. */
#ifndef CLI_BENCH_BENCH_ROW_H
#define CLI_BENCH_BENCH_ROW_H

#include "experiment/workload.h"
#include <stdio.h>

enum { BENCH_MOST_COLUMNS = 64 };

/* Statistics by their names in stats.txt: first those that the table shows, then what --stats asks for. */
struct bench_columns {
	const char *names[BENCH_MOST_COLUMNS];
	size_t count;
	bool found[BENCH_MOST_COLUMNS]; /* in some run */
	char *asked;                    /* the text of --stats, cut up */
};

/* asked: "NAME,NAME", or NULL. false if they are too many. */
bool bench_columns_init(struct bench_columns *columns, const char *asked);
void bench_columns_fini(struct bench_columns *columns);

struct bench_row {
	bool verified, interrupted;       /* interrupted: by SIGINT or SIGTERM, and not verified */
	char why[256];                    /* it is not verified */
	char *values[BENCH_MOST_COLUMNS]; /* as stats.txt has them; NULL: no such statistic */
	double instructions, seconds;     /* thread instructions simulated, and the host's time for them */
};

/* Reads stats.txt and log.txt in folder; status: the program's, as wait() gives it. */
void bench_row_read(
	struct bench_row *row, const struct bench_columns *columns, const char *folder, int status);
void bench_row_fini(struct bench_row *row);

/* How the table is laid out. */
struct bench_table {
	int label;         /* columns of the names */
	uint32_t left_out; /* columns of the table that are not printed, a bit each */
};

/* The table for names of at most this length, on a terminal of this width (0: as wide as it gets): columns
 * that do not fit are left out, those first that follow from others; the CSV file has all. */
struct bench_table bench_table_fit(size_t longest_label, int width);
void bench_table_print_head(const struct bench_table *table, FILE *to);
void bench_table_print(const struct bench_table *table, const struct bench_row *row,
	const struct bench_columns *columns, const struct workload *w, FILE *to);
void bench_row_csv_head(const struct bench_columns *columns, FILE *to);
void bench_row_csv(const struct bench_row *row, const struct bench_columns *columns, const struct workload *w,
	const char *size, FILE *to);

#endif
