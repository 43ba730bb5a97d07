/* streams.c -- two streams: a copy and a kernel in the first, an event that the second waits for, a kernel
 * and a function of the host behind it. An arrow must go from the first kernel to the second. */
#include "cuda.h"
#include <stdio.h>
#include <stdlib.h>

static const char ptx[] =
	".version 6.0\n.target sm_20\n.address_size 64\n"
	".visible .entry first(.param .u64 p)\n{\n"
	"\t.reg .u64 %a, %o;\n\t.reg .u32 %r;\n\tmov.u32 %r, %tid.x;\n"
	"\tld.param.u64 %a, [p];\n\tmul.wide.u32 %o, %r, 4;\n\tadd.u64 %a, %a, %o;\n"
	"\tld.global.u32 %r, [%a];\n\tadd.u32 %r, %r, 1;\n\tst.global.u32 [%a], %r;\n\tret;\n}\n"
	".visible .entry second(.param .u64 p)\n{\n"
	"\t.reg .u64 %a, %o;\n\t.reg .u32 %r;\n\tmov.u32 %r, %tid.x;\n"
	"\tld.param.u64 %a, [p];\n\tmul.wide.u32 %o, %r, 4;\n\tadd.u64 %a, %a, %o;\n"
	"\tld.global.u32 %r, [%a];\n\tmul.lo.u32 %r, %r, 10;\n\tst.global.u32 [%a], %r;\n\tret;\n}\n";

static int calls;

static void called(void *count)
{
	++*(int *)count;
}

static void check(CUresult status)
{
	if (!status)
		return;
	printf("FAIL: error %d\n", status);
	exit(1);
}

int main(void)
{
	unsigned data[64], wrong = 0;
	CUfunction first, second;
	CUstream streams[2];
	CUdeviceptr memory;
	CUcontext context;
	CUmodule module;
	CUevent event;
	void *arguments[] = { &memory };

	check(cuInit(0));
	check(cuCtxCreate(&context, 0, 0));
	check(cuModuleLoadData(&module, ptx));
	check(cuModuleGetFunction(&first, module, "first"));
	check(cuModuleGetFunction(&second, module, "second"));
	check(cuMemAlloc(&memory, sizeof data));
	check(cuStreamCreate(&streams[0], CU_STREAM_NON_BLOCKING));
	check(cuStreamCreate(&streams[1], CU_STREAM_NON_BLOCKING));
	check(cuEventCreate(&event, 0));
	for (unsigned i = 0; i < 64; i++)
		data[i] = i;
	check(cuMemcpyHtoDAsync(memory, data, sizeof data, streams[0]));
	check(cuLaunchKernel(first, 1, 1, 1, 64, 1, 1, 0, streams[0], arguments, NULL));
	check(cuEventRecord(event, streams[0]));
	check(cuStreamWaitEvent(streams[1], event, 0));
	check(cuLaunchKernel(second, 1, 1, 1, 64, 1, 1, 0, streams[1], arguments, NULL));
	check(cuLaunchHostFunc(streams[1], called, &calls));
	check(cuStreamSynchronize(streams[1]));
	check(cuMemcpyDtoH(data, memory, sizeof data));
	for (unsigned i = 0; i < 64; i++)
		wrong += data[i] != 10 * (i + 1);
	printf("%s\n", wrong || calls != 1 ? "FAIL" : "PASS");
	return wrong != 0;
}
