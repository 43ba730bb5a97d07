/* cli/correlate/print.h -- what lockstep correlate prints and draws. */
#ifndef CLI_CORRELATE_PRINT_H
#define CLI_CORRELATE_PRINT_H

#include "cli/correlate/pairs.h"
#include <stdio.h>

/* One line a pair: the card's figure, ours, the error. */
void correlate_print_table(const struct pairs *pairs, enum figure figure, FILE *to);
/* The same as CSV: kernel, launch, figure, unit, card, ours, error_percent. */
void correlate_print_csv_head(FILE *to);
void correlate_print_csv(const struct pairs *pairs, enum figure figure, FILE *to);
/* The distribution of the errors, and how many launches have no partner. */
void correlate_print_spread(const struct spread *spread, enum figure figure, FILE *to);

/* Draws ours against the card's, both axes logarithmic, with lines at 10 and 25 percent and the names of what
 * is further off: an SVG by gnuplot. False, with a diagnostic: there is no gnuplot, or it failed. */
bool correlate_draw(const struct pairs *pairs, enum figure figure, const char *path, struct diag_list *diags);

#endif
