/* fastwalsh -- the Walsh-Hadamard transform of 2^k floats, in place.
 *
 * Steps go from the widest stride to stride 1, two at a time (radix 4). While the pieces that are still to be
 * transformed are larger than a CTA's shared memory, walsh_global does two steps: each thread reads four
 * words a quarter of a piece apart and writes them back, all coalesced; a launch streams through the whole
 * array. Then walsh_shared reads a piece, does all that is left of it between barriers in shared memory, and
 * writes it. The last steps in shared memory have strides below 32, and meet bank conflicts, as in the
 * published program. modulate multiplies two transforms: with it a transform back gives the dyadic
 * convolution. */
#include "cuda_kernel.h"

/* quarter: a quarter of a piece; the grid has a thread for four elements. */
extern "C" __global__ void walsh_global(float *data, int quarter)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int low = t & (quarter - 1);
	float *d = data + (((t - low) << 2) + low);
	float a = d[0], b = d[quarter], c = d[2 * quarter], e = d[3 * quarter];
	float ac = a + c, be = b + e, a_c = a - c, b_e = b - e;

	d[0] = ac + be;
	d[quarter] = ac - be;
	d[2 * quarter] = a_c + b_e;
	d[3 * quarter] = a_c - b_e;
}

/* A CTA transforms a piece of 2^log elements, with a quarter as many threads. */
extern "C" __global__ void walsh_shared(float *data, int log)
{
	extern __shared__ float s[];
	int n = 1 << log, t = threadIdx.x, quarter = n >> 2;
	float *piece = data + (blockIdx.x << log);

	for (int i = t; i < n; i += blockDim.x)
		s[i] = piece[i];
	for (; quarter > 0; quarter >>= 2) {
		int low = t & (quarter - 1), i = ((t - low) << 2) + low;

		__syncthreads();
		float a = s[i], b = s[i + quarter], c = s[i + 2 * quarter], e = s[i + 3 * quarter];
		float ac = a + c, be = b + e, a_c = a - c, b_e = b - e;
		s[i] = ac + be;
		s[i + quarter] = ac - be;
		s[i + 2 * quarter] = a_c + b_e;
		s[i + 3 * quarter] = a_c - b_e;
	}
	if (log & 1) { /* stride 1 is left: two pairs for each thread */
		__syncthreads();
		for (int i = t; i < n / 2; i += blockDim.x) {
			float a = s[2 * i], b = s[2 * i + 1];
			s[2 * i] = a + b;
			s[2 * i + 1] = a - b;
		}
	}
	__syncthreads();
	for (int i = t; i < n; i += blockDim.x)
		piece[i] = s[i];
}

extern "C" __global__ void modulate(float *a, const float *b, float scale, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		a[i] *= b[i] * scale;
}
