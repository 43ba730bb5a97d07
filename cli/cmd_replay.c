/* cli/cmd_replay.c -- lockstep replay: a recording in the place of a program. This command becomes itself
 * again with the environment that a program has, and then asks libcuda.so.1 to do what the recording says. */
#include "cli/run_program.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define INSIDE "LOCKSTEP_REPLAY" /* in the environment of the second process */

struct replay_options {
	struct run_options run;
	const char *save, *from;
};

static const struct option replay_option_table[] = { RUN_OPTIONS(struct replay_options, run.),
	MONITOR_OPTION(struct replay_options, run.monitor),
	OPTION_TEXT(struct replay_options, save, 0, "save", "FILE",
		"at the point of --at write a checkpoint: the device memory, the state of warps in the "
		"middle\n"
		"of a launch, between launches with timing caches and what else keeps a state, and what "
		"has\n"
		"been counted so far (docs/user/checkpoints.md)"),
	OPTION_TEXT(struct replay_options, from, 0, "from", "FILE",
		"begin with such a checkpoint of this recording: its launches are only counted"),
	OPTION_END };

static int replay_inside(const struct command *self, const char *path)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
	int (*replay)(const char *path) = NULL;

	unsetenv(INSIDE);
	if (library)
		*(void **)&replay = dlsym(library, "lockstep_replay");
	if (replay)
		return replay(path);
	fprintf(stderr, "lockstep %s: %s\n", self->name, dlerror());
	return STATUS_FAILED;
}

static int run_replay_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct replay_options *options = object;
	struct program_files files = {
		.recording = operands[0], .save = options->save, .from = options->from
	};
	char *again[] = { "/proc/self/exe", "replay", "--", operands[0], NULL };

	if (getenv(INSIDE))
		return replay_inside(self, operands[0]);
	setenv(INSIDE, "1", 1);
	return run_program(self, &options->run, &files, again);
}

const struct command command_replay = {
	.name = "replay",
	.operands = "FILE",
	.summary = "run a recording of lockstep record on the simulated GPU",
	.details = "Runs the kernels of a recording as lockstep run would run those of the program, with "
		   "the same\n"
		   "options and files, and checks that the device memory ends as it did in the "
		   "recording.\n"
		   "docs/user/recordings.md says what is kept of the program.\n"
		   "\n"
		   "  lockstep replay atax.rec -c gtx480 --set sm.scheduler.policy=lrr -o out\n",
	.options = replay_option_table,
	.size = sizeof(struct replay_options),
	.least = 1,
	.most = 1,
	.run = run_replay_command,
};
