/* CTAs that work together: work queues, chains of CTAs, hash tables, pipelines and matrix units. */
#include "samples.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <mma.h>
#include <numeric>
namespace cg = cooperative_groups;

/* -- a prefix sum in one pass: each CTA waits for the sum of the CTA before it -- */

__device__ unsigned ticket;

__global__ void chained_scan(const int *in, int *out, int n, cuda::atomic<long long, cuda::thread_scope_device> *sums)
{
	__shared__ unsigned turn;
	__shared__ int warps[8], before;
	cg::thread_block block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);

	if (!threadIdx.x)
		turn = atomicAdd(&ticket, 1u);
	block.sync();
	int i = turn * blockDim.x + threadIdx.x, value = i < n ? in[i] : 0, sum = cg::inclusive_scan(warp, value);
	if (warp.thread_rank() == 31)
		warps[threadIdx.x / 32] = sum;
	block.sync();
	for (unsigned w = 0; w < threadIdx.x / 32; w++)
		sum += warps[w];
	if (threadIdx.x == blockDim.x - 1) {
		long long s = 0;
		while (turn && !((s = sums[turn - 1].load(cuda::memory_order_acquire)) >> 62))
			;
		before = (int)(s & 0xffffffff);
		sums[turn].store(1ll << 62 | (unsigned)(before + sum), cuda::memory_order_release);
	}
	block.sync();
	if (i < n)
		out[i] = sum + before;
}

SAMPLE(chained_prefix_sum)
{
	const int n = 5000, ctas = (n + 255) / 256;
	std::vector<int> in = ints(n, 50, 31), wanted(n);
	device_copy<int> din(in), dout((size_t)n);
	device_copy<long long> sums((size_t)ctas);
	unsigned zero = 0, got;

	CUDA(cudaMemcpyToSymbol(ticket, &zero, sizeof zero));
	chained_scan<<<ctas, 256>>>(din, dout, n,
		(cuda::atomic<long long, cuda::thread_scope_device> *)(long long *)sums);
	std::partial_sum(in.begin(), in.end(), wanted.begin());
	CHECK(dout.host() == wanted);
	CUDA(cudaMemcpyFromSymbol(&got, ticket, sizeof got));
	CHECK(got == (unsigned)ctas);
}

/* -- the last CTA adds what the others have left -- */

__device__ unsigned done;

__global__ void sum_in_one_launch(const double *in, int n, volatile double *partial, double *out)
{
	__shared__ double shared[128];
	__shared__ bool is_last;
	double sum = 0;

	for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
		sum += in[i];
	for (int round = 0; round < 2; round++) {
		shared[threadIdx.x] = sum;
		for (int d = 64; d; d /= 2) {
			__syncthreads();
			if (threadIdx.x < d)
				shared[threadIdx.x] += shared[threadIdx.x + d];
		}
		if (!threadIdx.x && !round) {
			partial[blockIdx.x] = shared[0];
			__threadfence();
			is_last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
		}
		__syncthreads();
		if (!is_last)
			return;
		if (round && !threadIdx.x)
			*out = shared[0];
		sum = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0;
	}
}

SAMPLE(last_block_adds)
{
	const int n = 30000;
	std::vector<double> in(n);
	uint32_t seed = 6;

	for (double &x : in)
		x = draw(seed, 1000);
	device_copy<double> din(in), partial((size_t)40), out((size_t)1);
	for (int again = 0; again < 2; again++) {
		sum_in_one_launch<<<40, 128>>>(din, n, partial, out);
		CHECK(out.host()[0] == std::accumulate(in.begin(), in.end(), 0.0));
	}
}

/* -- a hash table of 64-bit entries: insertion and search -- */

__global__ void insert(unsigned long long *table, unsigned size, const int *keys, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	unsigned long long entry = (unsigned long long)keys[i] << 32 | (unsigned)(i + 1);
	for (unsigned slot = keys[i] * 2654435761u % size;; slot = (slot + 1) % size) {
		unsigned long long old = atomicCAS(&table[slot], 0ull, entry);
		if (old && old >> 32 != (unsigned)keys[i])
			continue;
		if (old)
			atomicMax(&table[slot], entry);
		return;
	}
}

__global__ void find(const unsigned long long *table, unsigned size, const int *keys, int *found, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	unsigned slot = keys[i] * 2654435761u % size;
	while (table[slot] && table[slot] >> 32 != (unsigned)keys[i])
		slot = (slot + 1) % size;
	found[i] = (int)(table[slot] & 0xffffffff) - 1;
}

SAMPLE(hash_table)
{
	const int n = 1500, size = 2048;
	std::vector<int> keys = ints(n, 1200, 17), last(1400, -1), found;
	std::vector<int> asked(1400);
	device_copy<unsigned long long> table((size_t)size);

	std::iota(asked.begin(), asked.end(), 0);
	for (int i = 0; i < n; i++)
		last[keys[i]] = i;
	device_copy<int> dkeys(keys), dasked(asked), dfound((size_t)1400);
	insert<<<(n + 127) / 128, 128>>>(table, size, dkeys, n);
	find<<<11, 128>>>(table, size, dasked, dfound, 1400);
	CHECK(dfound.host() == last);
}

/* -- threads that stay, and take work from a queue into which they put some -- */

__global__ void collatz(int *queue, int *put, int *taken, int *open, int limit)
{
	while (atomicAdd(open, 0) > 0) {
		int at = atomicAdd(taken, 0), x;
		if (at >= atomicAdd(put, 0) || atomicCAS(taken, at, at + 1) != at)
			continue;
		while ((x = atomicAdd(&queue[at], 0)) == 0)
			;
		/* the two numbers that lead to x */
		int next[2] = { 2 * x, x % 6 == 4 && x > 4 ? (x - 1) / 3 : 0 };
		for (int y : next)
			if (y && y <= limit) {
				atomicAdd(open, 1);
				atomicExch(&queue[atomicAdd(put, 1)], y);
			}
		__threadfence();
		atomicSub(open, 1);
	}
}

SAMPLE(work_queue)
{
	const int limit = 300;
	std::vector<int> wanted{ 1 }, queue(limit + 1), one{ 1 };

	for (size_t i = 0; i < wanted.size(); i++) {
		int x = wanted[i];
		if (2 * x <= limit)
			wanted.push_back(2 * x);
		if (x % 6 == 4 && x > 4)
			wanted.push_back((x - 1) / 3);
	}
	queue[0] = 1;
	device_copy<int> dqueue(queue), put(one), taken((size_t)1), open(one);
	collatz<<<4, 32>>>(dqueue, put, taken, open, limit);
	std::vector<int> got = dqueue.host();
	CHECK(put.host()[0] == (int)wanted.size());
	got.resize(wanted.size());
	std::sort(got.begin(), got.end());
	std::sort(wanted.begin(), wanted.end());
	CHECK(got == wanted);
}

/* -- copies into shared memory behind the threads' backs, two buffers, a barrier object -- */

__global__ void pipeline(const int *in, int *out, int tiles)
{
	__shared__ alignas(16) int buffer[2][128];
	__shared__ cuda::barrier<cuda::thread_scope_block> there;
	cg::thread_block block = cg::this_thread_block();
	int sum = 0;

	if (!block.thread_rank())
		init(&there, 128);
	block.sync();
	cg::memcpy_async(block, buffer[0], in + blockIdx.x * 128, sizeof buffer[0]);
	for (int t = 0; t < tiles; t++) {
		if (t + 1 < tiles)
			cg::memcpy_async(block, buffer[(t + 1) % 2], in + ((t + 1) * gridDim.x + blockIdx.x) * 128,
				sizeof buffer[0]);
		if (t + 1 < tiles)
			cg::wait_prior<1>(block);
		else
			cg::wait(block);
		sum += buffer[t % 2][127 - threadIdx.x];
		there.arrive_and_wait();
	}
	out[blockIdx.x * 128 + threadIdx.x] = sum;
}

SAMPLE(copies_in_a_pipeline)
{
	const int ctas = 3, tiles = 5;
	std::vector<int> in = ints(ctas * tiles * 128, 1000, 2), wanted(ctas * 128);
	device_copy<int> din(in), dout((size_t)ctas * 128);

	pipeline<<<ctas, 128>>>(din, dout, tiles);
	for (int c = 0; c < ctas; c++)
		for (int i = 0; i < 128; i++)
			for (int t = 0; t < tiles; t++)
				wanted[c * 128 + i] += in[(t * ctas + c) * 128 + 127 - i];
	CHECK(dout.host() == wanted);
}

/* -- matrix units, and numbers of 16 bits with the range of float -- */

__global__ void tiles_of_16(const half *a, const half *b, float *c, int n)
{
	using namespace nvcuda::wmma;
	fragment<matrix_a, 16, 16, 16, half, row_major> fa;
	fragment<matrix_b, 16, 16, 16, half, col_major> fb;
	fragment<accumulator, 16, 16, 16, float> fc;

	fill_fragment(fc, 0.0f);
	for (int k = 0; k < n; k += 16) {
		load_matrix_sync(fa, a + blockIdx.y * 16 * n + k, n);
		load_matrix_sync(fb, b + blockIdx.x * 16 * n + k, n);
		mma_sync(fc, fa, fb, fc);
	}
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] *= 0.5f;
	store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, mem_row_major);
}

SAMPLE(matrix_units)
{
	const int n = 48;
	std::vector<half> a(n * n), b(n * n);
	uint32_t seed = 12;

	for (int i = 0; i < n * n; i++)
		a[i] = __float2half((float)draw(seed, 9) - 4), b[i] = __float2half((float)draw(seed, 9) - 4);
	device_copy<half> da(a), db(b);
	device_copy<float> dc((size_t)n * n);
	tiles_of_16<<<dim3(n / 16, n / 16), 32>>>(da, db, dc, n);
	std::vector<float> c = dc.host();
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++) {
			float sum = 0;
			for (int k = 0; k < n; k++)
				sum += __half2float(a[y * n + k]) * __half2float(b[x * n + k]);
			CHECK(c[y * n + x] == sum / 2);
		}
}

__global__ void scaled(const float *in, __nv_bfloat16 *out, __nv_bfloat162 *pairs, int n)
{
	int i = threadIdx.x;

	out[i] = __float2bfloat16(in[i] * 3);
	__syncthreads();
	if (i < n / 2)
		pairs[i] = __hfma2(((__nv_bfloat162 *)out)[i], __float2bfloat162_rn(2), __float2bfloat162_rn(1));
}

SAMPLE(brain_floats)
{
	const int n = 128;
	std::vector<float> in = floats(n, 23);
	device_copy<float> din(in);
	device_copy<__nv_bfloat16> out((size_t)n), pairs((size_t)n);

	scaled<<<1, n>>>(din, out, (__nv_bfloat162 *)(__nv_bfloat16 *)pairs, n);
	std::vector<__nv_bfloat16> o = out.host(), p = pairs.host();
	for (int i = 0; i < n; i++) {
		float wanted = __bfloat162float(__float2bfloat16(in[i] * 3));
		CHECK(__bfloat162float(o[i]) == wanted);
		CHECK(__bfloat162float(p[i]) == __bfloat162float(__float2bfloat16(2 * wanted + 1)));
	}
}
