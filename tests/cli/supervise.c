/* tests/cli/supervise.c -- a program and how it ends: PTX-FILE WHAT [STATUS]. After a launch it says "ready"
 * and
 *
 *     return, _exit, _Exit, quick_exit, raw   ends so, with the status; raw: by the system call
 *     thread, handler, vfork    calls _exit: in another thread; in a signal handler; in a child beside itself
 *     killed, abort             ends by a signal
 *     exec, again               becomes /bin/true; becomes itself
 *     signals                   waits for SIGUSR1, counts for a while, and ends with the number that came
 *     wait                      waits for a line, and ends with the status */
#include "cuda.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int status;
static volatile sig_atomic_t came;

static void launch(const char *ptx)
{
	CUcontext context;
	CUmodule module;
	CUfunction brief;
	CUdeviceptr counter;
	void *parameters[] = { &counter };

	if (cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoad(&module, ptx) ||
		cuModuleGetFunction(&brief, module, "brief") || cuMemAlloc(&counter, 8) ||
		cuLaunchKernel(brief, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) || cuCtxSynchronize())
		exit(3);
}

static void count(int number)
{
	came++;
}

static void leave(int number)
{
	_exit(status);
}

static void *leave_thread(void *unused)
{
	_exit(status);
}

static void beside(void)
{
	int child_status;
	pid_t child = vfork();

	if (!child)
		_exit(1);
	waitpid(child, &child_status, 0);
}

static void wait_for_line(void)
{
	char line[8];

	if (!fgets(line, sizeof line, stdin))
		exit(4);
}

/* One that is sent twice would come at once: what comes in a fifth of a second is counted. */
static void count_signals(void)
{
	while (!came)
		usleep(1000);
	for (int i = 0; i < 200; i++)
		usleep(1000);
	exit(came);
}

int main(int argc, char **argv)
{
	const char *what = argv[2];
	pthread_t thread;

	status = argc > 3 ? atoi(argv[3]) : 0;
	signal(SIGUSR1, !strcmp(what, "handler") ? leave : count);
	launch(argv[1]);
	puts("ready");
	fflush(stdout);
	if (!strcmp(what, "_exit"))
		_exit(status);
	if (!strcmp(what, "_Exit"))
		_Exit(status);
	if (!strcmp(what, "quick_exit"))
		quick_exit(status);
	if (!strcmp(what, "raw"))
		syscall(SYS_exit_group, status);
	if (!strcmp(what, "thread") && !pthread_create(&thread, NULL, leave_thread, NULL))
		pthread_join(thread, NULL);
	if (!strcmp(what, "handler"))
		raise(SIGUSR1);
	if (!strcmp(what, "vfork"))
		beside();
	if (!strcmp(what, "killed"))
		raise(SIGKILL);
	if (!strcmp(what, "abort"))
		abort();
	if (!strcmp(what, "exec"))
		execl("/bin/true", "true", NULL);
	if (!strcmp(what, "again"))
		execl(argv[0], argv[0], argv[1], "return", NULL);
	if (!strcmp(what, "signals"))
		count_signals();
	if (!strcmp(what, "wait"))
		wait_for_line();
	return status;
}
