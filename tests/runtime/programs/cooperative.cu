/* Cooperative launches: barriers of the whole grid, by the call and by the launch attribute; what does not fit. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

const int block = 128, rounds = 5;

/* Every round each CTA reads what its neighbour has written in the round before. */
__global__ void ring(int *even, int *odd)
{
	cg::grid_group grid = cg::this_grid();
	int cta = blockIdx.x, next = (cta + 1) % gridDim.x;

	for (int r = 0; r < rounds; r++) {
		int *from = r % 2 ? odd : even, *to = r % 2 ? even : odd;
		if (!threadIdx.x)
			to[cta] = from[next] + 1;
		grid.sync();
	}
}

/* A sum over the whole grid, in two phases and one launch. */
__global__ void sum(const int *in, int *parts, int *total, int n)
{
	cg::grid_group grid = cg::this_grid();
	__shared__ int shared[block];
	int s = 0;

	for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
		s += in[i];
	shared[threadIdx.x] = s;
	__syncthreads();
	for (int step = block / 2; step; step /= 2) {
		if (threadIdx.x < step)
			shared[threadIdx.x] += shared[threadIdx.x + step];
		__syncthreads();
	}
	if (!threadIdx.x)
		parts[blockIdx.x] = shared[0];
	grid.sync();
	if (!grid.thread_rank()) {
		*total = 0;
		for (int i = 0; i < gridDim.x; i++)
			*total += parts[i];
	}
}

__global__ void is_valid(int *answer)
{
	*answer = cg::this_grid().is_valid();
}

int main()
{
	const int n = 10000;
	int device = 0, can, sms, per_sm, answer;
	int *even, *odd, *in, *parts, *total, *numbers = new int[n];
	cudaDeviceProp p;
	cudaStream_t streams[2];

	CUDA(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
	CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
	CUDA(cudaGetDeviceProperties(&p, device));
	CHECK(can == 1 && p.cooperativeLaunch == 1);
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, ring, block, 0));
	int grid = sms * per_sm;
	CUDA(cudaMalloc(&even, grid * sizeof *even));
	CUDA(cudaMalloc(&odd, grid * sizeof *odd));
	CUDA(cudaMemset(even, 0, grid * sizeof *even));
	void *arguments[] = { &even, &odd };
	CUDA(cudaLaunchCooperativeKernel((void *)ring, dim3(grid), dim3(block), arguments, 0, 0));
	CUDA(cudaMemcpy(numbers, odd, grid * sizeof *odd, cudaMemcpyDeviceToHost));
	for (int i = 0; i < grid; i++)
		CHECK(numbers[i] == rounds);

	/* one CTA more does not fit, and nothing is broken by it */
	FAILS(cudaLaunchCooperativeKernel((void *)ring, dim3(grid + 1), dim3(block), arguments, 0, 0),
		cudaErrorCooperativeLaunchTooLarge);
	CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
	FAILS(cudaLaunchCooperativeKernel((void *)ring, dim3(1), dim3(4096), arguments, 0, 0), WRONG_SHAPE);
	cudaGetLastError();

	/* by the attribute, and two in two streams that cannot run at once */
	CUDA(cudaMalloc(&in, n * sizeof *in));
	CUDA(cudaMalloc(&parts, 2 * grid * sizeof *parts));
	CUDA(cudaMalloc(&total, 2 * sizeof *total));
	for (int i = 0; i < n; i++)
		numbers[i] = i;
	CUDA(cudaMemcpy(in, numbers, n * sizeof *in, cudaMemcpyHostToDevice));
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, sum, block, 0));
	for (int s = 0; s < 2; s++) {
		cudaLaunchConfig_t config = {};
		cudaLaunchAttribute attribute = {};

		CUDA(cudaStreamCreate(&streams[s]));
		attribute.id = cudaLaunchAttributeCooperative;
		attribute.val.cooperative = 1;
		config.gridDim = dim3(sms * per_sm);
		config.blockDim = dim3(block);
		config.stream = streams[s];
		config.attrs = &attribute;
		config.numAttrs = 1;
		CUDA(cudaLaunchKernelEx(&config, sum, (const int *)in, parts + s * grid, total + s, n - s));
		config.gridDim = dim3(sms * per_sm + 1);
		FAILS(cudaLaunchKernelEx(&config, sum, (const int *)in, parts, total, n),
			cudaErrorCooperativeLaunchTooLarge);
	}
	cudaGetLastError();
	CUDA(cudaDeviceSynchronize());
	for (int s = 0; s < 2; s++) {
		CUDA(cudaMemcpy(&answer, total + s, sizeof answer, cudaMemcpyDeviceToHost));
		CHECK(answer == (n - s) * (n - s - 1) / 2);
	}

	is_valid<<<1, 1>>>(total);
	CUDA(cudaMemcpy(&answer, total, sizeof answer, cudaMemcpyDeviceToHost));
	CHECK(!answer);
	arguments[0] = &total;
	CUDA(cudaLaunchCooperativeKernel((void *)is_valid, dim3(1), dim3(1), arguments, 0, 0));
	CUDA(cudaMemcpy(&answer, total, sizeof answer, cudaMemcpyDeviceToHost));
	CHECK(answer);
	CUDA(cudaDeviceSynchronize());
	puts("PASS");
	return 0;
}
