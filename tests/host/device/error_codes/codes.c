/* tests/host/device/error_codes/codes.c -- runs groups of cases in processes of their own and prints their
 * lines. */
#include "codes.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20 };

static struct {
	volatile int next;          /* the first case of the group that is not done */
	const char *volatile doing; /* the case under way; NULL: none */
} * shared;

static const char *group_name;
static int number; /* of the next case in this process */

int case_begins(const char *what)
{
	if (number++ < shared->next)
		return 0;
	shared->next = number;
	shared->doing = what;
	alarm(SECONDS);
	return 1;
}

static void say(const char *what, const char *gives)
{
	printf("%s: %s: %s\n", group_name, what, gives);
	fflush(stdout);
}

void case_gives(const char *code)
{
	say(shared->doing, code);
	shared->doing = NULL;
}

void case_counts(long long value)
{
	char text[32];

	snprintf(text, sizeof text, "%lld", value);
	case_gives(text);
}

void needs(int result, const char *call)
{
	if (result)
		say(call, code_name(result));
}

/* Returns whether the group is done: if not, a case ended the process and the next may be tried. */
static int run_rest(const struct group *g)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		number = 0;
		g->cases();
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !shared->doing)
		return 1;
	if (!shared->doing) {
		say("between cases", "the process ended");
		return 1;
	}
	say(shared->doing, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "the process ended");
	shared->doing = NULL;
	return 0;
}

static int is_named(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return argc < 2;
}

int run_groups(const struct group *groups, int argc, char **argv)
{
	void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 2;
	shared = memory;
	for (const struct group *g = groups; g->name; g++) {
		if (!is_named(g->name, argc, argv))
			continue;
		group_name = g->name;
		shared->next = 0;
		while (!run_rest(g))
			;
	}
	return 0;
}
