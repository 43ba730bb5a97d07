/* experiment/report/shares.h -- runs that a limit cut (gpu.timing_limit): which share of each kernel's thread
 * instructions was timed, and where configurations timed different shares, so that their values do not
 * compare. */
#ifndef EXPERIMENT_REPORT_SHARES_H
#define EXPERIMENT_REPORT_SHARES_H

#include "experiment/report/data.h"

/* Shares that differ by more than this do: a limit ends the timing between two cycles, not between two
 * instructions. */
#define SHARES_DIFFER 0.01

/* Reads them; false, with a diagnostic. */
bool report_shares_load(struct report_data *data, struct diag_list *diags);
/* Whether a kernel of the workload was timed only in part in the configuration. */
bool report_is_cut(const struct report_data *data, size_t row, size_t column);
/* Whether the two (NONE: no) timed different shares of a kernel that both have. */
bool report_shares_differ(const struct report_data *data, size_t row, size_t column, size_t other);
/* Of workloads in configurations and in those that they are compared with, in sentences; "" if all were timed
 * wholly. compare: says where the shares differ. */
const char *report_shares_note(struct report_data *data, const size_t *rows, size_t row_count,
	const size_t *columns, size_t column_count, bool compare);

#endif
