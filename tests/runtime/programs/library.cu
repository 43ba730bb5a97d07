/* Libraries that the program loads by itself, from PTX. */
#include "check.h"

static const char ptx[] = ".version 6.4\n.target sm_30\n.address_size 64\n"
			  ".visible .global .u32 word = 41;\n"
			  ".visible .entry copy(.param .u64 to) {\n"
			  ".reg .b32 %r<3>; .reg .b64 %a<2>;\n"
			  "ld.param.u64 %a1, [to]; ld.global.u32 %r1, [word]; add.u32 %r1, %r1, 1;\n"
			  "st.global.u32 [%a1], %r1; ret; }\n";

int main()
{
	cudaLibrary_t library;
	cudaKernel_t kernel, same;
	unsigned count = 0, *to, got = 0;
	void *word;
	size_t bytes = 0;

	CUDA(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	CUDA(cudaLibraryGetKernelCount(&count, library));
	CHECK(count == 1);
	CUDA(cudaLibraryEnumerateKernels(&same, 1, library));
	CUDA(cudaLibraryGetKernel(&kernel, library, "copy"));
	CHECK(kernel == same);
	CHECK(cudaLibraryGetKernel(&same, library, "nothing") == cudaErrorSymbolNotFound);
	CUDA(cudaLibraryGetGlobal(&word, &bytes, library, "word"));
	CHECK(bytes == 4);
	CUDA(cudaMalloc(&to, 4));
	void *params[] = { &to };
	CUDA(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), params, 0, 0));
	CUDA(cudaMemcpy(&got, to, 4, cudaMemcpyDeviceToHost));
	CHECK(got == 42);
	CUDA(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));
	CUDA(cudaLibraryUnload(library));
	cudaGetLastError();
	puts("PASS");
	return 0;
}
