/* tests/ptx/barrier/barrier.c -- runs the kernels of barrier.cu by one CTA of four warps and compares what
 * they leave with what the host works out. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "cuda.h"

enum { THREADS = 128 };

static int in[THREADS], want[THREADS], got[THREADS];

static void must(CUresult result, const char *what)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "barrier: %s: error %d\n", what, (int)result);
	exit(2);
}

static void want_two_writers(void)
{
	for (int i = 0; i < THREADS; i++)
		want[i] = 5;
}

static void want_sort(void)
{
	for (int i = 0; i < THREADS; i++) {
		int at = i;

		for (; at > 0 && want[at - 1] > in[i]; at--)
			want[at] = want[at - 1];
		want[at] = in[i];
	}
}

static void want_neighbours(void)
{
	for (int i = 0; i < THREADS; i++) {
		want[i] = in[i];
		for (int round = 0; round < 3; round++)
			want[i] = 2 * (want[i] + round);
	}
}

static void want_fence(void)
{
	for (int i = 0; i < THREADS; i++)
		want[i] = in[i] + 2;
}

/* Whether the kernel leaves what work_out() puts into want[] */
static bool check(CUmodule module, const char *name, void (*work_out)(void))
{
	CUfunction kernel;
	CUdeviceptr from, to;
	bool right = true;

	must(cuModuleGetFunction(&kernel, module, name), name);
	must(cuMemAlloc(&from, sizeof(in)), "cuMemAlloc");
	must(cuMemAlloc(&to, sizeof(got)), "cuMemAlloc");
	must(cuMemcpyHtoD(from, in, sizeof(in)), "cuMemcpyHtoD");
	must(cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, (void *[]){ &from, &to }, NULL), name);
	must(cuMemcpyDtoH(got, to, sizeof(got)), "cuMemcpyDtoH");
	work_out();
	for (int i = 0; i < THREADS && right; i++) {
		right = got[i] == want[i];
		if (!right)
			printf("%s: thread %d has %d, not %d\n", name, i, got[i], want[i]);
	}
	must(cuMemFree(from), "cuMemFree");
	must(cuMemFree(to), "cuMemFree");
	return right;
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	int wrong = 0;

	for (int i = 0; i < THREADS; i++) /* each of 0 ... 127 once */
		in[i] = i * 37 % THREADS;
	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuCtxCreate(&context, 0, device), "cuCtxCreate");
	must(cuModuleLoad(&module, argc > 1 ? argv[1] : "tests/ptx/barrier/barrier.ptx"), "cuModuleLoad");
	wrong += !check(module, "two_writers", want_two_writers);
	wrong += !check(module, "sort", want_sort);
	wrong += !check(module, "neighbours", want_neighbours);
	wrong += !check(module, "fence", want_fence);
	must(cuCtxDestroy(context), "cuCtxDestroy");
	return wrong != 0;
}
