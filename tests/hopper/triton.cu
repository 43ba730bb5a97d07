/* tests/hopper/triton.cu -- a product of matrices in the way in which Triton's compiler writes for sm_90a: one
 * warpgroup without special tasks, tensor maps that the kernel makes itself, loads some stages ahead, products that
 * stay in flight over an iteration, and results that leave through shared memory. C = A * B in f16; A: M x K,
 * B: K x N, both row by row. */
#include <cuda_fp16.h>
#include "../../benchmarks/ai/kernels/async.cuh"

enum { TILE_M = 64, TILE_N = 128, TILE_K = 64, STAGES = 3, A_BYTES = 8192, B_BYTES = 16384 };

extern __shared__ unsigned char memory[];

#define REPLACE(field, bits, kind, value)                                                                     \
	asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." bits " [%0], %1;" ::"r"(at),       \
		     kind(value)                                                                              \
		     : "memory")
#define REPLACE_AT(field, bits, kind, ordinal, value)                                                         \
	asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." bits " [%0], " ordinal ", %1;" ::"r"( \
			     at),                                                                             \
		     kind(value)                                                                              \
		     : "memory")

/* A map of rows x columns elements of f16 in boxes of box_rows x 64, swizzled; the first warp makes it in shared
 * memory and copies it to device memory. */
__device__ inline void make_map(
	void *scratch, void *map, const void *from, int rows, int columns, int box_rows)
{
	u32 at = shared_address(scratch);

	if (threadIdx.x < 32)
		((u32 *)scratch)[threadIdx.x] = 0;
	__syncwarp();
	if (threadIdx.x == 0) {
		REPLACE("global_address", "b64", "l", from);
		REPLACE("rank", "b32", "n", 1);
		REPLACE_AT("box_dim", "b32", "r", "0", 64);
		REPLACE_AT("box_dim", "b32", "r", "1", box_rows);
		REPLACE_AT("global_dim", "b32", "r", "0", columns);
		REPLACE_AT("global_dim", "b32", "r", "1", rows);
		REPLACE_AT("global_stride", "b64", "l", "0", (u64)columns * 2);
		REPLACE_AT("element_stride", "b32", "r", "0", 1);
		REPLACE_AT("element_stride", "b32", "r", "1", 1);
		asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 6;" ::"r"(at) : "memory");
		asm volatile("tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%0], 0;" ::"r"(at)
			     : "memory");
		asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 3;" ::"r"(at)
			     : "memory");
		asm volatile("tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 0;" ::"r"(at) : "memory");
	}
	__syncwarp();
	if (threadIdx.x < 32)
		asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
			     "[%0], [%1], 128;" ::"l"(map),
			     "r"(at)
			     : "memory");
	__syncthreads();
	asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}

__device__ inline void load_stage(
	unsigned char *to, u64 *b, const unsigned char *map_a, const unsigned char *map_b, int m, int n, int k)
{
	if (threadIdx.x == 0)
		barrier_expect(b, A_BYTES + B_BYTES);
	__syncthreads();
	if (threadIdx.x < 32 && elected()) {
		tensor_load(to, map_a, b, k, m);
		tensor_load(to + A_BYTES, map_b, b, n, k);
		tensor_load(to + A_BYTES + B_BYTES / 2, map_b, b, n + 64, k);
	}
}

/* d (64 x 128) += a * b; b: 16 rows of 128, as two blocks of 64 columns that lie 8192 bytes apart. */
__device__ inline void product_rows(float (&d)[64], u64 a, u64 b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " LIST_64
		     "}, %64, %65, 1, 1, 1, 0, 1;"
		     : D32("f", d, 0), D32("f", d, 32)
		     : "l"(a), "l"(b));
}

__device__ inline u64 matrix_rows(const void *p)
{
	return (matrix(p) & ~((u64)0x3fff << 16)) | (u64)(8192 >> 4) << 16;
}

__device__ inline void multiply_stage(float (&d)[64], const unsigned char *s)
{
	product_begin();
	for (int i = 0; i < TILE_K / 16; i++)
		product_rows(d, matrix(s + 32 * i), matrix_rows(s + A_BYTES + 2048 * i));
	product_commit();
}

__device__ inline u32 two_halves(float low, float high)
{
	__half2 both = __floats2half2_rn(low, high);

	return *(u32 *)&both;
}

/* Results into shared memory in the form of the map: rows of 128 bytes, swizzled. */
__device__ inline void stage_results(unsigned char *to, const float (&d)[64])
{
	int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane % 16;

	for (int i = 0; i < 16; i += 2) {
		int block = i + lane / 16;
		u32 at = shared_address(to + block / 8 * 8192 + row * 128 + ((block % 8) ^ (row % 8)) * 16);

		asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at),
			     "r"(two_halves(d[4 * i], d[4 * i + 1])), "r"(two_halves(d[4 * i + 2], d[4 * i + 3])),
			     "r"(two_halves(d[4 * i + 4], d[4 * i + 5])), "r"(two_halves(d[4 * i + 6], d[4 * i + 7]))
			     : "memory");
	}
}

extern "C" __global__ void __launch_bounds__(128)
	gemm_triton(const __half *a, const __half *b, __half *c, unsigned char *maps, int rows, int columns, int depth)
{
	unsigned char *s = (unsigned char *)(((u64)memory + 1023) & ~(u64)1023);
	unsigned char *scratch = s + STAGES * (A_BYTES + B_BYTES);
	unsigned char *own = maps + ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * 384;
	u64 *full = (u64 *)(scratch + 128);
	int m = (int)blockIdx.x * TILE_M, n = (int)blockIdx.y * TILE_N, steps = (depth + TILE_K - 1) / TILE_K;
	float d[64];

	make_map(scratch, own, a, rows, depth, TILE_M);
	make_map(scratch, own + 128, b, depth, columns, TILE_K);
	make_map(scratch, own + 256, c, rows, columns, TILE_M);
	if (threadIdx.x == 0)
		for (int i = 0; i < STAGES; i++)
			barrier_init(&full[i], 1);
	__syncthreads();
	for (int i = 0; i < 64; i++)
		d[i] = 0;
	for (int i = 0; i < STAGES - 1 && i < steps; i++)
		load_stage(s + i * (A_BYTES + B_BYTES), &full[i], own, own + 128, m, n, i * TILE_K);
	for (int i = 0; i < steps; i++) {
		int stage = i % STAGES, ahead = i + STAGES - 1;

		barrier_wait(&full[stage], i / STAGES & 1);
		multiply_stage(d, s + stage * (A_BYTES + B_BYTES));
		product_wait<1>(); /* the product of the stage that is loaded next is over */
		__syncthreads();
		if (ahead < steps)
			load_stage(s + ahead % STAGES * (A_BYTES + B_BYTES), &full[ahead % STAGES], own, own + 128, m, n,
				ahead * TILE_K);
	}
	product_wait<0>();
	__syncthreads();
	stage_results(s, d);
	shared_visible_to_copies();
	__syncthreads();
	if (threadIdx.x == 0) {
		tensor_store(own + 256, s, n, m);
		tensor_store(own + 256, s + 8192, n + 64, m);
		stores_read();
	}
}
