/* cli/cmd_replay.c -- lockstep replay: a recording in the place of a program. This command becomes itself
 * again with the environment that a program has, and then asks libcuda.so.1 to do what the recording says. */
#include "cli/run_program.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define INSIDE "LOCKSTEP_REPLAY" /* in the environment of the second process */

static const struct option replay_option_table[] = { RUN_OPTIONS(struct run_options, ), OPTION_END };

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

static int run(const struct command *self, const void *object, char **operands, size_t count)
{
	char *again[] = { "/proc/self/exe", "replay", "--", operands[0], NULL };

	if (getenv(INSIDE))
		return replay_inside(self, operands[0]);
	setenv(INSIDE, "1", 1);
	return run_program(self, object, NULL, again);
}

const struct command command_replay = {
	.name = "replay",
	.operands = "FILE",
	.summary = "run a recording of lockstep record on the simulated GPU",
	.details = "Runs the kernels of a recording as lockstep run would run those of the program, with the "
		   "same\n"
		   "options and files, and checks that the device memory ends as it did in the recording.\n"
		   "docs/recordings.md says what is kept of the program.\n"
		   "\n"
		   "  lockstep replay atax.rec -c gtx480 --set sm.scheduler.policy=lrr -o out\n",
	.options = replay_option_table,
	.size = sizeof(struct run_options),
	.least = 1,
	.most = 1,
	.run = run,
};
