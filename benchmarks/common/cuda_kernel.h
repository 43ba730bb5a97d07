/* cuda_kernel.h -- the little of CUDA that the benchmark kernels use, for clang without the CUDA toolkit.
 *
 * clang's front end knows kernels, address spaces and special registers by itself; what it takes from the
 * toolkit is only the spelling. This header gives the usual spelling, so that a kernel here reads like any
 * other CUDA kernel, and nvcc, which needs none of this, compiles the same file. Generate PTX with `make
 * ptx`.
 *
 * Arithmetic: in device code clang contracts a*b + c to one fma.rn, as nvcc does. A host program that checks
 * a result to the last bit says fmaf() in the same places. a / b is div.rn, sqrtf() sqrt.rn: as on the host.
 * The functions with two underscores are the chip's approximations (.approx of the PTX ISA, which states
 * their errors): compared within a tolerance. */
#ifndef CUDA_KERNEL_H
#define CUDA_KERNEL_H

#define CUDA_INLINE static __forceinline__ __device__ /* a function that is no kernel */

#ifndef __NVCC__

#define __global__             __attribute__((global))
#define __device__             __attribute__((device))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __forceinline__        inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

/* threadIdx.x and friends: the unused components are dropped, a use becomes one read of a special register */
struct cuda_index {
	unsigned x, y, z;
};
#define CUDA_INDEX(sreg) \
	(cuda_index{ (unsigned)__nvvm_read_ptx_sreg_##sreg##_x(), \
		(unsigned)__nvvm_read_ptx_sreg_##sreg##_y(), (unsigned)__nvvm_read_ptx_sreg_##sreg##_z() })
#define threadIdx CUDA_INDEX(tid)
#define blockIdx  CUDA_INDEX(ctaid)
#define blockDim  CUDA_INDEX(ntid)
#define gridDim   CUDA_INDEX(nctaid)

/* vectors: one load or store of 8 or 16 bytes */
struct __attribute__((aligned(8))) float2 {
	float x, y;
};
struct __attribute__((aligned(16))) float4 {
	float x, y, z, w;
};
struct __attribute__((aligned(8))) int2 {
	int x, y;
};
struct __attribute__((aligned(16))) int4 {
	int x, y, z, w;
};
CUDA_INLINE float2 make_float2(float x, float y)
{
	return float2{ x, y };
}
CUDA_INLINE float4 make_float4(float x, float y, float z, float w)
{
	return float4{ x, y, z, w };
}
CUDA_INLINE int2 make_int2(int x, int y)
{
	return int2{ x, y };
}

/* Barrier and fence are assembly that clobbers memory, because clang's own llvm.nvvm.barrier0 is not enough:
 * no pointer to a static shared variable leaves the kernel, so clang concludes that a call cannot change the
 * variable, and takes the value from before the barrier though another thread has written since. */

/* bar.sync 0: every thread of the CTA arrives, and shared memory is settled, before any goes on */
CUDA_INLINE void cuda_barrier(void)
{
	asm volatile("bar.sync \t0;" ::: "memory");
}
#define __syncthreads() cuda_barrier()

/* membar.gl: what this thread wrote is seen by others before what it writes next */
CUDA_INLINE void __threadfence(void)
{
	asm volatile("membar.gl;" ::: "memory");
}

/* Atomics return the old value. clang finds the space behind the pointer: atom.shared.add or atom.global.add.
 */
CUDA_INLINE int atomicAdd(int *p, int v)
{
	return __nvvm_atom_add_gen_i(p, v);
}
CUDA_INLINE unsigned atomicAdd(unsigned *p, unsigned v)
{
	return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
CUDA_INLINE unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
	return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
CUDA_INLINE float atomicAdd(float *p, float v)
{
	return __nvvm_atom_add_gen_f(p, v);
}
CUDA_INLINE int atomicMin(int *p, int v)
{
	return __nvvm_atom_min_gen_i(p, v);
}
CUDA_INLINE unsigned atomicMin(unsigned *p, unsigned v)
{
	return __nvvm_atom_min_gen_ui(p, v);
}
CUDA_INLINE int atomicMax(int *p, int v)
{
	return __nvvm_atom_max_gen_i(p, v);
}
CUDA_INLINE unsigned atomicMax(unsigned *p, unsigned v)
{
	return __nvvm_atom_max_gen_ui(p, v);
}
CUDA_INLINE int atomicExch(int *p, int v)
{
	return __nvvm_atom_xchg_gen_i(p, v);
}
CUDA_INLINE int atomicOr(int *p, int v)
{
	return __nvvm_atom_or_gen_i(p, v);
}
CUDA_INLINE int atomicAnd(int *p, int v)
{
	return __nvvm_atom_and_gen_i(p, v);
}
CUDA_INLINE int atomicCAS(int *p, int expected, int v)
{
	return __nvvm_atom_cas_gen_i(p, expected, v);
}
CUDA_INLINE unsigned long long atomicCAS(
	unsigned long long *p, unsigned long long expected, unsigned long long v)
{
	return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)expected, (long long)v);
}

/* exact, as on the host */
CUDA_INLINE float fmaf(float a, float b, float c)
{
	return __builtin_fmaf(a, b, c);
}
CUDA_INLINE float sqrtf(float x)
{
	return __nvvm_sqrt_rn_f(x);
}
CUDA_INLINE float fabsf(float x)
{
	return __builtin_fabsf(x);
}
CUDA_INLINE float fminf(float a, float b)
{
	return __nvvm_fmin_f(a, b);
}
CUDA_INLINE float fmaxf(float a, float b)
{
	return __nvvm_fmax_f(a, b);
}
CUDA_INLINE float floorf(float x)
{
	return __nvvm_floor_f(x);
}
CUDA_INLINE int min(int a, int b)
{
	return a < b ? a : b;
}
CUDA_INLINE int max(int a, int b)
{
	return a > b ? a : b;
}
CUDA_INLINE int __float_as_int(float x)
{
	return __nvvm_bitcast_f2i(x);
}
CUDA_INLINE float __int_as_float(int x)
{
	return __nvvm_bitcast_i2f(x);
}
/* True in each lane if it is in every active lane of the warp. As in CUDA, a vote orders no accesses to
 * memory: lanes that exchange values through shared memory without a barrier declare it volatile. */
CUDA_INLINE int __all(int x)
{
	int all;

	asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.all.pred q, p; selp.s32 %0, 1, 0, q; }"
		     : "=r"(all)
		     : "r"(x));
	return all;
}
CUDA_INLINE int __popc(unsigned x)
{
	return __builtin_popcount(x);
}

/* approximations */
CUDA_INLINE float __expf(float x)
{
	return __nvvm_ex2_approx_f(x * 1.44269504f);
}
CUDA_INLINE float __logf(float x)
{
	return __nvvm_lg2_approx_f(x) * 0.693147181f;
}
CUDA_INLINE float __sinf(float x)
{
	return __nvvm_sin_approx_f(x);
}
CUDA_INLINE float __cosf(float x)
{
	return __nvvm_cos_approx_f(x);
}
CUDA_INLINE float rsqrtf(float x)
{
	return __nvvm_rsqrt_approx_f(x);
}

#endif
#endif
