/* Thrust and CUB, which ask the runtime for much: sorting, reductions, scans, selection, temporary memory. */
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <vector>

struct is_even {
	__host__ __device__ bool operator()(int x) const
	{
		return x % 2 == 0;
	}
};

int main()
{
	const int n = 5000;
	std::vector<int> host(n), wanted;
	unsigned int seed = 1;

	for (int &x : host)
		x = (seed = seed * 1664525 + 1013904223) >> 8;
	thrust::device_vector<int> x(host.begin(), host.end()), y(n);
	wanted = host;
	std::sort(wanted.begin(), wanted.end());
	thrust::sort(x.begin(), x.end());
	thrust::host_vector<int> got = x;
	CHECK(std::equal(wanted.begin(), wanted.end(), got.begin()));
	for (int &v : host)
		v %= 100;
	x.assign(host.begin(), host.end());
	CHECK(thrust::reduce(x.begin(), x.end()) == std::accumulate(host.begin(), host.end(), 0));
	thrust::inclusive_scan(x.begin(), x.end(), y.begin());
	wanted.resize(n);
	std::partial_sum(host.begin(), host.end(), wanted.begin());
	got = y;
	CHECK(std::equal(wanted.begin(), wanted.end(), got.begin()));
	auto end = thrust::copy_if(x.begin(), x.end(), y.begin(), is_even());
	CHECK(end - y.begin() == std::count_if(host.begin(), host.end(), is_even()));

	size_t bytes = 0;
	void *temporary = NULL;
	int *largest, answer;
	CUDA(cudaMalloc(&largest, sizeof *largest));
	const int *in = thrust::raw_pointer_cast(x.data());
	CUDA(cub::DeviceReduce::Max(temporary, bytes, in, largest, n));
	CUDA(cudaMalloc(&temporary, bytes));
	CUDA(cub::DeviceReduce::Max(temporary, bytes, in, largest, n));
	CUDA(cudaMemcpy(&answer, largest, sizeof answer, cudaMemcpyDeviceToHost));
	CHECK(answer == *std::max_element(host.begin(), host.end()));
	puts("PASS");
	return 0;
}
