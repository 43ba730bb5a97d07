// Kernels on which the count of registers may be tuned: sorting, filters, dynamic programming, matrices.
extern "C" {

__global__ void bitonic_step(unsigned *keys, int j, int k)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ j;
	if (partner > i) {
		unsigned a = keys[i], b = keys[partner];
		if ((a > b) == !(i & k)) {
			keys[i] = b;
			keys[partner] = a;
		}
	}
}

__global__ void bitonic_shared(int *keys)
{
	__shared__ int s[512];
	int t = threadIdx.x, base = blockIdx.x * 512;
	s[t] = keys[base + t];
	s[t + 256] = keys[base + t + 256];
	for (int k = 2; k <= 512; k *= 2)
		for (int j = k / 2; j; j /= 2) {
			__syncthreads();
			int i = 2 * t - (t & (j - 1)), a = s[i], b = s[i + j];
			if ((a > b) == ((i & k) == 0)) {
				s[i] = b;
				s[i + j] = a;
			}
		}
	__syncthreads();
	keys[base + t] = s[t];
	keys[base + t + 256] = s[t + 256];
}

__constant__ float weights[25];
__global__ void convolve5(const float *in, float *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float s = 0;
	if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
		return;
#pragma unroll
	for (int dy = -2; dy <= 2; dy++)
#pragma unroll
		for (int dx = -2; dx <= 2; dx++)
			s += weights[(dy + 2) * 5 + dx + 2] * in[(y + dy) * w + x + dx];
	out[y * w + x] = s;
}

__global__ void edit_distance_row(const char *a, const char *b, const int *previous, int *current, int m, int row)
{
	int left = row;
	for (int j = 1; j <= m; j++) {
		int cost = a[row] == b[j] ? 0 : 1;
		int v = min(min(previous[j] + 1, left + 1), previous[j - 1] + cost);
		current[j + threadIdx.x * m] = v;
		left = v;
	}
}

__global__ void lu_row(double *a, int n, int k)
{
	int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double f = a[i * n + k] / a[k * n + k];
	a[i * n + k] = f;
	for (int j = k + 1; j < n; j++)
		a[i * n + j] -= f * a[k * n + j];
}

__global__ void row_max_index(const float *m, int *index, int w)
{
	float best = -1e30f;
	int at = 0, r = blockIdx.x;
	for (int c = threadIdx.x; c < w; c += blockDim.x)
		if (m[(size_t)r * w + c] > best) {
			best = m[(size_t)r * w + c];
			at = c;
		}
	for (int d = 16; d; d /= 2) {
		float o = __shfl_down_sync(0xffffffff, best, d);
		int p = __shfl_down_sync(0xffffffff, at, d);
		if (o > best) {
			best = o;
			at = p;
		}
	}
	if (!threadIdx.x)
		index[r] = at;
}

__global__ void bfs_level(const int *rows, const int *cols, int *depth, int level, int *changed, int n)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	if (v >= n || depth[v] != level)
		return;
	for (int e = rows[v]; e < rows[v + 1]; e++)
		if (depth[cols[e]] < 0) {
			depth[cols[e]] = level + 1;
			*changed = 1;
		}
}

__global__ void matvec4(const float4 *a, const float4 *x, float *y, int n)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	float s = 0;
	for (int i = 0; i < n; i++) {
		float4 u = a[r * n + i], v = x[i];
		s += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
	}
	y[r] = s;
}

__global__ void outer_double(const double *a, const double *b, double *c, int n)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	for (int k = 0; k < n; k++) {
		double v = b[k * n + col];
		s0 += a[row * n + k] * v;
		s1 += a[(row + 1) * n + k] * v;
		s2 += a[(row + 2) * n + k] * v;
		s3 += a[(row + 3) * n + k] * v;
	}
	c[row * n + col] = s0;
	c[(row + 1) * n + col] = s1;
	c[(row + 2) * n + col] = s2;
	c[(row + 3) * n + col] = s3;
}

__global__ void prefix_blocks(const unsigned *in, unsigned *out, unsigned *totals)
{
	__shared__ unsigned s[2][256];
	int t = threadIdx.x, from = 0;
	s[0][t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int d = 1; d < 256; d *= 2) {
		s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
		from = 1 - from;
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = s[from][t];
	if (t == 255)
		totals[blockIdx.x] = s[from][t];
}
}
