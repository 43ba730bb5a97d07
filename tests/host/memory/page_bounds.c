/* tests/host/memory/page_bounds.c -- OFFSET SIZE WAY: a kernel accesses 4 bytes at that offset from one of
 * two buffers of so many bytes: by a load, a store, an atomic, through a generic address, a vector or a
 * bulk copy (sm_90). */
#include "../ok.h"
#include <string.h>

static const char *const ways[][2] = {
	{ "load", "ld.volatile.global.u32 %r, [%a];" },
	{ "store", "st.global.u32 [%a], 7;" },
	{ "atomic", "atom.global.add.u32 %r, [%a], 1;" },
	{ "generic", "ld.volatile.u32 %r, [%a];" },
	{ "vector", "ld.volatile.global.v4.u32 {%r, %r1, %r2, %r3}, [%a];" },
	{ "copy",
		"mbarrier.init.shared.b64 [bar], 1;"
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [%a], 16, [bar];" },
};

static CUresult access_at(CUdeviceptr address, const char *instruction, const char *chip)
{
	char text[2048];
	CUmodule module;
	CUfunction function;
	void *arguments[] = { &address };

	snprintf(text, sizeof text,
		".version 8.0\n.target %s\n.address_size 64\n.entry k(.param .u64 p)\n{\n"
		".shared .align 16 .b8 to[16];\n.shared .align 8 .b64 bar;\n"
		".reg .b32 %%r, %%r1, %%r2, %%r3;\n.reg .b64 %%a;\nld.param.u64 %%a, [p];\n%s\nret;\n}\n",
		chip, instruction);
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&function, module, "k"));
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
	return cuCtxSynchronize();
}

int main(int argc, char **argv)
{
	long offset = argc > 1 ? atol(argv[1]) : 0;
	size_t size = argc > 2 ? (size_t)atol(argv[2]) : 0;
	const char *way = argc > 3 ? argv[3] : "load", *error = NULL;
	CUcontext context;
	CUdeviceptr first, second;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuMemAlloc(&first, size));
	OK(cuMemAlloc(&second, size));
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(ways[i][0], way))
			cuGetErrorName(access_at(second + (CUdeviceptr)offset, ways[i][1],
					       i == 5 ? "sm_90" : "sm_50"),
				&error);
	printf("%s\n", error ? error : "no such way");
	return 0;
}
