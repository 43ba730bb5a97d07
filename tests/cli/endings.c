/* tests/cli/endings.c -- programs that do not look at results, or break down: PTX-FILE WHAT. */
#include "cuda.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUfunction brief;
static CUdeviceptr counter;

static CUresult launch(CUdeviceptr address, unsigned threads)
{
	void *parameters[] = { &address };

	return cuLaunchKernel(brief, 1, 1, 1, threads, 1, 1, 0, NULL, parameters, NULL);
}

static void fault(void)
{
	launch(1 << 20, 32); /* no memory of the device's */
	cuCtxSynchronize();
}

static void *work(void *context)
{
	cuCtxSetCurrent(context);
	launch(counter, 32);
	cuCtxSynchronize();
	return NULL;
}

int main(int argc, char **argv)
{
	CUcontext context, second;
	CUmodule module;

	if (argc == 3 && !strcmp(argv[2], "none")) /* it looks at no result, and has no kernel */
		return cuInit(0) || cuCtxCreate(&context, 0, 0) || !cuModuleLoad(&module, argv[1]) ||
			!launch(0, 32) || !launch(0, 32);
	if (argc != 3 || cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoad(&module, argv[1]) ||
		cuModuleGetFunction(&brief, module, "brief") || cuMemAlloc(&counter, 8) ||
		launch(counter, 32) || cuCtxSynchronize())
		return 2;
	for (int i = 0; i < 3 && !strcmp(argv[2], "threads"); i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, work, context) || pthread_join(thread, NULL))
			return 2;
	}
	if (!strncmp(argv[2], "fault", 5))
		fault();
	if (!strcmp(argv[2], "fault-told"))
		return 9;
	if (!strcmp(argv[2], "fault-destroy"))
		cuCtxDestroy(context);
	if (!strcmp(argv[2], "fault-anew") &&
		(cuCtxDestroy(context) || cuCtxCreate(&second, 0, 0) || cuCtxSynchronize()))
		return 2;
	for (int i = 0; i < 301 && !strcmp(argv[2], "refused"); i++)
		launch(counter, 4096);
	if (!strcmp(argv[2], "segv"))
		raise(SIGSEGV);
	if (!strcmp(argv[2], "abort"))
		abort();
	return 0;
}
