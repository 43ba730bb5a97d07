/* cli/interactions/print.h -- the tables of `lockstep interactions`. */
#ifndef CLI_INTERACTIONS_PRINT_H
#define CLI_INTERACTIONS_PRINT_H

#include "experiment/interactions/study.h"
#include <stdio.h>

/* What was studied: workloads, combinations, the model and what it leaves. */
void print_study(const struct study_table *table, const struct effects *effects, FILE *to);
/* Main effects, then interactions, the largest first; at most `most` of these (0: all). */
void print_effects(const struct study_table *table, const struct effects *effects, size_t most, FILE *to);
/* Effects that differ between the classes of workloads, with their mean in each. */
void print_classes(const struct study_table *table, const struct effects *effects, FILE *to);
/* The best combination over all, by class and by workload. */
void print_best(const struct study_table *table, FILE *to);
/* All effects, with all digits and the value of each workload, as CSV. */
void print_effects_csv(const struct study_table *table, const struct effects *effects, FILE *to);
/* Effects whose corrected p-value is below 0.05. */
size_t count_beyond(const struct effects *effects);

#endif
