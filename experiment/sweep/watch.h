/* experiment/sweep/watch.h -- a sweep that is watched (lockstep sweep --monitor): the page of
 * experiment/monitor with the jobs under way, those that failed and their logs. */
#ifndef EXPERIMENT_SWEEP_WATCH_H
#define EXPERIMENT_SWEEP_WATCH_H

#include "sim/base/diag.h"

struct sweep;
struct sweep_watch;

/* At a port as monitor_start takes it. NULL, with a diagnostic, if that is not possible. */
struct sweep_watch *sweep_watch_start(struct sweep *sweep, const char *port, struct diag_list *diags);
void sweep_watch_stop(struct sweep_watch *watch);
/* In all that follows watch may be NULL. A job has failed: its label and why. */
void sweep_watch_failed(struct sweep_watch *watch, const char *name, const char *label, const char *why);
/* What the page shows from now on. */
void sweep_watch_update(struct sweep_watch *watch);

#endif
