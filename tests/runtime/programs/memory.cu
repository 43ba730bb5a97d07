/* Pitched, managed, mapped, registered and stream-ordered memory; setting; what pointers are. */
#include "check.h"
#include <cstring>

__global__ void add_row(char *rows, size_t pitch, int width, int height)
{
	int x = threadIdx.x, y = blockIdx.x;

	if (x < width && y < height)
		rows[y * pitch + x] += y;
}

__global__ void increment(int *x, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		x[i]++;
}

int main()
{
	const int width = 50, height = 20;
	char *rows, back[height][64];
	size_t pitch, available, total;
	int *managed, *mapped, *device_view, *later, *plain = (int *)malloc(4096 * sizeof(int)), back_int[256];
	cudaPointerAttributes a;
	cudaStream_t stream;

	CUDA(cudaMallocPitch(&rows, &pitch, width, height));
	CHECK(pitch >= (size_t)width);
	CUDA(cudaMemset2D(rows, pitch, 3, width, height));
	add_row<<<height, 64>>>(rows, pitch, width, height);
	CUDA(cudaMemcpy2D(back, 64, rows, pitch, width, height, cudaMemcpyDeviceToHost));
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			CHECK(back[y][x] == 3 + y);
	FAILS(cudaMemcpy2D(back, 10, rows, pitch, width, height, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);

	CUDA(cudaMallocManaged(&managed, 1024));
	memset(managed, 0, 1024);
	increment<<<1, 64>>>(managed, 256);
	CUDA(cudaDeviceSynchronize());
	CHECK(managed[0] == 1 && managed[255] == 1);
	CUDA(cudaHostAlloc(&mapped, 1024, cudaHostAllocMapped));
	memset(mapped, 0, 1024);
	CUDA(cudaHostGetDevicePointer(&device_view, mapped, 0));
	increment<<<1, 64>>>(device_view, 256);
	CUDA(cudaDeviceSynchronize());
	CHECK(mapped[17] == 1);
	memset(plain, 0, 4096 * sizeof(int));
	CUDA(cudaHostRegister(plain, 4096 * sizeof(int), cudaHostRegisterMapped));
	CUDA(cudaMemcpy(plain, managed, 1024, cudaMemcpyDeviceToHost));
	CHECK(plain[255] == 1 && plain[256] == 0);
	CUDA(cudaHostUnregister(plain));

	CUDA(cudaStreamCreate(&stream));
	CUDA(cudaMallocAsync(&later, 1024, stream));
	CUDA(cudaMemsetAsync(later, 0, 1024, stream));
	increment<<<1, 32, 0, stream>>>(later, 256);
	CUDA(cudaMemcpyAsync(back_int, later, 1024, cudaMemcpyDeviceToHost, stream));
	CUDA(cudaFreeAsync(later, stream));
	CUDA(cudaStreamSynchronize(stream));
	for (int i = 0; i < 256; i++)
		CHECK(back_int[i] == 1);

	CUDA(cudaPointerGetAttributes(&a, managed));
	CHECK(a.type == cudaMemoryTypeManaged && a.devicePointer == managed);
	CUDA(cudaPointerGetAttributes(&a, mapped));
	CHECK(a.type == cudaMemoryTypeHost);
	CUDA(cudaPointerGetAttributes(&a, rows));
	CHECK(a.type == cudaMemoryTypeDevice && a.device == 0);
	CUDA(cudaPointerGetAttributes(&a, plain));
	CHECK(a.type == cudaMemoryTypeUnregistered);
	CUDA(cudaMemGetInfo(&available, &total));
	CHECK(available < total);
	CUDA(cudaMemcpy(back_int, managed, 1024, cudaMemcpyDefault));
	CHECK(back_int[100] == 1);
	cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
	CUDA(cudaMemAdvise(managed, 1024, cudaMemAdviseSetReadMostly, device));
	CUDA(cudaMemPrefetchAsync(managed, 1024, device, 0, stream));
	void *entry = NULL;
	cudaDriverEntryPointQueryResult found;
	CUDA(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault, &found));
	CHECK(entry && found == cudaDriverEntryPointSuccess);
	CUDA(cudaFree(rows));
	CUDA(cudaFree(managed));
	CUDA(cudaFree(0));
	CUDA(cudaFreeHost(mapped));
	puts("PASS");
	return 0;
}
