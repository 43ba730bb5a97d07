/* barrier.cu -- shared variables that one thread writes before a barrier and others read after it. clang 14
 * without a memory clobber at the barrier hands the writer of an earlier value its own value instead. */
#include "cuda_kernel.h"

/* Thread 0 writes 0, then thread 1 writes 5: every thread reads 5. */
extern "C" __global__ void two_writers(const int *, int *out)
{
	__shared__ int value;

	if (threadIdx.x == 0)
		value = 0;
	__syncthreads();
	if (threadIdx.x == 1)
		value = 5;
	__syncthreads();
	out[threadIdx.x] = value;
}

/* Odd-even transposition sort by one CTA, until a round of two phases exchanges nothing. `exchanged` is set
 * by the threads that exchange, and cleared and read by all. */
extern "C" __global__ void sort(const int *in, int *out)
{
	__shared__ int key[128];
	__shared__ int exchanged;
	int thread = threadIdx.x, last = blockDim.x - 1;

	key[thread] = in[thread];
	do {
		__syncthreads();
		exchanged = 0;
		for (int odd = 0; odd < 2; odd++) {
			__syncthreads();
			if ((thread & 1) == odd && thread < last && key[thread] > key[thread + 1]) {
				int larger = key[thread];
				key[thread] = key[thread + 1];
				key[thread + 1] = larger;
				exchanged = 1;
			}
		}
		__syncthreads();
	} while (exchanged);
	out[thread] = key[thread];
}

/* Each thread adds the value of the next one in each round: its own element of an array, too, has to be read
 * anew, because the thread before it has written there. */
extern "C" __global__ void neighbours(const int *in, int *out)
{
	__shared__ int sum[128];
	int thread = threadIdx.x, next = (thread + 1) % blockDim.x;

	sum[thread] = in[thread];
	for (int round = 0; round < 3; round++) {
		__syncthreads();
		sum[next] += round;
		__syncthreads();
		sum[thread] *= 2;
	}
	out[thread] = sum[thread];
}

/* Both stores are made: other threads may read between them. */
extern "C" __global__ void fence(const int *in, int *out)
{
	__shared__ int stage;

	stage = 1;
	__threadfence();
	out[threadIdx.x] = in[threadIdx.x];
	__threadfence();
	stage = 2;
	__syncthreads();
	out[threadIdx.x] += stage;
}
