/* Grids and matrices, in the shapes of PolyBench-GPU and Rodinia. */
#include "samples.h"

template <int TILE> __global__ void matmul_tiles(const float *a, const float *b, float *c, int n)
{
	__shared__ float s[TILE][TILE + 1], t[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	float sum = 0;

	for (int k = 0; k < n; k += TILE) {
		s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
		t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < TILE; i++)
			sum += s[threadIdx.y][i] * t[i][threadIdx.x];
		__syncthreads();
	}
	c[y * n + x] = sum;
}

template <int TILE> static void matmul_of()
{
	const int n = 64;
	std::vector<float> a = floats(n * n, 1), b = floats(n * n, 2);
	device_copy<float> da(a), db(b), dc(n * n);

	matmul_tiles<TILE><<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
	CUDA(cudaGetLastError());
	std::vector<float> c = dc.host();
	for (int y = 0; y < n; y += 7)
		for (int x = 0; x < n; x++) {
			double sum = 0;
			for (int k = 0; k < n; k++)
				sum += (double)a[y * n + k] * b[k * n + x];
			CHECK(near(c[y * n + x], sum));
		}
}

SAMPLE(matmul)
{
	matmul_of<8>();
	matmul_of<16>();
	matmul_of<32>();
}

/* -- separable convolution with its filter in constant memory -- */

#define RADIUS 4
__constant__ float filter[2 * RADIUS + 1];

__global__ void convolve_rows(const float *in, float *out, int width, size_t pitch)
{
	extern __shared__ float row[];
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	const float *line = (const float *)((const char *)in + y * pitch);

	for (int i = threadIdx.x; i < (int)blockDim.x + 2 * RADIUS; i += blockDim.x) {
		int at = (int)(blockIdx.x * blockDim.x) + i - RADIUS;
		row[i] = at >= 0 && at < width ? line[at] : 0;
	}
	__syncthreads();
	if (x >= width)
		return;
	float sum = 0;
	for (int k = 0; k <= 2 * RADIUS; k++)
		sum += filter[k] * row[threadIdx.x + k];
	((float *)((char *)out + y * pitch))[x] = sum;
}

SAMPLE(convolution)
{
	const int width = 100, height = 20;
	std::vector<float> image = floats(width * height, 3), f = floats(2 * RADIUS + 1, 4), result(width * height);
	float *in, *out;
	size_t pitch, other;

	CUDA(cudaMallocPitch(&in, &pitch, width * sizeof(float), height));
	CUDA(cudaMallocPitch(&out, &other, width * sizeof(float), height));
	CHECK(pitch == other && pitch >= width * sizeof(float));
	CUDA(cudaMemcpy2D(in, pitch, image.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
	CUDA(cudaMemcpyToSymbol(filter, f.data(), sizeof(filter)));
	CUDA(cudaMemset2D(out, pitch, 0xff, width * 4, height));
	convolve_rows<<<dim3(4, height), 32, (32 + 2 * RADIUS) * sizeof(float)>>>(in, out, width, pitch);
	CUDA(cudaMemcpy2D(result.data(), width * 4, out, pitch, width * 4, height, cudaMemcpyDeviceToHost));
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			double sum = 0;
			for (int k = -RADIUS; k <= RADIUS; k++)
				if (x + k >= 0 && x + k < width)
					sum += (double)f[k + RADIUS] * image[y * width + x + k];
			CHECK(near(result[y * width + x], sum));
		}
	std::vector<float> back(2 * RADIUS + 1);
	void *address;
	size_t size;
	CUDA(cudaMemcpyFromSymbol(back.data(), filter, sizeof(filter)));
	CHECK(back == f);
	CUDA(cudaGetSymbolAddress(&address, filter));
	CUDA(cudaGetSymbolSize(&size, filter));
	CHECK(address && size == sizeof(filter));
	CUDA(cudaFree(in));
	CUDA(cudaFree(out));
}

/* -- Jacobi iterations, captured once and replayed -- */

__global__ void jacobi(const float *in, float *out, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
		out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

SAMPLE(jacobi_in_a_graph)
{
	const int n = 34, rounds = 10;
	std::vector<float> a(n * n, 0), b;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	for (int i = 0; i < n; i++)
		a[i] = 1;
	b = a;
	device_copy<float> da(a), db(a);
	CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	jacobi<<<dim3(3, 3), dim3(16, 16), 0, stream>>>(da, db, n);
	jacobi<<<dim3(3, 3), dim3(16, 16), 0, stream>>>(db, da, n);
	CUDA(cudaStreamEndCapture(stream, &graph));
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < rounds; i++)
		CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	for (int i = 0; i < 2 * rounds; i++) {
		std::vector<float> &from = i % 2 ? b : a, &to = i % 2 ? a : b;
		for (int y = 1; y < n - 1; y++)
			for (int x = 1; x < n - 1; x++)
				to[y * n + x] = 0.25f * (from[y * n + x - 1] + from[y * n + x + 1] +
					from[(y - 1) * n + x] + from[(y + 1) * n + x]);
	}
	std::vector<float> result = da.host();
	for (int i = 0; i < n * n; i++)
		CHECK(near(result[i], a[i]));
	CUDA(cudaGraphExecDestroy(exec));
	CUDA(cudaGraphDestroy(graph));
	CUDA(cudaStreamDestroy(stream));
}

/* -- transposition through a padded tile, for several types -- */

template <typename T> __global__ void transpose(const T *in, T *out, int width, int height)
{
	__shared__ T tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

	for (int j = 0; j < 32; j += 8)
		if (x < width && y + j < height)
			tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		if (x < height && y + j < width)
			out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <typename T> static void transpose_of()
{
	const int width = 70, height = 45;
	std::vector<T> in(width * height);

	for (int i = 0; i < width * height; i++)
		in[i] = (T)(i * 7 % 251);
	device_copy<T> din(in), dout(width * height);
	transpose<T><<<dim3(3, 2), dim3(32, 8)>>>(din, dout, width, height);
	std::vector<T> out = dout.host();
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			CHECK(out[x * height + y] == in[y * width + x]);
}

SAMPLE(transposition)
{
	transpose_of<unsigned char>();
	transpose_of<short>();
	transpose_of<float>();
	transpose_of<double>();
}

/* -- LU decomposition, a launch for each column -- */

__global__ void lu_scale(double *a, int n, int k)
{
	int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		a[i * n + k] /= a[k * n + k];
}

__global__ void __launch_bounds__(256, 2) lu_update(double *a, int n, int k)
{
	int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;

	if (i < n && j < n)
		a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

SAMPLE(lu)
{
	const int n = 24;
	std::vector<double> a(n * n);
	uint32_t seed = 5;

	for (int i = 0; i < n * n; i++)
		a[i] = draw(seed, 100) / 100.0 + (i / n == i % n ? n : 0);
	device_copy<double> da(a);
	for (int k = 0; k < n - 1; k++) {
		lu_scale<<<1, 32>>>(da, n, k);
		lu_update<<<dim3(2, 2), dim3(16, 16)>>>(da, n, k);
	}
	std::vector<double> r = da.host();
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int k = 0; k <= i && k <= j; k++)
				sum += (k == i ? 1 : r[i * n + k]) * r[k * n + j];
			CHECK(near(sum, a[i * n + j], 1e-10));
		}
}

/* -- dynamic programming: a row after the other, with a halo -- */

__global__ void path_rows(const int *wall, const int *from, int *to, int cols, int row, int rows)
{
	__shared__ int now[128], next[128];
	int x = (int)blockIdx.x * (128 - 2 * rows) - rows + (int)threadIdx.x, i = threadIdx.x;

	now[i] = x >= 0 && x < cols ? from[x] : 1 << 29;
	for (int r = 0; r < rows; r++) {
		__syncthreads();
		int best = min(now[i], min(i ? now[i - 1] : 1 << 29, i < 127 ? now[i + 1] : 1 << 29));
		next[i] = x >= 0 && x < cols ? best + wall[(row + r) * cols + x] : 1 << 29;
		__syncthreads();
		now[i] = next[i];
	}
	if (i >= rows && i < 128 - rows && x >= 0 && x < cols)
		to[x] = now[i];
}

SAMPLE(pathfinder)
{
	const int cols = 500, rows = 20, step = 4;
	std::vector<int> wall = ints(cols * rows, 10, 6), best(wall.begin(), wall.begin() + cols), next(cols);
	device_copy<int> dwall(wall), a(best), b(cols);

	for (int row = 1, turn = 0; row < rows; row += step, turn ^= 1) {
		int n = rows - row < step ? rows - row : step;
		path_rows<<<(cols + 127 - 2 * n) / (128 - 2 * n), 128>>>(dwall, turn ? b : a, turn ? a : b, cols, row, n);
	}
	for (int r = 1; r < rows; r++) {
		for (int x = 0; x < cols; x++) {
			int m = best[x];
			if (x && best[x - 1] < m)
				m = best[x - 1];
			if (x + 1 < cols && best[x + 1] < m)
				m = best[x + 1];
			next[x] = m + wall[r * cols + x];
		}
		best = next;
	}
	CHECK(((rows - 1 + step - 1) / step % 2 ? b : a).host() == best);
}
