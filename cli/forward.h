/* cli/forward.h -- the user's Ctrl-C, or a batch system's SIGTERM, to a command with programs under way: it
 * goes on to them, so that they end and say so, and the command reports what there is. The second one too; a
 * third one ends the command. */
#ifndef CLI_FORWARD_H
#define CLI_FORWARD_H

#include <sys/types.h>

/* From now on, where the signals are not ignored. */
void forward_begin(void);
void forward_end(void);

/* process_start (process.h), of a program that gets the signals. */
pid_t forward_start(char *const arguments[], const char *log, unsigned seconds);
/* fork, of a child that gets the signals and treats them as it would without this. */
pid_t forward_fork(void);
/* The program has ended, and was waited for. */
void forward_ended(pid_t program);

/* The signal that came; 0: none. */
int forward_signal(void);

#endif
