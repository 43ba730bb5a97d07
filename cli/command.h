/* cli/command.h -- a sub-command: one cmd_*.c that ends in its struct command, and one line in main.c. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options.h"

enum exit_status {
	STATUS_FINE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_NOT_EXECUTABLE = 126,
	STATUS_NOT_FOUND = 127
};

struct command {
	const char *name, *operands, *summary;
	const char *details; /* the rest of the help: what it does, an example; ends in a newline */
	const struct option *options;
	size_t size;        /* of the struct that the options fill; it starts as zeros */
	size_t least, most; /* operands; most 0: any number */
	bool foreign_tail;  /* what follows the first operand belongs to another program */
	/* operands[count], and NULL behind them. Returns the exit status. */
	int (*run)(const struct command *self, const void *options, char **operands, size_t count);
};

extern const struct command command_run, command_launch, command_bench, command_sweep, command_report,
	command_diff, command_correlate, command_job, command_trace, command_cachemodel, command_energy,
	command_interactions, command_reproduce, command_record, command_replay, command_tune;
extern const struct command command_ptx, command_config, command_list;

/* "lockstep run: <sentence>" and a pointer to the help, on stderr. Returns STATUS_USAGE. */
int usage_error(const struct command *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* version.c: version, build, compiler, flags, revision. */
void print_version(void);
/* The commit of the source, or, where that is not known, the version. */
const char *version_revision(void);

#endif
