/* validate -- kernels whose bandwidth, latency or miss rate was measured on hardware by others. The access patterns are
 * those of the programs named at each; the code is ours. The sweep over the caches is in sweep.ptx (generate.sh). */
#include "cuda_kernel.h"

/* ---- latency: one thread follows pointers ---- */

static inline __device__ unsigned clock_now()
{
	unsigned now;

	asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
	return now;
}

static inline __device__ unsigned long long next(unsigned long long at)
{
	unsigned long long to;

	asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(to) : "l"(at) : "memory");
	return to;
}

/* Follows 32 * warm links, then 32 * timed by the clock; so many a round that the loop itself hardly counts, and the
 * same loop for both, so that its instructions are cached. out[0]: shader cycles; out[1]: where it came to. */
extern "C" __global__ void chase(unsigned long long at, unsigned long long *out, int warm, int timed)
{
	unsigned begin = 0;

	for (int i = -warm; i < timed; i++) {
		if (i == 0)
			begin = clock_now();
#pragma unroll
		for (int link = 0; link < 32; link++)
			at = next(at);
	}
	out[0] = clock_now() - begin;
	out[1] = at;
}

/* ---- device memory, as SHOC's level 0 DeviceMemory reads and writes it: sixteen accesses a round ---- */

#define SIXTEEN(do, step) \
	do(0, step) do(1, step) do(2, step) do(3, step) do(4, step) do(5, step) do(6, step) do(7, step) do(8, step) \
	do(9, step) do(10, step) do(11, step) do(12, step) do(13, step) do(14, step) do(15, step)
#define LOAD(k, step)  float v##k = data[(at + k * step) & mask];
#define SUM(k, step)   sum += v##k;
#define STORE(k, step) data[(at + k * step) & mask] = value;

enum { APART = 32768, ROW = 512 }; /* words: between accesses of a thread when coalesced; between threads when not */

static inline __device__ int thread()
{
	return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Neighbouring threads at neighbouring words; size (words) is a power of two. */
extern "C" __global__ void read_coalesced(const float *data, float *out, int size, int rounds)
{
	int at = thread(), mask = size - 1;
	float sum = 0;

	for (int i = 0; i < rounds; i++, at += 16 * APART) {
		SIXTEEN(LOAD, APART)
		SIXTEEN(SUM, APART)
	}
	out[thread()] = sum;
}

/* Each thread reads on and on by itself, 2 KB behind its neighbour. */
extern "C" __global__ void read_strided(const float *data, float *out, int size, int rounds)
{
	int at = thread() * ROW, mask = size - 1;
	float sum = 0;

	for (int i = 0; i < rounds; i++, at += 16) {
		SIXTEEN(LOAD, 1)
		SIXTEEN(SUM, 1)
	}
	out[thread()] = sum;
}

extern "C" __global__ void write_coalesced(float *data, int size, int rounds)
{
	int at = thread(), mask = size - 1;
	float value = (float)at;

	for (int i = 0; i < rounds; i++, at += 16 * APART) {
		SIXTEEN(STORE, APART)
	}
}

extern "C" __global__ void write_strided(float *data, int size, int rounds)
{
	int at = thread() * ROW, mask = size - 1;
	float value = (float)thread();

	for (int i = 0; i < rounds; i++, at += 16) {
		SIXTEEN(STORE, 1)
	}
}

/* ---- shared memory, as SHOC's (there called local) ---- */

enum { WORDS = 2048 };

extern "C" __global__ void read_shared(const float *in, float *out, int rounds)
{
	__shared__ float data[WORDS];
	int at = (int)threadIdx.x, mask = WORDS - 1;
	float sum = 0;

	for (int i = at; i < WORDS; i += (int)blockDim.x)
		data[i] = in[i];
	__syncthreads();
	for (int i = 0; i < rounds; i++, at += 16) {
		SIXTEEN(LOAD, 1)
		SIXTEEN(SUM, 1)
	}
	out[thread()] = sum;
}

extern "C" __global__ void write_shared(float *out, int rounds)
{
	__shared__ volatile float data[WORDS];
	int at = (int)threadIdx.x, mask = WORDS - 1;
	float value = (float)at;

	for (int i = 0; i < rounds; i++, at += 16) {
		SIXTEEN(STORE, 1)
	}
	__syncthreads();
	out[thread()] = data[threadIdx.x];
}

/* ---- the row copy of Nugteren et al. (HPCA 2014, Figure 3): each thread copies a row of 1024 words ---- */

extern "C" __global__ void row_copy(const float *from, float *to)
{
	int row = thread() * 1024;

	for (int column = 0; column < 1024; column++)
		to[row + column] = from[row + column];
}
