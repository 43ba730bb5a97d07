/* tests/cli/interrupt.c -- a program that is interrupted: PTX-FILE PHASE. It says "ready" when it is there.
 */
#include "cuda.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static CUfunction brief, endless;
static CUdeviceptr counter;
static volatile sig_atomic_t caught;

static void must(CUresult result, const char *what)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, (int)result);
	exit(3);
}
#define MUST(call) must(call, #call)

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void compute(void)
{
	ready();
	for (volatile unsigned long i = 0;; i++)
		;
}

static void launch(CUfunction function, CUstream stream)
{
	void *parameters[] = { &counter };

	MUST(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, NULL));
}

static void call(void *unused)
{
	compute();
}

/* A function of the program's that computes while a kernel is in the middle. */
static void beside(void)
{
	CUstream first, second;

	MUST(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
	MUST(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
	launch(endless, first);
	launch(brief, second);
	MUST(cuLaunchHostFunc(second, call, NULL));
	MUST(cuCtxSynchronize());
}

static void many(void)
{
	for (int i = 0;; i++) {
		launch(brief, NULL);
		MUST(cuCtxSynchronize());
		if (i == 10)
			ready();
	}
}

static void own_handler(int number)
{
	caught = 1;
}

/* What the program catches itself is its own. */
static void own(void)
{
	signal(SIGINT, own_handler);
	ready();
	while (!caught)
		usleep(1000);
	launch(brief, NULL);
	MUST(cuCtxSynchronize());
	exit(7);
}

/* A child that goes on by itself is interrupted as any program is; its parent goes on. */
static void child(void)
{
	pid_t process = fork();
	int status;

	if (!process)
		for (;;)
			pause();
	kill(process, SIGINT);
	waitpid(process, &status, 0);
	launch(brief, NULL);
	MUST(cuCtxSynchronize());
	exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT ? 7 : 8);
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;

	if (argc != 3)
		return 2;
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuCtxCreate(&context, 0, device));
	MUST(cuModuleLoad(&module, argv[1]));
	MUST(cuModuleGetFunction(&brief, module, "brief"));
	MUST(cuModuleGetFunction(&endless, module, "endless"));
	MUST(cuMemAlloc(&counter, 8));
	MUST(cuMemsetD32(counter, 0, 2));
	launch(brief, NULL);
	if (!strcmp(argv[2], "queued"))
		compute();
	MUST(cuCtxSynchronize());
	if (!strcmp(argv[2], "host"))
		compute();
	if (!strcmp(argv[2], "beside"))
		beside();
	if (!strcmp(argv[2], "many"))
		many();
	if (!strcmp(argv[2], "own"))
		own();
	if (!strcmp(argv[2], "child"))
		child();
	if (!strcmp(argv[2], "leave")) { /* what is still to run runs after main */
		launch(endless, NULL);
		ready();
		return 0;
	}
	return 2;
}
