/* cachemicro -- the set index of the L1 (Nugteren et al., HPCA 2014, Figure 7): one warp goes twice over
 * lines that lie a stride apart. */
#include "cuda_kernel.h"

/* Each line holds, in every word, where the next one is: each load waits for the one before, so that lines
 * are touched in order and never in flight together. Adds up these places. */
static inline __device__ unsigned walk(const char *lines, unsigned *at, int loads)
{
	unsigned sum = 0;

#pragma unroll 1
	for (int i = 0; i < loads; i++) {
		*at = *(const unsigned *)(lines + *at);
		sum += *at;
	}
	return sum;
}

/* The second walk finds in the L1 what the first one has left there. */
extern "C" __global__ void set_index(const char *lines, unsigned *out, int loads)
{
	const char *words = lines + 4 * threadIdx.x;
	unsigned at = 0, first = walk(words, &at, loads), second = walk(words, &at, loads);

	out[threadIdx.x] = at;
	out[32 + threadIdx.x] = first;
	out[64 + threadIdx.x] = second;
}
