/* mma.cuh -- matrices in shared memory, copies to it, and products of warps (sm_80).
 *
 * A tile has rows of ROW bytes (64 or 128) in chunks of 16. Chunks are exchanged within a line of 128 bytes
 * so that the eight rows which ldmatrix reads at once lie in different banks. */
#ifndef AI_MMA_CUH
#define AI_MMA_CUH

#include "common.cuh"

template <int ROW> __device__ inline int tile_offset(int row, int chunk)
{
	return row * ROW + ((chunk ^ (ROW == 128 ? row & 7 : row >> 1 & 3)) << 4);
}

/* 16 bytes to shared memory, or zeros where there are none. */
__device__ inline void copy_16(void *to, const void *from, bool there)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
		     "r"(there ? 16 : 0)
		     : "memory");
}

__device__ inline void copies_commit()
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int N> __device__ inline void copies_wait()
{
	asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* Four matrices of eight rows of 16 bytes; each lane gives the address of one row. */
__device__ inline void load_matrices(u32 (&r)[4], const void *p)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
		     : "r"(shared_address(p))
		     : "memory");
}

__device__ inline void load_transposed(u32 (&r)[4], const void *p)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
		     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
		     : "r"(shared_address(p))
		     : "memory");
}

/* The 16 rows from `row` on and the 32 bytes from `chunk` on, as operand a: registers 0 to 3 are rows 0 to 7
 * and 8 to 15 of the first 16 bytes, then of the others. As operand b (16 rows are 16 columns) 0 and 2 belong
 * to the first eight columns, 1 and 3 to the others. */
template <int ROW> __device__ inline void load_block(u32 (&r)[4], const char *tile, int row, int chunk)
{
	int lane = threadIdx.x % 32;

	load_matrices(r, tile + tile_offset<ROW>(row + lane % 16, chunk + lane / 16));
}

/* The same block of 16 rows and 16 elements of 16 bits, transposed. As operand b, whose columns are the
 * elements of a row, 0 and 1 belong to the first eight, 2 and 3 to the others. As operand a of the transposed
 * matrix registers 1 and 2 change places. */
template <int ROW>
__device__ inline void load_block_transposed(u32 (&r)[4], const char *tile, int row, int chunk)
{
	int lane = threadIdx.x % 32;

	load_transposed(r, tile + tile_offset<ROW>(row + lane % 16, chunk + lane / 16));
}

/* d (16 x 8) += a (16 x 32 bytes) b (32 bytes x 8), by type of the elements. */
#define AI_MMA(name, shape, types, T, C) \
	struct name { \
		typedef T sum; \
		static __device__ inline void multiply(T (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) \
		{ \
			asm volatile("mma.sync.aligned." shape ".row.col." types \
				     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
				     : "+" C(d[0]), "+" C(d[1]), "+" C(d[2]), "+" C(d[3]) \
				     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1)); \
		} \
	};
AI_MMA(mma_f16, "m16n8k16", "f32.f16.f16.f32", float, "f")
AI_MMA(mma_bf16, "m16n8k16", "f32.bf16.bf16.f32", float, "f")
AI_MMA(mma_s8, "m16n8k32", "s32.s8.s8.s32", int, "r")
AI_MMA(mma_e4m3, "m16n8k32", "f32.e4m3.e4m3.f32", float, "f")

#endif
