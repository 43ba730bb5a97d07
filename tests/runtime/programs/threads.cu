/* Host threads, eight, each with a stream of its own, its own default stream where the program is
 * compiled so, and its own last error. */
#include "check.h"
#include <thread>
#include <vector>

__global__ void fill(int *x, int value, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		x[i] = value;
}

static void work(int number)
{
	const int n = 3000;
	std::vector<int> got(n);
	int *x;

	CUDA(cudaMalloc(&x, n * sizeof *x));
	for (int round = 0; round < 3; round++) {
		fill<<<4, 128>>>(x, number * 10 + round, n);
		CUDA(cudaMemcpyAsync(got.data(), x, n * sizeof *x, cudaMemcpyDeviceToHost, 0));
		CUDA(cudaStreamSynchronize(0));
		for (int i = 0; i < n; i++)
			CHECK(got[i] == number * 10 + round);
	}
	cudaStream_t s;
	CUDA(cudaStreamCreateWithFlags(&s, number % 4 ? cudaStreamNonBlocking : cudaStreamDefault));
	for (int round = 0; round < 3; round++) {
		fill<<<4, 128, 0, s>>>(x, number * 100 + round, n);
		CUDA(cudaMemcpyAsync(got.data(), x, n * sizeof *x, cudaMemcpyDeviceToHost, s));
		CUDA(cudaStreamSynchronize(s));
		for (int i = 0; i < n; i++)
			CHECK(got[i] == number * 100 + round);
	}
	CUDA(cudaStreamDestroy(s));
	if (number % 2) {
		cudaSetDevice(99);
		CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
	} else {
		CHECK(cudaPeekAtLastError() == cudaSuccess);
	}
	CUDA(cudaFree(x));
}

int main()
{
	std::vector<std::thread> all;

	for (int i = 0; i < 8; i++)
		all.emplace_back(work, i);
	for (auto &t : all)
		t.join();
	puts("PASS");
	return 0;
}
