/* Templates, dynamic shared memory, structures as arguments, several grids' shapes, function attributes,
 * occupancy, launches by call. */
#include "check.h"

struct matrix {
	float *data;
	int rows, columns;
	__device__ float &at(int r, int c) const { return data[r * columns + c]; }
};

template <typename T, int N> __global__ void sum(const T *x, T *out, int n)
{
	extern __shared__ unsigned char room[];
	T *part = (T *)room;
	T own = 0;

	for (int i = blockIdx.x * N + threadIdx.x; i < n; i += N * gridDim.x)
		own += x[i];
	part[threadIdx.x] = own;
	for (int half = N / 2; half; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
	}
	if (!threadIdx.x)
		out[blockIdx.x] = part[0];
}

__global__ void __launch_bounds__(256) transpose(matrix from, matrix to)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;

	if (r < from.rows && c < from.columns)
		to.at(c, r) = from.at(r, c);
}

int main()
{
	const int n = 5000;
	double *x, *out, h[n], got[8], all = 0;
	matrix a = { 0, 30, 41 }, b = { 0, 41, 30 };
	float ha[30 * 41], hb[30 * 41];
	cudaFuncAttributes attributes;
	int blocks, count = n, grid, block;

	CUDA(cudaMalloc(&x, sizeof h));
	CUDA(cudaMalloc(&out, sizeof got));
	for (int i = 0; i < n; i++)
		h[i] = i % 77;
	CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
	sum<double, 128><<<8, 128, 128 * sizeof(double)>>>(x, out, n);
	CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 8; i++)
		all += got[i];
	for (int i = 0; i < n; i++)
		all -= h[i];
	CHECK(all == 0);
	void *arguments[] = { &x, &out, &count };
	CUDA(cudaMemset(out, 0, sizeof got));
	CUDA(cudaLaunchKernel((void *)sum<double, 64>, dim3(4), dim3(64), arguments, 64 * sizeof(double), 0));
	CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 4; i++)
		all += got[i];
	for (int i = 0; i < n; i++)
		all -= h[i];
	CHECK(all == 0);

	CUDA(cudaMalloc(&a.data, sizeof ha));
	CUDA(cudaMalloc(&b.data, sizeof hb));
	for (int i = 0; i < 30 * 41; i++)
		ha[i] = i;
	CUDA(cudaMemcpy(a.data, ha, sizeof ha, cudaMemcpyHostToDevice));
	transpose<<<dim3(3, 2), dim3(16, 16)>>>(a, b);
	CUDA(cudaMemcpy(hb, b.data, sizeof hb, cudaMemcpyDeviceToHost));
	for (int r = 0; r < 30; r++)
		for (int c = 0; c < 41; c++)
			CHECK(hb[c * 30 + r] == ha[r * 41 + c]);

	CUDA(cudaFuncGetAttributes(&attributes, transpose));
	CHECK(attributes.maxThreadsPerBlock == 256 && attributes.numRegs > 0);
	CUDA(cudaFuncSetCacheConfig(transpose, cudaFuncCachePreferL1));
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum<double, 128>, 128, 1024));
	CHECK(blocks > 0);
	CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, transpose));
	CHECK(block > 0 && block <= 256);
	puts("PASS");
	return 0;
}
