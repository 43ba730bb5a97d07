/* sortingnetworks -- bitonic sort of keys with values, a power of two of them.
 *
 * sort_shared sorts pieces of PIECE elements in shared memory, up and down in turn, which makes bitonic
 * sequences twice as long; each merge of these takes a launch of merge_global for every stride that is too
 * wide for a CTA's shared memory (two keys and two values read and perhaps written, coalesced), and one of
 * merge_shared for all the rest. Every launch streams through all data, k (k + 3) / 2 + 1 of them for 2^k
 * pieces. */
#include "cuda_kernel.h"

#define PIECE 1024 /* elements in shared memory, of half as many threads */

/* Swaps pair a and pair b if they are not in the order that `up` asks for. */
CUDA_INLINE void compare(unsigned &key_a, unsigned &value_a, unsigned &key_b, unsigned &value_b, bool up)
{
	if ((key_a > key_b) == up) {
		unsigned key = key_a, value = value_a;
		key_a = key_b;
		value_a = value_b;
		key_b = key;
		value_b = value;
	}
}

/* The steps of a merge in shared memory from `stride` down to 1. */
CUDA_INLINE void merge_steps(unsigned *key, unsigned *value, int stride, bool up)
{
	for (; stride > 0; stride >>= 1) {
		int i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
		__syncthreads();
		compare(key[i], value[i], key[i + stride], value[i + stride], up);
	}
}

extern "C" __global__ void sort_shared(
	unsigned *keys_out, unsigned *values_out, const unsigned *keys, const unsigned *values)
{
	__shared__ unsigned key[PIECE], value[PIECE];
	int t = threadIdx.x, i = blockIdx.x * PIECE + t;

	key[t] = keys[i];
	value[t] = values[i];
	key[t + PIECE / 2] = keys[i + PIECE / 2];
	value[t + PIECE / 2] = values[i + PIECE / 2];
	for (int size = 2; size < PIECE; size <<= 1)
		merge_steps(key, value, size / 2, (t & (size / 2)) == 0);
	merge_steps(key, value, PIECE / 2, (blockIdx.x & 1) == 0);
	__syncthreads();
	keys_out[i] = key[t];
	values_out[i] = value[t];
	keys_out[i + PIECE / 2] = key[t + PIECE / 2];
	values_out[i + PIECE / 2] = value[t + PIECE / 2];
}

/* One step of the merge of sequences of `size` elements, in place; a thread for every two elements of n. */
extern "C" __global__ void merge_global(unsigned *keys, unsigned *values, int n, int size, int stride)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, i = 2 * t - (t & (stride - 1));
	unsigned key_a = keys[i], value_a = values[i], key_b = keys[i + stride], value_b = values[i + stride];

	compare(key_a, value_a, key_b, value_b, (t & (size / 2) & (n / 2 - 1)) == 0);
	keys[i] = key_a;
	values[i] = value_a;
	keys[i + stride] = key_b;
	values[i + stride] = value_b;
}

/* The steps that are left: strides below PIECE, in place. */
extern "C" __global__ void merge_shared(unsigned *keys, unsigned *values, int n, int size)
{
	__shared__ unsigned key[PIECE], value[PIECE];
	int t = threadIdx.x, i = blockIdx.x * PIECE + t;
	int pair = blockIdx.x * (PIECE / 2) + t;

	key[t] = keys[i];
	value[t] = values[i];
	key[t + PIECE / 2] = keys[i + PIECE / 2];
	value[t + PIECE / 2] = values[i + PIECE / 2];
	merge_steps(key, value, PIECE / 2, (pair & (size / 2) & (n / 2 - 1)) == 0);
	__syncthreads();
	keys[i] = key[t];
	values[i] = value[t];
	keys[i + PIECE / 2] = key[t + PIECE / 2];
	values[i + PIECE / 2] = value[t + PIECE / 2];
}
