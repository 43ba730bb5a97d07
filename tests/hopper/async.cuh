/* tests/hopper/async.cuh -- the instructions of sm_90a that the kernels here use, as functions. */
#ifndef TESTS_HOPPER_ASYNC_CUH
#define TESTS_HOPPER_ASYNC_CUH

#include <cstdint>

typedef unsigned long long u64;
typedef unsigned int u32;

__device__ inline u32 shared_address(const void *p)
{
	return (u32)__cvta_generic_to_shared(p);
}

/* ---- mbarrier ---- */

__device__ inline void barrier_init(u64 *b, u32 count)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory");
}

__device__ inline void barrier_init_visible()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void barrier_expect(u64 *b, u32 bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes)
		     : "memory");
}

__device__ inline void barrier_arrive(u64 *b)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}

/* The same at the barrier that lies there in another CTA of the cluster. */
__device__ inline void barrier_arrive_at(u64 *b, u32 rank)
{
	asm volatile("{\n.reg .b32 remote;\nmapa.shared::cluster.u32 remote, %0, %1;\n"
		     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n}" ::"r"(shared_address(b)),
		     "r"(rank)
		     : "memory");
}

__device__ inline void barrier_wait(u64 *b, u32 parity)
{
	asm volatile("{\n.reg .pred over;\nagain:\n"
		     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 over, [%0], %1;\n@over bra done;\nbra again;\n"
		     "done:\n}" ::"r"(shared_address(b)),
		     "r"(parity)
		     : "memory");
}

/* ---- tensor copies ---- */

__device__ inline void tensor_load(void *to, const void *map, u64 *b, int x, int y)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
		     "[%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(to)),
		     "l"(map), "r"(shared_address(b)), "r"(x), "r"(y)
		     : "memory");
}

__device__ inline void tensor_multicast(void *to, const void *map, u64 *b, int x, int y, uint16_t ctas)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
		     "multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(to)),
		     "l"(map), "r"(shared_address(b)), "r"(x), "r"(y), "h"(ctas)
		     : "memory");
}

__device__ inline void tensor_store(const void *map, const void *from, int x, int y)
{
	asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
		     "r"(shared_address(from)), "r"(x), "r"(y)
		     : "memory");
}

__device__ inline void copies_commit()
{
	asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Until the sources of all committed copies have been read. */
__device__ inline void copies_wait_read()
{
	asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

__device__ inline void shared_visible_to_copies()
{
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* ---- clusters, warps ---- */

__device__ inline u32 cluster_rank()
{
	u32 rank;

	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	return rank;
}

__device__ inline void cluster_meet()
{
	asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ inline bool elected()
{
	u32 is;

	asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(is));
	return is;
}

template <int N> __device__ inline void registers_down()
{
	asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> __device__ inline void registers_up()
{
	asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

/* ---- products of matrices ---- */

__device__ inline void product_fence()
{
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void product_commit()
{
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int N> __device__ inline void product_wait()
{
	asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* A matrix in shared memory with swizzled rows of 128 bytes: K-major, eight rows are 1024 bytes. */
__device__ inline u64 matrix_128(const void *p)
{
	u64 address = shared_address(p);

	return (address & 0x3ffff) >> 4 | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}

#define ACC8(d, i)                                                                                              \
	"+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
		"+f"(d[i + 7])
#define ACC32(d, i) ACC8(d, i), ACC8(d, i + 8), ACC8(d, i + 16), ACC8(d, i + 24)

#define LIST_32                                                                                               \
	"{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "    \
	"%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define LIST_64                                                                                               \
	LIST_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
		"%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

/* d (64 x 128) += a (64 x 16) * b (128 x 16, transposed), bf16; adds: 0 takes d for 0. */
__device__ inline void product_128(float (&d)[64], u64 a, u64 b, int adds)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
		     "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " LIST_64
		     "}, %64, %65, p, 1, 1, 0, 0;\n}"
		     : ACC32(d, 0), ACC32(d, 32)
		     : "l"(a), "l"(b), "r"(adds));
}

/* d (64 x 64) += a (64 x 16) * b (64 x 16, transposed), f16. */
__device__ inline void product_64(float (&d)[32], u64 a, u64 b, int adds)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
		     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST_32 "}, %32, %33, p, 1, 1, 0, 0;\n}"
		     : ACC32(d, 0)
		     : "l"(a), "l"(b), "r"(adds));
}

/* The same with a in registers, and b (16 x 64) as it stands: its rows are those of K (MN-major). */
__device__ inline void product_64_from_registers(float (&d)[32], const u32 (&a)[4], u64 b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST_32
		     "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
		     : ACC32(d, 0)
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#endif
