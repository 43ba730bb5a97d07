/* scalarprod -- scalar products of many pairs of vectors, one CTA for one pair at a time.
 *
 * A CTA goes from pair to pair, a grid's width apart. It adds up SUMS sums in shared memory, sum k that of
 * the elements k, k + SUMS, ... of the pair, and then these in a tree with a barrier for each step. Both
 * vectors are read once, coalesced: a stream. */
#include "cuda_kernel.h"

#define SUMS 1024

extern "C" __global__ void scalar_products(const float *a, const float *b, float *product, int pairs, int n)
{
	__shared__ float sum[SUMS];

	for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
		const float *x = a + pair * n, *y = b + pair * n;

		for (int k = threadIdx.x; k < SUMS; k += blockDim.x) {
			float s = 0.0f;
			for (int i = k; i < n; i += SUMS)
				s += x[i] * y[i];
			sum[k] = s;
		}
		for (int half = SUMS / 2; half > 0; half /= 2) {
			__syncthreads();
			for (int k = threadIdx.x; k < half; k += blockDim.x)
				sum[k] += sum[k + half];
		}
		if (threadIdx.x == 0)
			product[pair] = sum[0];
		__syncthreads(); /* the next pair's sums go where these are */
	}
}
