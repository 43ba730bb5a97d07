/* Misuse: the codes of the runtime, its last error, and that a program goes on after them. */
#include "check.h"
#include <cstring>

__global__ void nothing(int *x)
{
	if (x)
		*x = 1;
}

__global__ void fault(int *x)
{
	x[1 << 28] = 1;
}

int main()
{
	int *x, device, count;
	cudaDeviceProp p;
	void *arguments[] = { &x };

	CUDA(cudaGetDeviceCount(&count));
	CHECK(count == 1);
	CHECK(cudaPeekAtLastError() == cudaSuccess);
	FAILS(cudaSetDevice(1), cudaErrorInvalidDevice);
	CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
	CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
	CHECK(cudaGetLastError() == cudaSuccess);
	FAILS(cudaMalloc(&x, (size_t)1 << 50), cudaErrorMemoryAllocation);
	FAILS(cudaFree((void *)0x1234), cudaErrorInvalidValue);
	CHECK(cudaGetLastError() == cudaErrorInvalidValue);
	CUDA(cudaMalloc(&x, 64));
	nothing<<<1, 4096>>>(x);
	CHECK(cudaGetLastError() == WRONG_SHAPE);
	nothing<<<0, 32>>>(x);
	CHECK(cudaGetLastError() == WRONG_SHAPE);
	FAILS(cudaLaunchKernel((void *)main, dim3(1), dim3(1), arguments, 0, 0), UNKNOWN_KERNEL);
	FAILS(cudaMemcpy(x, &device, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
	FAILS(cudaMemcpy(x, &device, 128, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaGetDeviceProperties(&p, 3), cudaErrorInvalidDevice);
	cudaGetLastError();
	CUDA(cudaGetDevice(&device));
	CUDA(cudaGetDeviceProperties(&p, device));
	CHECK(p.warpSize == 32 && p.multiProcessorCount > 0 && p.maxThreadsPerBlock >= 512 && p.totalGlobalMem > 0);
	CHECK(p.maxGridSize[0] >= 65535 && p.sharedMemPerBlock >= 16384 && p.major >= 2 && strlen(p.name));
	CHECK(!strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration"));
	CHECK(!strcmp(cudaGetErrorString(cudaErrorNotReady), "device not ready"));
	nothing<<<1, 1>>>(x);
	CUDA(cudaDeviceSynchronize());
	fault<<<1, 1>>>(x);
	FAILS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	FAILS(cudaMemcpy(&device, x, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
	/* a reset frees what there was; the process gets no device again (measured on an H200) */
	CUDA(cudaDeviceReset());
	FAILS(cudaMalloc(&x, 64), cudaErrorDevicesUnavailable);
	nothing<<<8, 128>>>(x);
	CHECK(cudaGetLastError() == cudaErrorDevicesUnavailable);
	FAILS(cudaDeviceSynchronize(), cudaErrorDevicesUnavailable);
	puts("PASS");
	return 0;
}
