/* cli/main.c -- the lockstep command: finds the sub-command, reads its options, runs it. */
#include "cli/command.h"
#include "experiment/process.h"
#include "sim/files/descriptor.h"
#include "sim/base/diag.h"
#include "sim/text/terminal.h"
#include "sim/base/xalloc.h"
#include <signal.h>
#include <stdarg.h>
#include <string.h>

static const struct command *const commands[] = {
	&command_run,
	&command_launch,
	&command_record,
	&command_replay,
	&command_bench,
	&command_sweep,
	&command_report,
	&command_diff,
	&command_correlate,
	&command_job,
	&command_trace,
	&command_cachemodel,
	&command_energy,
	&command_interactions,
	&command_reproduce,
	&command_tune,
	&command_ptx,
	&command_config,
	&command_list,
};
#define COMMANDS (sizeof(commands) / sizeof(*commands))

int usage_error(const struct command *self, const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "lockstep %s: ", self->name);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fprintf(stderr, "\nTry 'lockstep %s --help'.\n", self->name);
	return STATUS_USAGE;
}

/* -- help -- */

static int print_overview(void)
{
	struct terminal_rows rows;

	terminal_rows_begin(&rows);
	fprintf(rows.text,
		"Lockstep runs PTX programs on a simulated GPU and reports where their time goes.\n"
		"\n"
		"usage: lockstep COMMAND [OPTION]... [OPERAND]...\n"
		"       lockstep COMMAND --help\n"
		"       lockstep --version\n"
		"\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(rows.text, "  %-12s  %s\n", commands[i]->name, commands[i]->summary);
	fprintf(rows.text,
		"\n"
		"Exit status: 0 success; 1 refused input, wrong results or a device fault; 2 wrong "
		"usage, also\n"
		"a value of an option (--set included) or of a variable LOCKSTEP_... that is refused;\n"
		"of run also 70 a device fault, or that all launches were refused, which the program "
		"ignored;\n"
		"74 results that are missing or could not be written;\n"
		"86 findings of --sanitize;\n"
		"126, 127 the program cannot be run, cannot be found; 130, 143 interrupted (Ctrl-C, "
		"SIGTERM).\n"
		"The status of diff is 0 if the statistics are the same, 1 if not, 2 for errors.\n");
	terminal_rows_end(&rows, stdout);
	return STATUS_FINE;
}

static int print_help(const struct command *c)
{
	struct terminal_rows rows;

	terminal_rows_begin(&rows);
	fprintf(rows.text, "lockstep %s -- %s\n\n", c->name, c->summary);
	fprintf(rows.text, "usage: lockstep %s [OPTION]...%s%s\n\n", c->name, *c->operands ? " " : "",
		c->operands);
	options_print_help(c->options, rows.text);
	fprintf(rows.text, "\n%s", c->details);
	terminal_rows_end(&rows, stdout);
	return STATUS_FINE;
}

/* -- one command -- */

static int check_operands(const struct command *c, size_t count)
{
	if (count < c->least)
		return usage_error(c, "too few operands: expected %s", c->operands);
	if (c->most && count > c->most)
		return usage_error(c, "too many operands: expected %s", c->operands);
	return STATUS_FINE;
}

static int run_command(const struct command *c, char **arguments, size_t count)
{
	void *options = xcalloc(1, c->size);
	size_t operands;
	char message[512];
	int status;

	switch (options_read(c->options, options, arguments, count, c->foreign_tail, &operands, message,
		sizeof(message))) {
	case OPTIONS_HELP:
		status = print_help(c);
		break;
	case OPTIONS_WRONG:
		status = usage_error(c, "%s", message);
		break;
	default:
		status = check_operands(c, operands);
		arguments[operands] = NULL;
		if (status == STATUS_FINE)
			status = c->run(c, options, arguments, operands);
	}
	options_fini(c->options, options);
	free(options);
	return status;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[COMMANDS + 2] = { "--help", "--version" }, *nearest;

	for (size_t i = 0; i < COMMANDS; i++)
		names[2 + i] = commands[i]->name;
	nearest = diag_nearest(name, names, COMMANDS + 2);
	fprintf(stderr, "lockstep: unknown %s %s%s%s%s\nTry 'lockstep --help'.\n",
		*name == '-' ? "option" : "command", name, nearest ? "; did you mean " : "",
		nearest ? nearest : "", nearest ? "?" : "");
	return STATUS_USAGE;
}

/* -- the command line, kept for reports -- */

static void remember_command_line(char **words)
{
	char *line = process_command_line("lockstep", words);

	setenv("LOCKSTEP_COMMAND", line, !getenv("LOCKSTEP_REPLAY"));
	free(line);
}

static int dispatch(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		fprintf(stderr, "lockstep: no command given\nTry 'lockstep --help'.\n");
		return STATUS_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		print_version();
		return STATUS_FINE;
	}
	if (strcmp(argv[1], "help") == 0 && argc > 2) {
		c = find_command(argv[2]);
		return c ? print_help(c) : unknown_command(argv[2]);
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
		return print_overview();
	c = find_command(argv[1]);
	if (!c)
		return unknown_command(argv[1]);
	remember_command_line(argv + 1);
	return run_command(c, argv + 2, (size_t)argc - 2);
}

/* The limit on the size of files (ulimit -f) is an error of whoever writes, and no signal. A handler, unlike
 * SIG_IGN, is not passed on to programs that are started. */
static void file_is_too_large(int number)
{
}

/* Output that a full disk swallowed must not pass for a result. */
int main(int argc, char **argv)
{
	descriptors_open_standard();
	if (signal(SIGXFSZ, file_is_too_large) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
	int status = dispatch(argc, argv);

	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "lockstep: standard output could not be written completely\n");
		return status == STATUS_FINE ? STATUS_FAILED : status;
	}
	return status;
}
