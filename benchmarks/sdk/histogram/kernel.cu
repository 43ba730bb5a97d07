/* histogram -- how often each byte value occurs: atomics on a CTA's own 256 bins in shared memory, where
 * lanes that meet in a bin take turns, then one atomic per bin to add them to the bins in global memory. */
#include "cuda_kernel.h"

#define BINS 256

extern "C" __global__ void histogram(const unsigned char *in, unsigned *bins, int n)
{
	__shared__ unsigned count[BINS];

	for (int b = threadIdx.x; b < BINS; b += blockDim.x)
		count[b] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&count[in[i]], 1u);
	__syncthreads();
	for (int b = threadIdx.x; b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], count[b]);
}
