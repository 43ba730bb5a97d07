/* Grids that launch grids: who is launched by whom, and what the child sees of its parent. */
#include "../samples/samples.h"

__global__ static void count_level(int *blocks, int level, int last)
{
	if (threadIdx.x)
		return;
	atomicAdd(&blocks[level], 1);
	if (level < last)
		count_level<<<gridDim.x + 1, 32>>>(blocks, level + 1, last);
}

SAMPLE(nested_grids)
{
	const int last = 4, first_grid = 2;
	device_copy<int> blocks(last + 1);

	count_level<<<first_grid, 32>>>(blocks, 0, last);
	CUDA(cudaDeviceSynchronize());
	std::vector<int> found = blocks.host();
	for (int level = 0, expected = 1; level <= last; level++) {
		expected *= first_grid + level;
		CHECK(found[level] == expected);
	}
}

__global__ static void double_all(const int *from, int *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = 2 * from[i];
}

/* Each CTA writes its part, then launches who reads it. */
__global__ static void write_then_launch(int *from, int *to, int n)
{
	int begin = blockIdx.x * n;

	for (int i = threadIdx.x; i < n; i += blockDim.x)
		from[begin + i] = begin + i;
	__syncthreads();
	if (threadIdx.x == 0)
		double_all<<<(n + 63) / 64, 64>>>(from + begin, to + begin, n);
}

/* What the host launches next waits for the children, too. */
__global__ static void sum_all(const int *from, int n, long long *sum)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		atomicAdd((unsigned long long *)sum, (unsigned long long)from[i]);
}

SAMPLE(children_see_their_parents_memory)
{
	const int ctas = 8, n = 200;
	device_copy<int> from(ctas * n), to(ctas * n);
	device_copy<long long> sum(1);

	write_then_launch<<<ctas, 128>>>(from, to, n);
	sum_all<<<1, 256>>>(to, ctas * n, sum);
	std::vector<int> found = to.host();
	for (int i = 0; i < ctas * n; i++)
		CHECK(found[i] == 2 * i);
	CHECK(sum.host()[0] == (long long)ctas * n * (ctas * n - 1));
}

__global__ static void add_shared(const int *from, int *to)
{
	extern __shared__ int partial[];
	__shared__ int fixed[4];

	if (threadIdx.x < 4)
		fixed[threadIdx.x] = 1000 * threadIdx.x;
	partial[threadIdx.x] = from[threadIdx.x];
	__syncthreads();
	to[threadIdx.x] = partial[blockDim.x - 1 - threadIdx.x] + fixed[threadIdx.x % 4];
}

struct many_values {
	int a;
	double b;
	char c[37];
	long long d;
};
__global__ static void take_struct(many_values v, double *to)
{
	to[0] = v.a + v.b + v.c[36] + (double)v.d;
}

__global__ static void with_shared_and_structs(const int *from, int *to, double *sum)
{
	many_values v = { 1, 0.5, {}, 1000000 };

	v.c[36] = 7;
	add_shared<<<1, 64, 64 * sizeof(int)>>>(from, to);
	take_struct<<<1, 1>>>(v, sum);
}

SAMPLE(dynamic_shared_memory_and_structs)
{
	std::vector<int> from = ints(64, 1000, 5);
	device_copy<int> source(from), to(64);
	device_copy<double> sum(1);

	with_shared_and_structs<<<1, 1>>>(source, to, sum);
	CUDA(cudaDeviceSynchronize());
	CHECK(sum.host()[0] == 1 + 0.5 + 7 + 1000000);
	std::vector<int> found = to.host();
	for (int i = 0; i < 64; i++)
		CHECK(found[i] == from[63 - i] + 1000 * (i % 4));
}
