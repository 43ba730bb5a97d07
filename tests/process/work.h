/* tests/process/work.h -- the parts of the programs of process.sh. */
#ifndef WORK_H
#define WORK_H

/* Launches a kernel and checks what it computes: 0, or a code of the API, or less than 0. */
int work(void);

/* Ends the process in a way that `how` names; with some of them there is work before or behind it. "return"
 * and names that are unknown only return. */
void end(const char *how, int (*work)(void), char **arguments);

#endif
