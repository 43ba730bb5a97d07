/* tests/host/memory/many_allocations.c NUMBER -- so many allocations of device memory, every second one
 * freed and made again, and all freed with the context. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define CALL(call) \
	if ((call) != CUDA_SUCCESS) { \
		fprintf(stderr, "many_allocations: %s fails\n", #call); \
		return 1; \
	}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	CUdeviceptr *memory = calloc(count, sizeof *memory);
	CUdevice device;
	CUcontext context;

	CALL(cuInit(0));
	CALL(cuDeviceGet(&device, 0));
	CALL(cuCtxCreate(&context, 0, device));
	for (size_t i = 0; i < count; i++)
		CALL(cuMemAlloc(&memory[i], 100));
	for (size_t i = 0; i < count; i += 2)
		CALL(cuMemFree(memory[i]));
	for (size_t i = 0; i < count; i += 2)
		CALL(cuMemAlloc(&memory[i], 200));
	for (size_t i = 0; i < count; i += 3)
		CALL(cuMemFree(memory[i]));
	CALL(cuCtxDestroy(context));
	free(memory);
	puts("all freed");
	return 0;
}
