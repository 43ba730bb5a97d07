/* experiment/engine/job.c -- a job's folder, and the process that runs it under its limits. */
#include "experiment/engine/job_internal.h"
#include "sim/base/host_clock.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS 100 /* how often memory and time are looked at */

const char *const job_outcome_names[JOB_OUTCOMES] = { "done", "failed", "timeout", "memory", "killed",
	"lost" };

/* -- the folder -- */

static char *job_text(
	char *const *arguments, const char *const *branches, struct job_limits limits, size_t *size)
{
	char *text;
	FILE *f = open_memstream(&text, size);

	bug_if(!f, "out of memory");
	fprintf(f, "seconds %u\nmebibytes %u\n", limits.seconds, limits.mebibytes);
	for (size_t i = 0; arguments[i]; i++)
		fprintf(f, "word %s\n", arguments[i]);
	for (size_t i = 0; branches && branches[i]; i++)
		fprintf(f, "branch %s\n", branches[i]);
	fclose(f);
	return text;
}

/* The lock is held until the file (*to, -1: none) is closed. JOB_RUNS_NOW: another process has it;
 * JOB_CANNOT, with errno: it cannot be had at all. */
enum job_ready job_lock(const char *folder, int *to)
{
	char *path = file_path(folder, "lock");

	*to = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	free(path);
	if (*to >= 0 && flock(*to, LOCK_EX | LOCK_NB) == 0)
		return JOB_READY;
	return *to >= 0 && errno == EWOULDBLOCK ? JOB_RUNS_NOW : JOB_CANNOT;
}

/* A line of `job` is a word. */
static bool check_words(char *const *arguments, struct diag_list *diags)
{
	for (size_t i = 0; arguments[i]; i++) {
		if (!strchr(arguments[i], '\n'))
			continue;
		diag_error(diags, NULL, "a word of a job's command has a line break: %s", arguments[i]);
		return false;
	}
	return true;
}

static enum job_ready prepare_locked(const char *folder, char *const *arguments, const char *const *branches,
	struct job_limits limits, struct diag_list *diags)
{
	struct job_result before;
	char *path, *text;
	size_t size;
	bool fine;

	if (job_result_read(folder, &before) && before.outcome == JOB_DONE)
		return JOB_READY;
	file_remove(folder, "result");
	path = file_path(folder, "job");
	text = job_text(arguments, branches, limits, &size);
	fine = file_replace(path, text, size, diags);
	free(text);
	free(path);
	return fine ? JOB_READY : JOB_CANNOT;
}

enum job_ready job_prepare(const char *folder, char *const *arguments, const char *const *branches,
	struct job_limits limits, struct diag_list *diags)
{
	enum job_ready ready;
	int held;

	if (!check_words(arguments, diags) || !folder_make(folder, diags))
		return JOB_CANNOT;
	ready = job_lock(folder, &held);
	if (ready == JOB_READY)
		ready = prepare_locked(folder, arguments, branches, limits, diags);
	else if (ready == JOB_CANNOT)
		diag_error(diags, NULL, "%s cannot be locked: %s", folder, strerror(errno));
	if (held >= 0)
		close(held);
	return ready;
}

struct job {
	const char *folder;
	struct job_limits limits;
	char *text, **words; /* words: NULL-terminated, in text */
	size_t count;
	struct job_branches branches;
};

static void read_report_line(struct job *j, char *line)
{
	if (sscanf(line, "seconds %u", &j->limits.seconds) == 1 ||
		sscanf(line, "mebibytes %u", &j->limits.mebibytes) == 1)
		return;
	if (!strncmp(line, "branch ", 7))
		job_branch_add(&j->branches, line + 7);
	if (strncmp(line, "word ", 5))
		return;
	j->words = xrealloc(j->words, (j->count + 2) * sizeof(*j->words));
	j->words[j->count++] = line + 5;
	j->words[j->count] = NULL;
}

static bool read_job(struct job *j, const char *folder)
{
	char *path = file_path(folder, "job"), *line, *rest;

	*j = (struct job){ .folder = folder, .text = file_read(path, NULL) };
	free(path);
	for (rest = j->text; rest && (line = strsep(&rest, "\n"));)
		read_report_line(j, line);
	return j->count;
}

/* One of the result's lines; what it says is kept. false: it is none. */
static bool read_result_line(const char *line, struct job_result *r, char outcome[16])
{
	if (!strncmp(line, "message ", 8))
		snprintf(r->message, sizeof(r->message), "%s", line + 8);
	else if (sscanf(line, "outcome %15s", outcome) != 1 && sscanf(line, "status %d", &r->status) != 1 &&
		sscanf(line, "seconds %lf", &r->seconds) != 1 &&
		sscanf(line, "peak_kib %" SCNu64, &r->peak_kib) != 1 &&
		sscanf(line, "started %lld", &r->started) != 1 && sscanf(line, "host %63s", r->host) != 1)
		return false;
	return true;
}

/* The text is cut up. It is whole if each line is one of a result's, and the last, the message, is ended. */
static bool read_result(char *text, struct job_result *r)
{
	char *rest = text, *line, outcome[16] = "";
	bool is_whole = false;

	while ((line = strsep(&rest, "\n")) && rest) {
		if (!read_result_line(line, r, outcome))
			return false;
		is_whole = !strncmp(line, "message ", 8);
	}
	for (int i = 0; i < JOB_OUTCOMES; i++) {
		if (strcmp(job_outcome_names[i], outcome))
			continue;
		r->outcome = (enum job_outcome)i;
		return is_whole && !*line && isfinite(r->seconds);
	}
	return false;
}

bool job_result_read(const char *folder, struct job_result *r)
{
	char *path = file_path(folder, "result"), *text = file_read(path, NULL);
	bool fine;

	free(path);
	*r = (struct job_result){ .outcome = JOB_LOST };
	fine = text && read_result(text, r);
	free(text);
	if (!fine)
		*r = (struct job_result){ .outcome = JOB_LOST };
	return fine;
}

bool job_result_write(const char *folder, const struct job_result *r)
{
	char *path = file_path(folder, "result"), *text = NULL;
	struct diag_list diags;
	bool fine;

	diag_init(&diags);
	if (asprintf(&text,
		    "outcome %s\nstatus %d\nseconds %.3f\npeak_kib %" PRIu64
		    "\nstarted %lld\nhost %s\nmessage %s\n",
		    job_outcome_names[r->outcome], r->status, r->seconds, r->peak_kib, r->started,
		    *r->host ? r->host : "unknown", r->message) < 0)
		bug("out of memory");
	fine = file_replace(path, text, strlen(text), &diags);
	diag_print(&diags, stderr);
	diag_fini(&diags);
	free(text);
	free(path);
	return fine;
}

void job_remove(const char *folder)
{
	folder_remove(folder);
}

/* -- the process that runs it -- */

static volatile sig_atomic_t stop_signal;

static void on_stop(int number)
{
	stop_signal = number;
}

/* In the child: it dies with us, and with all that it starts makes one process group. */
static void become_job(const struct job *j, int log, pid_t parent)
{
	sigset_t none;
	int code;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(JOB_BUSY);
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	execv(j->words[0], j->words);
	code = errno;
	fprintf(stderr, "%s: cannot be run: %s\n", j->words[0], strerror(code));
	_exit(code == ENOENT ? 127 : 126);
}

/* KiB that a process and those that its first thread started have resident now: `lockstep run` has its
 * program as a child. 0 if it is not there. */
static uint64_t resident_kib(pid_t process)
{
	unsigned long long pages = 0;
	char path[64];
	uint64_t kib;
	int child;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)process);
	f = fopen(path, "re");
	if (f && fscanf(f, "%*s %llu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	kib = pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)process, (int)process);
	f = fopen(path, "re");
	while (f && fscanf(f, "%d", &child) == 1)
		kib += resident_kib(child);
	if (f)
		fclose(f);
	return kib;
}

/* Why it must be stopped now; JOB_DONE: it need not. */
static enum job_outcome why_stop(const struct job *j, pid_t child, double started, struct job_result *r)
{
	uint64_t kib = resident_kib(child);

	if (kib > r->peak_kib)
		r->peak_kib = kib;
	if (stop_signal)
		return JOB_KILLED;
	if (j->limits.seconds && host_seconds() - started > j->limits.seconds)
		return JOB_TIMEOUT;
	if (j->limits.mebibytes && kib / 1024 > j->limits.mebibytes)
		return JOB_MEMORY;
	return JOB_DONE;
}

static bool has_ended(pid_t child)
{
	siginfo_t end = { 0 };

	return waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == child;
}

/* Waits for the child under its limits. Returns its status as wait() gives it; *stopped: why we ended it.
 * While it has not been waited for, its number and its group's are nobody else's. */
static int watch_job(
	const struct job *j, pid_t child, double started, struct job_result *r, enum job_outcome *stopped)
{
	struct timespec pause = { .tv_nsec = LOOK_MS * 1000000L };
	struct rusage usage;
	sigset_t ends;
	int status = 0;

	*stopped = JOB_DONE;
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	while (!has_ended(child)) {
		enum job_outcome why = why_stop(j, child, started, r);

		if (*stopped == JOB_DONE && why != JOB_DONE) {
			*stopped = why;
			kill(-child, SIGKILL);
			kill(child, SIGKILL);
		}
		sigtimedwait(&ends, NULL, &pause);
	}
	kill(-child, SIGKILL); /* whom it left behind */
	while (wait4(child, &status, 0, &usage) != child)
		bug_if(errno != EINTR, "a child that was there is gone: %s", strerror(errno));
	if ((uint64_t)usage.ru_maxrss > r->peak_kib)
		r->peak_kib = (uint64_t)usage.ru_maxrss;
	return status;
}

/* What the program said last; the last line that speaks of an error, if one does. */
static void last_words(const char *folder, char *to, size_t size)
{
	char *path = file_path(folder, "log.txt"), *text = file_read(path, NULL), *rest = text, *line;
	bool has_error = false;

	free(path);
	*to = 0;
	while (rest && (line = strsep(&rest, "\n"))) {
		bool is_error = strstr(line, "error") || strstr(line, "FAIL") || strstr(line, "fault");

		if (*line && (is_error || !has_error))
			snprintf(to, size, "%s", line);
		has_error |= is_error;
	}
	free(text);
	for (; *to; to++)
		if ((unsigned char)*to < 0x20)
			*to = ' ';
}

static void judge_job(const struct job *j, int status, enum job_outcome stopped, struct job_result *r)
{
	char words[400];

	r->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	last_words(j->folder, words, sizeof(words));
	r->outcome = stopped;
	if (stopped == JOB_TIMEOUT)
		snprintf(
			r->message, sizeof(r->message), "stopped after its limit of %u s", j->limits.seconds);
	else if (stopped == JOB_MEMORY)
		snprintf(r->message, sizeof(r->message), "stopped: it held more than its limit of %u MiB",
			j->limits.mebibytes);
	else if (stopped == JOB_KILLED)
		snprintf(r->message, sizeof(r->message), "stopped: the job got signal %d (%s)",
			(int)stop_signal, strsignal((int)stop_signal));
	else if (WIFSIGNALED(status)) {
		int signal = WTERMSIG(status);
		bool is_its_own = signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS ||
			signal == SIGFPE || signal == SIGILL || signal == SIGTRAP || signal == SIGSYS;

		r->outcome = is_its_own ? JOB_FAILED : JOB_KILLED;
		snprintf(r->message, sizeof(r->message), "ended by signal %d (%s)%s%s", signal,
			strsignal(signal), is_its_own && *words ? ": " : "", is_its_own ? words : "");
	} else if (r->status == 128 + SIGINT || r->status == 128 + SIGTERM) {
		r->outcome = JOB_KILLED;
		snprintf(r->message, sizeof(r->message), "interrupted (exit status %d)", r->status);
	} else if (r->status) {
		r->outcome = JOB_FAILED;
		snprintf(r->message, sizeof(r->message), "exit status %d: %s", r->status,
			*words ? words : "no word on why");
	}
}

/* Signals that a batch system sends, and the child's end, wake sigtimedwait. Who started us may have had
 * SIGCHLD ignored: then no child's end could be waited for. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_stop };
	sigset_t blocked;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
}

static int run_locked(const struct job *j)
{
	struct job_result r = { .started = (long long)time(NULL) };
	char *log_path = file_path(j->folder, "log.txt"), *out = file_path(j->folder, "out");
	pid_t child = -1, self = getpid();
	enum job_outcome stopped;
	double started = host_seconds();
	int log;

	gethostname(r.host, sizeof(r.host) - 1);
	file_remove(j->folder, "result");
	folder_remove(out);
	free(out);
	log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	free(log_path);
	catch_signals();
	fflush(NULL);
	if (log >= 0)
		child = fork();
	if (child == 0)
		become_job(j, log, self);
	if (child > 0) {
		int status = watch_job(j, child, started, &r, &stopped);

		judge_job(j, status, stopped, &r);
		job_branches_share(&j->branches, j->folder, &r);
	} else {
		r.outcome = JOB_FAILED;
		snprintf(r.message, sizeof(r.message), "the job cannot be started: %s", strerror(errno));
	}
	if (log >= 0)
		close(log);
	r.seconds = host_seconds() - started;
	if (!job_result_write(j->folder, &r))
		return 1;
	return r.outcome == JOB_DONE ? 0 : 1;
}

static int run_if_open(struct job *j)
{
	struct job_result before;

	if (job_result_read(j->folder, &before) && before.outcome == JOB_DONE)
		return 0;
	job_branches_lock(&j->branches, j->folder);
	return run_locked(j);
}

int job_run(const char *folder)
{
	int held = -1, status = 1;
	struct job job;

	if (!read_job(&job, folder)) {
		fprintf(stderr, "lockstep job: %s is no job: it has no file `job`\n", folder);
		free(job.text);
		return 2;
	}
	switch (job_lock(folder, &held)) {
	case JOB_READY:
		status = run_if_open(&job);
		break;
	case JOB_RUNS_NOW:
		status = JOB_BUSY;
		break;
	case JOB_CANNOT:
		fprintf(stderr, "lockstep job: %s cannot be locked: %s\n", folder, strerror(errno));
	}
	if (held >= 0)
		close(held);
	job_branches_free(&job.branches);
	free(job.words);
	free(job.text);
	return status;
}
