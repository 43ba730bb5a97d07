/* tests/sanitize/host.c -- one fault on the host's side, or its right twin: the argument names it. The kernel
 * copies so many words. */
#include "cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 256
#define BYTES (4 * WORDS)

static const char text[] = ".version 6.0\n.target sm_20\n.address_size 64\n"
			   ".visible .entry copy(.param .u64 to, .param .u64 from) {\n"
			   ".reg .u32 %r<3>; .reg .u64 %d<4>;\n"
			   "mov.u32 %r1, %tid.x;\n"
			   "ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from];\n"
			   "mul.wide.u32 %d3, %r1, 4; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;\n"
			   "ld.global.u32 %r2, [%d2];\n" /* line 9 */
			   "st.global.u32 [%d1], %r2;\n"
			   "ret; }\n";

static CUfunction copy;
static uint32_t words[WORDS];

static void check(CUresult result, const char *what)
{
	if (result == CUDA_SUCCESS)
		return;
	printf("%s: error %d\n", what, (int)result);
	exit(2);
}
#define CHECK(call) check(call, #call)

static CUdeviceptr allocate(void)
{
	CUdeviceptr address;

	CHECK(cuMemAlloc(&address, BYTES));
	return address;
}

static CUresult launch(CUdeviceptr to, CUdeviceptr from)
{
	void *arguments[] = { &to, &from };

	CHECK(cuLaunchKernel(copy, 1, 1, 1, WORDS, 1, 1, 0, NULL, arguments, NULL));
	return cuCtxSynchronize();
}

/* The first buffer is filled before it is read, or not at all, or in part, or from one that is not. */
static void unwritten(const char *how)
{
	CUdeviceptr a = allocate(), b = allocate(), c = allocate();

	if (!strcmp(how, "filled"))
		CHECK(cuMemsetD32(a, 7, WORDS));
	if (!strcmp(how, "half"))
		CHECK(cuMemcpyHtoD(a, words, BYTES / 2));
	if (!strcmp(how, "copied-right"))
		CHECK(cuMemsetD8(c, 7, BYTES));
	if (!strncmp(how, "copied", 6))
		CHECK(cuMemcpyDtoD(a, c, BYTES));
	CHECK(launch(b, a));
	CHECK(cuMemcpyDtoH(words, b, BYTES));
	CHECK(cuMemFree(a));
	CHECK(cuMemFree(b));
	CHECK(cuMemFree(c));
}

static void copy_back(const char *how)
{
	CUdeviceptr a = allocate();
	void *pinned;

	CHECK(cuMemAllocHost(&pinned, BYTES));
	if (!strcmp(how, "back-right"))
		CHECK(cuMemcpyHtoD(a, words, BYTES));
	else
		CHECK(cuMemcpyHtoD(a, words, BYTES - 4));
	CHECK(cuMemcpyDtoH(!strcmp(how, "back-pinned") ? pinned : words, a, BYTES));
	CHECK(cuMemFree(a));
	CHECK(cuMemFreeHost(pinned));
}

static void use_after_free(const char *how)
{
	CUdeviceptr a = allocate(), b = allocate();

	CHECK(cuMemsetD32(b, 7, WORDS));
	if (!strcmp(how, "freed"))
		CHECK(cuMemFree(b));
	if (launch(a, b) == CUDA_SUCCESS) {
		CHECK(cuMemFree(a));
		CHECK(cuMemFree(b));
	}
}

static void bad_free(const char *how)
{
	CUdeviceptr a = allocate();

	if (!strcmp(how, "inside"))
		cuMemFree(a + 256);
	if (!strcmp(how, "as-host"))
		cuMemFreeHost((void *)(uintptr_t)a);
	if (!strcmp(how, "never"))
		cuMemFree(a + (1 << 20));
	CHECK(cuMemFree(a));
	if (!strcmp(how, "twice"))
		cuMemFree(a);
}

static const struct {
	const char *name;
	void (*run)(const char *how);
} cases[] = { { "filled", unwritten }, { "empty", unwritten }, { "half", unwritten }, { "copied", unwritten },
	{ "copied-right", unwritten }, { "back", copy_back }, { "back-right", copy_back },
	{ "back-pinned", copy_back }, { "freed", use_after_free }, { "alive", use_after_free },
	{ "inside", bad_free }, { "as-host", bad_free }, { "never", bad_free }, { "twice", bad_free },
	{ "once", bad_free } };

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "";
	CUcontext context;
	CUmodule module;

	CHECK(cuInit(0));
	CHECK(cuCtxCreate(&context, 0, 0));
	CHECK(cuModuleLoadData(&module, text));
	CHECK(cuModuleGetFunction(&copy, module, "copy"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (!strcmp(how, cases[i].name))
			cases[i].run(how);
	if (!strncmp(how, "leak", 4)) {
		allocate();
		allocate();
	}
	if (!strcmp(how, "leak-context"))
		CHECK(cuCtxDestroy(context));
	return count > 2 ? atoi(arguments[2]) : 0;
}
