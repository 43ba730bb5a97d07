/* Thrust and CUB, which ask the runtime for much: sorting, reductions, scans, selection, temporary memory. */
#include "samples.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <map>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

struct is_even {
	__host__ __device__ bool operator()(int x) const
	{
		return x % 2 == 0;
	}
};

SAMPLE(thrust_sort_scan_select)
{
	const int n = 5000;
	std::vector<int> host = ints(n, 1 << 24, 1), wanted = host;
	thrust::device_vector<int> x(host.begin(), host.end()), y(n);

	std::sort(wanted.begin(), wanted.end());
	thrust::sort(x.begin(), x.end());
	thrust::host_vector<int> got = x;
	CHECK(std::equal(wanted.begin(), wanted.end(), got.begin()));
	for (int &v : host)
		v %= 100;
	x.assign(host.begin(), host.end());
	CHECK(thrust::reduce(x.begin(), x.end()) == std::accumulate(host.begin(), host.end(), 0));
	thrust::inclusive_scan(x.begin(), x.end(), y.begin());
	std::partial_sum(host.begin(), host.end(), wanted.begin());
	got = y;
	CHECK(std::equal(wanted.begin(), wanted.end(), got.begin()));
	auto end = thrust::copy_if(x.begin(), x.end(), y.begin(), is_even());
	CHECK(end - y.begin() == std::count_if(host.begin(), host.end(), is_even()));
}

struct square {
	__host__ __device__ long long operator()(int x) const
	{
		return (long long)x * x;
	}
};

SAMPLE(thrust_by_key)
{
	const int n = 3000;
	std::vector<int> k = ints(n, 40, 3), v = ints(n, 1000, 4);
	thrust::device_vector<int> keys(k.begin(), k.end()), values(v.begin(), v.end()), unique(n), sums(n);
	std::map<int, int> wanted;

	for (int i = 0; i < n; i++)
		wanted[k[i]] += v[i];
	thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
	auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), unique.begin(), sums.begin());
	CHECK(ends.first - unique.begin() == (long)wanted.size());
	thrust::host_vector<int> u = unique, s = sums;
	size_t i = 0;
	for (auto &pair : wanted) {
		CHECK(u[i] == pair.first && s[i] == pair.second);
		i++;
	}
	long long squares = 0;
	for (int x : v)
		squares += (long long)x * x;
	CHECK(thrust::transform_reduce(values.begin(), values.end(), square(), 0ll, thrust::plus<long long>()) ==
		squares);
}

/* Asks for the size of temporary memory, and does the work. */
template <typename Call> static void with_memory(Call call)
{
	size_t bytes = 0;
	void *temporary = NULL;

	CUDA(call(temporary, bytes));
	CUDA(cudaMalloc(&temporary, bytes));
	CUDA(call(temporary, bytes));
	CUDA(cudaFree(temporary));
}

SAMPLE(cub_of_the_device)
{
	const int n = 4000;
	std::vector<int> host = ints(n, 6, 5);
	device_copy<int> in(host), unique((size_t)n), lengths((size_t)n), runs((size_t)1), bins((size_t)6),
		largest((size_t)1);

	with_memory([&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, in.at, largest.at, n); });
	CHECK(largest.host()[0] == *std::max_element(host.begin(), host.end()));
	with_memory([&](void *t, size_t &b) {
		return cub::DeviceRunLengthEncode::Encode(t, b, in.at, unique.at, lengths.at, runs.at, n);
	});
	std::vector<int> u = unique.host(), l = lengths.host(), back;
	for (int r = 0; r < runs.host()[0]; r++)
		back.insert(back.end(), l[r], u[r]);
	CHECK(back == host);
	with_memory([&](void *t, size_t &b) {
		return cub::DeviceHistogram::HistogramEven(t, b, in.at, bins.at, 7, 0, 6, n);
	});
	std::vector<int> counts = bins.host();
	for (int i = 0; i < 6; i++)
		CHECK(counts[i] == std::count(host.begin(), host.end(), i));
}

__global__ void within_a_block(const int *in, int *sorted, int *sums, int *total)
{
	typedef cub::BlockRadixSort<int, 64, 4> sort;
	typedef cub::BlockScan<int, 64> scan;
	typedef cub::BlockReduce<int, 64> reduce;
	__shared__ union {
		sort::TempStorage sort;
		scan::TempStorage scan;
		reduce::TempStorage reduce;
	} shared;
	int mine[4], sum[4];

	cub::LoadDirectBlocked(threadIdx.x, in, mine);
	sort(shared.sort).Sort(mine);
	__syncthreads();
	scan(shared.scan).ExclusiveSum(mine, sum);
	__syncthreads();
	int all = reduce(shared.reduce).Sum(mine);
	cub::StoreDirectBlocked(threadIdx.x, sorted, mine);
	cub::StoreDirectBlocked(threadIdx.x, sums, sum);
	if (!threadIdx.x)
		*total = all;
}

SAMPLE(cub_of_a_block)
{
	std::vector<int> host = ints(256, 5000, 6), wanted(256);
	device_copy<int> in(host), sorted((size_t)256), sums((size_t)256), total((size_t)1);

	within_a_block<<<1, 64>>>(in, sorted, sums, total);
	std::sort(host.begin(), host.end());
	CHECK(sorted.host() == host);
	for (int i = 1; i < 256; i++)
		wanted[i] = wanted[i - 1] + host[i - 1];
	CHECK(sums.host() == wanted);
	CHECK(total.host()[0] == wanted[255] + host[255]);
}
