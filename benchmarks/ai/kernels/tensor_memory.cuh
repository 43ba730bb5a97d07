/* tensor_memory.cuh -- tensor memory, products that leave their sums there, and descriptors of their operands
 * (sm_100a). An address of tensor memory has a column in its lower half and a lane in its upper one; warp w
 * of a block reaches lanes from 32 * (w % 4) on. */
#ifndef AI_TENSOR_MEMORY_CUH
#define AI_TENSOR_MEMORY_CUH

#include "async.cuh"

/* ---- columns ---- */

/* By one whole warp, of each CTA of a pair: so many columns, a power of two from 32 on; the address of the
 * first is left in `at`. */
template <int COLUMNS, int CTAS = 1> __device__ inline void columns_allocate(u32 *at)
{
	asm volatile("tcgen05.alloc.cta_group::%2.sync.aligned.shared::cta.b32 [%0], %1;\n"
		     "tcgen05.relinquish_alloc_permit.cta_group::%2.sync.aligned;" ::"r"(shared_address(at)),
		     "n"(COLUMNS), "n"(CTAS)
		     : "memory");
}

template <int COLUMNS, int CTAS = 1> __device__ inline void columns_free(u32 at)
{
	asm volatile("tcgen05.dealloc.cta_group::%2.sync.aligned.b32 %0, %1;" ::"r"(at), "n"(COLUMNS),
		     "n"(CTAS));
}

/* ---- order ---- */

/* Between accesses of tensor memory by this thread and a barrier that others wait at, and between such a wait
 * and its accesses. */
__device__ inline void columns_before_barrier()
{
	asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}

__device__ inline void columns_after_barrier()
{
	asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

__device__ inline void columns_loaded()
{
	asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

__device__ inline void columns_stored()
{
	asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

/* ---- a warp's lanes, one for each thread, 32 columns ---- */

#define EIGHT(c, r, i) \
	c(r[i]), c(r[i + 1]), c(r[i + 2]), c(r[i + 3]), c(r[i + 4]), c(r[i + 5]), c(r[i + 6]), c(r[i + 7])

/* The values are there when columns_loaded() returns. */
__device__ inline void columns_load(float *to, u32 at)
{
	asm volatile("tcgen05.ld.sync.aligned.32x32b.x32.b32 " LIST_32 "}, [%32];"
		     : EIGHT("=f", to, 0), EIGHT("=f", to, 8), EIGHT("=f", to, 16), EIGHT("=f", to, 24)
		     : "r"(at)
		     : "memory");
}

__device__ inline void columns_store(u32 at, const float *from)
{
	asm volatile("tcgen05.st.sync.aligned.32x32b.x32.b32 [%32], " LIST_32 "};" ::EIGHT("f", from, 0),
		     EIGHT("f", from, 8), EIGHT("f", from, 16), EIGHT("f", from, 24), "r"(at)
		     : "memory");
}

/* 16 columns. */
__device__ inline void columns_store_16(u32 at, const u32 *from)
{
	asm volatile("tcgen05.st.sync.aligned.32x32b.x16.b32 [%16], {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
		     "%10, %11, %12, %13, %14, %15};" ::EIGHT("r", from, 0),
		     EIGHT("r", from, 8), "r"(at)
		     : "memory");
}

/* ---- products ---- */

/* A matrix in shared memory with swizzled rows of 128 bytes, eight of which are 1024. Where the rows lie along
 * k, `next` bytes are from its first 64 elements across k to the next ones; elsewhere that does not count. */
__device__ inline u64 operand(const void *p, u32 next = 16)
{
	u64 address = shared_address(p);

	return (address & 0x3ffff) >> 4 | (u64)(next >> 4) << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 46 |
		(u64)2 << 61;
}

/* The instruction descriptor of sums in f32 of m rows and n columns. Elements of 16 bits are 0: f16, 1: bf16,
 * those of kind f8f6f4 0: e4m3; b_across: the rows of B in memory lie along k. */
__device__ constexpr u32 product_shape(int m, int n, u32 type, bool b_across = false)
{
	return 1 << 4 | type << 7 | type << 10 | (u32)b_across << 16 | (u32)(n >> 3) << 17 |
		(u32)(m >> 4) << 24;
}

/* d += a b, elements of 16 bits, by one thread; adds: 0 takes d for 0. a in shared memory (a descriptor) or in
 * tensor memory (an address). */
__device__ inline void product_f16_shared(u32 d, u64 a, u64 b, u32 shape, u32 adds)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
		     "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(d),
		     "l"(a), "l"(b), "r"(shape), "r"(adds)
		     : "memory");
}

__device__ inline void product_f16_columns(u32 d, u32 a, u64 b, u32 shape, u32 adds)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
		     "tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p;\n}" ::"r"(d),
		     "r"(a), "l"(b), "r"(shape), "r"(adds)
		     : "memory");
}

/* Arrives at the barrier when all products that this thread has issued are done. */
__device__ inline void products_commit(u64 *b)
{
	asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
			     shared_address(b))
		     : "memory");
}

#endif
