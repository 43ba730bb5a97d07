/* experiment/stop.h -- a signal that asks for the end of work which must leave nothing half done. */
#ifndef EXPERIMENT_STOP_H
#define EXPERIMENT_STOP_H

/* From stop_begin to stop_end the first SIGINT, SIGTERM or SIGHUP is only remembered; a second one of the
 * same kind ends the process. A SIGHUP that is ignored stays so. */
void stop_begin(void);
void stop_end(void);
/* The number of the signal that has come since stop_begin; 0: none. */
int stop_signal(void);

#endif
