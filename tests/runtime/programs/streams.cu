/* Streams, events, asynchronous copies, callbacks, host functions. */
#include "check.h"

const int parts = 4, count = 4096;

__global__ void scale(float *x, float by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] *= by;
}

static int order[16], calls;

static void CUDART_CB called(cudaStream_t stream, cudaError_t status, void *user)
{
	CHECK(status == cudaSuccess);
	order[calls++] = *(int *)user;
}

static void CUDART_CB host(void *user)
{
	order[calls++] = 100 + *(int *)user;
}

int main()
{
	cudaStream_t streams[parts];
	cudaEvent_t start, end, middle;
	float *x, *h, milliseconds;
	int numbers[parts], low, high, priority;
	unsigned int flags;

	CUDA(cudaMallocHost(&h, parts * count * sizeof *h));
	CUDA(cudaMalloc(&x, parts * count * sizeof *x));
	CUDA(cudaEventCreate(&start));
	CUDA(cudaEventCreate(&end));
	CUDA(cudaEventCreateWithFlags(&middle, cudaEventDisableTiming));
	for (int i = 0; i < parts * count; i++)
		h[i] = i;
	CUDA(cudaEventRecord(start));
	for (int p = 0; p < parts; p++) {
		numbers[p] = p;
		CUDA(cudaStreamCreateWithFlags(&streams[p], p % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
		CUDA(cudaMemcpyAsync(x + p * count, h + p * count, count * sizeof *x, cudaMemcpyHostToDevice,
			streams[p]));
		scale<<<(count + 255) / 256, 256, 0, streams[p]>>>(x + p * count, p + 2, count);
		CUDA(cudaGetLastError());
		CUDA(cudaMemcpyAsync(h + p * count, x + p * count, count * sizeof *x, cudaMemcpyDeviceToHost,
			streams[p]));
	}
	for (int p = 0; p < parts; p++)
		CUDA(cudaStreamSynchronize(streams[p]));
	CUDA(cudaEventRecord(end));
	CUDA(cudaEventSynchronize(end));
	CUDA(cudaEventElapsedTime(&milliseconds, start, end));
	CHECK(milliseconds > 0);
	for (int i = 0; i < parts * count; i++)
		CHECK(h[i] == (float)i * (i / count + 2));
	CUDA(cudaStreamAddCallback(streams[0], called, &numbers[2], 0));
	CUDA(cudaEventRecord(middle, streams[0]));
	CUDA(cudaStreamWaitEvent(streams[1], middle, 0));
	CUDA(cudaLaunchHostFunc(streams[1], host, &numbers[3]));
	CUDA(cudaDeviceSynchronize());
	CHECK(calls == 2 && order[0] == 2 && order[1] == 103);
	CUDA(cudaStreamQuery(streams[1]));
	CUDA(cudaStreamGetFlags(streams[1], &flags));
	CHECK(flags == cudaStreamNonBlocking);
	CUDA(cudaDeviceGetStreamPriorityRange(&low, &high));
	CUDA(cudaStreamGetPriority(streams[0], &priority));
	CHECK(priority <= low && priority >= high);
	FAILS(cudaEventElapsedTime(&milliseconds, start, middle), cudaErrorInvalidResourceHandle);
	for (int p = 0; p < parts; p++)
		CUDA(cudaStreamDestroy(streams[p]));
	CUDA(cudaFreeHost(h));
	CUDA(cudaFree(x));
	puts("PASS");
	return 0;
}
