/* experiment/monitor/monitor.h -- lockstep run --monitor, lockstep sweep --monitor: a server on the loopback
 * address for one page, whose address has a random token, without which nothing is answered. */
#ifndef EXPERIMENT_MONITOR_MONITOR_H
#define EXPERIMENT_MONITOR_MONITOR_H

#include "sim/base/diag.h"
#include <stddef.h>
#include <stdio.h>

/* What is watched. Both functions are called by a thread of the server's. */
struct monitor_subject {
	/* Prints what there is to show as a JSON object; "kind" is "run" or "sweep". */
	void (*print)(void *user, FILE *f);
	/* Does what a button asks for, "pause" for example; false: there is no such thing, or not now. */
	bool (*command)(void *user, const char *command);
	/* A text that belongs to what is shown (the log of a job), malloc'ed; NULL: there is none of that
	 * name. NULL: there are no texts. */
	char *(*text)(void *user, const char *name);
	void *user;
};

struct monitor;

/* A port number as text; 0: any that is free. Says on stderr where the page is. NULL, with a diagnostic, if
 * the port is taken or no number. */
struct monitor *monitor_start(
	const char *port, const struct monitor_subject *subject, struct diag_list *diags);
void monitor_stop(struct monitor *monitor); /* NULL: nothing */

#endif
