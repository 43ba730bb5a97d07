/* cli/energy/design.h -- what a fit can tell apart: the columns of an activity file as vectors of watts. */
#ifndef CLI_ENERGY_DESIGN_H
#define CLI_ENERGY_DESIGN_H

#include "core/energy/coefficients.h"
#include "experiment/csv_table.h"

/* Prints which columns are, to within 2 %, a sum of others before them (the constant is the first), and the
 * condition number of the rest: the ratio of the largest to the smallest singular value of the columns, each
 * of length 1. With fewer rows than columns it says so alone. Rows must have a column `seconds`. */
void design_print(
	const struct csv_table *activity, const struct coefficients *model, struct diag_list *diags);

#endif
