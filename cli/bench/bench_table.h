/* cli/bench/bench_table.h -- the runs of benchmarks as the lines of a table, and what samples came to. */
#ifndef CLI_BENCH_BENCH_TABLE_H
#define CLI_BENCH_BENCH_TABLE_H

#include "cli/bench/bench_row.h"

/* How the table is laid out. */
struct bench_table {
	int label;         /* columns of the names */
	uint32_t left_out; /* columns of the table that are not printed for want of room, a bit each */
	bool is_sampled;
};

/* The table for names of at most this length, on a terminal of this width (0: as wide as it gets): columns
 * that do not fit are left out, those first that follow from others; the CSV file has all. With --sample
 * instructions, cycles and IPC are estimates of all kernels, and half the 95 % interval of the IPC and the
 * share of warp instructions that was timed stand beside them. */
struct bench_table bench_table_fit(size_t longest_label, int width, bool is_sampled);
void bench_table_print_head(const struct bench_table *table, FILE *to);
void bench_table_print(const struct bench_table *table, const struct bench_row *row,
	const struct bench_columns *columns, const struct workload *w, FILE *to);

/* What a sample came to over several runs. */
struct bench_sample {
	size_t runs;       /* of which something was not timed */
	double timed, all; /* warp instructions */
	double widest;     /* half interval, relative to the IPC */
	char label[64];    /* of that run */
};
void bench_sample_add(struct bench_sample *sum, const struct bench_row *row, const struct workload *w);
/* Two lines at most. */
void bench_sample_print(const struct bench_sample *sum, FILE *to);

#endif
