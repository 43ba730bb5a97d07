/* cli/supervise.c -- the program of `lockstep run` as a child of the command. */
#include "cli/supervise.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE,
	SIGXCPU, SIGTSTP, SIGCONT };
#define PASSED_ON (sizeof(passed_on) / sizeof(*passed_on))

static volatile pid_t program;  /* 0: none */
static struct sigaction at_end; /* of SIGCHLD, as the program is to have it */

/* A signal of the terminal has come to the whole process group, and thus to the program, too. Its own are not
 * for it. */
static void pass_signal_on(int number, siginfo_t *info, void *context)
{
	int error = errno;
	bool is_terminal = info->si_code == SI_KERNEL && number != SIGALRM;

	if (program && !(info->si_code == SI_USER && info->si_pid == program) &&
		!(is_terminal && getpgid(program) == getpgrp()))
		kill(program, number);
	errno = error;
}

static void catch (int number)
{
	struct sigaction action = { .sa_sigaction = pass_signal_on, .sa_flags = SA_SIGINFO }, before;

	sigemptyset(&action.sa_mask);
	if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_DFL)
		sigaction(number, &action, NULL);
}

static sigset_t block_all(void)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	return before;
}

/* In the child. What goes wrong is told through the pipe, which exec closes otherwise. */
static void become_program(char *const operands[], pid_t parent, const sigset_t *mask, int failed)
{
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	sigaction(SIGCHLD, &at_end, NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(operands[0], operands);
	error = errno;
	if (write(failed, &error, sizeof(error)) < 0)
		_exit(1);
	_exit(127);
}

/* Whoever started us may have the ends of children ignored, which then nobody could wait for. */
static pid_t start_program(char *const operands[], int failed)
{
	struct sigaction default_action = { .sa_handler = SIG_DFL };
	pid_t parent = getpid(), child;
	sigset_t before = block_all();
	int error;

	sigaction(SIGCHLD, &default_action, &at_end);
	child = fork();
	error = errno;
	if (child == 0)
		become_program(operands, parent, &before, failed);
	if (child > 0) {
		program = child;
		for (size_t i = 0; i < PASSED_ON; i++)
			catch (passed_on[i]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return child;
}

/* Stops as the program has stopped, so that a shell notices; SIGCONT continues both. */
static void stop(int number)
{
	if (number != SIGTSTP && number != SIGTTIN && number != SIGTTOU)
		return;
	signal(number, SIG_DFL);
	raise(number);
	if (number == SIGTSTP)
		catch (number);
}

/* The program is waited for while signals are blocked, so that none goes to whoever gets its number next. */
static int wait_for_end(pid_t child)
{
	siginfo_t end = { 0 };
	sigset_t before;
	int status;

	for (;;) {
		if (waitid(P_PID, (id_t)child, &end, WEXITED | WSTOPPED | WNOWAIT)) {
			if (errno != EINTR)
				return -1;
			continue;
		}
		if (end.si_code != CLD_STOPPED)
			break;
		waitid(P_PID, (id_t)child, &end, WSTOPPED | WNOHANG);
		stop(end.si_status);
	}
	before = block_all();
	waitpid(child, &status, 0);
	program = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

int supervise(char *const operands[])
{
	int ends[2], error, status = -1;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	child = start_program(operands, ends[1]);
	error = errno;
	close(ends[1]);
	if (child > 0) {
		status = wait_for_end(child);
		if (status < 0)
			error = errno;
		else if (read(ends[0], &error, sizeof(error)) == sizeof(error))
			status = -1;
	}
	close(ends[0]);
	errno = error;
	return status;
}

pid_t supervised_program(void)
{
	return program;
}

int supervise_status(int status)
{
	static const struct rlimit no_core;
	sigset_t mine;
	int number;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	number = WTERMSIG(status);
	setrlimit(RLIMIT_CORE, &no_core); /* the program has left one, if it was to */
	signal(number, SIG_DFL);
	sigemptyset(&mine);
	sigaddset(&mine, number);
	sigprocmask(SIG_UNBLOCK, &mine, NULL);
	raise(number);
	return 128 + number;
}
