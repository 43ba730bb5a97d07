/* tests/hopper/attention.cu -- attention forward for heads of 64 elements of f16, with warps of different tasks:
 * a producer copies tiles of K and V, two consumer warpgroups have 64 queries each. Scores and sums are products of
 * warpgroups; the probabilities go from the accumulators to the second product in registers. */
#include <cuda.h>
#include <cuda_fp16.h>
#include "../../benchmarks/ai/kernels/async.cuh"

enum { HEAD = 64, KEYS = 64, QUERIES = 128, STAGES = 2, TILE_BYTES = KEYS * HEAD * 2 };

struct tiles {
	unsigned char q[2 * TILE_BYTES], k[STAGES][TILE_BYTES], v[STAGES][TILE_BYTES];
	u64 has_q, has_k[STAGES], has_v[STAGES], empty[STAGES];
};

extern __shared__ unsigned char memory[];

__device__ inline void produce(tiles *s, const void *q, const void *k, const void *v, int head, int length, int steps)
{
	barrier_expect(&s->has_q, 2 * TILE_BYTES);
	tensor_load(s->q, q, &s->has_q, 0, head * length + (int)blockIdx.x * QUERIES);
	for (int i = 0; i < steps; i++) {
		int stage = i % STAGES, row = head * length + i * KEYS;

		barrier_wait(&s->empty[stage], (i / STAGES & 1) ^ 1);
		barrier_expect(&s->has_k[stage], TILE_BYTES);
		tensor_load(s->k[stage], k, &s->has_k[stage], 0, row);
		barrier_expect(&s->has_v[stage], TILE_BYTES);
		tensor_load(s->v[stage], v, &s->has_v[stage], 0, row);
	}
}

/* The largest of a row, or its sum, over the four threads that have parts of it. */
__device__ inline float row_max(float x)
{
	x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
	return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}

__device__ inline float row_sum(float x)
{
	x += __shfl_xor_sync(0xffffffff, x, 1);
	return x + __shfl_xor_sync(0xffffffff, x, 2);
}

/* Scores to probabilities, relative to the largest score so far; the sums so far are scaled to it. */
__device__ inline void softmax_step(float (&p)[32], float (&sum)[32], float (&most)[2], float (&total)[2], float scale)
{
	for (int half = 0; half < 2; half++) {
		float largest = most[half], factor, part = 0;

		for (int i = 0; i < 8; i++)
			largest = fmaxf(largest, fmaxf(p[4 * i + 2 * half], p[4 * i + 2 * half + 1]));
		largest = row_max(largest);
		factor = exp2f((most[half] - largest) * scale);
		for (int i = 0; i < 8; i++)
			for (int j = 0; j < 2; j++) {
				float *at = &p[4 * i + 2 * half + j];

				*at = exp2f((*at - largest) * scale);
				part += *at;
				sum[4 * i + 2 * half + j] *= factor;
			}
		total[half] = total[half] * factor + part;
		most[half] = largest;
	}
}

__device__ inline void hide_later_keys(float (&p)[32], int row, int first_key)
{
	for (int i = 0; i < 32; i++) {
		int key = first_key + i / 4 * 8 + (int)threadIdx.x % 4 * 2 + i % 2;

		if (key > row + i / 2 % 2 * 8)
			p[i] = -1e30f;
	}
}

__device__ inline u32 two_halves(float low, float high)
{
	__half2 both = __floats2half2_rn(low, high);

	return *(u32 *)&both;
}

/* The compiler keeps conversions before the fence only because they look as if they stored something. */
__device__ inline void halve(u32 (&a)[KEYS / 16][4], const float (&p)[32])
{
	for (int j = 0; j < KEYS / 16; j++)
		for (int i = 0; i < 4; i++) {
			a[j][i] = two_halves(p[8 * j + 2 * i], p[8 * j + 2 * i + 1]);
			asm volatile("" : "+r"(a[j][i])::"memory");
		}
}

__device__ inline void add_values(float (&sum)[32], const u32 (&a)[KEYS / 16][4], const unsigned char *v)
{
	for (int j = 0; j < KEYS / 16; j++)
		multiply_registers(sum, a[j], matrix(v + 2048 * j));
}

/* d (64 x 64) += a (64 x 16) * b (64 x 16, transposed), f16. */
__device__ inline void product_64(float (&d)[32], u64 a, u64 b, int adds)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
		     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST_32 "}, %32, %33, p, 1, 1, 0, 0;\n}"
		     : D32("f", d, 0)
		     : "l"(a), "l"(b), "r"(adds));
}

__device__ inline void consume(tiles *s, float *out, int head, int length, int steps, bool causal)
{
	int group = (int)threadIdx.x / 128 - 1, t = (int)threadIdx.x % 128;
	int row = (int)blockIdx.x * QUERIES + 64 * group + t / 32 * 16 + t % 32 / 4;
	float sum[32], most[2] = { -1e30f, -1e30f }, total[2] = { 0, 0 };

	for (int i = 0; i < 32; i++)
		sum[i] = 0;
	barrier_wait(&s->has_q, 0);
	for (int i = 0; i < steps; i++) {
		int stage = i % STAGES;
		float p[32];
		u32 a[KEYS / 16][4];

		barrier_wait(&s->has_k[stage], i / STAGES & 1);
		product_begin();
		for (int k = 0; k < HEAD / 16; k++)
			product_64(p, matrix(s->q + group * TILE_BYTES + 32 * k), matrix(s->k[stage] + 32 * k),
				k > 0);
		product_commit();
		product_wait<0>();
		if (causal)
			hide_later_keys(p, row, i * KEYS);
		softmax_step(p, sum, most, total, 0.125f * 1.4426950408889634f);
		halve(a, p);
		barrier_wait(&s->has_v[stage], i / STAGES & 1);
		product_begin();
		add_values(sum, a, s->v[stage]);
		product_commit();
		product_wait<0>();
		if (t == 0)
			barrier_arrive(&s->empty[stage]);
	}
	for (int half = 0; half < 2; half++) {
		float whole = row_sum(total[half]);

		for (int i = 0; i < 8; i++)
			for (int j = 0; j < 2; j++)
				out[(size_t)(head * length + row + 8 * half) * HEAD + 8 * i + t % 4 * 2 + j] =
					sum[4 * i + 2 * half + j] / whole;
	}
}

extern "C" __global__ void __launch_bounds__(384) attention(const __grid_constant__ CUtensorMap q,
	const __grid_constant__ CUtensorMap k, const __grid_constant__ CUtensorMap v, float *out, int length, int causal)
{
	tiles *s = (tiles *)(((u64)memory + 1023) & ~(u64)1023);
	int steps = causal ? ((int)blockIdx.x + 1) * QUERIES / KEYS : length / KEYS;

	if (threadIdx.x == 0) {
		barrier_init(&s->has_q, 1);
		for (int i = 0; i < STAGES; i++) {
			barrier_init(&s->has_k[i], 1);
			barrier_init(&s->has_v[i], 1);
			barrier_init(&s->empty[i], 2);
		}
		barriers_visible();
	}
	__syncthreads();
	if (threadIdx.x < 128) {
		registers_down<24>();
		if (threadIdx.x < 32 && elected())
			produce(s, &q, &k, &v, (int)blockIdx.y, length, steps);
	} else {
		registers_up<240>();
		consume(s, out, (int)blockIdx.y, length, steps, causal);
	}
}
