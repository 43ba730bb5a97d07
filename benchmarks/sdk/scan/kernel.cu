/* scan -- exclusive prefix sums: each CTA scans its own 2 * blockDim.x elements in shared memory,
 * work-efficiently (Blelloch: a tree of sums upwards, then the sums before each node downwards), and writes
 * its total; the totals are scanned likewise, level by level, and add_before brings them back to the
 * elements.
 *
 * Elements are read and written once by each kernel, coalesced, a thread the words t and t + blockDim.x; most
 * instructions are those of the trees, whose words have a gap after every 32 so that strides of powers of two
 * do not conflict. Level by level the data is 2 * blockDim.x times smaller. */
#include "cuda_kernel.h"

#define WORD(i) ((i) + ((i) >> 5)) /* a gap word after 32 */

/* Needs WORD(2 * blockDim.x) words of shared memory; blockDim.x is a power of two. out may be in. */
extern "C" __global__ void scan_ctas(unsigned *out, unsigned *totals, const unsigned *in, int n)
{
	extern __shared__ unsigned s[];
	int t = threadIdx.x, half = blockDim.x, step = 1;
	int first = blockIdx.x * 2 * half + t, second = first + half;

	s[WORD(t)] = first < n ? in[first] : 0;
	s[WORD(t + half)] = second < n ? in[second] : 0;
	for (int nodes = half; nodes > 0; nodes >>= 1, step <<= 1) {
		__syncthreads();
		if (t < nodes) {
			int left = step * (2 * t + 1) - 1, right = left + step;
			s[WORD(right)] += s[WORD(left)];
		}
	}
	if (t == 0) {
		int last = 2 * half - 1;
		totals[blockIdx.x] = s[WORD(last)];
		s[WORD(last)] = 0;
	}
	for (int nodes = 1; nodes <= half; nodes <<= 1) {
		step >>= 1;
		__syncthreads();
		if (t < nodes) {
			int left = step * (2 * t + 1) - 1, right = left + step;
			unsigned sum = s[WORD(left)];
			s[WORD(left)] = s[WORD(right)];
			s[WORD(right)] += sum;
		}
	}
	__syncthreads();
	if (first < n)
		out[first] = s[WORD(t)];
	if (second < n)
		out[second] = s[WORD(t + half)];
}

/* Adds to each CTA's elements what was before them. */
extern "C" __global__ void add_before(unsigned *out, const unsigned *before, int n)
{
	__shared__ unsigned sum;
	int first = blockIdx.x * 2 * blockDim.x + threadIdx.x, second = first + blockDim.x;

	if (threadIdx.x == 0)
		sum = before[blockIdx.x];
	__syncthreads();
	if (first < n)
		out[first] += sum;
	if (second < n)
		out[second] += sum;
}
