/* cli/cmd_record.c -- lockstep record: what a program asks of the device, into a file. */
#include "cli/run_program.h"
#include <sys/stat.h>

#define DEFAULT_RECORDING "lockstep.rec"

struct record_options {
	struct run_options run;
	const char *file, *kernels;
	bool is_timed;
};

static const struct option record_option_table[] = { MACHINE_OPTIONS(struct record_options, run.machine.),
	OPTION_TEXT(struct record_options, file, 'o', "output", "FILE",
		"the recording (default: " DEFAULT_RECORDING ")"),
	OPTION_TEXT(struct record_options, kernels, 0, "kernels", "LIST",
		"only these launches, with the memory that each needs: names of kernels, and numbers of\n"
		"launches from 1 on, as in gemm,3,7-9 (default: everything)"),
	OPTION_FLAG(struct record_options, is_timed, 0, "timed",
		"run with timing: for programs that decide by results that depend on the order of threads"),
	OPTION_FLAG(struct record_options, run.quiet, 'q', "quiet",
		"print no line for each kernel on the terminal"),
	OPTION_END };

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
		a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A program that never asks for the device loads no library that could say so at its end. */
static int record_program(const struct command *self, const struct run_options *run,
	const struct program_files *files, char **operands)
{
	struct stat before = { 0 }, after;
	int status;

	stat(files->record, &before);
	status = run_program(self, run, files, operands);
	if (!status && (stat(files->record, &after) || is_same_file(&before, &after)))
		fprintf(stderr,
			"lockstep record: %s was not written: unless a line above says why, %s called no "
			"function of CUDA\n",
			files->record, operands[0]);
	return status;
}

static int run_record_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct record_options *options = object;
	struct run_options run = options->run;
	const struct program_files files = { .record = options->file ? options->file : DEFAULT_RECORDING,
		.record_kernels = options->kernels };

	run.functional = !options->is_timed;
	run.output = "";
	return record_program(self, &run, &files, operands);
}

const struct command command_record = {
	.name = "record",
	.operands = "[--] PROGRAM [ARGUMENT]...",
	.summary = "record what a program asks of the device, for lockstep replay",
	.details = "Runs PROGRAM, without timing, and writes its kernels, with their arguments and the "
		   "memory they\n"
		   "need, into a file that lockstep replay runs without the program, in any configuration.\n"
		   "docs/user/recordings.md describes what is kept.\n"
		   "\n"
		   "  lockstep record -o atax.rec -- build/bench/polybench/atax 512\n"
		   "  lockstep replay atax.rec --set sm.scheduler.policy=lrr -o lrr\n",
	.options = record_option_table,
	.size = sizeof(struct record_options),
	.least = 1,
	.foreign_tail = true,
	.run = run_record_command,
};
