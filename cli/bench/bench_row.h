/* cli/bench/bench_row.h -- what one run of a benchmark came to: verdict, statistics of the whole run, a line
 * of a table, a line of CSV. */
#ifndef CLI_BENCH_BENCH_ROW_H
#define CLI_BENCH_BENCH_ROW_H

#include "experiment/workload.h"
#include <stdio.h>

enum { BENCH_MOST_COLUMNS = 64 };

/* Columns of all runs. */
enum bench_column {
	BENCH_KERNELS,
	BENCH_CTAS,
	BENCH_INSTRUCTIONS,
	BENCH_WARP_INSTRUCTIONS,
	BENCH_CYCLES,
	BENCH_PICOSECONDS,
	BENCH_IPC,
	BENCH_L1_MISS,
	BENCH_L2_MISS,
	BENCH_DRAM_BYTES,
	BENCH_SHOWN, /* with --sample there are also: */
	BENCH_SAMPLE_CYCLES = BENCH_SHOWN,
	BENCH_SAMPLE_THREADS,
	BENCH_SAMPLE_IPC,
	BENCH_SAMPLE_IPC_LOW,
	BENCH_SAMPLE_IPC_HIGH,
	BENCH_SAMPLE_TIMED,
	BENCH_SAMPLE_TIMED_WARPS,
	BENCH_SAMPLE_SKIPPED_WARPS,
	BENCH_SHOWN_OF_SAMPLE
};

/* Statistics by their names in stats.txt: first those that the table shows, with --sample also those of the
 * sample, then what --stats asks for. */
struct bench_columns {
	const char *names[BENCH_MOST_COLUMNS];
	size_t count;
	size_t shown;                   /* of these, what the table shows or computes with */
	bool found[BENCH_MOST_COLUMNS]; /* in some run */
	char *asked;                    /* the text of --stats, cut up */
};

/* asked: "NAME,NAME", or NULL; is_sampled: with --sample. false if they are too many. */
bool bench_columns_init(struct bench_columns *columns, const char *asked, bool is_sampled);
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

/* A statistic as a number, 0 if there is none; million thread instructions simulated in a second; GB/s of
 * DRAM. */
double bench_row_number(const struct bench_row *row, int column);
double bench_row_rate(const struct bench_row *row);
double bench_row_bandwidth(const struct bench_row *row);

void bench_row_csv_head(const struct bench_columns *columns, FILE *to);
void bench_row_csv(const struct bench_row *row, const struct bench_columns *columns, const struct workload *w,
	const char *size, FILE *to);

#endif
