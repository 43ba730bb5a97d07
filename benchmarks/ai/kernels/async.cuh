/* async.cuh -- barriers in shared memory, tensor copies, clusters and products of warpgroups (sm_90a): for the
 * kernels here and those of tests/hopper. */
#ifndef AI_ASYNC_CUH
#define AI_ASYNC_CUH

#include "common.cuh"
#include <cuda.h>

#define MAP const __grid_constant__ CUtensorMap

/* ---- mbarrier ---- */

__device__ inline void barrier_init(u64 *b, u32 count)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count)
		     : "memory");
}

__device__ inline void barriers_visible()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void barrier_expect(u64 *b, u32 bytes)
{
	asm volatile(
		"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes)
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
		     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n}" ::"r"(
			     shared_address(b)),
		     "r"(rank)
		     : "memory");
}

/* Until the phase of this parity has ended. */
__device__ inline void barrier_wait(u64 *b, u32 parity)
{
	asm volatile("{\n.reg .pred over;\nagain:\n"
		     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 over, [%0], %1;\n"
		     "@over bra done;\nbra again;\ndone:\n}" ::"r"(shared_address(b)),
		     "r"(parity)
		     : "memory");
}

/* Barriers 1 to 15 of the CTA, by number. */
__device__ inline void named_sync(int number, int threads)
{
	asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ inline void named_arrive(int number, int threads)
{
	asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* ---- tensor copies ---- */

#define TENSOR_LOAD "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"

__device__ inline void tensor_load(void *to, const void *map, u64 *b, int x, int y)
{
	asm volatile(TENSOR_LOAD " [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(to)), "l"(map),
		     "r"(shared_address(b)), "r"(x), "r"(y)
		     : "memory");
}

/* To the same place in all CTAs of the cluster whose bits are set, and complete at the barriers there. */
__device__ inline void tensor_multicast(void *to, const void *map, u64 *b, int x, int y, u16 ctas)
{
	asm volatile(TENSOR_LOAD
		     ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(to)),
		     "l"(map), "r"(shared_address(b)), "r"(x), "r"(y), "h"(ctas)
		     : "memory");
}

/* Channels from c on of pixels from (x, y) of an image on, each moved by (dx, dy). */
__device__ inline void pixels_load(
	void *to, const void *map, u64 *b, int c, int x, int y, int image, u16 dx, u16 dy)
{
	asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
		     "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(shared_address(to)),
		     "l"(map), "r"(shared_address(b)), "r"(c), "r"(x), "r"(y), "r"(image), "h"(dx), "h"(dy)
		     : "memory");
}

__device__ inline void tensor_store(const void *map, const void *from, int x, int y)
{
	asm volatile(
		"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
		"r"(shared_address(from)), "r"(x), "r"(y)
		: "memory");
}

/* Until the sources of all copies to global memory have been read. */
__device__ inline void stores_read()
{
	asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
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

__device__ inline u32 cluster_size()
{
	u32 ctas;

	asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ctas));
	return ctas;
}

__device__ inline void cluster_meet()
{
	asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
			     : "memory");
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

/* ---- products of warpgroups ---- */

__device__ inline void product_begin()
{
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void product_commit()
{
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Until at most N groups of products are under way. */
template <int N> __device__ inline void product_wait()
{
	asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* A matrix in shared memory with swizzled rows of 128 bytes, eight of which are 1024. */
__device__ inline u64 matrix(const void *p)
{
	u64 address = shared_address(p);

	return (address & 0x3ffff) >> 4 | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}

#define D8(c, d, i) \
	"+" c(d[i]), "+" c(d[i + 1]), "+" c(d[i + 2]), "+" c(d[i + 3]), "+" c(d[i + 4]), "+" c(d[i + 5]), \
		"+" c(d[i + 6]), "+" c(d[i + 7])
#define D32(c, d, i) D8(c, d, i), D8(c, d, i + 8), D8(c, d, i + 16), D8(c, d, i + 24)
#define LIST_32 \
	"{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, " \
	"%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define LIST_64 \
	LIST_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, " \
		"%49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

/* d (64 x 128) += a (64 x 32 bytes) b' (128 x 32 bytes), both in shared memory; adds: 0 takes d for 0. */
#define AI_PRODUCT(name, shape, T, C, scales) \
	struct name { \
		typedef T sum; \
		static __device__ inline void multiply(T (&d)[64], u64 a, u64 b, int adds) \
		{ \
			asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n" \
				     "wgmma.mma_async.sync.aligned." shape " " LIST_64 \
				     "}, %64, %65, p" scales ";\n}" \
				     : D32(C, d, 0), D32(C, d, 32) \
				     : "l"(a), "l"(b), "r"(adds)); \
		} \
	};
AI_PRODUCT(product_f16, "m64n128k16.f32.f16.f16", float, "f", ", 1, 1, 0, 0")
AI_PRODUCT(product_bf16, "m64n128k16.f32.bf16.bf16", float, "f", ", 1, 1, 0, 0")
AI_PRODUCT(product_e4m3, "m64n128k32.f32.e4m3.e4m3", float, "f", ", 1, 1")
AI_PRODUCT(product_s8, "m64n128k32.s32.s8.s8", int, "r", "")

/* d (64 x 64) += a (64 x 16) b, a in registers, b (16 x 64) with its rows along k, f16. */
__device__ inline void multiply_registers(float (&d)[32], const u32 (&a)[4], u64 b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST_32
		     "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
		     : D32("f", d, 0)
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#endif
