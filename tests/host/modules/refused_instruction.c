/* tests/host/modules/refused_instruction.c -- a module with an instruction that is not simulated: it is
 * loaded, its other kernels run, and the one that reaches the instruction cannot be launched. */
#include <cuda.h>
#include <stdio.h>

static const char ptx[] = ".version 8.1\n"
			  ".target sm_90\n"
			  ".address_size 64\n"
			  ".func helper() { .reg .b64 a; multimem.st.relaxed.sys.global.u32 [a], 1; ret; }\n"
			  ".visible .entry reaches() { call helper; ret; }\n"
			  ".visible .entry plain() { ret; }\n";

#define EXPECT(call, result) \
	if ((call) != (result)) { \
		fprintf(stderr, "refused: %s is wrong\n", #call); \
		return 1; \
	}

int main(void)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction reaches, plain;

	EXPECT(cuInit(0), CUDA_SUCCESS);
	EXPECT(cuDeviceGet(&device, 0), CUDA_SUCCESS);
	EXPECT(cuCtxCreate(&context, 0, device), CUDA_SUCCESS);
	EXPECT(cuModuleLoadData(&module, ptx), CUDA_SUCCESS);
	EXPECT(cuModuleGetFunction(&reaches, module, "reaches"), CUDA_SUCCESS);
	EXPECT(cuModuleGetFunction(&plain, module, "plain"), CUDA_SUCCESS);
	EXPECT(cuLaunchKernel(plain, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_SUCCESS);
	EXPECT(cuLaunchKernel(reaches, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
	EXPECT(cuLaunchKernel(plain, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_SUCCESS);
	EXPECT(cuCtxSynchronize(), CUDA_SUCCESS);
	return 0;
}
