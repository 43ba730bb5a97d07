/* Device code in two files, compiled by -rdc=true: a function, a variable and a kernel of the other file. */
#include "../programs/check.h"

extern __device__ int value;
extern __constant__ int constant;
__device__ int twice(int x);
__global__ void other_kernel(int *x);

__global__ void here(int *x)
{
	*x = twice(value) + constant;
}

int main()
{
	int *x, y = 0, ten = 10;

	CUDA(cudaMalloc(&x, sizeof *x));
	here<<<1, 1>>>(x);
	CUDA(cudaMemcpy(&y, x, sizeof y, cudaMemcpyDeviceToHost));
	CHECK(y == 2 * 21 + 100);
	CUDA(cudaMemcpyToSymbol(value, &ten, sizeof ten));
	here<<<1, 1>>>(x);
	other_kernel<<<1, 1>>>(x);
	CUDA(cudaMemcpy(&y, x, sizeof y, cudaMemcpyDeviceToHost));
	CHECK(y == 10 * (2 * 10 + 100));
	puts("PASS");
	return 0;
}
