/* experiment/monitor/monitor_run.h -- the run of a program that is watched (host/session/session_monitor.c).
 */
#ifndef EXPERIMENT_MONITOR_MONITOR_RUN_H
#define EXPERIMENT_MONITOR_MONITOR_RUN_H

#include "experiment/monitor/monitor.h"
#include <sys/types.h>

struct monitor_run {
	const char *files;      /* the beginning of the names of what its processes write */
	pid_t (*program)(void); /* 0: it has not begun, or has ended */
	bool is_paused;
};

/* The subject of a run, which must outlive the monitor. */
struct monitor_subject monitor_run_subject(struct monitor_run *run);
/* Removes what the processes have written. */
void monitor_run_clean(const struct monitor_run *run);

#endif
