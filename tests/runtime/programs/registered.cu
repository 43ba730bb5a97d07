/* Host memory that is registered, and mapped page-locked memory: kernels and the host see the same bytes. */
#include "check.h"
#include <cstring>
#include <vector>

__global__ void scale(int *x, int by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] *= by;
}

int main()
{
	const int n = 100000;
	int *host = (int *)malloc(n * sizeof *host + 64) + 5, *device, *mapped, *mapped_device, number = 0;
	std::vector<int> vector(3 * n);
	cudaPointerAttributes a;
	cudaStream_t s;
	unsigned int flags;

	CUDA(cudaStreamCreate(&s));
	for (int i = 0; i < n; i++)
		host[i] = vector[i] = i;
	CUDA(cudaPointerGetAttributes(&a, host));
	CHECK(a.type == cudaMemoryTypeUnregistered);
	CUDA(cudaHostRegister(host, n * sizeof *host, cudaHostRegisterMapped));
	FAILS(cudaHostRegister(host + 10, 4, cudaHostRegisterDefault), cudaErrorHostMemoryAlreadyRegistered);
	for (int i = 0; i < n; i++)
		CHECK(host[i] == i);
	CUDA(cudaHostGetDevicePointer(&device, host, 0));
	CUDA(cudaPointerGetAttributes(&a, host + 3));
	CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == host + 3 && a.devicePointer == device + 3);
	scale<<<(n + 255) / 256, 256, 0, s>>>(device, 3, n);
	CUDA(cudaStreamSynchronize(s));
	for (int i = 0; i < n; i++)
		CHECK(host[i] == 3 * i);
	host[7] = 1000;
	scale<<<(n + 255) / 256, 256, 0, s>>>(device, 2, n);
	CUDA(cudaMemcpyAsync(&number, device + 7, sizeof number, cudaMemcpyDefault, s));
	CUDA(cudaStreamSynchronize(s));
	CHECK(number == 2000 && host[7] == 2000);
	CUDA(cudaHostUnregister(host));
	for (int i = 8; i < n; i++)
		CHECK(host[i] == 6 * i);
	FAILS(cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
	FAILS(cudaHostGetDevicePointer(&device, host, 0), cudaErrorInvalidValue);
	cudaGetLastError();
	free(host - 5);

	/* again, with copies that need not wait */
	CUDA(cudaHostRegister(vector.data(), vector.size() * sizeof(int), cudaHostRegisterPortable));
	CUDA(cudaMalloc(&device, n * sizeof *device));
	CUDA(cudaMemcpyAsync(device, vector.data(), n * sizeof *device, cudaMemcpyHostToDevice, s));
	scale<<<(n + 255) / 256, 256, 0, s>>>(device, 5, n);
	CUDA(cudaMemcpyAsync(vector.data() + n, device, n * sizeof *device, cudaMemcpyDeviceToHost, s));
	CUDA(cudaStreamSynchronize(s));
	for (int i = 0; i < n; i++)
		CHECK(vector[n + i] == 5 * i);
	CUDA(cudaHostUnregister(vector.data()));
	CUDA(cudaHostRegister(vector.data(), vector.size() * sizeof(int), cudaHostRegisterMapped));
	CUDA(cudaHostGetDevicePointer(&mapped, vector.data(), 0));
	scale<<<1, 64>>>(mapped, 7, 64);
	CUDA(cudaHostUnregister(vector.data()));
	CHECK(vector[63] == 7 * 63);
	CHECK(vector[2 * n - 1] == 5 * (n - 1));

	CUDA(cudaHostAlloc(&mapped, 256, cudaHostAllocMapped | cudaHostAllocWriteCombined));
	CUDA(cudaHostGetFlags(&flags, mapped));
	CHECK(flags & cudaHostAllocMapped);
	CUDA(cudaHostGetDevicePointer(&mapped_device, mapped, 0));
	mapped[3] = 9;
	scale<<<1, 64>>>(mapped_device, 2, 64);
	CUDA(cudaDeviceSynchronize());
	CHECK(mapped[3] == 18);
	CUDA(cudaFreeHost(mapped));
	puts("PASS");
	return 0;
}
