/* sim/files/whole_file.h -- files that are whole or absent: what is written goes to NAME.part, which takes
 * the place of NAME when it is complete. So a process that is killed leaves what was complete before, beside
 * the parts it had written. A part is always a new file: no link is followed, and one that another process
 * writes is refused. What is no regular file (a pipe, a device) is written as it is. */
#ifndef SIM_FILES_WHOLE_FILE_H
#define SIM_FILES_WHOLE_FILE_H

#include "sim/base/diag.h"
#include <stdio.h>

/* Opens a file that the user has named for writing, in a mode of fopen that begins with w; NULL, with a
 * diagnostic, if that fails. It may be a link to a pipe or a device. A child that the process forks later
 * never writes to it. The file has no descriptor of fileno(). */
FILE *whole_file_open(const char *path, const char *mode, struct diag_list *diags);
/* The same of a file in a folder of results, where a link, whatever it points to, is replaced. */
FILE *whole_file_open_in(const char *folder, const char *name, const char *mode, struct diag_list *diags);

/* In a child that was forked: another file of the same content so far, which is then written instead. All
 * must have been flushed before the fork. */
FILE *whole_file_branch(FILE *file, const char *folder, const char *name, struct diag_list *diags);

/* Writes what is buffered. What goes wrong is told when the file is closed. */
void whole_file_flush(FILE *file);
/* The same, and the file ends there. */
void whole_file_truncate(FILE *file);
/* Closes the file, which takes its name. If anything could not be written, there is no file of that name
 * afterwards, a line on stderr says so, and false is returned. NULL: true. */
bool whole_file_close(FILE *file);
/* Closes and removes it; what had its name before stays. NULL: nothing. */
void whole_file_discard(FILE *file);

#endif
