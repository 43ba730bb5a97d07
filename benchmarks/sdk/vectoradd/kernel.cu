/* vectoradd -- c = a + b, one thread per element: loads and stores that stream, fully coalesced, no reuse. */
#include "cuda_kernel.h"

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}
