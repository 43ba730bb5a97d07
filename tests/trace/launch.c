/* launch.c FILE.ptx KERNEL -- starts a kernel with four threads and a buffer of 256 zero bytes, for
 * tests/trace.sh. */
#include <cuda.h>
#include <stdio.h>

static int failed(CUresult result, const char *what)
{
	if (result != CUDA_SUCCESS)
		fprintf(stderr, "%s: error %d\n", what, (int)result);
	return result != CUDA_SUCCESS;
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr buffer;
	void *parameters[] = { &buffer };

	return argc != 3 || failed(cuInit(0), "cuInit") || failed(cuDeviceGet(&device, 0), "cuDeviceGet") ||
		failed(cuCtxCreate(&context, 0, device), "cuCtxCreate") ||
		failed(cuModuleLoad(&module, argv[1]), "cuModuleLoad") ||
		failed(cuModuleGetFunction(&kernel, module, argv[2]), "cuModuleGetFunction") ||
		failed(cuMemAlloc(&buffer, 256), "cuMemAlloc") ||
		failed(cuMemsetD32(buffer, 0, 64), "cuMemsetD32") ||
		failed(cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, NULL, parameters, NULL),
			"cuLaunchKernel") ||
		failed(cuCtxSynchronize(), "cuCtxSynchronize");
}
