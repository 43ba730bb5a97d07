/* experiment/monitor/monitor_run.c -- a run that is watched: see monitor_run.h.
 *
 * Pause and continue stop and continue the program's process; stop interrupts it, so that it writes
 * the results that it has. (By SIGTERM: shells have SIGINT ignored by what runs in the background.) */
#include "experiment/monitor/monitor_run.h"
#include "sim/base/xalloc.h"
#include <glob.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void each_file(const struct monitor_run *run, void (*visit)(const char *path, void *user), void *user)
{
	char *pattern;
	glob_t found;

	if (asprintf(&pattern, "%s.*", run->files) < 0)
		bug("out of memory");
	if (!glob(pattern, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			visit(found.gl_pathv[i], user);
		globfree(&found);
	}
	free(pattern);
}

struct printer {
	FILE *f;
	bool any;
};

/* Files of processes end in a number; those that are being written do not. */
static void print_process(const char *path, void *user)
{
	const char *number = strrchr(path, '.') + 1;
	struct printer *p = user;
	char block[4096];
	size_t count;
	FILE *f;

	if (number[strspn(number, "0123456789")] || !(f = fopen(path, "re")))
		return;
	fputs(p->any ? "," : "", p->f);
	p->any = true;
	while ((count = fread(block, 1, sizeof(block), f)) > 0)
		fwrite(block, 1, count, p->f);
	fclose(f);
}

static void print_run(void *user, FILE *f)
{
	const struct monitor_run *run = user;
	struct printer p = { .f = f };

	fprintf(f, "{\"kind\":\"run\",\"paused\":%s,\"running\":%s,\"processes\":[",
		run->is_paused ? "true" : "false", run->program() ? "true" : "false");
	each_file(run, print_process, &p);
	fputs("]}", f);
}

static bool command_run(void *user, const char *command)
{
	struct monitor_run *run = user;
	pid_t program = run->program();

	if (!program)
		return false;
	if (!strcmp(command, "pause")) {
		run->is_paused = true;
		return !kill(program, SIGSTOP);
	}
	if (!strcmp(command, "continue")) {
		run->is_paused = false;
		return !kill(program, SIGCONT);
	}
	if (strcmp(command, "stop") != 0)
		return false;
	run->is_paused = false;
	return !kill(program, SIGCONT) && !kill(program, SIGTERM);
}

struct monitor_subject monitor_run_subject(struct monitor_run *run)
{
	return (struct monitor_subject){ print_run, command_run, NULL, run };
}

static void remove_file(const char *path, void *user)
{
	unlink(path);
}

void monitor_run_clean(const struct monitor_run *run)
{
	each_file(run, remove_file, NULL);
}
