/* host/session/session_crash.c -- a process that dies of its own signal: it is named, since nothing else says
 * why a run has no end. Results are not written then, for the process is in no state to do that: what was
 * written by then is in files NAME.part. A signal that the program or a sanitizer catches is left to it. */
#include "host/session/session_internal.h"

#include <signal.h>
#include <unistd.h>

static const struct {
	int number;
	const char *name;
} caught[] = {
	{ SIGSEGV, "SIGSEGV: it accessed memory that it does not have" },
	{ SIGBUS, "SIGBUS: it accessed memory that cannot be accessed so" },
	{ SIGFPE, "SIGFPE: an integer was divided by zero, or the like" },
	{ SIGILL, "SIGILL: an instruction that the processor does not have" },
	{ SIGABRT, "SIGABRT: it called abort(), or a check of its library failed" },
};
#define CAUGHT (sizeof caught / sizeof *caught)

static pid_t owner;
static void (*look_at_fault)(const siginfo_t *info, const void *context);
static char folder[512]; /* in the message; empty: none */
static bool has_plugins; /* they are in the process, too */

/* Async-signal-safe. */
static void say_crash(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static void on_crash(int number, siginfo_t *info, void *context)
{
	if (number == SIGSEGV && look_at_fault)
		look_at_fault(info, context);
	for (size_t i = 0; getpid() == owner && i < CAUGHT; i++) {
		if (caught[i].number != number)
			continue;
		say_crash(has_plugins ? "lockstep: the program, or a plug-in, ended with the signal "
				      : "lockstep: the program ended with the signal ");
		say_crash(caught[i].name);
		if (*folder) {
			say_crash("; kernels that had ended are in ");
			say_crash(folder);
			say_crash("/stats.txt.part");
		}
		say_crash("\n");
	}
	signal(number, SIG_DFL);
	raise(number); /* when the handler has returned */
}

void session_on_fault(void (*look)(const siginfo_t *info, const void *context))
{
	look_at_fault = look;
}

void crash_catch(const char *output, bool plugins)
{
	struct sigaction action = { .sa_sigaction = on_crash, .sa_flags = SA_ONSTACK | SA_SIGINFO }, before;

	owner = getpid();
	has_plugins = plugins;
	snprintf(folder, sizeof folder, "%s", output ? output : "");
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < CAUGHT; i++)
		if (!sigaction(caught[i].number, NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(caught[i].number, &action, NULL);
}

void crash_release(void)
{
	struct sigaction action;

	look_at_fault = NULL;
	for (size_t i = 0; i < CAUGHT; i++)
		if (!sigaction(caught[i].number, NULL, &action) && action.sa_sigaction == on_crash)
			signal(caught[i].number, SIG_DFL);
}
