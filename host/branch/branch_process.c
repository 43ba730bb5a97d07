/* host/branch/branch_process.c -- the processes of branches. What both processes would share after a fork is
 * given to the child anew: the places in files that are read, and the terminal, which becomes a file. */
#include "host/branch/branch.h"
#include "sim/files/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A file that is open for reading. */
struct place {
	int descriptor;
	off_t offset;
};

static bool is_read(int descriptor)
{
	struct stat s;
	int flags = fcntl(descriptor, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY && !fstat(descriptor, &s) && S_ISREG(s.st_mode);
}

/* Where the process reads; malloc'ed. */
static struct place *places(size_t *count)
{
	DIR *all = opendir("/proc/self/fd");
	struct place *found = NULL;
	struct dirent *entry;

	*count = 0;
	while (all && (entry = readdir(all))) {
		int descriptor = atoi(entry->d_name);

		if (entry->d_name[0] == '.' || descriptor == dirfd(all) || !is_read(descriptor))
			continue;
		found = xrealloc(found, (*count + 1) * sizeof *found);
		found[(*count)++] = (struct place){ descriptor, lseek(descriptor, 0, SEEK_CUR) };
	}
	if (all)
		closedir(all);
	return found;
}

/* Under the same number, at the same place, and moved by nobody else. */
static void open_again(const struct place *p)
{
	char path[64];
	int fresh, flags = fcntl(p->descriptor, F_GETFD);

	snprintf(path, sizeof path, "/proc/self/fd/%d", p->descriptor);
	fresh = open(path, O_RDONLY | O_CLOEXEC);
	bug_if(fresh < 0, "a file that is read cannot be opened again: %s", strerror(errno));
	lseek(fresh, p->offset, SEEK_SET);
	dup2(fresh, p->descriptor);
	fcntl(p->descriptor, F_SETFD, flags);
	close(fresh);
}

static void redirect(const char *folder)
{
	char *path;
	int f;

	if (asprintf(&path, "%s/output.txt", folder) < 0)
		bug("out of memory");
	f = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (f < 0) {
		fprintf(stderr, "lockstep: %s cannot be written: %s\n", path, strerror(errno));
		_exit(1);
	}
	free(path);
	dup2(f, STDOUT_FILENO);
	dup2(f, STDERR_FILENO);
	close(f);
}

/* At most one process for each processor, this one included. */
static void wait_for_room(struct session *s)
{
	struct session_branches *b = s->branches;
	long most = b->at_once ? (long)b->at_once + 1 : sysconf(_SC_NPROCESSORS_ONLN);
	struct branch *oldest = NULL;
	long running = 1;

	for (size_t i = b->count; i; i--)
		if (b->branches[i - 1].process) {
			running++;
			oldest = &b->branches[i - 1];
		}
	if (oldest && running >= (most > 2 ? most : 2))
		b->failed |= !branch_wait(s, oldest);
}

static int ready[2]; /* a pipe from child to parent */

void branch_is_ready(void)
{
	close(ready[1]);
}

/* Until the child is ready, or has died. */
static void wait_until_ready(void)
{
	char byte;

	close(ready[1]);
	while (read(ready[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(ready[0]);
}

bool branch_fork(struct session *s, struct branch *branch, const char *folder)
{
	pid_t parent = getpid();
	struct place *reading;
	size_t count;

	wait_for_room(s);
	fflush(NULL);
	reading = places(&count);
	bug_if(pipe2(ready, O_CLOEXEC), "no pipe: %s", strerror(errno));
	branch->process = fork();
	if (branch->process < 0) {
		fprintf(stderr, "lockstep: branch %s cannot be made: %s\n", branch->name, strerror(errno));
		branch->process = 0;
		s->branches->failed = true;
		branch_is_ready();
		close(ready[0]);
	} else if (!branch->process) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		close(ready[0]);
		redirect(folder);
		for (size_t i = 0; i < count; i++)
			open_again(&reading[i]);
		free(reading);
		for (size_t i = 0; i < s->branches->count; i++) {
			s->branches->branches[i].process = 0;
			s->branches->branches[i].end.is_known = false;
		}
		s->branches->failed = false; /* what others did is the parent's to tell */
		return true;
	} else {
		wait_until_ready();
	}
	free(reading);
	return false;
}

static double in_seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

bool branch_wait(const struct session *s, struct branch *branch)
{
	struct rusage used;
	int status;

	while (wait4(branch->process, &status, 0, &used) < 0)
		if (errno != EINTR) {
			fprintf(stderr, "lockstep: branch %s was waited for by somebody else\n",
				branch->name);
			branch->process = 0;
			return false;
		}
	branch->process = 0;
	branch->end = (struct branch_end){ .is_known = true,
		.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
		.seconds = in_seconds(&used.ru_utime) + in_seconds(&used.ru_stime),
		.peak_kib = (uint64_t)used.ru_maxrss };
	if (!branch->end.status)
		return true;
	fprintf(stderr, "lockstep: branch %s ended with %s %d: see %s/%s/output.txt\n", branch->name,
		WIFSIGNALED(status) ? "signal" : "status",
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), s->output.folder, branch->name);
	return false;
}

bool branches_list(const struct session *s)
{
	const struct session_branches *b = s->branches;
	struct diag_list diags;
	FILE *f = NULL;
	bool fine;

	diag_init(&diags);
	for (size_t i = 0; i < b->count; i++) {
		const struct branch_end *end = &b->branches[i].end;

		if (end->is_known && !f)
			f = whole_file_open_in(s->output.folder, "branches.txt", "w", &diags);
		if (end->is_known && f)
			fprintf(f, "%s %d %.2f %" PRIu64 "\n", b->branches[i].name, end->status, end->seconds,
				end->peak_kib);
	}
	fine = !diags.errors && (!f || whole_file_close(f));
	diag_print(&diags, stderr);
	diag_fini(&diags);
	return fine;
}
