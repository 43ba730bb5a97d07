/* common.cuh -- numbers of 16 bits, and sums and maxima over warps and blocks. */
#ifndef AI_COMMON_CUH
#define AI_COMMON_CUH

typedef unsigned u32;
typedef unsigned short u16;
typedef unsigned long long u64;

#define KERNEL extern "C" __global__ void

__device__ inline u32 shared_address(const void *p)
{
	return (u32)__cvta_generic_to_shared(p);
}

/* ---- f16, as bits ---- */

__device__ inline float from_f16(u16 x)
{
	float f;

	asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(x));
	return f;
}

__device__ inline u16 to_f16(float x)
{
	u16 h;

	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
	return h;
}

__device__ inline float low_f16(u32 x)
{
	return from_f16((u16)x);
}

__device__ inline float high_f16(u32 x)
{
	return from_f16((u16)(x >> 16));
}

__device__ inline u32 two_f16(float low, float high)
{
	return to_f16(low) | (u32)to_f16(high) << 16;
}

/* ---- sums and maxima ---- */

struct sum_op {
	static __device__ inline float join(float a, float b)
	{
		return a + b;
	}
	static __device__ inline float none()
	{
		return 0;
	}
};
struct max_op {
	static __device__ inline float join(float a, float b)
	{
		return fmaxf(a, b);
	}
	static __device__ inline float none()
	{
		return -INFINITY;
	}
};

/* Over the lanes of groups of WIDTH; each lane gets it. */
template <class Op, int WIDTH> __device__ inline float lanes(float x)
{
	for (int step = WIDTH / 2; step > 0; step /= 2)
		x = Op::join(x, __shfl_xor_sync(0xffffffff, x, step));
	return x;
}

/* Over the block, of whole warps; each thread gets it. Not for use twice without a barrier in between. */
template <class Op> __device__ inline float block(float x)
{
	__shared__ float part[32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

	__syncthreads();
	x = lanes<Op, 32>(x);
	if (lane == 0)
		part[warp] = x;
	__syncthreads();
	return lanes<Op, 32>(lane < warps ? part[lane] : Op::none());
}

#endif
