// cuda::memcpy_async of a group with a barrier: nvcc makes bulk copies of it for sm_90, where the sizes and
// alignments permit (nvcc 13 -arch=sm_90 -ptx).
#include <cooperative_groups.h>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

// Each block copies its tile to shared memory, adds one, and stores it: aligned to 16 bytes.
extern "C" __global__ void tile(int *out, const int *in, int each)
{
	extern __shared__ __align__(16) int data[];
	__shared__ barrier bar;
	auto block = cg::this_thread_block();

	if (block.thread_rank() == 0)
		init(&bar, block.size());
	block.sync();
	for (int round = 0; round < 3; round++) {
		cuda::memcpy_async(block, data, in + (blockIdx.x * 3 + round) * each,
			cuda::aligned_size_t<16>(sizeof(int) * each), bar);
		bar.arrive_and_wait();
		for (int i = threadIdx.x; i < each; i += blockDim.x)
			out[(blockIdx.x * 3 + round) * each + i] = data[i] + 1;
		block.sync();
	}
}

// Of any size, with alignments that are only known when it runs.
extern "C" __global__ void any(char *out, const char *in, int bytes, int from)
{
	extern __shared__ __align__(16) char bytes_of[];
	__shared__ barrier bar;
	auto block = cg::this_thread_block();

	if (block.thread_rank() == 0)
		init(&bar, block.size());
	block.sync();
	cuda::memcpy_async(block, bytes_of, in + from, bytes, bar);
	bar.arrive_and_wait();
	for (int i = threadIdx.x; i < bytes; i += blockDim.x)
		out[i] = bytes_of[i];
}

// A stage of its own for each warp, and a barrier that is told of bytes.
extern "C" __global__ void by_thread(double *out, const double *in)
{
	__shared__ __align__(16) double data[256];
	__shared__ barrier bar;

	if (threadIdx.x == 0) {
		init(&bar, blockDim.x);
	}
	__syncthreads();
	cuda::memcpy_async(data + 2 * threadIdx.x, in + 2 * threadIdx.x, cuda::aligned_size_t<16>(16), bar);
	bar.arrive_and_wait();
	out[threadIdx.x] = data[255 - threadIdx.x];
}
