/* histo -- a histogram of very many bins of 8 bits, which stop at 255, of values that mostly lie close
 * together.
 *
 * prescan: each CTA finds mean and deviation of its part of the input, and from them the ranges of bins where
 * nearly all of it must lie; reads the input twice, coalesced; tree sums in shared memory.
 *
 * intermediates: splits each value into range, word and byte: streams, 16 rows a CTA, 8 bytes a thread and
 * row; stores of 4 bytes, two a thread, so that each touches every second word.
 *
 * histogram: a CTA has the 24576 counters of one range in shared memory, four to a word, and reads all the
 * values of its column of CTAs, whatever their range: coalesced, once for each range. Counting is
 * compare-and-swap in shared memory: lanes with near values meet in a word. Values beyond all these ranges
 * are counted by atomics in global memory. Then the CTA adds its counters to the global ones (16 bits;
 * atomics, only where there is something).
 *
 * final: adds both, cut at 255: streams.
 *
 * Parboil raises the counters in shared memory by plain atomic additions and mends what runs over; here a
 * full one is left alone, so that the result does not depend on the order. */
#include "cuda_kernel.h"

#define RANGE_WORDS 6144 /* 24 KB of shared memory */
#define RANGE_BINS  (4 * RANGE_WORDS)
#define PRESCAN_CTA 512
#define ROWS        16 /* of the input, a CTA of intermediates() */
#define DEVIATIONS  10.0f

/* The sum over the CTA, to all its threads. */
CUDA_INLINE float cta_sum(float *part, float own)
{
	int thread = threadIdx.x;

	__syncthreads();
	part[thread] = own;
	for (int half = PRESCAN_CTA / 2; half; half /= 2) {
		__syncthreads();
		if (thread < half)
			part[thread] += part[thread + half];
	}
	__syncthreads();
	return part[0];
}

/* ranges: the lowest and the highest, so far. Each CTA has a value at least. */
extern "C" __global__ void prescan(const unsigned *input, int count, int bins, int *ranges)
{
	__shared__ float part[PRESCAN_CTA];
	int first = blockIdx.x * PRESCAN_CTA + threadIdx.x, step = gridDim.x * PRESCAN_CTA;
	int rest = min(PRESCAN_CTA, max(0, count % step - (int)blockIdx.x * PRESCAN_CTA));
	float sum = 0.0f, squares = 0.0f, values = (float)(count / step * PRESCAN_CTA + rest); /* the CTA's */

	for (int i = first; i < count; i += step)
		sum += (float)input[i];
	float mean = cta_sum(part, sum) / values;
	for (int i = first; i < count; i += step) {
		float off = (float)input[i] - mean;
		squares = fmaf(off, off, squares);
	}
	float deviation = sqrtf(cta_sum(part, squares) / values);
	if (threadIdx.x == 0) {
		float low = fmaxf(fmaf(-DEVIATIONS, deviation, mean), 0.0f);
		float high = fminf(fmaf(DEVIATIONS, deviation, mean), (float)(bins - 1));
		atomicMin(&ranges[0], (int)low / RANGE_BINS);
		atomicMax(&ranges[1], (int)high / RANGE_BINS);
	}
}

/* Range in bits 24 to 31, word in 8 to 23, shift of the byte in 0 to 7. */
CUDA_INLINE unsigned place_of(unsigned bin)
{
	return bin / RANGE_BINS << 24 | bin % RANGE_BINS / 4 << 8 | bin % 4 * 8;
}

/* A thread has two neighbouring values of each row. */
extern "C" __global__ void intermediates(const int2 *input, unsigned *place, int width, int height)
{
	int row = blockIdx.x * ROWS, pair = threadIdx.x;

#pragma unroll
	for (int i = 0; i < ROWS; i++) {
		if (row + i < height) {
			int2 value = input[(row + i) * (width / 2) + pair];
			place[(row + i) * width + 2 * pair] = place_of(value.x);
			place[(row + i) * width + 2 * pair + 1] = place_of(value.y);
		}
	}
}

/* Raises a byte of the word unless it is 255. */
CUDA_INLINE void count_one(int *word, unsigned shift)
{
	int seen = *word, before;

	do {
		before = seen;
		if (((unsigned)before >> shift & 255) == 255)
			return;
		seen = atomicCAS(word, before, before + (1 << shift));
	} while (seen != before);
}

/* sub: two counters of 16 bits a word; outside: one of 32 bits. */
extern "C" __global__ void histogram(
	const unsigned *place, int count, int lowest, int highest, unsigned *sub, unsigned *outside)
{
	__shared__ int counters[RANGE_WORDS];
	unsigned own = lowest + blockIdx.y;

	for (int i = threadIdx.x; i < RANGE_WORDS; i += blockDim.x)
		counters[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
		unsigned p = place[i], range = p >> 24, word = p >> 8 & 0xffff, shift = p & 255;
		if (range == own)
			count_one(&counters[word], shift);
		else if (blockIdx.y == 0 && (range < own || range > (unsigned)highest))
			atomicAdd(&outside[range * RANGE_BINS + word * 4 + shift / 8], 1u);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < RANGE_WORDS; i += blockDim.x) {
		unsigned four = counters[i], *to = &sub[2 * (own * RANGE_WORDS + i)];
		if (four & 0xffff)
			atomicAdd(&to[0], (four & 255) | (four >> 8 & 255) << 16);
		if (four >> 16)
			atomicAdd(&to[1], (four >> 16 & 255) | (four >> 24) << 16);
	}
}

CUDA_INLINE unsigned cut(unsigned sum)
{
	return sum < 255 ? sum : 255;
}

/* A thread makes words of four bins. */
extern "C" __global__ void final(
	const int2 *sub, const int4 *outside, unsigned *histogram, int words, int lowest, int highest)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
		int range = i / RANGE_WORDS;
		int2 inner = range >= lowest && range <= highest ? sub[i] : make_int2(0, 0);
		int4 outer = outside[i];
		unsigned low = inner.x, high = inner.y;
		histogram[i] = cut((low & 0xffff) + outer.x) | cut((low >> 16) + outer.y) << 8 |
			       cut((high & 0xffff) + outer.z) << 16 | cut((high >> 16) + outer.w) << 24;
	}
}
