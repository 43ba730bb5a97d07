/* cli/bench/bench_batch.h -- benchmarks that run side by side, each a process of its own. */
#ifndef CLI_BENCH_BENCH_BATCH_H
#define CLI_BENCH_BENCH_BATCH_H

#include "cli/bench/bench_table.h"
#include "cli/machine.h"
#include <sys/types.h>

struct bench_options {
	struct machine_options machine;
	const char *size, *output, *jobs, *timeout, *seed, *stats, *threads;
	bool functional, timeline;
};

struct bench_job {
	const struct workload *workload;
	char *folder;
	pid_t process; /* 0: not under way */
	int status;
	bool has_ended;
};

struct bench_batch {
	const struct bench_options *options;
	struct bench_columns columns;
	struct bench_table table;
	char *self;     /* the lockstep program */
	char **machine; /* its options, the same for all */
	size_t machine_count;
	const char *output, *size;
	uint32_t at_once, timeout;
	bool is_sampled; /* timed in samples, which a limit excludes */
	struct bench_job *jobs;
	size_t count, started, verified, interrupted;
	struct bench_sample sample;
	bool is_live;  /* on a terminal: what is under way is shown */
	char seed[16]; /* empty: none was given */
	FILE *csv;
};

/* Runs all, at_once at a time, prints a line of the table for each and writes bench.csv; the exit status of
 * the command. */
int bench_batch_run(struct bench_batch *batch);

#endif
