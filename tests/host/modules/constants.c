/* tests/host/modules/constants.c -- .const memory that changes between the launches of a stream: by the
 * host, by copies that wait in the stream, by copies within the device. A kernel that takes constants as
 * operands (frontend.timed_code: scheduled) must see what stands there when it begins. */
#include "../ok.h"

#include <stdint.h>

static const char text[] =
	".version 6.0\n.target sm_20\n.address_size 64\n"
	".const .align 8 .b32 words[4] = {1, 2, 3, 4};\n"
	".const .align 8 .b64 wide[2];\n"
	".visible .entry sum(.param .u64 out)\n{\n"
	".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
	"ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
	"mul.wide.u32 %rd2, %r1, 8;\nadd.u64 %rd3, %rd1, %rd2;\n"
	"ld.const.u32 %r2, [words+4];\nmov.u64 %rd4, words;\nld.const.u32 %r3, [%rd4+12];\n"
	"mad.lo.u32 %r4, %r1, %r2, %r3;\ncvt.u64.u32 %rd5, %r4;\n"
	"ld.const.u64 %rd6, [wide+8];\nadd.u64 %rd7, %rd5, %rd6;\n"
	"st.global.u64 [%rd3], %rd7;\nret;\n}\n";

static CUdeviceptr out;
static CUfunction sum;
static CUstream stream;

static void launch(void)
{
	void *arguments[] = { &out };

	OK(cuLaunchKernel(sum, 1, 1, 1, 64, 1, 1, 0, stream, arguments, NULL));
}

/* What the launch before wrote is a * lane + b + c. */
static void check(uint64_t a, uint64_t b, uint64_t c, const char *when)
{
	uint64_t got[64];

	OK(cuStreamSynchronize(stream));
	OK(cuMemcpyDtoH(got, out, sizeof got));
	for (uint32_t lane = 0; lane < 64; lane++)
		if (got[lane] != a * lane + b + c) {
			printf("%s: lane %u has %llu\n", when, lane, (unsigned long long)got[lane]);
			exit(1);
		}
}

int main(void)
{
	uint32_t words[4] = { 0, 5, 0, 7 }, later[4] = { 0, 11, 0, 13 };
	uint64_t wide[2] = { 0, UINT64_C(1) << 40 };
	CUdeviceptr constants, wides, copy;
	CUcontext context;
	CUmodule module;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&sum, module, "sum"));
	OK(cuModuleGetGlobal(&constants, NULL, module, "words"));
	OK(cuModuleGetGlobal(&wides, NULL, module, "wide"));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuMemAlloc(&out, 64 * 8));
	OK(cuMemAlloc(&copy, sizeof later));
	OK(cuMemcpyHtoD(copy, later, sizeof later));
	launch();
	check(2, 4, 0, "as initialised");
	OK(cuMemcpyHtoD(constants, words, sizeof words));
	OK(cuMemcpyHtoD(wides, wide, sizeof wide));
	launch();
	check(5, 7, wide[1], "after the host has written");
	launch();
	OK(cuMemcpyDtoDAsync(constants, copy, sizeof later, stream));
	launch();
	check(11, 13, wide[1], "after a copy between two launches");
	OK(cuMemsetD32Async(constants, 3, 4, stream));
	launch();
	OK(cuMemcpyDtoDAsync(constants, copy, sizeof later, stream));
	check(3, 3, wide[1], "before a copy behind the launch");
	puts("constants: PASS");
	return 0;
}
