/* tensor_pairs.cuh -- products in tensor memory of CTAs alone or in pairs, of all types, with scale factors
 * (sm_100a). CTAS is 1 or 2 throughout: of a pair, both take part in what has to do with tensor memory, and
 * the even one issues it. */
#ifndef AI_TENSOR_PAIRS_CUH
#define AI_TENSOR_PAIRS_CUH

#include "tensor_memory.cuh"

/* 32 columns of this thread's lane, at once. */
__device__ inline void columns_read(float (&to)[32], u32 at)
{
	asm volatile("tcgen05.ld.sync.aligned.32x32b.x32.b32 " LIST_32 "}, [%32];\n"
		     "tcgen05.wait::ld.sync.aligned;"
		     : EIGHT("=f", to, 0), EIGHT("=f", to, 8), EIGHT("=f", to, 16), EIGHT("=f", to, 24)
		     : "r"(at)
		     : "memory");
}

/* ---- products ---- */

/* An instruction descriptor; scale factors are ue8m0, of nvfp4 ue4m3. */
template <class T> __device__ inline u32 descriptor_of(int rows, int columns)
{
	if (!T::SCALES)
		return product_shape(rows, columns, T::NUMBER);
	return T::NUMBER << 7 | T::NUMBER << 10 | (u32)columns / 8 << 17 | (u32)(T::SCALES < 4) << 23 |
		(u32)rows / 128 << 27;
}

/* d += a b', of 32 bytes of k; adds: 0 takes d for 0. Types of A and B: their number in the descriptor,
 * elements of their maps in 128 bytes, scale factors for the k of one product. */
#define TENSOR_TYPE(name, number, elements, scales, kind, operands) \
	struct name { \
		enum { NUMBER = number, ELEMENTS = elements, SCALES = scales }; \
		template <int CTAS> \
		static __device__ inline void multiply( \
			u32 d, u64 a, u64 b, u32 descriptor, u32 scale_a, u32 scale_b, u32 adds) \
		{ \
			asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n" \
				     "tcgen05.mma.cta_group::%7.kind::" kind " [%0], %1, %2, %3, " operands \
				     "p;\n}" ::"r"(d), \
				     "l"(a), "l"(b), "r"(descriptor), "r"(scale_a), "r"(scale_b), "r"(adds), \
				     "n"(CTAS) \
				     : "memory"); \
		} \
	};
#define SCALE_OPERANDS "[%4], [%5], "
TENSOR_TYPE(f16, 0, 64, 0, "f16", "")
TENSOR_TYPE(bf16, 1, 64, 0, "f16", "")
TENSOR_TYPE(fp8, 0, 128, 0, "f8f6f4", "")
TENSOR_TYPE(mxfp8, 0, 128, 1, "mxf8f6f4.block_scale.scale_vec::1X", SCALE_OPERANDS)
TENSOR_TYPE(mxfp4, 1, 128, 2, "mxf4.block_scale.scale_vec::2X", SCALE_OPERANDS)
TENSOR_TYPE(nvfp4, 1, 128, 4, "mxf4nvf4.block_scale.scale_vec::4X", SCALE_OPERANDS)

/* Scale factors in shared memory as tcgen05.cp reads them: 32 rows of 16 bytes. */
__device__ inline u64 scale_rows(const void *p)
{
	return (u64)(shared_address(p) >> 4) | (u64)(128 >> 4) << 32 | (u64)1 << 46;
}

/* 512 bytes, the scale factors of 128 lines for four blocks of k, to four columns of each quarter of the
 * lanes: 16 bytes are those of lines i, 32 + i, 64 + i and 96 + i. is: 0 copies nothing. */
template <int CTAS> __device__ inline void scales_copy(u32 to, u64 rows, u32 is)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %3, 0;\n"
		     "@p tcgen05.cp.cta_group::%2.32x128b.warpx4 [%0], %1;\n}" ::"r"(to),
		     "l"(rows), "n"(CTAS), "r"(is)
		     : "memory");
}

/* ---- pairs ---- */

/* The rank of this CTA's pair's even one. */
template <int CTAS> __device__ inline u32 even_rank()
{
	return CTAS == 1 ? 0 : cluster_rank() & ~1u;
}

template <int CTAS> __device__ inline bool is_even()
{
	return CTAS == 1 || cluster_rank() % 2 == 0;
}

/* The address of what lies there in the even CTA. */
template <int CTAS> __device__ inline u32 even_address(const void *p)
{
	u32 at = shared_address(p);

	if (CTAS == 2)
		asm("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(at) : "r"(even_rank<CTAS>()));
	return at;
}

/* The barrier at this place, for pairs in all CTAs of the mask, when all products and copies of this thread are
 * done. */
template <int CTAS> __device__ inline void pair_commit(u64 *b, u32 ctas)
{
	if (CTAS == 1)
		products_commit(b);
	else
		asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::"
			     "cluster.b64 [%0], %1;" ::"r"(shared_address(b)),
			     "h"((u16)ctas)
			     : "memory");
}

/* All threads, of both CTAs of a pair. */
template <int CTAS> __device__ inline void pair_meet()
{
	if (CTAS == 1)
		__syncthreads();
	else
		cluster_meet();
}

/* A box to this CTA; the barrier may be the even CTA's. */
template <int CTAS> __device__ inline void pair_load(void *to, const void *map, u32 b, int x, int y)
{
	asm volatile("cp.async.bulk.tensor.2d.cta_group::%5.shared::cluster.global.tile.mbarrier::complete_"
		     "tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(to)),
		     "l"(map), "r"(b), "r"(x), "r"(y), "n"(CTAS)
		     : "memory");
}

/* To this place in all CTAs of the mask; of each of their pairs the barrier of the CTA whose parity is that of
 * the barrier's is told. */
__device__ inline void pair_multicast(void *to, const void *map, u32 b, int x, int y, u32 ctas)
{
	asm volatile("cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile.mbarrier::complete_"
		     "tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(to)),
		     "l"(map), "r"(b), "r"(x), "r"(y), "h"((u16)ctas)
		     : "memory");
}

#endif
