/* experiment/report/sampled.h -- runs of which a sample was timed (sample.error): their values are estimates,
 * and how sure these are. */
#ifndef EXPERIMENT_REPORT_SAMPLED_H
#define EXPERIMENT_REPORT_SAMPLED_H

#include "experiment/report/data.h"

/* Reads which they are; false, with a diagnostic. */
bool report_sampled_load(struct report_data *data, struct diag_list *diags);
/* Of workloads in configurations, in sentences: how many runs were sampled, and the widest interval among
 * them;
 * "" if all were timed wholly. */
const char *report_sampled_note(struct report_data *data, const size_t *rows, size_t row_count,
	const size_t *columns, size_t column_count);

#endif
