/* sim/base/whole_file.h -- files that are whole or absent: what is written goes to NAME.part, which takes the
 * place of NAME when it is complete. So a process that is killed leaves what was complete before, beside the
 * parts it had written. What is no plain file (a pipe, a device, a link) is written as it is. */
#ifndef SIM_BASE_WHOLE_FILE_H
#define SIM_BASE_WHOLE_FILE_H

#include "sim/base/diag.h"
#include <stdio.h>

/* Opens a file for writing, in a mode of fopen that begins with w; NULL, with a diagnostic, if that fails. A
 * child that the process forks later never writes to it. */
FILE *whole_file_open(const char *path, const char *mode, struct diag_list *diags);
/* The same, with the path in two parts. */
FILE *whole_file_open_in(const char *folder, const char *name, const char *mode, struct diag_list *diags);

/* In a child that was forked: another file of the same content so far, which is then written instead. All
 * must have been flushed before the fork. */
FILE *whole_file_branch(FILE *file, const char *folder, const char *name, struct diag_list *diags);

/* Writes what is buffered. What goes wrong is told when the file is closed. */
void whole_file_flush(FILE *file);
/* Closes the file, which takes its name. If anything could not be written, there is no file of that name
 * afterwards, a line on stderr says so, and false is returned. NULL: true. */
bool whole_file_close(FILE *file);
/* Closes and removes it; what had its name before stays. NULL: nothing. */
void whole_file_discard(FILE *file);

#endif
