/* tests/hopper/gemm.cu -- C = A * B for matrices of bf16 (A: M x K, B: N x K, both K-major; C: M x N, f32), as it
 * is written for sm_90a: a producer that copies tiles by tensor maps into a ring of stages, and two consumer
 * warpgroups that multiply them. An mbarrier says of each stage that it is full, another that it is empty. */
#include <cuda.h>
#include "../../benchmarks/ai/kernels/async.cuh"

enum { TILE_M = 128, TILE_N = 128, TILE_K = 64, STAGES = 3 };
enum { A_BYTES = TILE_M * TILE_K * 2, B_BYTES = TILE_N * TILE_K * 2 };

struct stage {
	unsigned char a[A_BYTES], b[B_BYTES];
};
struct ring {
	stage stages[STAGES];
	u64 full[STAGES], empty[STAGES];
};

/* The place in the ring, and the parity of the phase that is waited for there. */
struct position {
	u32 stage, parity;
	__device__ void next()
	{
		if (++stage == STAGES) {
			stage = 0;
			parity ^= 1;
		}
	}
};

extern __shared__ unsigned char memory[];

__device__ inline ring *ring_of_block()
{
	return (ring *)(((u64)memory + 1023) & ~(u64)1023);
}

__device__ inline void ring_start(ring *r, u32 consumers)
{
	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++) {
			barrier_init(&r->full[s], 1);
			barrier_init(&r->empty[s], consumers);
		}
		barriers_visible();
	}
}

/* One tile: K / 64 stages. CTAs: how many of the cluster share each tile of B; each loads its part of it for all. */
template <int CTAS>
__device__ inline void produce(
	ring *r, const void *a, const void *b, int m, int n, int depth, position &at, u32 rank)
{
	for (int k = 0; k < depth; k += TILE_K, at.next()) {
		stage *s = &r->stages[at.stage];

		barrier_wait(&r->empty[at.stage], at.parity ^ 1);
		barrier_expect(&r->full[at.stage], A_BYTES + B_BYTES);
		tensor_load(s->a, a, &r->full[at.stage], k, m);
		if (CTAS == 1) {
			tensor_load(s->b, b, &r->full[at.stage], k, n);
		} else {
			int rows = TILE_N / CTAS;

			tensor_multicast(s->b + rank * rows * TILE_K * 2, b, &r->full[at.stage], k,
				n + (int)rank * rows, (1 << CTAS) - 1);
		}
	}
}

template <int CTAS> __device__ inline void stage_is_empty(ring *r, u32 stage)
{
	if (CTAS == 1) {
		if (threadIdx.x % 128 == 0)
			barrier_arrive(&r->empty[stage]);
	} else if (threadIdx.x % 128 < CTAS) {
		barrier_arrive_at(&r->empty[stage], threadIdx.x % 128);
	}
}

/* The rows of one warpgroup: 64 x 128 of the tile. */
template <int CTAS> __device__ inline void consume(ring *r, int depth, int group, float (&d)[64], position &at)
{
	for (int k = 0; k < depth; k += TILE_K, at.next()) {
		stage *s = &r->stages[at.stage];

		barrier_wait(&r->full[at.stage], at.parity);
		product_begin();
		for (int i = 0; i < TILE_K / 16; i++)
			product_bf16::multiply(d, matrix(s->a + group * 64 * 128 + 32 * i), matrix(s->b + 32 * i),
				k + i > 0);
		product_commit();
		product_wait<0>();
		stage_is_empty<CTAS>(r, at.stage);
	}
}

__device__ inline void store_tile(float *c, const float (&d)[64], int m, int n, int width)
{
	int t = threadIdx.x % 128, row = m + t / 32 * 16 + t % 32 / 4, column = n + t % 4 * 2;

	for (int i = 0; i < 16; i++)
		for (int half = 0; half < 2; half++)
			*(float2 *)&c[(size_t)(row + 8 * half) * width + column + 8 * i] =
				make_float2(d[4 * i + 2 * half], d[4 * i + 2 * half + 1]);
}

/* A block whose tiles are known: its own in the grid. */
template <int CTAS>
__device__ inline void gemm_of_grid(const void *a, const void *b, float *c, int columns, int depth)
{
	ring *r = ring_of_block();
	u32 rank = CTAS > 1 ? cluster_rank() : 0;
	int m = (int)blockIdx.x * TILE_M, n = (int)blockIdx.y * TILE_N;
	position at = { 0, 0 };

	ring_start(r, 2 * CTAS);
	if (CTAS > 1)
		cluster_meet();
	else
		__syncthreads();
	if (threadIdx.x < 128) {
		registers_down<40>();
		if (threadIdx.x < 32 && elected())
			produce<CTAS>(r, a, b, m, n, depth, at, rank);
		__syncwarp();
	} else {
		int group = (int)threadIdx.x / 128 - 1;
		float d[64];

		registers_up<232>();
		consume<CTAS>(r, depth, group, d, at);
		store_tile(c, d, m + 64 * group, n, columns);
	}
	if (CTAS > 1)
		cluster_meet();
}

extern "C" __global__ void __launch_bounds__(384) gemm_single(const __grid_constant__ CUtensorMap a,
	const __grid_constant__ CUtensorMap b, float *c, int columns, int depth)
{
	gemm_of_grid<1>(&a, &b, c, columns, depth);
}

/* Two blocks with the same columns of C: each loads half of their tile of B, for both. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(384) gemm_cluster(
	const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c, int columns, int depth)
{
	gemm_of_grid<2>(&a, &b, c, columns, depth);
}

/* ---- persistent blocks: the producer takes the next tile from a counter in device memory ---- */

struct turn {
	u64 full, empty;
	int tile;
};

__device__ inline void produce_tiles(
	ring *r, turn *t, const void *a, const void *b, int rows, int depth, int tiles, int *counter)
{
	position at = { 0, 0 };

	for (u32 parity = 0;; parity ^= 1) {
		int tile = atomicAdd(counter, 1);

		barrier_wait(&t->empty, parity ^ 1);
		t->tile = tile;
		barrier_arrive(&t->full);
		if (tile >= tiles)
			return;
		produce<1>(r, a, b, tile % rows * TILE_M, tile / rows * TILE_N, depth, at, 0);
	}
}

__device__ inline void consume_tiles(ring *r, turn *t, float *c, int rows, int columns, int depth, int tiles)
{
	int group = (int)threadIdx.x / 128 - 1;
	position at = { 0, 0 };

	for (u32 parity = 0;; parity ^= 1) {
		float d[64];
		int tile;

		barrier_wait(&t->full, parity);
		tile = t->tile;
		barrier_arrive(&t->empty);
		if (tile >= tiles)
			return;
		consume<1>(r, depth, group, d, at);
		store_tile(c, d, tile % rows * TILE_M + 64 * group, tile / rows * TILE_N, columns);
	}
}

extern "C" __global__ void __launch_bounds__(384) gemm_persistent(const __grid_constant__ CUtensorMap a,
	const __grid_constant__ CUtensorMap b, float *c, int rows, int columns, int depth, int *counter)
{
	__shared__ turn t;
	ring *r = ring_of_block();
	int tiles = rows / TILE_M * (columns / TILE_N);

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
			produce_tiles(r, &t, &a, &b, rows / TILE_M, depth, tiles, counter);
	} else {
		registers_up<232>();
		consume_tiles(r, &t, c, rows / TILE_M, columns, depth, tiles);
	}
}
