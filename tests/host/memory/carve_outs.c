/* tests/host/memory/carve_outs.c PREFERENCE -- a kernel goes twice through 64 KB, on a chip whose L1 and
 * shared memory are one array, as a function or a context prefers to divide it: none, carve-out (100 %),
 * half (50 %), l1, shared or context. What that does to the L1 is in the statistics. */
#include "../ok.h"

#include <string.h>

static const char text[] =
	".version 6.0\n.target sm_70\n.address_size 64\n"
	".visible .entry twice(.param .u64 p)\n{\n"
	".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %q;\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n"
	"L:\nand.b32 %r3, %r2, 15;\nmad.lo.u32 %r4, %r3, 32, %r1;\nmul.wide.u32 %rd2, %r4, 128;\n"
	"add.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r5, [%rd3];\nadd.u32 %r2, %r2, %r5;\nadd.u32 %r2, %r2, "
	"1;\n"
	"setp.lt.u32 %q, %r2, 32;\n@%q bra L;\n"
	"mul.wide.u32 %rd4, %r1, 4;\nadd.u64 %rd5, %rd1, %rd4;\nst.global.u32 [%rd5], %r2;\nret;\n}\n";

/* Sets the preference, and returns the carve-out that the function must then report. */
static int prefer(CUfunction twice, const char *what)
{
	const CUfunction_attribute carve_out = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;

	if (!strcmp(what, "carve-out") || !strcmp(what, "half")) {
		int percent = *what == 'h' ? 50 : 100;

		OK(cuFuncSetAttribute(twice, carve_out, percent));
		return percent;
	}
	if (!strcmp(what, "l1"))
		OK(cuFuncSetCacheConfig(twice, CU_FUNC_CACHE_PREFER_L1));
	else if (!strcmp(what, "shared"))
		OK(cuFuncSetCacheConfig(twice, CU_FUNC_CACHE_PREFER_SHARED));
	else if (!strcmp(what, "context"))
		OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
	if (cuFuncSetAttribute(twice, carve_out, 101) != CUDA_ERROR_INVALID_VALUE ||
		cuFuncSetAttribute(twice, carve_out, -2) != CUDA_ERROR_INVALID_VALUE ||
		cuFuncSetCacheConfig(twice, (CUfunc_cache)4) != CUDA_ERROR_INVALID_VALUE)
		ok(CUDA_ERROR_UNKNOWN, __LINE__);
	return CU_SHAREDMEM_CARVEOUT_DEFAULT;
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction twice;
	CUdeviceptr data;
	void *arguments[] = { &data };
	int want, got;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&twice, module, "twice"));
	OK(cuMemAlloc(&data, 65536));
	OK(cuMemsetD32(data, 0, 16384));
	want = prefer(twice, argc > 1 ? argv[1] : "none");
	OK(cuFuncGetAttribute(&got, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, twice));
	OK(cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
	OK(cuCtxSynchronize());
	printf("%s: the carve-out is %d\n", got == want ? "PASS" : "FAIL", got);
	return got != want;
}
