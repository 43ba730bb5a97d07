/* tests/host/modules/narrow_addresses.c -- a module with 32-bit addresses from a 64-bit program: pointers
 * are the lower halves of device addresses, as kernel parameters, in memory that the program writes and in
 * initial values; none of what is allocated after loading is NULL. */
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

/* prints (pointers and longs of 4 bytes), allocates, writes, reads and frees; asserts if its argument is 0 */
static const char services[] =
	".version 3.1\n.target sm_20\n.address_size 32\n"
	".extern .func (.param .b32 r) vprintf (.param .b32 f, .param .b32 a);\n"
	".extern .func (.param .b32 r) malloc (.param .b32 n);\n"
	".extern .func free (.param .b32 n);\n"
	".extern .func __assertfail (.param .b32 m, .param .b32 f, .param .b32 l, .param .b32 n, .param .b32 "
	"c);\n"
	".global .align 1 .b8 text[40] = "
	"{37,117,32,37,115,32,37,108,100,32,37,108,108,100,32,37,46,49,102,32,37,122,"
	"117,10,0};\n" /* "%u %s %ld %lld %.1f %zu\n" */
	".global .align 1 .b8 word[6] = {119,111,114,100,115,0};\n"
	".global .align 1 .b8 condition[4] = {97,62,48,0};\n" /* "a>0" */
	".visible .entry calls(.param .u32 result, .param .u32 a)\n{\n"
	".reg .u32 %r<9>;\n.reg .u64 %d;\n.reg .pred %q;\n.local .align 8 .b8 buffer[40];\n"
	".param .b32 x, y, z, v, w;\n"
	"mov.u32 %r0, 7;\nst.local.u32 [buffer], %r0;\n"
	"mov.u32 %r1, word;\ncvta.global.u32 %r1, %r1;\nst.local.u32 [buffer+4], %r1;\n"
	"mov.u32 %r0, -3;\nst.local.u32 [buffer+8], %r0;\n"
	"mov.u64 %d, -5000000000;\nst.local.u64 [buffer+16], %d;\n"
	"mov.b64 %d, 0x4004000000000000;\nst.local.u64 [buffer+24], %d;\n"
	"mov.u32 %r0, 12;\nst.local.u32 [buffer+32], %r0;\n"
	"mov.u32 %r1, text;\ncvta.global.u32 %r1, %r1;\nmov.u32 %r2, buffer;\ncvta.local.u32 %r2, %r2;\n"
	"st.param.b32 [x], %r1;\nst.param.b32 [y], %r2;\ncall (z), vprintf, (x, y);\nld.param.b32 %r3, [z];\n"
	"mov.u32 %r4, 64;\nst.param.b32 [x], %r4;\ncall (z), malloc, (x);\nld.param.b32 %r5, [z];\n"
	"st.u32 [%r5+60], %r3;\nld.u32 %r6, [%r5+60];\nst.param.b32 [x], %r5;\ncall free, (x);\n"
	"ld.param.u32 %r7, [result];\nst.global.u32 [%r7], %r6;\n"
	"ld.param.u32 %r8, [a];\nsetp.ne.u32 %q, %r8, 0;\n@%q ret;\n"
	"mov.u32 %r1, condition;\ncvta.global.u32 %r1, %r1;\nmov.u32 %r2, word;\ncvta.global.u32 %r2, %r2;\n"
	"st.param.b32 [x], %r1;\nst.param.b32 [y], %r2;\nst.param.b32 [z], 17;\nst.param.b32 [v], %r2;\n"
	"st.param.b32 [w], 1;\ncall __assertfail, (x, y, z, v, w);\nret;\n}\n";

#define OK(call) \
	if ((call) != CUDA_SUCCESS) { \
		fprintf(stderr, "narrow_addresses: %s failed\n", #call); \
		return 1; \
	}

/* In a module with 64-bit addresses: registers of 16 and 8 bits lead to shared and local memory. */
static const char short_registers[] =
	".version 7.0\n.target sm_50\n.address_size 64\n"
	".visible .entry add(.param .u64 result)\n{\n"
	".shared .u32 s[4];\n.local .u32 v[4];\n"
	".reg .u16 a;\n.reg .s16 b;\n.reg .u8 c;\n.reg .u32 %r<5>;\n.reg .u64 %d;\n"
	"mov.u16 a, 8;\nmov.b16 b, 4;\nmov.u32 %r0, 12;\ncvt.u8.u32 c, %r0;\n"
	"mov.u32 %r1, 11;\nst.shared.u32 [c], %r1;\nmov.u32 %r1, 5;\nst.local.u32 [b], %r1;\n"
	"ld.shared.u32 %r2, [a+4];\nld.local.u32 %r3, [v+4];\nadd.u32 %r2, %r2, %r3;\n"
	"ld.param.u64 %d, [result];\nst.global.u32 [%d], %r2;\nret;\n}\n";

static int add_by_short_registers(void)
{
	CUdeviceptr result;
	CUmodule module;
	CUfunction add;
	uint32_t sum = 0;
	void *params[] = { &result };

	OK(cuModuleLoadData(&module, short_registers));
	OK(cuModuleGetFunction(&add, module, "add"));
	OK(cuMemAlloc(&result, sizeof sum));
	OK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH(&sum, result, sizeof sum));
	if (sum != 16)
		fprintf(stderr, "narrow_addresses: %u, not 16\n", sum);
	return sum != 16;
}

static int call_services(void)
{
	CUdeviceptr result;
	CUmodule module;
	CUfunction calls;
	uint32_t printed = 0, a = 1;
	void *params[] = { &result, &a };

	OK(cuModuleLoadData(&module, services));
	OK(cuModuleGetFunction(&calls, module, "calls"));
	OK(cuMemAlloc(&result, sizeof printed));
	OK(cuLaunchKernel(calls, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH(&printed, result, sizeof printed));
	if (printed != 6) {
		fprintf(stderr, "narrow_addresses: %u values printed, not 6\n", printed);
		return 1;
	}
	a = 0;
	OK(cuLaunchKernel(calls, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	if (cuCtxSynchronize() != CUDA_ERROR_ASSERT) {
		fprintf(stderr, "narrow_addresses: the assertion holds\n");
		return 1;
	}
	return 0;
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
	return add_by_short_registers() || call_services();
}
