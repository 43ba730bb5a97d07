/* cli/cachemodel/programs.c -- the program runs under the simulator, once for its trace and, with --compare,
 * once with timing. Both are children, which end with this process. */
#include "cli/cachemodel/cachemodel.h"
#include "cli/forward.h"
#include "cli/run_program.h"
#include "experiment/files.h"
#include "experiment/runs/stats_file.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the program prints goes to stderr, so that the tables have stdout for themselves. */
static int run_child(const struct command *self, const struct run_options *options, const char *trace,
	const char *sample, char **program)
{
	const struct program_files files = { .trace = trace, .sample = sample };
	pid_t child, parent = getpid();
	int status;

	fflush(NULL);
	forward_begin();
	child = forward_fork();
	if (child < 0) {
		fprintf(stderr, "lockstep %s: cannot start %s: %s\n", self->name, program[0],
			strerror(errno));
		return STATUS_FAILED;
	}
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(STATUS_FAILED);
		dup2(STDERR_FILENO, STDOUT_FILENO);
		_exit(run_program(self, options, &files, program));
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	forward_ended(child);
	forward_end();
	if (forward_signal())
		return 128 + forward_signal();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void say_status(const struct command *self, const char *program, int status)
{
	if (status != STATUS_NOT_FOUND && status != STATUS_NOT_EXECUTABLE && !forward_signal())
		fprintf(stderr, "lockstep %s: %s ended with status %d\n", self->name, program, status);
}

/* A file that ends with its last user. */
static int nameless_file(void)
{
	const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	char path[4096];
	int file;

	snprintf(path, sizeof(path), "%s/lockstep-trace-XXXXXX", folder);
	file = mkstemp(path);
	if (file >= 0)
		unlink(path);
	else
		fprintf(stderr, "lockstep cachemodel: no temporary file in %s: %s\n", folder,
			strerror(errno));
	return file;
}

FILE *cachemodel_trace(const struct command *self, const struct cachemodel_machine *m,
	const struct machine_options *options, char **program, int *status)
{
	const struct model_config *model = &m->model;
	struct run_options run = {
		.machine = cachemodel_for_simulator(options), .output = "", .functional = true, .quiet = true
	};
	char path[64], sample[128];
	int file = nameless_file();

	*status = STATUS_FAILED;
	if (file < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), file);
	snprintf(sample, sizeof(sample), "%u:%u:%" PRIu64, model->cores,
		model->modelled_cores ? model->modelled_cores : model->cores, model->threads);
	*status = run_child(self, &run, path, sample, program);
	free(run.machine.sets.items);
	if (*status == STATUS_FINE && lseek(file, 0, SEEK_END) > 0)
		return fdopen(file, "rb");
	if (*status == STATUS_FINE) {
		fprintf(stderr, "lockstep %s: no kernel was launched by %s\n", self->name, program[0]);
		*status = STATUS_FAILED;
	} else {
		say_status(self, program[0], *status);
	}
	close(file);
	return NULL;
}

struct stats_file *cachemodel_simulate(
	const struct command *self, const struct machine_options *options, char **program, int *status)
{
	const char *temporary = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	struct run_options run = { .machine = cachemodel_for_simulator(options), .quiet = true };
	struct stats_file *stats = NULL;
	struct diag_list diags;
	char folder[4096];

	*status = STATUS_FAILED;
	snprintf(folder, sizeof(folder), "%s/lockstep-compare-XXXXXX", temporary);
	if (!mkdtemp(folder)) {
		fprintf(stderr, "lockstep cachemodel: no temporary folder in %s: %s\n", temporary,
			strerror(errno));
		return NULL;
	}
	run.output = folder;
	*status = run_child(self, &run, NULL, NULL, program);
	free(run.machine.sets.items);
	if (*status == STATUS_FINE) {
		char *path = file_path(folder, "stats.txt");

		diag_init(&diags);
		stats = stats_file_read(path, &diags);
		diag_print(&diags, stderr);
		diag_fini(&diags);
		free(path);
	} else {
		say_status(self, program[0], *status);
	}
	folder_remove(folder);
	return stats;
}
