/* tests/hopper/hopper.c -- the device, and the lines that the programs of tests/hopper print. */
#include "hopper.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned failures, failures_told;

void must(CUresult result, const char *what)
{
	const char *name = "?";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	printf("FAIL %s: %s\n", what, name);
	exit(2);
}

static void start_device(void)
{
	static bool has_started;
	CUdevice device;
	CUcontext context;

	if (has_started)
		return;
	has_started = true;
	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuCtxCreate(&context, 0, device), "cuCtxCreate");
}

CUmodule hopper_start(int argc, char **argv, const char *name)
{
	char path[4096];
	CUmodule module;

	start_device();
	snprintf(path, sizeof(path), "%s/%s.ptx", argc > 1 ? argv[1] : "tests/hopper", name);
	must(cuModuleLoad(&module, path), path);
	return module;
}

CUmodule hopper_module(const char *ptx)
{
	CUmodule module;

	start_device();
	must(cuModuleLoadData(&module, ptx), "cuModuleLoadData");
	return module;
}

CUmodule hopper_module_of(const char *head, unsigned kernels, void (*print)(FILE *to, unsigned number))
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	CUmodule module;

	fputs(head, to);
	for (unsigned i = 0; i < kernels; i++)
		print(to, i);
	fclose(to);
	module = hopper_module(text);
	free(text);
	return module;
}

CUfunction hopper_kernel(CUmodule module, const char *name)
{
	CUfunction kernel;

	must(cuModuleGetFunction(&kernel, module, name), name);
	return kernel;
}

CUdeviceptr hopper_memory(const void *from, size_t bytes)
{
	CUdeviceptr to;

	must(cuMemAlloc(&to, bytes), "cuMemAlloc");
	must(from ? cuMemcpyHtoD(to, from, bytes) : cuMemsetD8(to, 0, bytes), "filling device memory");
	return to;
}

void hopper_read(void *to, CUdeviceptr from, size_t bytes)
{
	must(cuMemcpyDtoH(to, from, bytes), "cuMemcpyDtoH");
}

CUresult hopper_launch(
	CUfunction kernel, unsigned ctas, unsigned x, unsigned threads, unsigned shared, void **arguments)
{
	CUlaunchAttribute cluster = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION };
	CUlaunchConfig config = {
		.gridDimX = ctas,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = threads,
		.blockDimY = 1,
		.blockDimZ = 1,
		.sharedMemBytes = shared,
		.attrs = &cluster,
		.numAttrs = x > 1,
	};
	CUresult result;

	cluster.value.clusterDim.x = x;
	cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
	if (shared > 48 * 1024)
		must(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared),
			"cuFuncSetAttribute");
	result = cuLaunchKernelEx(&config, kernel, arguments, NULL);
	return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

bool expect(bool holds, const char *what, ...)
{
	va_list arguments;

	if (holds)
		return true;
	if (failures++ < 20) {
		printf("FAIL ");
		va_start(arguments, what);
		vprintf(what, arguments);
		va_end(arguments);
		printf("\n");
	}
	return false;
}

void fact(int number, const char *what)
{
	if (failures == failures_told)
		printf("fact %d: %s\n", number, what);
	failures_told = failures;
}

void forms(unsigned count)
{
	printf("forms %u\n", count);
}

int hopper_end(void)
{
	if (failures > 20)
		printf("FAIL ... and %u more\n", failures - 20);
	return failures != 0;
}
