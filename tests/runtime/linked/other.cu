/* The other file of main.cu. */
__device__ int value = 21;
__constant__ int constant = 100;

__device__ int twice(int x)
{
	return 2 * x;
}

__global__ void other_kernel(int *x)
{
	*x *= value;
}
