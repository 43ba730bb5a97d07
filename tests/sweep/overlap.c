/* tests/sweep/overlap.c -- a program of three kernels: `again` runs alone, twice before the others and once
 * after them; `left` and `right` run at the same time, `right` the shorter one. */
#include "cuda.h"
#include <stdio.h>
#include <stdlib.h>

#define KERNEL(name) \
	".visible .entry " #name "(.param .u64 p, .param .u32 times)\n" \
	"{\n" \
	"	.reg .pred %q; .reg .b32 %r<5>; .reg .b64 %d<4>;\n" \
	"	ld.param.u64 %d0, [p]; ld.param.u32 %r0, [times];\n" \
	"	mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 128; add.s64 %d2, %d0, %d1;\n" \
	"next:	ld.global.u32 %r2, [%d2]; add.s32 %r2, %r2, 1; st.global.u32 [%d2], %r2;\n" \
	"	sub.s32 %r0, %r0, 1; setp.ne.s32 %q, %r0, 0;\n" \
	"	@%q bra next;\n" \
	"	ret;\n" \
	"}\n"

static const char ptx[] =
	".version 3.0\n.target sm_20\n.address_size 64\n" KERNEL(again) KERNEL(left) KERNEL(right);

static void must(CUresult result, const char *what)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, (int)result);
	exit(1);
}
#define MUST(call) must(call, #call)

static CUmodule module;

static void launch(const char *name, CUdeviceptr p, unsigned times, CUstream stream)
{
	void *parameters[] = { &p, &times };
	CUfunction function;

	MUST(cuModuleGetFunction(&function, module, name));
	MUST(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, NULL));
}

int main(void)
{
	CUstream streams[2];
	CUdeviceptr p[2];
	CUcontext context;
	CUdevice device;

	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuCtxCreate(&context, 0, device));
	MUST(cuModuleLoadData(&module, ptx));
	for (int i = 0; i < 2; i++) {
		MUST(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
		MUST(cuMemAlloc(&p[i], 32 * 128));
		MUST(cuMemsetD8(p[i], 0, 32 * 128));
	}
	launch("again", p[0], 3, NULL);
	launch("again", p[0], 5, NULL);
	MUST(cuCtxSynchronize());
	launch("left", p[0], 40, streams[0]);
	launch("right", p[1], 10, streams[1]);
	MUST(cuCtxSynchronize());
	launch("again", p[1], 7, NULL);
	MUST(cuCtxSynchronize());
	return 0;
}
