/* cli/sweep_command.h -- lockstep sweep, for other commands that begin with a sweep. */
#ifndef CLI_SWEEP_COMMAND_H
#define CLI_SWEEP_COMMAND_H

#include <stdbool.h>

/* The options of lockstep sweep. */
struct sweep_command {
	const char *database, *work, *jobs, *engine, *engine_options, *csv, *size;
	const char *monitor;
	bool retry, keep, quiet, list, dry, facts;
};

/* Runs what is not done yet of a sweep file. *database: where the results are; malloc'ed (NULL: the file is
 * wrong). Returns the exit status. */
int sweep_command_run(const struct sweep_command *options, const char *file, char **database);

#endif
