/* tests/host/narrow_addresses.c -- a module with 32-bit addresses from a 64-bit program: pointers are the
 * lower halves of device addresses, as kernel parameters, in memory that the program writes and in initial
 * values; none of what is allocated after loading is NULL. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>

static const char ptx[] = ".version 2.3\n"
			  ".target sm_20\n"
			  ".address_size 32\n"
			  ".visible .global .u32 value = 5;\n"
			  ".global .u32 pointer = value;\n"
			  /* adds the list's values up, and what the module's pointer leads to */
			  ".visible .entry sum(.param .u32 list, .param .u32 result)\n"
			  "{\n"
			  "\t.reg .u32 at, total, x, out; .reg .pred end;\n"
			  "\tld.param.u32 at, [list];\n"
			  "\tld.param.u32 out, [result];\n"
			  "\tld.global.u32 x, [pointer];\n"
			  "\tld.global.u32 total, [x];\n"
			  "next:\n"
			  "\tsetp.eq.u32 end, at, 0;\n"
			  "\t@end bra done;\n"
			  "\tld.global.u32 x, [at];\n"
			  "\tadd.u32 total, total, x;\n"
			  "\tld.u32 at, [at+4];\n"
			  "\tbra.uni next;\n"
			  "done:\n"
			  "\tst.global.u32 [out], total;\n"
			  "\tret;\n"
			  "}\n";

#define OK(call) \
	if ((call) != CUDA_SUCCESS) { \
		fprintf(stderr, "narrow_addresses: %s failed\n", #call); \
		return 1; \
	}

int main(void)
{
	CUdeviceptr items[20], result;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction sum;
	uint32_t total = 0, expected = 5;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoadData(&module, ptx));
	OK(cuModuleGetFunction(&sum, module, "sum"));
	for (uint32_t i = 0; i < 20; i++) {
		uint32_t item[2] = { i * i, i ? (uint32_t)items[i - 1] : 0 };

		OK(cuMemAlloc(&items[i], sizeof item));
		if (!(uint32_t)items[i]) {
			fprintf(stderr, "narrow_addresses: an item lies at NULL\n");
			return 1;
		}
		OK(cuMemcpyHtoD(items[i], item, sizeof item));
		expected += i * i;
	}
	OK(cuMemAlloc(&result, sizeof total));
	void *params[] = { &items[19], &result };

	OK(cuLaunchKernel(sum, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH(&total, result, sizeof total));
	if (total != expected) {
		fprintf(stderr, "narrow_addresses: %u, not %u\n", total, expected);
		return 1;
	}
	return 0;
}
