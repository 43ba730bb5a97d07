/* experiment/linker_path.h -- paths for the lists that the dynamic linker reads: LD_LIBRARY_PATH, LD_PRELOAD.
 */
#ifndef EXPERIMENT_LINKER_PATH_H
#define EXPERIMENT_LINKER_PATH_H

/* A path of a folder that can stand in such a list: its own, or that of a link in a folder of this user's in
 * TMPDIR or /tmp. malloc'ed; NULL, with errno, if the link cannot be made. */
char *linker_path(const char *folder);

#endif
