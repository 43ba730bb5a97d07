/* cli/forward.c -- signals to the programs under way. The list of them changes only while the signals are
 * blocked, so that none is told twice or forgotten. From a terminal they get the signal twice, from it and
 * from here: host/session/session_interrupt.c takes that for one. */
#include "cli/forward.h"
#include "experiment/process.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
#define FORWARDED (sizeof(forwarded) / sizeof(*forwarded))

static volatile sig_atomic_t signalled, times;
static pid_t *programs;
static size_t count, capacity;

static void forward_to_programs(int number)
{
	int error = errno;

	signalled = number;
	for (size_t i = 0; i < count; i++)
		kill(programs[i], number);
	if (++times == 2)
		for (size_t i = 0; i < FORWARDED; i++)
			signal(forwarded[i], SIG_DFL);
	errno = error;
}

static sigset_t block(void)
{
	sigset_t some, before;

	sigemptyset(&some);
	for (size_t i = 0; i < FORWARDED; i++)
		sigaddset(&some, forwarded[i]);
	sigprocmask(SIG_BLOCK, &some, &before);
	return before;
}

/* Without SA_RESTART: wait() is to come back. */
void forward_begin(void)
{
	struct sigaction action = { .sa_handler = forward_to_programs }, before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < FORWARDED; i++)
		sigaddset(&action.sa_mask, forwarded[i]);
	signalled = times = 0;
	for (size_t i = 0; i < FORWARDED; i++)
		if (!sigaction(forwarded[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(forwarded[i], &action, NULL);
}

void forward_end(void)
{
	struct sigaction action;

	for (size_t i = 0; i < FORWARDED; i++)
		if (!sigaction(forwarded[i], NULL, &action) && action.sa_handler == forward_to_programs)
			signal(forwarded[i], SIG_DFL);
	free(programs);
	programs = NULL;
	count = capacity = 0;
}

static void add_program(pid_t program)
{
	if (program <= 0)
		return;
	if (count == capacity)
		programs = xrealloc(programs, (capacity += 16) * sizeof(*programs));
	programs[count++] = program;
}

pid_t forward_fork(void)
{
	sigset_t before = block();
	pid_t program = fork();
	int error = errno;

	if (program == 0)
		forward_end();
	add_program(program);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return program;
}

pid_t forward_start(char *const arguments[], const char *log, unsigned seconds)
{
	sigset_t before = block();
	pid_t program = process_start(arguments, log, seconds);
	int error = errno;

	add_program(program);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return program;
}

void forward_ended(pid_t program)
{
	sigset_t before = block();

	for (size_t i = 0; i < count; i++)
		if (programs[i] == program)
			programs[i] = programs[--count];
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int forward_signal(void)
{
	return signalled;
}
