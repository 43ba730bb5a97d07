/* tuner -- kernels with the access patterns and lengths of some micro-benchmarks of Accel-Sim's tuner
 * (github.com/accel-sim/gpu-app-collection, src/cuda/GPU_Microbenchmark), whose times on a Quadro GV100 are
 * published. What they do is theirs: grid, array, order and number of accesses; the code is ours. Beside them
 * stand the programs of v100-programs.csv, which says with which grid and arrays each is launched.
 *
 * tuner.ptx: nvcc -O3 -ptx -arch=sm_75 -I../common, with the target lowered to sm_70, since nothing in it
 * is newer. */
#include "cuda_kernel.h"

/* A load of the named cache level that the compiler neither moves past another one nor drops. */
#define LOAD(level, type, constraint, value, from) \
	asm volatile("ld.global." level "." type " %0, [%1];" : "=" constraint(value) : "l"(from) : "memory")

/* ---- bandwidth ---- */

/* Five arrays are read and added up into a sixth, four words at a time. */
extern "C" __global__ void mem_bw(const float4 *a, const float4 *b, float4 *sum, const float4 *c,
	const float4 *d, const float4 *e, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
		float4 p = a[i], q = b[i], r = c[i], s = d[i], t = e[i], v;

		v.x = p.x + q.x + r.x + s.x + t.x;
		v.y = p.y + q.y + r.y + s.y + t.y;
		v.z = p.z + q.z + r.z + s.z + t.z;
		v.w = p.w + q.w + r.w + s.w + t.w;
		sum[i] = v;
	}
}

/* Every warp reads a window of a line or two that moves on by 32 elements a step, past the L1. */
#define L2_BANDWIDTH(name, type, ptx, constraint) \
	extern "C" __global__ void name(const type *data, type *out) \
	{ \
		unsigned thread = blockIdx.x * blockDim.x + threadIdx.x; \
		type sum = 0, value; \
		LOAD("cg", ptx, constraint, value, data + thread); \
		sum += value; \
		__syncthreads(); \
		for (unsigned i = 0; i < 2048; i++) { \
			LOAD("cg", ptx, constraint, value, data + i * 32 + thread); \
			sum += value; \
		} \
		__syncthreads(); \
		out[thread] = sum; \
	}
L2_BANDWIDTH(l2_bw_32, float, "f32", "f")
L2_BANDWIDTH(l2_bw_64, double, "f64", "d")

/* Four neighbouring words a thread, a word on in each step: loads whose lanes are four words apart. */
extern "C" __global__ void shared_bw(float *out)
{
	__shared__ float s[12288];
	float w = 0, x = 0, y = 0, z = 0;

	for (unsigned i = threadIdx.x; i < 12288; i += blockDim.x)
		s[i] = (float)i;
	__syncthreads();
	for (unsigned i = 0; i < 6144; i++)
		for (unsigned j = threadIdx.x * 4; j < 6144; j += 4 * blockDim.x) {
			w += s[j + 0 + i];
			x += s[j + 1 + i];
			y += s[j + 2 + i];
			z += s[j + 3 + i];
		}
	__syncthreads();
	out[threadIdx.x] = w + x + y + z;
}

/* ---- latency: one thread follows pointers to the next word, 32768 links round an array of 4096 ---- */

#define CHASE(name, level) \
	extern "C" __global__ void name(unsigned long long *at, unsigned long long *out) \
	{ \
		unsigned long long here; \
		for (unsigned i = 0; i < 4095; i++) \
			at[i] = (unsigned long long)(at + i + 1); \
		at[4095] = (unsigned long long)at; \
		LOAD(level, "u64", "l", here, at); \
		for (unsigned i = 0; i < 32768; i++) \
			LOAD(level, "u64", "l", here, here); \
		out[0] = here; \
	}
CHASE(l2_lat, "cg")
CHASE(l1_lat, "ca")

/* 2048 links through indices in shared memory, which a warp has written. */
extern "C" __global__ void shared_lat(unsigned long long *out, unsigned stride)
{
	__shared__ unsigned long long s[6144];
	unsigned long long at = 0;

	for (unsigned i = threadIdx.x; i < 6144 - stride; i += blockDim.x)
		s[i] = (i + stride) % 6144;
	if (threadIdx.x)
		return;
	for (unsigned i = 0; i < 2048; i++)
		at = s[at];
	out[0] = at;
}
