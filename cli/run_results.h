/* cli/run_results.h -- what the processes of a run have left, when its program has ended. */
#ifndef CLI_RUN_RESULTS_H
#define CLI_RUN_RESULTS_H

#include <stdbool.h>

/* Says on stderr which results of the run (host/session/run_record.h) are missing, because a process ended
 * without closing them, and where they are if several processes have some. Returns whether all are whole.
 * run NULL: nothing is known. */
bool run_results_report(const char *run);

#endif
