/* experiment/report/figure/printed.h -- a row of a figure of kind printed: what the parts of the figure
 * share.
 *
 * A row names one configuration, workloads, a value and a mean (or the least, or the greatest); with `over`
 * the value is divided by that of another configuration, with `pairs` by that of another workload. Where a
 * point is missing there is no number. */
#ifndef EXPERIMENT_REPORT_FIGURE_PRINTED_H
#define EXPERIMENT_REPORT_FIGURE_PRINTED_H

#include "experiment/report/figure/verdict.h"
#include "experiment/report/spec.h"

struct printed_row {
	struct figure *figure;
	struct spec_reader reader; /* of the row; its spec is the figure's, narrowed */
	struct figure_spec spec;
	struct report_value *value;
	const char *mean;
	size_t above, below; /* columns; below NONE: nothing to divide by */
	double *numbers;
	size_t count, missing;
	size_t cut, differing; /* of them, by runs timed in part; and by runs of which different shares were
				*/
	struct printed printed;
	const char *unchecked; /* why it is not; NULL: it is */
};

/* Reads the row at reader.node of the figure. false, with a diagnostic. */
bool printed_row_read(struct printed_row *row);
/* What a key of the row says; NULL. */
const char *printed_text(const struct printed_row *row, const char *key);
/* The mean of its numbers; NAN if a point is missing, or the row is not checked. */
double printed_row_measured(const struct printed_row *row);

#endif
