/* cli/correlate/print.h -- what lockstep correlate prints and draws. */
#ifndef CLI_CORRELATE_PRINT_H
#define CLI_CORRELATE_PRINT_H

#include "cli/correlate/pairs.h"
#include <stdio.h>

/* One line a pair: the card's value, ours, the error. */
void correlate_print_table(const struct pairs *pairs, enum metric metric, FILE *to);
/* The same as CSV: kernel, launch, metric, unit, card, ours, error_percent. */
void correlate_print_csv_head(FILE *to);
void correlate_print_csv(const struct pairs *pairs, enum metric metric, FILE *to);
/* The distribution of the errors. are_sums: of kernels, not of launches. */
void correlate_print_spread(const struct spread *spread, bool are_sums, enum metric metric, FILE *to);

/* Draws ours against the card's, both axes logarithmic, with lines at 10 and 25 percent and the names of what
 * is further off: an SVG by gnuplot. False, with a diagnostic: there is no gnuplot, or it failed. */
bool correlate_draw(const struct pairs *pairs, enum metric metric, const char *path, struct diag_list *diags);

#endif
