/* Shapes of well-known programs: a stencil with two buffers and a halo in shared memory (Rodinia's hotspot), a
 * breadth-first search that the host repeats until a flag stays 0 (bfs), a transposition through tiles and a
 * histogram with atomics (cuda-samples), a dot product by warp shuffles (SHOC). */
#include "check.h"
#include <cmath>
#include <vector>

const int side = 64, tile = 16;

__global__ void heat(const float *from, float *to)
{
	__shared__ float cell[tile + 2][tile + 2];
	int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y, i = threadIdx.x + 1,
	    j = threadIdx.y + 1;
	auto at = [&](int r, int c) {
		return from[min(max(r, 0), side - 1) * side + min(max(c, 0), side - 1)];
	};

	cell[j][i] = at(y, x);
	if (i == 1)
		cell[j][0] = at(y, x - 1);
	if (i == tile)
		cell[j][tile + 1] = at(y, x + 1);
	if (j == 1)
		cell[0][i] = at(y - 1, x);
	if (j == tile)
		cell[tile + 1][i] = at(y + 1, x);
	__syncthreads();
	to[y * side + x] = 0.5f * cell[j][i] +
		0.125f * (cell[j][i - 1] + cell[j][i + 1] + cell[j - 1][i] + cell[j + 1][i]);
}

__global__ void visit(const int *first, const int *edges, int *level, int now, int n, int *changed)
{
	int node = blockIdx.x * blockDim.x + threadIdx.x;

	if (node >= n || level[node] != now)
		return;
	for (int e = first[node]; e < first[node + 1]; e++)
		if (level[edges[e]] < 0) {
			level[edges[e]] = now + 1;
			*changed = 1;
		}
}

__global__ void transpose(const float *in, float *out)
{
	__shared__ float part[tile][tile + 1];

	part[threadIdx.y][threadIdx.x] = in[(blockIdx.y * tile + threadIdx.y) * side + blockIdx.x * tile + threadIdx.x];
	__syncthreads();
	out[(blockIdx.x * tile + threadIdx.y) * side + blockIdx.y * tile + threadIdx.x] = part[threadIdx.x][threadIdx.y];
}

__global__ void histogram(const float *in, unsigned int *bins)
{
	__shared__ unsigned int mine[16];
	int t = threadIdx.x;

	if (t < 16)
		mine[t] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + t; i < side * side; i += gridDim.x * blockDim.x)
		atomicAdd(&mine[(int)in[i] % 16], 1);
	__syncthreads();
	if (t < 16)
		atomicAdd(&bins[t], mine[t]);
}

__global__ void dot(const float *a, const float *b, float *sum)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = a[i] * b[i];

	for (int step = 16; step; step /= 2)
		v += __shfl_down_sync(~0u, v, step);
	if (!(threadIdx.x % 32))
		atomicAdd(sum, v);
}

int main()
{
	const int cells = side * side, n = 3000, rounds = 6;
	std::vector<float> a(cells), b(cells), got(cells);
	std::vector<int> first(n + 1), edges, level(n, -1), wanted(n, -1);
	float *x, *y, *sum, s = 0;
	int *dev_first, *dev_edges, *dev_level, *changed, flag = 1, now = 0;
	unsigned int *bins, counts[16], expected[16] = { 0 };
	dim3 grid(side / tile, side / tile), block(tile, tile);

	for (int i = 0; i < cells; i++)
		a[i] = i * 7 % 101;
	CUDA(cudaMalloc(&x, cells * sizeof *x));
	CUDA(cudaMalloc(&y, cells * sizeof *y));
	CUDA(cudaMemcpy(x, a.data(), cells * sizeof *x, cudaMemcpyHostToDevice));
	transpose<<<grid, block>>>(x, y);
	CUDA(cudaMemcpy(got.data(), y, cells * sizeof *y, cudaMemcpyDeviceToHost));
	for (int i = 0; i < cells; i++)
		CHECK(got[i] == a[i % side * side + i / side]);
	CUDA(cudaMalloc(&bins, sizeof counts));
	CUDA(cudaMemset(bins, 0, sizeof counts));
	histogram<<<4, 128>>>(x, bins);
	CUDA(cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost));
	for (float v : a)
		expected[(int)v % 16]++;
	for (int i = 0; i < 16; i++)
		CHECK(counts[i] == expected[i]);
	CUDA(cudaMalloc(&sum, sizeof *sum));
	CUDA(cudaMemset(sum, 0, sizeof *sum));
	dot<<<cells / 256, 256>>>(x, y, sum);
	CUDA(cudaMemcpy(&s, sum, sizeof s, cudaMemcpyDeviceToHost));
	double exact = 0;
	for (int i = 0; i < cells; i++)
		exact += (double)a[i] * got[i];
	CHECK(fabs(s - exact) < 1e-5 * exact);
	for (int r = 0; r < rounds; r++) {
		heat<<<grid, block>>>(r % 2 ? y : x, r % 2 ? x : y);
		for (int i = 0; i < cells; i++) {
			int row = i / side, c = i % side;
			auto at = [&](int p, int q) {
				return a[std::min(std::max(p, 0), side - 1) * side + std::min(std::max(q, 0), side - 1)];
			};
			b[i] = 0.5f * a[i] +
				0.125f * (at(row, c - 1) + at(row, c + 1) + at(row - 1, c) + at(row + 1, c));
		}
		a.swap(b);
	}
	CUDA(cudaMemcpy(got.data(), x, cells * sizeof *x, cudaMemcpyDeviceToHost));
	for (int i = 0; i < cells; i++)
		CHECK(fabs(got[i] - a[i]) < 1e-3);

	for (int i = 0; i < n; i++) {
		first[i] = edges.size();
		for (int e = 1; e <= 3; e++)
			edges.push_back((i * 5 + e * e * 37) % n);
	}
	first[n] = edges.size();
	level[0] = wanted[0] = 0;
	CUDA(cudaMalloc(&dev_first, first.size() * sizeof(int)));
	CUDA(cudaMalloc(&dev_edges, edges.size() * sizeof(int)));
	CUDA(cudaMalloc(&dev_level, n * sizeof(int)));
	CUDA(cudaMalloc(&changed, sizeof(int)));
	CUDA(cudaMemcpy(dev_first, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice));
	CUDA(cudaMemcpy(dev_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
	CUDA(cudaMemcpy(dev_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice));
	for (; flag; now++) {
		CUDA(cudaMemset(changed, 0, sizeof flag));
		visit<<<(n + 127) / 128, 128>>>(dev_first, dev_edges, dev_level, now, n, changed);
		CUDA(cudaMemcpy(&flag, changed, sizeof flag, cudaMemcpyDeviceToHost));
		for (int i = 0; i < n; i++)
			for (int e = first[i]; wanted[i] == now && e < first[i + 1]; e++)
				if (wanted[edges[e]] < 0)
					wanted[edges[e]] = now + 1;
	}
	CUDA(cudaMemcpy(level.data(), dev_level, n * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(level == wanted);
	puts("PASS");
	return 0;
}
