/* Variables of every kind: constant, device, managed, arrays; copies to and from them, their addresses. */
#include "check.h"

__constant__ float factors[4];
__constant__ int base = 7;
__device__ int total = 100;
__device__ double table[33];
__managed__ int shared_counter = 5;

__global__ void use(float *out)
{
	out[threadIdx.x] = factors[threadIdx.x % 4] * threadIdx.x + base;
	atomicAdd(&total, 1);
	if (threadIdx.x < 33)
		table[threadIdx.x] += threadIdx.x * 0.5;
	atomicAdd(&shared_counter, 2);
}

int main()
{
	float given[4] = { 1, 2, 3, 4 }, *out, got[64];
	double initial[33], after[33];
	int number;
	size_t size;
	void *address;

	CHECK(shared_counter == 5);
	shared_counter = 10;
	for (int i = 0; i < 33; i++)
		initial[i] = i;
	CUDA(cudaMemcpyToSymbol(factors, given, sizeof given));
	CUDA(cudaMemcpyToSymbol(table, initial, sizeof initial));
	CUDA(cudaMalloc(&out, sizeof got));
	use<<<1, 64>>>(out);
	CUDA(cudaGetLastError());
	CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 64; i++)
		CHECK(got[i] == given[i % 4] * i + 7);
	CUDA(cudaMemcpyFromSymbol(&number, total, sizeof number));
	CHECK(number == 164);
	CUDA(cudaMemcpyFromSymbol(after, table, 8 * 8, 8 * 25, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 8; i++)
		CHECK(after[i] == 1.5 * (25 + i));
	CHECK(shared_counter == 10 + 128);
	CUDA(cudaGetSymbolSize(&size, table));
	CHECK(size == sizeof initial);
	CUDA(cudaGetSymbolAddress(&address, total));
	number = 3;
	CUDA(cudaMemcpy(address, &number, sizeof number, cudaMemcpyHostToDevice));
	CUDA(cudaMemcpyFromSymbol(&number, total, sizeof number));
	CHECK(number == 3);
	FAILS(cudaMemcpyToSymbol(total, &number, 8), cudaErrorInvalidValue);
	FAILS(cudaGetSymbolSize(&size, (const void *)main), cudaErrorInvalidSymbol);
	CUDA(cudaFree(out));
	puts("PASS");
	return 0;
}
