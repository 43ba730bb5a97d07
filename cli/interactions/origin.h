/* cli/interactions/origin.h -- where an interaction comes from: what changes in the machine with one level,
 * with the other, and with both. */
#ifndef CLI_INTERACTIONS_ORIGIN_H
#define CLI_INTERACTIONS_ORIGIN_H

#include "experiment/interactions/study.h"
#include <stdio.h>

/* pair: "FACTOR=LEVEL,FACTOR=LEVEL". Means over the workloads, and over the levels of the other factors, as
 * the linear model of each statistic has them. False, with diagnostics: there are no such levels. */
bool print_origin(struct study_table *table, const char *pair, FILE *to, struct diag_list *diags);

#endif
