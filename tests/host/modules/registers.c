/* tests/host/modules/registers.c [MOST] -- a kernel with 40 values at once, loaded with
 * CU_JIT_MAX_REGISTERS=MOST: prints its registers and bytes of local memory per thread. Its results are the
 * same in any case. */
#include "../ok.h"

#include <stdint.h>

#define VALUES  40u
#define THREADS 64u

/* Thread t loads words 0 .. 39 and stores at t the sum of word i << (i + t) % 4, in an order that needs all.
 */
static char *kernel(void)
{
	size_t size = 16384, used;
	char *text = malloc(size);

	used = (size_t)snprintf(text, size,
		".version 6.0\n.target sm_20\n.address_size 64\n"
		".visible .entry sum(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %%r<200>;\n.reg .b64 "
		"%%rd<9>;\n"
		"ld.param.u64 %%rd1, [in];\nld.param.u64 %%rd2, [out];\nmov.u32 %%r198, %%tid.x;\n"
		"mul.wide.u32 %%rd3, %%r198, 4;\nadd.u64 %%rd4, %%rd2, %%rd3;\nmov.u32 %%r199, 0;\n");
	for (unsigned i = 0; i < VALUES; i++)
		used += (size_t)snprintf(
			text + used, size - used, "ld.volatile.global.u32 %%r%u, [%%rd1+%u];\n", i, 4 * i);
	for (unsigned i = VALUES; i-- > 0;)
		used += (size_t)snprintf(text + used, size - used,
			"add.u32 %%r196, %%r198, %u;\nand.b32 %%r196, %%r196, 3;\nshl.b32 %%r197, %%r%u, "
			"%%r196;\n"
			"add.u32 %%r199, %%r199, %%r197;\n",
			i, i);
	snprintf(text + used, size - used, "st.global.u32 [%%rd4], %%r199;\nret;\n}\n");
	return text;
}

int main(int argc, char **argv)
{
	CUjit_option option = CU_JIT_MAX_REGISTERS;
	void *most = (void *)(uintptr_t)(argc > 1 ? strtoul(argv[1], NULL, 10) : 0), *arguments[2];
	uint32_t words[VALUES], sums[THREADS];
	char *text = kernel();
	int registers, local;
	CUdeviceptr in, out;
	CUcontext context;
	CUfunction sum;
	CUmodule module;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoadDataEx(&module, text, argc > 1, &option, &most));
	OK(cuModuleGetFunction(&sum, module, "sum"));
	OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, sum));
	OK(cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, sum));
	OK(cuMemAlloc(&in, sizeof words));
	OK(cuMemAlloc(&out, sizeof sums));
	for (uint32_t i = 0; i < VALUES; i++)
		words[i] = i * 2654435761u;
	OK(cuMemcpyHtoD(in, words, sizeof words));
	arguments[0] = &in;
	arguments[1] = &out;
	OK(cuLaunchKernel(sum, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(sums, out, sizeof sums));
	for (uint32_t t = 0; t < THREADS; t++) {
		uint32_t expected = 0;

		for (uint32_t i = 0; i < VALUES; i++)
			expected += words[i] << (i + t) % 4;
		if (sums[t] != expected) {
			printf("thread %u has %u instead of %u\n", t, sums[t], expected);
			return 1;
		}
	}
	printf("%d registers, %d bytes\n", registers, local);
	free(text);
	return 0;
}
