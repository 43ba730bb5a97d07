/* cli/cmd_job.c -- lockstep job: one job of a sweep, as back ends start it. */
#include "cli/command.h"
#include "experiment/engine/job.h"

struct job_options {
	bool none;
};

static const struct option job_option_table[] = { OPTION_END };

static int run_job_command(const struct command *self, const void *options, char **operands, size_t count)
{
	return job_run(operands[0]);
}

const struct command command_job = {
	.name = "job",
	.operands = "FOLDER",
	.summary = "run one job of a sweep",
	.details =
		"FOLDER is the folder of a job that 'lockstep sweep' made. Its file `job` says what to run "
		"and under which limits "
		"of time and memory; its file `result` will say how the job ended. A job that has succeeded "
		"is not run again. "
		"The back ends of sweeps use this command; run by hand, it repeats a job that failed.\n"
		"\n"
		"Exit status: 0 success; 1 failure; 2 no such job; 75 another process is running the job.\n",
	.options = job_option_table,
	.size = sizeof(struct job_options),
	.least = 1,
	.most = 1,
	.run = run_job_command,
};
