// Kernels on which the count of registers may be tuned: stencils, reductions, scans, matrices.
extern "C" {

__global__ void stencil3(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i > 0 && i < n - 1)
		out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

__global__ void heat2d(const float *in, float *out, int w, int h, float k)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
		return;
	float c = in[y * w + x];
	out[y * w + x] = c + k * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x] - 4 * c);
}

__global__ void stencil7(const double *in, double *out, int nx, int ny, int nz)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
		return;
	for (int z = 1; z < nz - 1; z++) {
		long i = ((long)z * ny + y) * nx + x;
		out[i] = (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - (long)nx * ny] + in[i + (long)nx * ny]) / 6 - in[i];
	}
}

__global__ void sum_shared(const float *in, float *out, int n)
{
	__shared__ float part[256];
	float s = 0;
	for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
		s += in[i];
	part[threadIdx.x] = s;
	__syncthreads();
	for (int d = 128; d; d >>= 1) {
		if (threadIdx.x < d)
			part[threadIdx.x] += part[threadIdx.x + d];
		__syncthreads();
	}
	if (!threadIdx.x)
		out[blockIdx.x] = part[0];
}

__global__ void scan_warp(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, v = in[i];
	for (int d = 1; d < 32; d *= 2) {
		int u = __shfl_up_sync(0xffffffff, v, d);
		if (lane >= d)
			v += u;
	}
	out[i] = v;
}

__global__ void matmul16(const float *a, const float *b, float *c, int n)
{
	__shared__ float ta[16][16], tb[16][16];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
	float s = 0;
	for (int t = 0; t < n; t += 16) {
		ta[y][x] = a[row * n + t + x];
		tb[y][x] = b[(t + y) * n + col];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			s += ta[y][k] * tb[k][x];
		__syncthreads();
	}
	c[row * n + col] = s;
}

__global__ void matmul_tile4(const float *a, const float *b, float *c, int n)
{
	int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4, row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
	float s[4][4] = {};
	for (int k = 0; k < n; k++)
#pragma unroll
		for (int i = 0; i < 4; i++)
#pragma unroll
			for (int j = 0; j < 4; j++)
				s[i][j] += a[(row + i) * n + k] * b[k * n + col + j];
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			c[(row + i) * n + col + j] = s[i][j];
}

__global__ void transpose(const float *in, float *out, int w, int h)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		if (x < w && y + j < h)
			tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		if (x < h && y + j < w)
			out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void spmv_csr(const int *rows, const int *cols, const float *values, const float *x, float *y, int n)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	if (r >= n)
		return;
	float s = 0;
	for (int i = rows[r]; i < rows[r + 1]; i++)
		s += values[i] * x[cols[i]];
	y[r] = s;
}

__global__ void saxpy_unrolled(float *y, const float *x, float a, int n)
{
	int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
	if (i + 8 <= n)
#pragma unroll
		for (int k = 0; k < 8; k++)
			y[i + k] = a * x[i + k] + y[i + k];
}
}
