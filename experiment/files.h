/* experiment/files.h -- files and folders of experiments: written whole or not at all, removed with all that
 * is in them. */
#ifndef EXPERIMENT_FILES_H
#define EXPERIMENT_FILES_H

#include "sim/base/diag.h"
#include "sim/files/file_read.h"
#include <inttypes.h>

/* "folder/name"; malloc'ed. */
char *file_path(const char *folder, const char *name);
/* A file that readers find as it was or as it will be, also after a crash of the machine (a temporary file
 * beside it, fsync, rename). */
bool file_replace(const char *path, const char *text, size_t size, struct diag_list *diags);
void file_remove(const char *folder, const char *name);

/* With its parents. */
bool folder_make(const char *folder, struct diag_list *diags);
/* With all that is in it; what cannot be removed stays. */
void folder_remove(const char *folder);

#endif
