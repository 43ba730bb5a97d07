/* tests/cli/files.c -- a program and its output folder: PTX-FILE WHAT. It says what it did.
 *
 *     wait    launches a kernel, says "ready", and waits for a line before its end
 *     fork    forks in the middle; the child calls us and ends by exit()
 *     status  ends with status 9 */
#include "cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(CUresult result, const char *what)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, (int)result);
	exit(3);
}
#define MUST(call) must(call, #call)

static CUfunction brief;
static CUdeviceptr counter;

static void launch(void)
{
	void *parameters[] = { &counter };

	MUST(cuLaunchKernel(brief, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
	MUST(cuCtxSynchronize());
}

/* Every call of a child's fails, as on a chip; nothing that it does reaches the run. */
static void in_child(void)
{
	void *parameters[] = { &counter };
	CUdeviceptr more;
	CUdevice device;

	_Exit(cuInit(0) == CUDA_ERROR_NOT_INITIALIZED &&
				cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED &&
				cuMemAlloc(&more, 4) == CUDA_ERROR_NOT_INITIALIZED &&
				cuLaunchKernel(brief, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) ==
					CUDA_ERROR_NOT_INITIALIZED &&
				cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED
			? 7
			: 8);
}

static void forks(void)
{
	int status;

	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();
		if (!child && i)
			in_child();
		if (!child)
			exit(7);
		waitpid(child, &status, 0);
		printf("child %d: %s\n", i,
			WIFEXITED(status) && WEXITSTATUS(status) == 7 ? "right" : "wrong");
	}
	launch();
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	char line[8];

	if (argc != 3)
		return 2;
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuCtxCreate(&context, 0, device));
	MUST(cuModuleLoad(&module, argv[1]));
	MUST(cuModuleGetFunction(&brief, module, "brief"));
	MUST(cuMemAlloc(&counter, 8));
	MUST(cuMemsetD32(counter, 0, 2));
	launch();
	puts("ready");
	fflush(stdout);
	if (!strcmp(argv[2], "wait") && !fgets(line, sizeof line, stdin))
		return 2;
	if (!strcmp(argv[2], "fork"))
		forks();
	return strcmp(argv[2], "status") ? 0 : 9;
}
