/* warpgroups.cuh -- C = A * B' in tiles of 128 columns by warps of different tasks (sm_90a): a producer
 * copies steps of 128 bytes of k into a ring of stages, two warpgroups multiply them. An mbarrier says of
 * each stage that it is full, another that it is empty. */
#ifndef AI_WARPGROUPS_CUH
#define AI_WARPGROUPS_CUH

#include "async.cuh"

enum { TILE = 128, STEP = 128, STAGES = 4, OPERAND = TILE * STEP };

struct stage {
	unsigned char a[OPERAND], b[OPERAND];
};
struct ring {
	stage stages[STAGES];
	u64 full[STAGES], empty[STAGES], turn[2];
};

/* The place in the ring, and the parity of the phase that is waited for there. */
struct position {
	u32 stage, parity;
	__device__ inline void next()
	{
		if (++stage == STAGES) {
			stage = 0;
			parity ^= 1;
		}
	}
	__device__ inline void skip(int steps)
	{
		for (int i = 0; i < steps; i++)
			next();
	}
};

extern __shared__ unsigned char memory[];

__device__ inline ring *ring_of_block()
{
	return (ring *)(((u64)memory + 1023) & ~(u64)1023);
}

/* consumers: arrivals that make a stage empty */
__device__ inline void ring_start(ring *r, u32 consumers)
{
	if (threadIdx.x > 0)
		return;
	for (int s = 0; s < STAGES; s++) {
		barrier_init(&r->full[s], 1);
		barrier_init(&r->empty[s], consumers);
	}
	barrier_init(&r->turn[0], 128);
	barrier_init(&r->turn[1], 128);
	barriers_visible();
}

/* A stage of the ring that is the producer's, and expects so many bytes. */
__device__ inline stage *stage_to_fill(ring *r, position at, u32 bytes)
{
	barrier_wait(&r->empty[at.stage], at.parity ^ 1);
	barrier_expect(&r->full[at.stage], bytes);
	return &r->stages[at.stage];
}

/* The products of one stage: 64 rows from `row` on. */
template <class Product>
__device__ inline void multiply_stage(typename Product::sum (&d)[64], const stage *s, int row, int adds)
{
	for (int i = 0; i < STEP / 32; i++)
		Product::multiply(
			d, matrix(s->a + row * STEP + 32 * i), matrix(s->b + 32 * i), adds | (i > 0));
}

/* All steps of a tile. A stage is given back when the products of the next one have been issued. */
template <class Product, class Empty>
__device__ inline void consume(
	ring *r, typename Product::sum (&d)[64], int row, int steps, position &at, const Empty &is_empty)
{
	for (int k = 0; k < steps; k++) {
		u32 before = (at.stage + STAGES - 1) % STAGES;

		barrier_wait(&r->full[at.stage], at.parity);
		product_begin();
		multiply_stage<Product>(d, &r->stages[at.stage], row, k > 0);
		product_commit();
		at.next();
		if (k > 0) {
			product_wait<1>();
			is_empty(before);
		}
	}
	product_wait<0>();
	is_empty((at.stage + STAGES - 1) % STAGES);
}

/* A thread's part of 64 x 128 sums, to rows of `width` numbers of 32 bits. Rows and columns behind the ends
 * are left out. */
template <class T>
__device__ inline void store_sums(T *c, const T (&d)[64], int m, int n, int rows, int width)
{
	int t = threadIdx.x % 128, row = m + t / 32 * 16 + t % 32 / 4, column = n + t % 4 * 2;

	for (int i = 0; i < 16; i++)
		for (int half = 0; half < 2; half++) {
			T *to = c + (size_t)(row + 8 * half) * width + column + 8 * i;

			if (row + 8 * half < rows && column + 8 * i < width) {
				to[0] = d[4 * i + 2 * half];
				to[1] = d[4 * i + 2 * half + 1];
			}
		}
}

/* One thread of each warpgroup says that a stage of this block is empty. */
struct empty_here {
	ring *r;
	__device__ inline void operator()(u32 stage) const
	{
		if (threadIdx.x % 128 == 0)
			barrier_arrive(&r->empty[stage]);
	}
};

#endif
