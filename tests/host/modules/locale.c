/* tests/host/modules/locale.c -- a program in a locale of its own: PTX-FILE NUMBER, how one half is written
 * in it. It checks that this stays so in its functions, also in those that streams call. */
#include <cuda.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int called_right;
static const char *half;

static void must(CUresult result, const char *what)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, (int)result);
	exit(3);
}
#define MUST(call) must(call, #call)

static int is_own(void)
{
	char text[16];

	snprintf(text, sizeof text, "%.1f", 0.5);
	return !strcmp(text, half);
}

static void call(void *unused)
{
	called_right = is_own();
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction brief;
	CUdeviceptr counter;
	void *parameters[] = { &counter };

	half = argc == 3 ? argv[2] : "";
	if (!setlocale(LC_ALL, "") || !is_own())
		return 2;
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuCtxCreate(&context, 0, device));
	MUST(cuModuleLoad(&module, argv[1]));
	MUST(cuModuleGetFunction(&brief, module, "brief"));
	MUST(cuMemAlloc(&counter, 8));
	MUST(cuLaunchKernel(brief, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
	MUST(cuLaunchHostFunc(NULL, call, NULL));
	MUST(cuCtxSynchronize());
	return is_own() && called_right ? 0 : 4;
}
