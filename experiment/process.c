/* experiment/process.c -- fork, redirect, exec. */
#include "experiment/process.h"
#include "experiment/paths.h"
#include "experiment/plain_path.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The simulator's state is some MiB that it walks through in every simulated cycle: in large pages the
 * processor finds it faster (5 to 9 % of the run time). Large pages are cleared whole: the heap grows by many
 * at once, and keeps them, or a chip of 128 SMs would take half a second to build. Whatever the user says
 * counts (glibc manual, "Memory Allocation Tunables"). */
#define LARGE_PAGES \
	"glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:glibc.malloc.mmap_threshold=67108864:" \
	"glibc.malloc.trim_threshold=268435456"

static void use_large_pages(void)
{
	const char *before = getenv("GLIBC_TUNABLES");
	char *value = NULL;

	if (before && strstr(before, "glibc.malloc."))
		return;
	if (asprintf(&value, "%s%s" LARGE_PAGES, before ? before : "", before && *before ? ":" : "") < 0)
		bug("out of memory");
	setenv("GLIBC_TUNABLES", value, 1);
	free(value);
}

/* Programs with the CUDA runtime linked into them call ours (host/runtime/redirect). Not with ASan, whose
 * library must come first in a process. */
static void preload_redirection(const char *folder)
{
#ifndef __SANITIZE_ADDRESS__
	const char *before = getenv("LD_PRELOAD");
	char *value = NULL;

	if (before && strstr(before, "/liblockstep-redirect.so"))
		return;
	if (asprintf(&value, "%s/liblockstep-redirect.so%s%s", folder, before && *before ? ":" : "",
		    before ? before : "") < 0)
		bug("out of memory");
	setenv("LD_PRELOAD", value, 1);
	free(value);
#endif
}

/* The folder of our libraries, by a path that the dynamic linker can be given. */
static char *library_folder(struct diag_list *diags)
{
	char *folder = paths_library(""), *plain = folder ? plain_path(folder) : NULL;

	if (!folder)
		diag_error(diags, NULL,
			"libcuda.so.1 is not where it should be: ../lib beside the lockstep program");
	else if (!plain)
		diag_error(diags, NULL,
			"%s: the dynamic linker takes no path with a blank, a colon, a semicolon or a dollar "
			"sign, and a link to it cannot be made in TMPDIR or /tmp: %s",
			folder, strerror(errno));
	free(folder);
	return plain;
}

/* The dynamic linker looks into our folder before all others. */
bool process_use_libcuda(struct diag_list *diags)
{
	char *folder = library_folder(diags), *value = NULL;
	const char *before = getenv("LD_LIBRARY_PATH");

	if (!folder)
		return false;
	if (asprintf(&value, "%s%s%s", folder, before && *before ? ":" : "", before ? before : "") < 0)
		bug("out of memory");
	setenv("LD_LIBRARY_PATH", value, 1);
	free(value);
	preload_redirection(folder);
	free(folder);
	use_large_pages();
	return true;
}

void process_die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it has ended before that */
		_exit(126);
}

/* In the child. */
static void become_command(char *const arguments[])
{
	execv(arguments[0], arguments);
	fprintf(stderr, "%s: cannot be run: %s\n", arguments[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static char *read_pipe(int from)
{
	size_t size = 0, room = 4096;
	char *text = xmalloc(room);
	ssize_t got;

	while ((got = read(from, text + size, room - size - 1)) > 0 || (got < 0 && errno == EINTR)) {
		size += got > 0 ? (size_t)got : 0;
		if (room - size < 1024)
			text = xrealloc(text, room *= 2);
	}
	text[size] = 0;
	return text;
}

char *process_output(char *const arguments[])
{
	int ends[2], status = 0;
	char *text;
	pid_t self = getpid(), child;

	fflush(NULL);
	if (pipe(ends))
		return NULL;
	child = fork();
	if (child == 0) {
		process_die_with(self);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		become_command(arguments);
	}
	close(ends[1]);
	text = child > 0 ? read_pipe(ends[0]) : NULL;
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return text;
	free(text);
	return NULL;
}

/* In the child: signals that the parent catches or holds back come through again. */
static void let_signals_through(void)
{
	static const int signals[] = { SIGINT, SIGTERM };
	struct sigaction action;
	sigset_t some;

	sigemptyset(&some);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		sigaddset(&some, signals[i]);
		if (!sigaction(signals[i], NULL, &action) && action.sa_handler != SIG_IGN)
			signal(signals[i], SIG_DFL);
	}
	sigprocmask(SIG_UNBLOCK, &some, NULL);
}

pid_t process_start(char *const arguments[], const char *log, unsigned seconds)
{
	int to = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	pid_t child;

	if (to < 0)
		return -1;
	fflush(NULL);
	child = fork();
	if (child == 0) {
		let_signals_through();
		dup2(to, STDOUT_FILENO);
		dup2(to, STDERR_FILENO);
		setenv("COLUMNS", "1000", 1); /* whoever reads the log finds a message on one line */
		alarm(seconds);               /* outlives exec; what it sends ends the program */
		become_command(arguments);
	}
	close(to);
	return child;
}
static void append_quoted(FILE *text, const char *word)
{
	if (*word &&
		!word[strspn(
			word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=./:,+@%")]) {
		fputs(word, text);
		return;
	}
	fputc('\'', text);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, 0 }, text);
	fputc('\'', text);
}

char *process_command_line(const char *first, char *const words[])
{
	size_t size;
	char *line;
	FILE *text = open_memstream(&line, &size);

	bug_if(!text, "out of memory");
	fputs(first, text);
	for (size_t i = 0; words[i]; i++) {
		fputc(' ', text);
		append_quoted(text, words[i]);
	}
	fclose(text);
	return line;
}
