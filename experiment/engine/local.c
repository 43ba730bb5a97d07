/* experiment/engine/local.c -- jobs as processes of this machine. They die with the sweep, whatever ends it.
 */
#include "experiment/engine/engine.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct running {
	pid_t process; /* 0: a free place */
	int status;
	const char *job;
};

struct local {
	struct engine_options options;
	struct running *running; /* as many as may run at once, and as many that have ended and were not yet
				    collected */
	size_t places, count;
};

static struct engine *local_open(const struct engine_options *options, struct diag_list *diags)
{
	struct local *l = xcalloc(1, sizeof(*l));
	sigset_t ends;

	if (options->arguments) {
		diag_error(diags, NULL, "--engine-options are for a batch system; engine local has none");
		free(l);
		return NULL;
	}
	l->options = *options;
	l->places = 2 * (size_t)options->at_once;
	l->running = xcalloc(l->places, sizeof(*l->running));
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);            /* where it is ignored nobody's end can be waited for */
	sigprocmask(SIG_BLOCK, &ends, NULL); /* poll takes it from the queue */
	return (struct engine *)l;
}

static size_t local_room(struct engine *engine)
{
	struct local *l = (struct local *)engine;

	return l->options.at_once - l->count;
}

/* In the child: a group of its own, so that the terminal's Ctrl-C reaches the sweep alone. */
static void become_worker(const struct local *l, const char *folder, pid_t parent)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(JOB_BUSY);
	setpgid(0, 0);
	signal(SIGINT, SIG_DFL); /* our handlers would swallow a signal that comes before exec */
	signal(SIGTERM, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl(l->options.self, l->options.self, "job", folder, (char *)NULL);
	fprintf(stderr, "%s: cannot be run: %s\n", l->options.self, strerror(errno));
	_exit(126);
}

static struct running *free_place(struct local *l)
{
	for (size_t i = 0; i < l->places; i++)
		if (!l->running[i].job)
			return &l->running[i];
	bug("more jobs are under way than there are places");
}

/* The child's process, or -1. What ends the sweep must end a child that is still us: so signals wait until it
 * has no handlers of ours. */
static pid_t start_worker(const struct local *l, const char *folder)
{
	pid_t self = getpid(), child;
	sigset_t stops, before;

	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigprocmask(SIG_BLOCK, &stops, &before);
	fflush(NULL);
	child = fork();
	if (child == 0)
		become_worker(l, folder, self);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return child;
}

static bool local_submit(struct engine *engine, const char *const *jobs, size_t count, size_t *submitted,
	struct diag_list *diags)
{
	struct local *l = (struct local *)engine;

	for (*submitted = 0; *submitted < count; ++*submitted) {
		struct running *location = free_place(l);
		char *folder = file_path(l->options.work, jobs[*submitted]);
		pid_t child = start_worker(l, folder);

		free(folder);
		if (child < 0) {
			diag_error(diags, NULL, "a job cannot be started: %s", strerror(errno));
			return false;
		}
		*location = (struct running){ child, 0, jobs[*submitted] };
		l->count++;
	}
	return true;
}

/* Takes note of those that have ended. */
static size_t reap(struct local *l, const char **ended, size_t most)
{
	size_t n = 0;
	int status;
	pid_t child;

	while (n < most && (child = waitpid(-1, &status, WNOHANG)) > 0) {
		for (size_t i = 0; i < l->places; i++) {
			if (l->running[i].process != child)
				continue;
			l->running[i].process = 0;
			l->running[i].status = status;
			ended[n++] = l->running[i].job;
			l->count--;
		}
	}
	return n;
}

static size_t local_poll(struct engine *engine, unsigned milliseconds, const char **ended, size_t most)
{
	struct local *l = (struct local *)engine;
	struct timespec wait = { milliseconds / 1000, (long)(milliseconds % 1000) * 1000000L };
	size_t n = reap(l, ended, most);
	sigset_t ends;

	if (n || !milliseconds)
		return n;
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigtimedwait(&ends, NULL, &wait);
	return reap(l, ended, most);
}

static void local_collect(struct engine *engine, const char *job, struct job_result *result)
{
	struct local *l = (struct local *)engine;
	char *folder = file_path(l->options.work, job);
	bool has_result = job_result_read(folder, result);

	free(folder);
	for (size_t i = 0; i < l->places; i++) {
		struct running *r = &l->running[i];

		if (!r->job || strcmp(r->job, job) || r->process)
			continue;
		if (WIFEXITED(r->status) && WEXITSTATUS(r->status) == JOB_BUSY) {
			*result = (struct job_result){
				.outcome = JOB_LOST, .status = JOB_BUSY, .message = "another sweep runs it"
			};
		} else if (!has_result) {
			result->status =
				WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) : WEXITSTATUS(r->status);
			result->outcome = WIFSIGNALED(r->status) ? JOB_KILLED : JOB_LOST;
			snprintf(result->message, sizeof(result->message),
				"its process ended with %s %d and left no result",
				WIFSIGNALED(r->status) ? "signal" : "status",
				WIFSIGNALED(r->status) ? WTERMSIG(r->status) : result->status);
		}
		*r = (struct running){ 0 };
		return;
	}
}

static void local_cancel(struct engine *engine)
{
	struct local *l = (struct local *)engine;

	for (size_t i = 0; i < l->places; i++)
		if (l->running[i].process)
			kill(l->running[i].process, SIGTERM); /* `lockstep job` ends its program */
	for (size_t i = 0; i < l->places; i++) {
		int status;

		while (l->running[i].process && waitpid(l->running[i].process, &status, 0) < 0 &&
			errno == EINTR)
			;
		l->running[i] = (struct running){ 0 };
	}
	l->count = 0;
}

static void local_close(struct engine *engine)
{
	struct local *l = (struct local *)engine;

	local_cancel(engine);
	free(l->running);
	free(l);
}

const struct engine_class engine_local = {
	.name = "local",
	.help = "processes of this machine (-j at a time)",
	.open = local_open,
	.room = local_room,
	.submit = local_submit,
	.poll = local_poll,
	.collect = local_collect,
	.cancel = local_cancel,
	.close = local_close,
};
