/* probe -- kernels that walk over memory as RRZE-HPC's gpu-benches do (gpu-latency, gpu-cache, gpu-stream),
 * whose figures by footprint and by occupancy stand in CHIP-curves.csv, with the grid and the arguments of each
 * launch. The code is ours. Each is launched twice, with less and with more work; the difference of the two times
 * is that of the work alone.
 *
 * probe.ptx: nvcc -O3 -ptx -arch=sm_75 -I../common, with the target lowered to sm_60, since nothing in it is
 * newer. */
#include "cuda_kernel.h"

/* One thread follows pointers through all lines of 128 bytes in an order without a stride; lines: a power of two,
 * for which the generator has its full period (Hull and Dobell, 1962). */
extern "C" __global__ void chase(unsigned long long *at, unsigned long long *out, unsigned lines, unsigned links)
{
	unsigned long long here = (unsigned long long)at;

	for (unsigned i = threadIdx.x; i < lines; i += blockDim.x)
		at[i * 16ull] = (unsigned long long)(at + ((i * 1664525u + 1013904223u) & (lines - 1)) * 16ull);
	__syncthreads();
	if (threadIdx.x)
		return;
	for (unsigned i = 0; i < links; i++)
		asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(here) : "l"(here) : "memory");
	out[0] = here;
}

/* Every CTA of 1024 threads reads the same area over and over, as fast as it can; words: a multiple of 1024. */
extern "C" __global__ void walk(const double *data, double *out, unsigned words, unsigned rounds)
{
	double sum = 0;

	for (unsigned r = 0; r < rounds; r++)
#pragma unroll 8
		for (unsigned i = threadIdx.x; i < words; i += 1024)
			sum += data[i];
	if (sum == 1.5)
		out[0] = sum;
}

/* Streams: an element a thread. How many CTAs an SM holds is set by the shared memory of the launch. */
#define HERE(n) \
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x; \
	if (i >= (n)) \
		return

extern "C" __global__ void stream_init(double *a, unsigned n)
{
	HERE(n);
	a[i] = 0.23;
}

extern "C" __global__ void stream_read(double *a, unsigned n)
{
	HERE(n);
	if (a[i] == 0.77)
		a[i] = 0.23;
}

extern "C" __global__ void stream_scale(double *a, const double *b, unsigned n)
{
	HERE(n);
	a[i] = b[i] * 1.2;
}

extern "C" __global__ void stream_triad(double *a, const double *b, const double *c, const double *d, unsigned n)
{
	HERE(n);
	a[i] = b[i] * d[i] + c[i];
}

/* As RRZE's gpu-cache, where the words are known when it is compiled: sums of products of two halves, with all loads of
 * a round, or of 32 steps, in flight. zero: 0, so that rounds differ. */
template <unsigned words> static __device__ void products(
	const double *data, double *out, unsigned zero, unsigned rounds)
{
	const unsigned steps = (words + 1023) / 1024;
	double sum = 0;

	data += threadIdx.x;
	for (unsigned r = 0; r < rounds; r++) {
		data += zero;
#pragma unroll (steps >= 64 ? 32 : steps)
		for (unsigned i = 0; i < steps; i++)
			sum += data[i * 1024] * data[i * 1024 + words];
		sum *= 1.3;
	}
	if (sum == 1.5)
		out[0] = sum;
}

#define PRODUCTS(name, words) \
	extern "C" __global__ void name(const double *data, double *out, unsigned zero, unsigned rounds) \
	{ \
		products<words>(data, out, zero, rounds); \
	}

PRODUCTS(products_64, 4096)
PRODUCTS(products_96, 6144)
PRODUCTS(products_128, 8192)
PRODUCTS(products_984, 62976)
PRODUCTS(products_1152, 73728)
