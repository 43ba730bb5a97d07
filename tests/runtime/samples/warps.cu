/* Warps, cooperative groups, atomics, arithmetic of 16 bits, and what C++ there is in kernels. */
#include "samples.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <algorithm>

namespace cg = cooperative_groups;

template <int SIZE> __global__ void tile_sums(const int *in, int *out)
{
	auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
	int v = in[blockIdx.x * blockDim.x + threadIdx.x];
	int sum = cg::reduce(tile, v, cg::plus<int>()), most = cg::reduce(tile, v, cg::greater<int>());

	if (!tile.thread_rank()) {
		int at = (blockIdx.x * blockDim.x + threadIdx.x) / SIZE;
		out[2 * at] = sum;
		out[2 * at + 1] = most;
	}
}

template <int SIZE> static void tiles_of()
{
	const int n = 256;
	std::vector<int> in = ints(n, 1000, 20);
	device_copy<int> din(in), dout(2 * n / SIZE);

	tile_sums<SIZE><<<2, 128>>>(din, dout);
	std::vector<int> out = dout.host();
	for (int i = 0; i < n / SIZE; i++) {
		int sum = 0, most = -1;
		for (int k = 0; k < SIZE; k++) {
			sum += in[i * SIZE + k];
			most = std::max(most, in[i * SIZE + k]);
		}
		CHECK(out[2 * i] == sum && out[2 * i + 1] == most);
	}
}

SAMPLE(tiled_partitions)
{
	tiles_of<2>();
	tiles_of<4>();
	tiles_of<8>();
	tiles_of<16>();
	tiles_of<32>();
}

__global__ void groups(const int *in, int *out, int *count)
{
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	int t = block.thread_rank(), v = in[t];

	out[t] = cg::exclusive_scan(warp, v);
	if (v % 3 == 0) {
		auto active = cg::coalesced_threads();
		if (!active.thread_rank())
			atomicAdd(count, (int)active.size());
	}
	auto parts = cg::labeled_partition(warp, v % 4);
	out[block.size() + t] = cg::reduce(parts, 1, cg::plus<int>());
	auto halves = cg::binary_partition(warp, v % 2 == 0);
	out[2 * block.size() + t] = (int)halves.size();
	block.sync();
}

SAMPLE(partitions_by_value)
{
	const int n = 96;
	std::vector<int> in = ints(n, 100, 21);
	device_copy<int> din(in), dout(3 * n), count(1);
	int threes = 0;

	groups<<<1, n>>>(din, dout, count);
	std::vector<int> out = dout.host();
	for (int w = 0; w < n; w += 32)
		for (int i = 0, sum = 0; i < 32; i++) {
			int same = 0, parity = 0;
			CHECK(out[w + i] == sum);
			sum += in[w + i];
			threes += in[w + i] % 3 == 0;
			for (int k = 0; k < 32; k++) {
				same += in[w + k] % 4 == in[w + i] % 4;
				parity += in[w + k] % 2 == in[w + i] % 2;
			}
			CHECK(out[n + w + i] == same && out[2 * n + w + i] == parity);
		}
	CHECK(count.host()[0] == threes);
}

__global__ void votes(const int *in, unsigned *out)
{
	int t = threadIdx.x, v = in[t];
	unsigned even = __ballot_sync(0xffffffff, v % 2 == 0), same = __match_any_sync(0xffffffff, v % 5);
	int all, up = __shfl_up_sync(0xffffffff, v, 3), across = __shfl_xor_sync(0xffffffff, v, 21, 32);
	long long wide = __shfl_sync(0xffffffff, (long long)v << 33, 7);
	double eight = __shfl_down_sync(0xffffffff, (double)v, 2, 8);

	__match_all_sync(0xffffffff, v, &all);
	out[t] = even ^ same;
	out[32 + t] = (unsigned)(up * 1000 + across);
	out[64 + t] = (unsigned)(wide >> 33) + (unsigned)(eight * 100);
	out[96 + t] = __any_sync(0xffffffff, v == 3) * 4 + __all_sync(0xffffffff, v >= 0) * 2 + all;
	out[128 + t] = __popc(even) + __ffs(even) + __clz(same) + (__activemask() == 0xffffffff);
}

SAMPLE(votes_and_shuffles)
{
	std::vector<int> v = ints(32, 40, 22);
	device_copy<int> in(v);
	device_copy<unsigned> result(160);
	unsigned even = 0;
	bool three = false;

	votes<<<1, 32>>>(in, result);
	std::vector<unsigned> out = result.host();
	for (int i = 0; i < 32; i++) {
		even |= (unsigned)(v[i] % 2 == 0) << i;
		three |= v[i] == 3;
	}
	for (int i = 0; i < 32; i++) {
		unsigned same = 0;
		for (int k = 0; k < 32; k++)
			same |= (unsigned)(v[k] % 5 == v[i] % 5) << k;
		CHECK(out[i] == (even ^ same));
		CHECK(out[32 + i] == (unsigned)((i < 3 ? v[i] : v[i - 3]) * 1000 + v[i ^ 21]));
		CHECK(out[64 + i] == (unsigned)(v[7] + (i % 8 + 2 < 8 ? v[i + 2] : v[i]) * 100));
		CHECK(out[96 + i] == three * 4u + 2u);
		CHECK(out[128 + i] == (unsigned)(__builtin_popcount(even) + __builtin_ffs((int)even) + __builtin_clz(same) + 1));
	}
}

__global__ void halves(const float *a, const float *b, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	__half x = __float2half(a[i]), y = __float2half(b[i]);
	__half2 pair = __halves2half2(x, y), swapped = __lowhigh2highlow(pair);
	__nv_bfloat16 u = __float2bfloat16(a[i]), v = __float2bfloat16(b[i]);
	out[i] = __half2float(__hfma(x, y, __float2half(0.5f)));
	out[n + i] = __low2float(__hmul2(pair, swapped)) + __high2float(__hadd2(pair, swapped));
	out[2 * n + i] = __bfloat162float(__hadd(u, v)) + (float)(u * v);
	out[3 * n + i] = (float)hsqrt(__habs(x)) + (__hgt(x, y) ? 100.0f : 0.0f);
}

SAMPLE(arithmetic_of_16_bits)
{
	const int n = 300;
	std::vector<float> a = floats(n, 23), b = floats(n, 24);
	device_copy<float> da(a), db(b), dout(4 * n);

	halves<<<3, 128>>>(da, db, dout, n);
	std::vector<float> out = dout.host();
	for (int i = 0; i < n; i++) {
		float x = __half2float(__float2half(a[i])), y = __half2float(__float2half(b[i]));
		float u = __bfloat162float(__float2bfloat16(a[i])), v = __bfloat162float(__float2bfloat16(b[i]));
		CHECK(near(out[i], x * y + 0.5f, 1e-3));
		CHECK(near(out[n + i], x * y + x + y, 3e-3));
		CHECK(near(out[2 * n + i], u + v + u * v, 2e-2));
		CHECK(near(out[3 * n + i], sqrt(fabs(x)) + (x > y ? 100 : 0), 2e-3));
	}
}

__global__ void all_atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, int *lock, int *guarded)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;

	atomicAdd(&i[0], t);
	atomicSub(&i[1], 2);
	atomicMax(&i[2], t * 7 % 101);
	atomicMin(&i[3], -(t * 7 % 101));
	atomicExch(&i[4], 5);
	atomicOr(&u[0], 1u << t % 32);
	atomicAnd(&u[1], ~(1u << t % 8));
	atomicXor(&u[2], (unsigned)t);
	atomicInc(&u[3], 9);
	atomicDec(&u[4], 9);
	atomicAdd(&l[0], 1ull << 33);
	atomicMax(&l[1], (unsigned long long)t << 34);
	atomicCAS(&l[2], 0ull, 77ull);
	atomicAdd(f, 0.5f);
	atomicAdd(d, 0.25);
	atomicAdd_block(&i[5], 1);
	atomicAdd_system(&i[6], 1);
	if (t % 32 == 0) { /* a lock, taken by one thread of each warp */
		while (atomicCAS(lock, 0, 1))
			__nanosleep(20);
		__threadfence();
		*(volatile int *)guarded = *(volatile int *)guarded + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}

SAMPLE(atomics)
{
	const int n = 512;
	device_copy<int> i(7), lock(1), guarded(1);
	device_copy<unsigned> u(std::vector<unsigned>{ 0, ~0u, 0, 0, 0 });
	device_copy<unsigned long long> l(3);
	device_copy<float> f(1);
	device_copy<double> d(1);
	unsigned x = 0, inc = 0, dec = 0;

	all_atomics<<<n / 128, 128>>>(i, u, l, f, d, lock, guarded);
	for (int t = 0; t < n; t++) {
		x ^= (unsigned)t;
		inc = inc >= 9 ? 0 : inc + 1;
		dec = dec == 0 || dec > 9 ? 9 : dec - 1;
	}
	CHECK((i.host() == std::vector<int>{ n * (n - 1) / 2, -2 * n, 100, -100, 5, n, n }));
	CHECK((u.host() == std::vector<unsigned>{ ~0u, ~0xffu, x, inc, dec }));
	CHECK((l.host() == std::vector<unsigned long long>{ (1ull << 33) * n, (n - 1ull) << 34, 77 }));
	CHECK(f.host()[0] == n / 2 && d.host()[0] == n / 4 && guarded.host()[0] == n / 32);
}

/* -- classes, virtual functions, recursion, pointers to functions, new and delete -- */

struct shape {
	__device__ virtual float area() const = 0;
	__device__ virtual ~shape()
	{
	}
};
struct square : shape {
	float a;
	__device__ explicit square(float a) : a(a)
	{
	}
	__device__ float area() const override
	{
		return a * a;
	}
};
struct disc : shape {
	float r;
	__device__ explicit disc(float r) : r(r)
	{
	}
	__device__ float area() const override
	{
		return 3 * r * r;
	}
};

__device__ __noinline__ int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

typedef int (*operation)(int, int);
__device__ int plus_of(int a, int b)
{
	return a + b;
}
__device__ int times_of(int a, int b)
{
	return a * b;
}
__device__ operation operations[2] = { plus_of, times_of };

template <typename F> __global__ void apply(F f, int *out)
{
	out[threadIdx.x] = f((int)threadIdx.x);
}

struct affine {
	int a, b;
	__device__ int operator()(int x) const
	{
		return a * x + b;
	}
};

__global__ void objects(float *areas, int *numbers)
{
	int t = threadIdx.x;
	shape *s = t % 2 ? (shape *)new square((float)t) : (shape *)new disc((float)t);

	areas[t] = s->area();
	delete s;
	numbers[t] = ackermann(2, t % 4) + operations[t % 2](t, 3);
	int *list = (int *)malloc(16 * sizeof(int));
	for (int i = 0; i < 16; i++)
		list[i] = i + t;
	numbers[t] += list[t % 16];
	free(list);
}

SAMPLE(objects_and_functions)
{
	device_copy<float> areas(64);
	device_copy<int> numbers(64), out(64);

	CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
	objects<<<1, 64>>>(areas, numbers);
	CUDA(cudaDeviceSynchronize());
	std::vector<float> a = areas.host();
	std::vector<int> n = numbers.host();
	for (int t = 0; t < 64; t++) {
		CHECK(a[t] == (t % 2 ? 1.0f : 3.0f) * t * t);
		CHECK(n[t] == 2 * (t % 4) + 3 + (t % 2 ? t * 3 : t + 3) + t % 16 + t);
	}
	apply<<<1, 64>>>(affine{ 5, 2 }, out);
	for (int t = 0; t < 64; t++)
		CHECK(out.host()[t] == 5 * t + 2);
}

/* -- Monte Carlo with a generator of our own -- */

__global__ void darts(unsigned long long *hits, int each)
{
	unsigned s = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
	int own = 0;

	for (int i = 0; i < each; i++) {
		s ^= s << 13, s ^= s >> 17, s ^= s << 5;
		float x = (float)(s & 0xffff) / 65536, y = (float)(s >> 16) / 65536;
		own += x * x + y * y < 1;
	}
	own = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), own, cg::plus<int>());
	if (threadIdx.x % 32 == 0)
		atomicAdd(hits, (unsigned long long)own);
}

SAMPLE(monte_carlo)
{
	device_copy<unsigned long long> hits(1);
	const int blocks = 8, each = 40;

	darts<<<blocks, 128>>>(hits, each);
	CHECK(near(4.0 * (double)hits.host()[0] / (blocks * 128 * each), M_PI, 0.02));
}
