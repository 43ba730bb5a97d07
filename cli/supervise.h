/* cli/supervise.h -- the program of `lockstep run` as a child of the command, for which nobody who starts the
 * command notices a difference: signals, stops and the end are passed on. */
#ifndef CLI_SUPERVISE_H
#define CLI_SUPERVISE_H

#include <sys/types.h>

/* Starts operands[0], found in PATH, with the arguments behind it, and waits for its end. It is in our
 * process group, so that the terminal works for it, and dies with us. Signals that are sent to us alone go to
 * it; we stop when it stops. Returns what waitpid tells. -1, with errno: it cannot be run. */
int supervise(char *const operands[]);

/* The program that is supervised; 0: none is. May be called by another thread. */
pid_t supervised_program(void);

/* Ends as the program has ended: its exit status, or a death by the same signal. */
int supervise_status(int status);

#endif
