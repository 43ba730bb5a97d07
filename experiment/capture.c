/* experiment/capture.c -- fork and exec, with files in memory for what the program writes: no pipe that fills
 * up. */
#include "experiment/capture.h"
#include "experiment/process.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child. */
static void become_captured_program(const char *const arguments[], int out, int err, unsigned seconds)
{
	int nothing = open("/dev/null", O_RDONLY);
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(nothing, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	alarm(seconds); /* outlives exec; what it sends ends the program */
	execvp(arguments[0], (char *const *)arguments);
	dprintf(STDERR_FILENO, "%s: %s", arguments[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static char *content(int file)
{
	struct stat status;
	size_t size = 0;
	ssize_t got;
	char *text;

	bug_if(fstat(file, &status), "a file in memory cannot be looked at");
	text = xmalloc((size_t)status.st_size + 1);
	while ((got = pread(file, text + size, (size_t)status.st_size - size, (off_t)size)) > 0)
		size += (size_t)got;
	text[size] = 0;
	close(file);
	return text;
}

static void one_line(char *text)
{
	size_t length = strlen(text);

	while (length && (unsigned char)text[length - 1] <= ' ')
		text[--length] = 0;
	for (; *text; text++)
		if ((unsigned char)*text < ' ')
			*text = ' ';
}

struct capture capture_run(const char *const arguments[], unsigned seconds)
{
	int out = memfd_create("stdout", MFD_CLOEXEC), err = memfd_create("stderr", MFD_CLOEXEC), status = 0;
	struct capture c;
	pid_t self = getpid(), child;

	bug_if(out < 0 || err < 0, "no file in memory: %s", strerror(errno));
	fflush(NULL);
	child = fork();
	if (child == 0) {
		process_die_with(self);
		become_captured_program(arguments, out, err, seconds);
	}
	if (child < 0)
		dprintf(err, "%s: cannot be started: %s", arguments[0], strerror(errno));
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	c.status = child < 0 ? 126 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	c.out = content(out);
	c.err = content(err);
	one_line(c.err);
	return c;
}

void capture_free(struct capture *c)
{
	free(c->out);
	free(c->err);
	c->out = c->err = NULL;
}
