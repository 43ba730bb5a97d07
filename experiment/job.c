/* experiment/job.c -- a job's folder, and the process that runs it under its limits. */
#include "experiment/job.h"
#include "experiment/files.h"
#include "sim/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MS 100 /* how often memory and time are looked at */

const char *const job_outcome_names[JOB_OUTCOMES] = { "done", "failed", "timeout", "memory", "killed", "lost" };

/* -- the folder -- */

static char *job_text(char *const *arguments, struct job_limits limits, size_t *size)
{
	char *text;
	FILE *f = open_memstream(&text, size);

	bug_if(!f, "out of memory");
	fprintf(f, "seconds %u\nmebibytes %u\n", limits.seconds, limits.mebibytes);
	for (size_t i = 0; arguments[i]; i++)
		fprintf(f, "word %s\n", arguments[i]);
	fclose(f);
	return text;
}

/* The lock is held until the file is closed. false: another process has it, or (*to < 0) there is no folder. */
static bool lock(const char *folder, int *to)
{
	char *path = file_path(folder, "lock");

	*to = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	free(path);
	return *to >= 0 && flock(*to, LOCK_EX | LOCK_NB) == 0;
}

static enum job_ready prepare_locked(const char *folder, char *const *arguments, struct job_limits limits, struct diag_list *diags)
{
	struct job_result before;
	char *path, *text;
	size_t size;
	bool fine;

	if (job_result_read(folder, &before) && before.outcome == JOB_DONE)
		return JOB_READY;
	file_remove(folder, "result");
	path = file_path(folder, "job");
	text = job_text(arguments, limits, &size);
	fine = file_replace(path, text, size, diags);
	free(text);
	free(path);
	return fine ? JOB_READY : JOB_CANNOT;
}

enum job_ready job_prepare(const char *folder, char *const *arguments, struct job_limits limits, struct diag_list *diags)
{
	enum job_ready ready;
	int held;

	if (!folder_make(folder, diags))
		return JOB_CANNOT;
	if (lock(folder, &held)) {
		ready = prepare_locked(folder, arguments, limits, diags);
	} else {
		ready = held < 0 ? JOB_CANNOT : JOB_RUNS_NOW;
		if (held < 0)
			diag_error(diags, NULL, "%s cannot be written: %s", folder, strerror(errno));
	}
	if (held >= 0)
		close(held);
	return ready;
}

struct job {
	const char *folder;
	struct job_limits limits;
	char *text, **words; /* words: NULL-terminated, in text */
	size_t count;
};

static void read_line(struct job *j, char *line)
{
	if (sscanf(line, "seconds %u", &j->limits.seconds) == 1 || sscanf(line, "mebibytes %u", &j->limits.mebibytes) == 1)
		return;
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
		read_line(j, line);
	return j->count;
}

bool job_result_read(const char *folder, struct job_result *r)
{
	char *path = file_path(folder, "result"), *text = file_read(path, NULL), *rest = text, *line, outcome[16] = "";

	free(path);
	*r = (struct job_result){ .outcome = JOB_LOST };
	while (rest && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "outcome %15s", outcome) == 1 || sscanf(line, "status %d", &r->status) == 1 ||
			sscanf(line, "seconds %lf", &r->seconds) == 1 || sscanf(line, "peak_kib %" SCNu64, &r->peak_kib) == 1 ||
			sscanf(line, "started %lld", &r->started) == 1 || sscanf(line, "host %63s", r->host) == 1)
			continue;
		if (!strncmp(line, "message ", 8))
			snprintf(r->message, sizeof(r->message), "%s", line + 8);
	}
	free(text);
	for (int i = 0; i < JOB_OUTCOMES; i++) {
		if (strcmp(job_outcome_names[i], outcome))
			continue;
		r->outcome = (enum job_outcome)i;
		return true;
	}
	return false;
}

static bool result_write(const char *folder, const struct job_result *r)
{
	char *path = file_path(folder, "result"), *text = NULL;
	struct diag_list diags;
	bool fine;

	diag_init(&diags);
	if (asprintf(&text, "outcome %s\nstatus %d\nseconds %.3f\npeak_kib %" PRIu64 "\nstarted %lld\nhost %s\nmessage %s\n",
		    job_outcome_names[r->outcome], r->status, r->seconds, r->peak_kib, r->started, *r->host ? r->host : "unknown", r->message) < 0)
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

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* In the child: it dies with us, and with all that it starts makes one process group. */
static void become(const struct job *j, int log, pid_t parent)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(JOB_BUSY);
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	execv(j->words[0], j->words);
	fprintf(stderr, "%s: cannot be run: %s\n", j->words[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* KiB that a process has resident now; 0 if it is not there. */
static uint64_t resident_kib(pid_t process)
{
	unsigned long long pages = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)process);
	f = fopen(path, "r");
	if (f && fscanf(f, "%*s %llu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

/* Why it must be stopped now; JOB_DONE: it need not. */
static enum job_outcome why_stop(const struct job *j, pid_t child, double started, struct job_result *r)
{
	uint64_t kib = resident_kib(child);

	if (kib > r->peak_kib)
		r->peak_kib = kib;
	if (stop_signal)
		return JOB_KILLED;
	if (j->limits.seconds && now() - started > j->limits.seconds)
		return JOB_TIMEOUT;
	if (j->limits.mebibytes && kib / 1024 > j->limits.mebibytes)
		return JOB_MEMORY;
	return JOB_DONE;
}

/* Waits for the child under its limits. Returns its status as wait() gives it; *stopped: why we ended it. */
static int watch(const struct job *j, pid_t child, double started, struct job_result *r, enum job_outcome *stopped)
{
	struct timespec pause = { .tv_nsec = LOOK_MS * 1000000L };
	struct rusage usage;
	sigset_t ends;
	int status = 0;

	*stopped = JOB_DONE;
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	while (wait4(child, &status, WNOHANG, &usage) != child) {
		enum job_outcome why = why_stop(j, child, started, r);

		if (*stopped == JOB_DONE && why != JOB_DONE) {
			*stopped = why;
			kill(-child, SIGKILL);
			kill(child, SIGKILL);
		}
		sigtimedwait(&ends, NULL, &pause);
	}
	kill(-child, SIGKILL); /* whom it left behind */
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

static void judge(const struct job *j, int status, enum job_outcome stopped, struct job_result *r)
{
	char words[400];

	r->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	last_words(j->folder, words, sizeof(words));
	r->outcome = stopped;
	if (stopped == JOB_TIMEOUT)
		snprintf(r->message, sizeof(r->message), "stopped after its limit of %u s", j->limits.seconds);
	else if (stopped == JOB_MEMORY)
		snprintf(r->message, sizeof(r->message), "stopped: it held more than its limit of %u MiB", j->limits.mebibytes);
	else if (stopped == JOB_KILLED)
		snprintf(r->message, sizeof(r->message), "stopped: the job got signal %d (%s)", (int)stop_signal, strsignal((int)stop_signal));
	else if (WIFSIGNALED(status)) {
		int signal = WTERMSIG(status);
		bool is_its_own = signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;

		r->outcome = is_its_own ? JOB_FAILED : JOB_KILLED;
		snprintf(r->message, sizeof(r->message), "ended by signal %d (%s)%s%s", signal, strsignal(signal), is_its_own && *words ? ": " : "",
			is_its_own ? words : "");
	} else if (r->status == 128 + SIGINT || r->status == 128 + SIGTERM) {
		r->outcome = JOB_KILLED;
		snprintf(r->message, sizeof(r->message), "interrupted (exit status %d)", r->status);
	} else if (r->status) {
		r->outcome = JOB_FAILED;
		snprintf(r->message, sizeof(r->message), "exit status %d: %s", r->status, *words ? words : "no word on why");
	}
}

/* Signals that a batch system sends, and the child's end, wake sigtimedwait. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_stop };
	sigset_t blocked;

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
	double started = now();
	int log;

	gethostname(r.host, sizeof(r.host) - 1);
	file_remove(j->folder, "result");
	folder_remove(out);
	free(out);
	log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	free(log_path);
	catch_signals();
	fflush(NULL);
	if (log >= 0)
		child = fork();
	if (child == 0)
		become(j, log, self);
	if (child > 0) {
		int status = watch(j, child, started, &r, &stopped);

		judge(j, status, stopped, &r);
	} else {
		r.outcome = JOB_FAILED;
		snprintf(r.message, sizeof(r.message), "the job cannot be started: %s", strerror(errno));
	}
	if (log >= 0)
		close(log);
	r.seconds = now() - started;
	if (!result_write(j->folder, &r))
		return 1;
	return r.outcome == JOB_DONE ? 0 : 1;
}

int job_run(const char *folder)
{
	struct job_result before;
	struct job job;
	int held, status;

	if (!read_job(&job, folder)) {
		fprintf(stderr, "lockstep job: %s is no job: it has no file `job`\n", folder);
		free(job.text);
		return 2;
	}
	if (!lock(folder, &held))
		status = JOB_BUSY;
	else if (job_result_read(folder, &before) && before.outcome == JOB_DONE)
		status = 0;
	else
		status = run_locked(&job);
	if (held >= 0)
		close(held);
	free(job.words);
	free(job.text);
	return status;
}
