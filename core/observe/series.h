/* core/observe/series.h -- time series of statistics: a row every so many core cycles (observe.series;
 * series.csv).
 *
 * Sampling only reads. A row is taken at core cycle k x period, before its edge: it contains everything
 * that was counted at earlier edges of all clocks, also of components that sleep (sync_statistics.c). Rows in
 * which no kernel was under way and nothing was counted are left out. */
#ifndef CORE_OBSERVE_SERIES_H
#define CORE_OBSERVE_SERIES_H

#include "sim/config/config.h"

struct chip;
struct kernel_run;
struct stat_selection;

struct series_config {
	uint64_t period;        /* core cycles; 0: none */
	const char *statistics; /* names, as sim/stats/stat_select.h reads them */
};
extern const struct sim_param series_params[];

struct series;

/* What was counted in a window of the period, or since the last row in the last window. */
struct series_row {
	cycles cycle;            /* the first core cycle behind it */
	picoseconds begin, time; /* of its first cycle, and of that one */
	const struct stat_selection *values;
};
typedef void series_function(void *object, const struct series_row *row);

/* Resolves the names; the machine is complete, all statistics are registered. NULL if no series is
 * configured, and, with diagnostics that name the section of the configuration, if a name is wrong. */
struct series *series_new(struct chip *chip, const struct series_config *series, const char *section,
	struct config *config, struct diag_list *diags);
void series_free(struct series *series);
/* Into and out of the list of a machine, which the functions for *first take. */
void series_add(struct series **first, struct series *series);
void series_remove(struct series **first, const struct series *series);
/* From now on a function gets the rows; or they go to the file, which is the caller's. series may be NULL in
 * all that follows. */
void series_begin(struct series *series, series_function *function, void *object);
void series_open(struct series *series, FILE *file);
/* The last, partial row. */
void series_close(struct series *series);
/* A kernel is under way: for all in the list. */
void series_kernel(struct series *first, const struct kernel_run *run);
/* As sim_run of the chip's simulator; rows of all in the list are taken on the way. */
bool series_run(struct series *first, const struct chip *chip, const bool *stop, picoseconds limit);
/* Time has been moved forward, over rows in which nothing can have been counted. */
void series_passed(struct series *first);

#endif
