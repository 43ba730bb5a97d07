/* experiment/runs/stats_line.h -- one line of stats.txt at a time, cut up in place: for
 * experiment/runs/stats_file.c.
 */
#ifndef EXPERIMENT_RUNS_STATS_LINE_H
#define EXPERIMENT_RUNS_STATS_LINE_H

#include "experiment/runs/stats_file.h"

/* "# lockstep VERSION, build ID, seed N", "# command: ...": to the file's provenance; other comments are
 * passed over. */
void stats_read_comment(struct stats_file *file, char *line);
/* What a section begins with: "kernel 1 NAME grid 4,1,1 block 256,1,1", "streams", "total of 2 kernels", and
 * marks behind them. False if it is none of these. */
bool stats_read_title(struct stats_section *section, char *title);
/* "NAME VALUE # HELP (UNIT)"; end: its zero byte. NULL, or what is wrong. */
const char *stats_read_value(struct stats_value *value, char *line, char *end);

#endif
