/* experiment/sweep/results.h -- from the output folder of a run to rows: statistics of the whole run, points
 * of a time series. */
#ifndef EXPERIMENT_SWEEP_RESULTS_H
#define EXPERIMENT_SWEEP_RESULTS_H

#include "sim/base/types.h"

struct result_row {
	const char *name, *unit, *help;
	const char *kernel; /* NULL: of the whole run */
	long long cycle;    /* of a time series; -1: of the whole run */
	bool is_whole;
	long long whole;
	double real;
};

/* Calls `row` for each value that is a number, in the files' order. message: what is wrong with the files;
 * empty if nothing is. */
void results_read(const char *folder, void (*row)(void *user, const struct result_row *row), void *user,
	char *message, size_t size);

#endif
