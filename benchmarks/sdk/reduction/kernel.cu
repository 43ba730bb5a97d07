/* reduction -- the sum of n floats, one partial sum per CTA; launched again on those it leaves one.
 *
 * Each thread first adds up its own elements, a grid apart, then the CTA adds in a tree in shared memory with
 * a barrier per step. A CTA is a power of two of threads and needs one float of dynamic shared memory for
 * each. */
#include "cuda_kernel.h"

extern "C" __global__ void reduce(const float *in, float *out, int n)
{
	extern __shared__ float partial[];
	int t = threadIdx.x;
	float sum = 0.0f;

	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
		sum += in[i];
	partial[t] = sum;
	__syncthreads();
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		if (t < half)
			partial[t] += partial[t + half];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = partial[0];
}
