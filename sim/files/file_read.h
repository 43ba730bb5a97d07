/* sim/files/file_read.h -- a file, read whole. */
#ifndef SIM_FILES_FILE_READ_H
#define SIM_FILES_FILE_READ_H

#include <stddef.h>

/* The whole file, with a NUL behind it; malloc'ed; size may be NULL. NULL, with errno, if it cannot be read,
 * as a folder, or what is no regular file and has more than 64 MiB. */
char *file_read(const char *path, size_t *size);

#endif
