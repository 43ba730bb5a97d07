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

struct series_config {
	uint64_t period;        /* core cycles; 0: none */
	const char *statistics; /* names, as sim/stats/stat_select.h reads them */
};
extern const struct sim_param series_params[];

struct series;

/* Resolves the names; the machine is complete, all statistics are registered. NULL if no series is
 * configured, and, with diagnostics, if a name is wrong. */
struct series *series_new(struct chip *chip, const struct series_config *series, struct config *config,
	struct diag_list *diags);
void series_free(struct series *series);
/* From now on rows go to the file, which is the caller's. series may be NULL in all that follows. */
void series_open(struct series *series, FILE *file);
/* The last, partial row. The file is no longer used. */
void series_close(struct series *series);
/* A kernel is under way. */
void series_kernel(struct series *series, const struct kernel_run *run);
/* As sim_run of the chip's simulator; rows are written on the way. */
bool series_run(struct series *series, const struct chip *chip, const bool *stop, picoseconds limit);
/* Time has been moved forward, over rows in which nothing can have been counted. */
void series_passed(struct series *series);

#endif
