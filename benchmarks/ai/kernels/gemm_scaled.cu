/* gemm_scaled.cu -- C = A * B' of numbers of 8 and 4 bits with a scale for each block of a row, by mma.sync
 * (sm_120a): tiles of 128 x 128 by eight warps of 64 x 32, two stages of 128 bytes of K and the scales of their
 * blocks in shared memory, filled by cp.async. Scales are bytes [row][block], `bytes` of a row a multiple of
 * 128. */
#include "mma.cuh"

enum { TILE = 128, ROW_BYTES = 128, STEPS = ROW_BYTES / 32 };

/* For each 32 bytes of K a row has SCALES scales: 1, 2 or 4. */
template <int SCALES> struct operand {
	char rows[TILE * ROW_BYTES];
	u32 scales[TILE][SCALES]; /* those of a row's four steps */
};
template <int SCALES> struct stage {
	operand<SCALES> a, b;
};

struct matrix {
	const char *base, *scales;
	int rows, bytes;
};

extern __shared__ __align__(128) unsigned char memory[];

/* Bytes of scales, 4, 8 or 16, or zeros where there are none. */
template <int BYTES> __device__ inline void copy_scales(void *to, const void *from, bool there)
{
	asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(to)), "l"(from),
		     "n"(BYTES), "r"(there ? BYTES : 0)
		     : "memory");
}

template <int SCALES>
__device__ inline void load_operand(operand<SCALES> *to, const matrix &from, int first, int k)
{
	for (int i = threadIdx.x; i < TILE * 8; i += 256) {
		int row = i / 8, chunk = i % 8;
		bool there = first + row < from.rows;
		const char *p = from.base + (size_t)(there ? first + row : 0) * from.bytes + k + 16 * chunk;

		copy_16(to->rows + tile_offset<ROW_BYTES>(row, chunk), p, there);
	}
	if (threadIdx.x < TILE) {
		bool there = first + threadIdx.x < from.rows;
		size_t row = there ? first + threadIdx.x : 0;

		copy_scales<4 * SCALES>(to->scales[threadIdx.x],
			from.scales + (row * from.bytes + k) / 32 * SCALES, there);
	}
}

template <int SCALES>
__device__ inline void load_stage(
	stage<SCALES> *to, const matrix &a, const matrix &b, int m, int n, int k, int bytes)
{
	if (k < bytes) {
		load_operand(&to->a, a, m, k);
		load_operand(&to->b, b, n, k);
	}
	copies_commit();
}

/* Of A lanes 0 and 1 of each four have the scales of rows g and g + 8 of one block of 16, lanes 2 and 3 those
 * of the next one (g: the number of the four); of B each lane those of column g of one of four blocks of 8. */
template <class Mma>
__device__ inline void multiply_step(
	float (&d)[4][4][4], const stage<Mma::SCALES> *s, int m, int n, int step)
{
	int lane = threadIdx.x % 32, word = step * Mma::SCALES / 4, g = lane / 4, t = lane % 4;
	u32 x[4][4], y[2][4], scale_a[2], scale_b = s->b.scales[n + 8 * t + g][word];
	u16 byte = step * Mma::SCALES % 4;

	for (int i = 0; i < 2; i++)
		scale_a[i] = s->a.scales[m + 32 * i + t / 2 * 16 + t % 2 * 8 + g][word];
	for (int i = 0; i < 4; i++)
		load_block<ROW_BYTES>(x[i], s->a.rows, m + 16 * i, 2 * step);
	for (int j = 0; j < 2; j++)
		load_block<ROW_BYTES>(y[j], s->b.rows, n + 16 * j, 2 * step);
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			Mma::multiply(d[i][j], x[i], y[j / 2][j % 2], y[j / 2][2 + j % 2], scale_a[i / 2],
				scale_b, byte, i % 2, j);
}

/* A thread's pairs of columns. */
__device__ inline void store_tile(float *c, const float (&d)[4][4][4], int m, int n, int rows, int columns)
{
	int lane = threadIdx.x % 32;

	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			for (int half = 0; half < 2; half++) {
				int row = m + 16 * i + 8 * half + lane / 4, column = n + 8 * j + lane % 4 * 2;

				if (row < rows && column < columns)
					*(float2 *)(c + (size_t)row * columns + column) = make_float2(
						d[i][j][2 * half], d[i][j][2 * half + 1]);
			}
}

template <class Mma> __device__ inline void gemm_scaled(const matrix &a, const matrix &b, float *c)
{
	stage<Mma::SCALES> *s = (stage<Mma::SCALES> *)memory;
	int warp = threadIdx.x / 32, wm = warp / 4 * 64, wn = warp % 4 * 32;
	int m = blockIdx.y * TILE, n = blockIdx.x * TILE;
	float d[4][4][4] = {};

	load_stage(s, a, b, m, n, 0, a.bytes);
	for (int k = 0, at = 0; k < a.bytes; k += ROW_BYTES, at ^= 1) {
		load_stage(s + (at ^ 1), a, b, m, n, k + ROW_BYTES, a.bytes);
		copies_wait<1>();
		__syncthreads();
		for (int step = 0; step < STEPS; step++)
			multiply_step<Mma>(d, s + at, wm, wn, step);
		__syncthreads();
	}
	store_tile(c, d, m + wm, n + wn, a.rows, b.rows);
}

/* d (16 x 8) += a (16 x 32 bytes) b (32 bytes x 8), by kind; `byte` and `from_a`, `from_b` choose the scales
 * among a lane's bytes and among lanes. */
#define MMA_SCALED(name, scales, form, types) \
	struct name { \
		enum { SCALES = scales }; \
		static __device__ inline void multiply(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1, \
			u32 scale_a, u32 scale_b, u16 byte, u16 from_a, u16 from_b) \
		{ \
			asm volatile("mma.sync.aligned." form ".f32." types \
				     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, " \
				     "%10, {%12, %13}, %11, {%12, %14};" \
				     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) \
				     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), \
				     "r"(scale_a), "r"(scale_b), "h"(byte), "h"(from_a), "h"(from_b)); \
		} \
	};
MMA_SCALED(mxfp8, 1, "m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X", "e4m3.e4m3.f32.ue8m0")
MMA_SCALED(mxfp4, 2, "m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X", "e2m1.e2m1.f32.ue8m0")
MMA_SCALED(nvfp4, 4, "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X", "e2m1.e2m1.f32.ue4m3")

#define ENTRY(name) \
	KERNEL __launch_bounds__(256) gemm_##name(const char *a, const char *scales_a, const char *b, \
		const char *scales_b, float *c, int m, int n, int bytes) \
	{ \
		gemm_scaled<name>({ a, scales_a, m, bytes }, { b, scales_b, n, bytes }, c); \
	}
ENTRY(mxfp8)
ENTRY(mxfp4)
ENTRY(nvfp4)
