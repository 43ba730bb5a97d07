/* tests/hopper/cluster_sums.cu -- a sum and a histogram over the shared memory of a cluster's blocks, with the
 * library of cooperative groups. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* Each cluster's sum of its part of the numbers: blocks add up their own, the first block those of all. */
extern "C" __global__ void cluster_sum(const int *in, long long *out, int count)
{
	__shared__ long long part;
	cg::cluster_group cluster = cg::this_cluster();
	cg::thread_block block = cg::this_thread_block();
	long long own = 0;

	if (block.thread_rank() == 0)
		part = 0;
	block.sync();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)count; i += gridDim.x * blockDim.x)
		own += in[i];
	own = cg::reduce(cg::tiled_partition<32>(block), own, cg::plus<long long>());
	if (threadIdx.x % 32 == 0)
		atomicAdd((unsigned long long *)&part, (unsigned long long)own);
	cluster.sync();
	if (cluster.block_rank() == 0 && threadIdx.x < cluster.num_blocks())
		atomicAdd((unsigned long long *)&out[blockIdx.x / cluster.num_blocks()],
			(unsigned long long)*cluster.map_shared_rank(&part, threadIdx.x));
	cluster.sync();
}

/* A histogram whose bins are spread over the cluster: a thread counts in the memory of the block that has the bin.
 */
extern "C" __global__ void cluster_histogram(const int *in, unsigned *out, int count, int bins)
{
	extern __shared__ unsigned own_bins[];
	cg::cluster_group cluster = cg::this_cluster();
	int each = bins / (int)cluster.num_blocks();

	for (int i = threadIdx.x; i < each; i += blockDim.x)
		own_bins[i] = 0;
	cluster.sync();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)count; i += gridDim.x * blockDim.x) {
		int bin = in[i] < 0 ? 0 : in[i] >= bins ? bins - 1 : in[i];

		atomicAdd(cluster.map_shared_rank(own_bins, bin / each) + bin % each, 1u);
	}
	cluster.sync();
	for (int i = threadIdx.x; i < each; i += blockDim.x)
		atomicAdd(&out[cluster.block_rank() * each + i], own_bins[i]);
}

/* A ring: each block gives its neighbour what it has, as often as there are blocks. */
extern "C" __global__ void cluster_ring(int *out)
{
	__shared__ int box[2][64];
	cg::cluster_group cluster = cg::this_cluster();
	unsigned blocks = cluster.num_blocks(), rank = cluster.block_rank();

	box[0][threadIdx.x] = (int)(1000 * blockIdx.x + threadIdx.x);
	for (unsigned step = 0; step < blocks; step++) {
		int *next = cluster.map_shared_rank(box[(step + 1) % 2], (rank + 1) % blocks);

		next[threadIdx.x] = box[step % 2][threadIdx.x] + 1;
		cluster.barrier_arrive();
		cluster.barrier_wait();
	}
	out[blockIdx.x * 64 + threadIdx.x] = box[blocks % 2][threadIdx.x];
}
