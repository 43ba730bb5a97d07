/* gemm_wgmma.cu -- products of matrices by wgmma and tensor copies (sm_90a): A is m x k, B is n x k, C is m x
 * n of 32 bits. A block has three warpgroups, the first of which is the producer. */
#include "warpgroups.cuh"

/* How many elements of this size a step has. */
__device__ inline int step_elements(int element)
{
	return STEP / element;
}

/* ---- cooperative: both warpgroups have half of the rows of a tile of 128 x 128 ---- */

template <class Product>
__device__ inline void cooperative(const CUtensorMap *a, const CUtensorMap *b, typename Product::sum *c,
	int rows, int columns, int steps, int element)
{
	ring *r = ring_of_block();
	int m = blockIdx.y * TILE, n = blockIdx.x * TILE;
	position at = { 0, 0 };

	ring_start(r, 2);
	__syncthreads();
	if (threadIdx.x < 128) {
		registers_down<40>();
		if (threadIdx.x < 32 && elected())
			for (int k = 0; k < steps; k++, at.next()) {
				stage *s = stage_to_fill(r, at, 2 * OPERAND);

				tensor_load(s->a, a, &r->full[at.stage], k * step_elements(element), m);
				tensor_load(s->b, b, &r->full[at.stage], k * step_elements(element), n);
			}
	} else {
		int row = (threadIdx.x / 128 - 1) * 64;
		typename Product::sum d[64];

		registers_up<232>();
		consume<Product>(r, d, row, steps, at, empty_here{ r });
		store_sums(c, d, m + row, n, rows, columns);
	}
}

/* ---- ping-pong: persistent blocks whose warpgroups take turns with tiles of 64 x 128, so that one stores
 * its sums while the other multiplies ---- */

__device__ inline void tile_place(int tile, int rows, int &m, int &n)
{
	int down = (rows + 63) / 64;

	m = tile % down * 64;
	n = tile / down * TILE;
}

template <class Product>
__device__ inline void ping_pong(const CUtensorMap *a, const CUtensorMap *b, typename Product::sum *c,
	int rows, int columns, int steps, int element)
{
	ring *r = ring_of_block();
	int tiles = (rows + 63) / 64 * ((columns + TILE - 1) / TILE), group = (int)threadIdx.x / 128 - 1, m,
	    n;
	position at = { 0, 0 };

	ring_start(r, 1);
	__syncthreads();
	if (threadIdx.x < 128) {
		registers_down<40>();
		if (threadIdx.x >= 32 || !elected())
			return;
		for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
			tile_place(tile, rows, m, n);
			for (int k = 0; k < steps; k++, at.next()) {
				stage *s = stage_to_fill(r, at, OPERAND / 2 + OPERAND);

				tensor_load(s->a, a, &r->full[at.stage], k * step_elements(element), m);
				tensor_load(s->b, b, &r->full[at.stage], k * step_elements(element), n);
			}
		}
		return;
	}
	registers_up<232>();
	if (group == 1) { /* the other one is first */
		at.skip(steps);
		barrier_arrive(&r->turn[0]);
	}
	for (int tile = blockIdx.x + group * gridDim.x, i = 0; tile < tiles; tile += 2 * gridDim.x, i++) {
		typename Product::sum d[64];

		barrier_wait(&r->turn[group], i & 1);
		consume<Product>(r, d, 0, steps, at, empty_here{ r });
		barrier_arrive(&r->turn[group ^ 1]);
		at.skip(steps);
		tile_place(tile, rows, m, n);
		store_sums(c, d, m, n, rows, columns);
	}
}

/* ---- clusters of two blocks with the same columns: each loads half of their tile of B, for both ---- */

struct empty_in_cluster {
	ring *r;
	__device__ inline void operator()(u32 stage) const
	{
		if (threadIdx.x % 128 < 2)
			barrier_arrive_at(&r->empty[stage], threadIdx.x % 128);
	}
};

KERNEL __cluster_dims__(1, 2, 1) __launch_bounds__(384, 1)
	gemm_cluster_f16(MAP a, MAP b, float *c, int rows, int columns, int steps)
{
	ring *r = ring_of_block();
	int m = blockIdx.y * TILE, n = blockIdx.x * TILE, rank = (int)cluster_rank();
	position at = { 0, 0 };

	ring_start(r, 4);
	cluster_meet();
	if (threadIdx.x < 128) {
		registers_down<40>();
		if (threadIdx.x < 32 && elected())
			for (int k = 0; k < steps; k++, at.next()) {
				stage *s = stage_to_fill(r, at, 2 * OPERAND);

				tensor_load(s->a, &a, &r->full[at.stage], k * 64, m);
				tensor_multicast(s->b + rank * (OPERAND / 2), &b, &r->full[at.stage], k * 64,
					n + rank * (TILE / 2), 3);
			}
		__syncwarp(); /* its lanes meet the cluster together */
	} else {
		int row = (threadIdx.x / 128 - 1) * 64;
		float d[64];

		registers_up<232>();
		consume<product_f16>(r, d, row, steps, at, empty_in_cluster{ r });
		store_sums(c, d, m + row, n, rows, columns);
	}
	cluster_meet();
}

/* ---- persistent blocks that take tiles from a counter; sums go to shared memory as f16, and from there as a
 * tile ---- */

struct turn {
	u64 full, empty;
	int tile;
};

__device__ inline void produce_tiles(ring *r, turn *t, const CUtensorMap *a, const CUtensorMap *b, int down,
	int tiles, int steps, int *counter)
{
	position at = { 0, 0 };

	for (u32 parity = 0;; parity ^= 1) {
		int tile = atomicAdd(counter, 1);

		barrier_wait(&t->empty, parity ^ 1);
		t->tile = tile;
		barrier_arrive(&t->full);
		if (tile >= tiles)
			return;
		for (int k = 0; k < steps; k++, at.next()) {
			stage *s = stage_to_fill(r, at, 2 * OPERAND);

			tensor_load(s->a, a, &r->full[at.stage], k * 64, tile % down * TILE);
			tensor_load(s->b, b, &r->full[at.stage], k * 64, tile / down * TILE);
		}
	}
}

/* 64 x 128 sums of a warpgroup as f16 to global memory: two boxes of 64 columns, their rows swizzled. */
__device__ inline void store_boxes(
	const CUtensorMap *c, unsigned char *box, const float (&d)[64], int m, int n, int group)
{
	int t = threadIdx.x % 128, row = t / 32 * 16 + t % 32 / 4;

	if (t == 0) /* the boxes of the last tile */
		stores_read();
	named_sync(1 + group, 128);
	for (int i = 0; i < 16; i++)
		for (int half = 0; half < 2; half++) {
			int y = row + 8 * half, chunk = i % 8 ^ y % 8;

			*(u32 *)(box + i / 8 * 8192 + y * 128 + chunk * 16 + t % 4 * 4) =
				two_f16(d[4 * i + 2 * half], d[4 * i + 2 * half + 1]);
		}
	shared_visible_to_copies();
	named_sync(1 + group, 128);
	if (t == 0) {
		tensor_store(c, box, n, m);
		tensor_store(c, box + 8192, n + 64, m);
		asm volatile("cp.async.bulk.commit_group;" ::: "memory");
	}
}

KERNEL __launch_bounds__(384, 1)
	gemm_persistent_f16(MAP a, MAP b, MAP c, int rows, int columns, int steps, int *counter)
{
	__shared__ turn t;
	ring *r = ring_of_block();
	unsigned char *boxes = (unsigned char *)(r->stages + STAGES) + 1024;
	int down = (rows + TILE - 1) / TILE, tiles = down * ((columns + TILE - 1) / TILE);
	int group = (int)threadIdx.x / 128 - 1;
	position at = { 0, 0 };

	ring_start(r, 2);
	if (threadIdx.x == 0) {
		barrier_init(&t.full, 1);
		barrier_init(&t.empty, 256);
		barriers_visible();
	}
	__syncthreads();
	if (threadIdx.x < 128) {
		registers_down<40>();
		if (threadIdx.x < 32 && elected())
			produce_tiles(r, &t, &a, &b, down, tiles, steps, counter);
		return;
	}
	registers_up<232>();
	for (u32 parity = 0;; parity ^= 1) {
		float d[64];
		int tile;

		barrier_wait(&t.full, parity);
		tile = t.tile;
		barrier_arrive(&t.empty);
		if (tile >= tiles)
			break;
		consume<product_f16>(r, d, 64 * group, steps, at, empty_here{ r });
		store_boxes(&c, boxes + group * 16384, d, tile % down * TILE + 64 * group, tile / down * TILE,
			group);
	}
	if (threadIdx.x % 128 == 0)
		asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* ---- the kernels by type ---- */

#define GEMM(type, T, element) \
	KERNEL __launch_bounds__(384, 1) \
		gemm_cooperative_##type(MAP a, MAP b, T *c, int rows, int columns, int steps) \
	{ \
		cooperative<product_##type>(&a, &b, c, rows, columns, steps, element); \
	} \
	KERNEL __launch_bounds__(384, 1) \
		gemm_ping_pong_##type(MAP a, MAP b, T *c, int rows, int columns, int steps) \
	{ \
		ping_pong<product_##type>(&a, &b, c, rows, columns, steps, element); \
	}
GEMM(f16, float, 2)
GEMM(bf16, float, 2)
GEMM(e4m3, float, 1)
GEMM(s8, int, 1)
