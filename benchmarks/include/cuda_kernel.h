/* cuda_kernel.h -- the little of CUDA that the benchmark kernels use, for clang without the CUDA toolkit.
 *
 * clang's front end knows kernels, address spaces and special registers by itself; what it takes from the
 * toolkit is only the spelling. This header gives the usual spelling, so that a kernel here reads like any
 * other CUDA kernel, and nvcc, which needs none of this, compiles the same file. Generate PTX with `make
 * ptx`.
 *
 * Arithmetic: in device code clang contracts a*b + c to one fma.rn, as nvcc does. A host program that checks
 * a result to the last bit says fmaf() in the same places. */
#ifndef CUDA_KERNEL_H
#define CUDA_KERNEL_H

#ifndef __NVCC__

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

/* threadIdx.x and friends: the unused components are dropped, a use becomes one read of a special register */
struct cuda_index {
	unsigned x, y, z;
};
#define CUDA_INDEX(sreg)                                                                                     \
	(cuda_index{ (unsigned)__nvvm_read_ptx_sreg_##sreg##_x(),                                            \
		(unsigned)__nvvm_read_ptx_sreg_##sreg##_y(), (unsigned)__nvvm_read_ptx_sreg_##sreg##_z() })
#define threadIdx CUDA_INDEX(tid)
#define blockIdx  CUDA_INDEX(ctaid)
#define blockDim  CUDA_INDEX(ntid)
#define gridDim   CUDA_INDEX(nctaid)

/* bar.sync 0: every thread of the CTA arrives, and shared memory is settled, before any goes on */
extern "C" __device__ void __syncthreads(void) __asm__("llvm.nvvm.barrier0");

/* Return the old value. clang finds the space behind the pointer: atom.shared.add or atom.global.add. */
static inline __device__ int atomicAdd(int *p, int v)
{
	return __nvvm_atom_add_gen_i(p, v);
}

static inline __device__ unsigned atomicAdd(unsigned *p, unsigned v)
{
	return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}

static inline __device__ float atomicAdd(float *p, float v)
{
	return __nvvm_atom_add_gen_f(p, v);
}

/* fma.rn.f32: a*b + c, rounded once, for a kernel that will not leave it to the compiler */
static inline __device__ float fmaf(float a, float b, float c)
{
	return __builtin_fmaf(a, b, c);
}

#endif
#endif
