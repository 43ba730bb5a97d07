/* cli/cmd_run.c -- lockstep run: a CUDA program with our libcuda.so.1 and libcudart.so under it. */
#include "cli/command.h"
#include "cli/machine.h"
#include "cli/run_program.h"
#include "cli/run_results.h"
#include "cli/supervise.h"
#include "experiment/monitor/monitor_run.h"
#include "experiment/process.h"
#include "host/session/run_record.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <sys/wait.h>
#include <sysexits.h>

static const struct option run_option_table[] = { RUN_OPTIONS(struct run_options, ),
	MONITOR_OPTION(struct run_options, monitor), OPTION_END };

/* The configuration is tried here, so that a wrong one is reported before the program has done anything. */
static bool configuration_is_fine(const struct run_options *options, struct diag_list *diags)
{
	struct machine_config machine;
	struct config *config = machine_configure(&options->machine, &machine, diags);

	if (!config)
		return false;
	/* the names of statistics mean something only where there is a machine */
	if (machine.series.period || *machine.energy.model)
		gpu_free(gpu_new(config, diags));
	machine_config_fini(&machine);
	config_free(config);
	return !diags->errors;
}

static int cannot_run(const struct command *self, const char *program, int error)
{
	fprintf(stderr, "lockstep %s: cannot run %s: %s\n", self->name, program,
		error == ENOENT && !strchr(program, '/')
			? "not found in PATH (a program in this folder is ./NAME)"
			: strerror(error));
	return error == ENOENT || error == ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

/* The status of a program that has ended, unless it is to be another: 0 would hide that results are missing.
 */
static int status_of(int status, bool is_whole)
{
	if (is_whole || !WIFEXITED(status) || WEXITSTATUS(status))
		return supervise_status(status);
	fprintf(stderr, "lockstep: not all results are there: exit status %d\n", EX_IOERR);
	return EX_IOERR;
}

/* Watched, if the user wants it. false, with a message: it cannot be. */
static bool watch(const struct run_options *options, struct monitor_run *subject, struct monitor **monitor)
{
	const struct monitor_subject s = monitor_run_subject(subject);
	struct diag_list diags;

	*monitor = NULL;
	if (!options->monitor)
		return true;
	if (!subject->files) {
		fputs("lockstep: --monitor needs a private folder in TMPDIR or /tmp\n", stderr);
		return false;
	}
	diag_init(&diags);
	*monitor = monitor_start(options->monitor, &s, &diags);
	diag_print(&diags, stderr);
	diag_fini(&diags);
	return *monitor;
}

static int run_it(const struct command *self, const struct run_options *options,
	struct session_options *session, char **operands)
{
	char *run = run_folder_new(), *files = NULL;
	struct monitor_run subject = { .program = supervised_program };
	struct monitor *monitor;
	int status, error;
	bool is_whole;

	if (!run)
		fprintf(stderr,
			"lockstep: no private folder can be made in TMPDIR or /tmp (%s): if results are "
			"missing at the end, nobody will say so\n",
			strerror(errno));
	if (run && options->monitor && asprintf(&files, "%s/monitor", run) < 0)
		bug("out of memory");
	session->run = run;
	session->monitor = subject.files = files;
	session_options_to_environment(session);
	if (!watch(options, &subject, &monitor)) {
		run_folder_free(run);
		free(files);
		return STATUS_USAGE;
	}
	fflush(NULL);
	status = supervise(operands);
	error = errno;
	monitor_stop(monitor);
	if (files)
		monitor_run_clean(&subject);
	free(files);
	is_whole = run_results_report(run);
	run_folder_free(run);
	return status == -1 ? cannot_run(self, operands[0], error) : status_of(status, is_whole);
}

int run_program(const struct command *self, const struct run_options *options,
	const struct program_files *files, char **operands)
{
	static const struct program_files none;
	struct session_options session;
	struct diag_list diags;
	char *paths;
	int status;

	diag_init(&diags);
	if (!configuration_is_fine(options, &diags) || !process_use_libcuda(&diags))
		return failed(&diags);
	paths = machine_config_paths(&options->machine.configs);
	run_options_for_session(options, paths, &session);
	files = files ? files : &none;
	session.trace = files->trace;
	session.trace_instructions = files->with_instructions;
	session.trace_sample = files->sample;
	session.record = files->record;
	session.record_kernels = files->record_kernels;
	session.recording = files->recording;
	session.save = files->save;
	session.from = files->from;
	if (!session_check_options(&session, &diags) || !session_check_start(&session, &diags)) {
		free(paths);
		return failed(&diags);
	}
	diag_fini(&diags);
	status = run_it(self, options, &session, operands);
	free(paths);
	return status;
}

static int run_run_command(const struct command *self, const void *object, char **operands, size_t count)
{
	return run_program(self, object, NULL, operands);
}

const struct command command_run = {
	.name = "run",
	.operands = "[--] PROGRAM [ARGUMENT]...",
	.summary = "run a CUDA program on the simulated GPU",
	.details = "Runs PROGRAM, of the CUDA driver or runtime API, with Lockstep's libcuda.so.1 and "
		   "libcudart.so. The\n"
		   "exit status is that of the program (docs/user/process.md has the exceptions).\n"
		   "Options behind PROGRAM belong to the program.\n"
		   "\n"
		   "  lockstep run -c gtx480 --set sm.scheduler.policy=lrr -o out build/bench/sdk/vectoradd "
		   "1000000\n",
	.options = run_option_table,
	.size = sizeof(struct run_options),
	.least = 1,
	.foreign_tail = true,
	.run = run_run_command,
};
