/* tests/host/launches/launches_by_kernels.c -- a kernel that launches a kernel. Arguments: the PTX; what to
 * do. */
#include "cuda.h"
#include <stdio.h>
#include <string.h>

static int failures;
static CUdeviceptr word, error;

#define OK(call) is(CUDA_SUCCESS, (call), #call)
static void is(CUresult expected, CUresult result, const char *call)
{
	if (expected == result)
		return;
	printf("%s returns %d, not %d\n", call, result, expected);
	failures++;
}

/* kernels[which]<<<grid, 32, 0, stream>>>(to, value), launched by so many threads. */
static CUresult launch(CUmodule module, unsigned threads, unsigned which, unsigned grid, uint64_t stream,
	CUdeviceptr to, unsigned value)
{
	CUfunction function;
	void *params[] = { &which, &grid, &stream, &to, &value, &error };

	OK(cuModuleGetFunction(&function, module, "launch"));
	OK(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
	return cuCtxSynchronize();
}

static unsigned read_word(CUdeviceptr at)
{
	unsigned value = 0;

	OK(cuMemcpyDtoH(&value, at, sizeof value));
	return value;
}

static void expect(const char *what, unsigned value, unsigned expected)
{
	if (value == expected)
		return;
	printf("%s: %u, not %u\n", what, value, expected);
	failures++;
}

static void sums(CUmodule module)
{
	OK(launch(module, 3, 0, 5, 0, word, 7));
	expect("sum of three children", read_word(word), 3 * 5 * 32 * 7);
	OK(launch(module, 2, 0, 1, 3, word, 1));
	expect("and of two tail launches", read_word(word), 3 * 5 * 32 * 7 + 64);
	OK(launch(module, 1, 0, 1, 4, word, 1));
	expect("and of one that is forgotten", read_word(word), 3 * 5 * 32 * 7 + 96);
	OK(launch(module, 1, 0, 0, 0, word, 1));
	expect("the error of an empty grid", read_word(error), 7);
	OK(launch(module, 1, 0, 1, 99, word, 1));
	expect("the error of a stream that is none", read_word(error), 1);
	expect("neither has run", read_word(word), 3 * 5 * 32 * 7 + 96);
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	const char *what = argc > 2 ? argv[2] : "";

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuMemAlloc(&word, 4));
	OK(cuMemAlloc(&error, 4));
	OK(cuMemsetD32(word, 0, 1));
	if (!strcmp(what, "fault"))
		is(CUDA_ERROR_ILLEGAL_ADDRESS, launch(module, 1, 1, 1, 0, 64, 1), "the fault of a child");
	else if (!strcmp(what, "hang"))
		is(CUDA_ERROR_LAUNCH_TIMEOUT, launch(module, 1, 2, 1, 0, word, 1), "the hang of a child");
	else
		sums(module);
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
