/* experiment/process.h -- other programs, run side by side. */
#ifndef EXPERIMENT_PROCESS_H
#define EXPERIMENT_PROCESS_H

#include "sim/base/diag.h"
#include <sys/types.h>

/* Puts Lockstep's libcuda.so.1 under the programs that are started from now on. false, with a diagnostic, if
 * it is not where it should be. */
bool process_use_libcuda(struct diag_list *diags);

/* In a child before it becomes another program: it is killed when its parent, whose number is given, ends in
 * any way. */
void process_die_with(pid_t parent);

/* What a program writes on its standard output until it ends, with a NUL behind it; malloc'ed. NULL if it
 * cannot be run or ends with another status than 0. Its standard error is ours. */
char *process_output(char *const arguments[]);

/* Starts a program whose output, standard error with it, goes to the file `log`; after `seconds` of time it
 * is killed (0: never). -1, with errno, if it cannot be. */
pid_t process_start(char *const arguments[], const char *log, unsigned seconds);

/* A command as a shell would read it: words quoted where they must be; malloc'ed. words: NULL-terminated,
 * behind `first`. */
char *process_command_line(const char *first, char *const words[]);

#endif
