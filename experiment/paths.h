/* experiment/paths.h -- where things are: the installation, found from the program itself, and the user's
 * files. */
#ifndef EXPERIMENT_PATHS_H
#define EXPERIMENT_PATHS_H

#include "sim/base/diag.h"

/* The folder of the configurations that come with Lockstep: of the source tree, or of an installation. As
 * above. */
char *paths_configs(void);
/* The folder of the benchmarks' suites, and a library of the simulator ("" for the folder of both). As above.
 */
char *paths_benchmarks(void);
char *paths_library(const char *name);

/* The names in a folder that end in suffix ("" for all; hidden ones left out), without it, sorted. malloc'ed,
 * each and the list; *count is 0 if the folder cannot be read. */
char **paths_list(const char *folder, const char *suffix, size_t *count);
void paths_list_free(char **names, size_t count);

/* A whole file, with a NUL behind it; malloc'ed. NULL with a diagnostic if it cannot be read. */
char *paths_read(const char *path, size_t *size, struct diag_list *diags);

/* The name of a configuration that comes with Lockstep (as `lockstep list configs` has it) that is nearest to
 * a misspelt one; malloc'ed, or NULL. */
char *paths_nearest_config(const char *name);

#endif
