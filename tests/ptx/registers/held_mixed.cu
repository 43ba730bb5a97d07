// Held out: the count of registers was never tuned on these. Graphs, images, linear
// algebra, compression, integration, collisions.
extern "C" {

__global__ void pagerank(const int *rows, const int *cols, const float *rank, const int *degree, float *next, float d, int n)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	if (v >= n)
		return;
	float s = 0;
	for (int e = rows[v]; e < rows[v + 1]; e++)
		s += rank[cols[e]] / degree[cols[e]];
	next[v] = (1 - d) / n + d * s;
}

__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x > w - 2 || y > h - 2)
		return;
	const unsigned char *p = in + y * w + x;
	int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1];
	int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[1 - w];
	int g = abs(gx) + abs(gy);
	out[y * w + x] = g > 255 ? 255 : g;
}

__global__ void dot_double(const double *a, const double *b, double *out, int n)
{
	__shared__ double part[128];
	double s = 0;
	for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 128 * gridDim.x)
		s += a[i] * b[i];
	part[threadIdx.x] = s;
	__syncthreads();
	for (int d = 64; d; d /= 2) {
		if (threadIdx.x < d)
			part[threadIdx.x] += part[threadIdx.x + d];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

__global__ void rgb_to_yuv(const uchar4 *in, uchar4 *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	uchar4 c = in[i], o;
	o.x = (77 * c.x + 150 * c.y + 29 * c.z) >> 8;
	o.y = ((-43 * c.x - 85 * c.y + 128 * c.z) >> 8) + 128;
	o.z = ((128 * c.x - 107 * c.y - 21 * c.z) >> 8) + 128;
	o.w = c.w;
	out[i] = o;
}

__global__ void runge_kutta(float *x, float *v, float k, float h, int steps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float p = x[i], q = v[i];
	for (int s = 0; s < steps; s++) {
		float a1 = -k * p, b1 = q, a2 = -k * (p + 0.5f * h * b1), b2 = q + 0.5f * h * a1;
		float a3 = -k * (p + 0.5f * h * b2), b3 = q + 0.5f * h * a2, a4 = -k * (p + h * b3), b4 = q + h * a3;
		p += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
		q += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
	}
	x[i] = p;
	v[i] = q;
}

__global__ void kmeans_nearest(const float *points, const float *centres, int *nearest, int n, int k)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float least = 1e30f;
	if (i >= n)
		return;
	for (int c = 0; c < k; c++) {
		float s = 0;
#pragma unroll
		for (int d = 0; d < 4; d++) {
			float t = points[i * 4 + d] - centres[c * 4 + d];
			s += t * t;
		}
		if (s < least) {
			least = s;
			best = c;
		}
	}
	nearest[i] = best;
}

__global__ void matmul_double_shared(const double *a, const double *b, double *c, int n)
{
	__shared__ double ta[8][8], tb[8][8];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
	double s = 0;
	for (int t = 0; t < n; t += 8) {
		ta[y][x] = a[row * n + t + x];
		tb[y][x] = b[(t + y) * n + col];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 8; k++)
			s += ta[y][k] * tb[k][x];
		__syncthreads();
	}
	c[row * n + col] = s;
}

__global__ void run_lengths(const unsigned char *in, int *lengths, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, k = 1;
	if (i >= n || (i && in[i] == in[i - 1]))
		return;
	while (i + k < n && in[i + k] == in[i])
		k++;
	lengths[i] = k;
}

__global__ void adler(const unsigned char *data, unsigned *sums, int per)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned a = 1, b = 0;
	for (int i = 0; i < per; i++) {
		a = (a + data[(long)t * per + i]) % 65521;
		b = (b + a) % 65521;
	}
	sums[t] = b << 16 | a;
}

__global__ void spheres(const float4 *s, const float4 *rays, int *hit, int spheres, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, which = -1;
	if (i >= n)
		return;
	float4 d = rays[i];
	float nearest = 1e30f;
	for (int k = 0; k < spheres; k++) {
		float4 c = s[k];
		float b = c.x * d.x + c.y * d.y + c.z * d.z, q = b * b - (c.x * c.x + c.y * c.y + c.z * c.z) + c.w * c.w;
		if (q > 0 && b - q < nearest) {
			nearest = b - q;
			which = k;
		}
	}
	hit[i] = which;
}

__global__ void jacobi_row(const float *a, const float *b, const float *x, float *y, int n)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	float s = b[r];
	for (int c = 0; c < n; c++)
		if (c != r)
			s -= a[r * n + c] * x[c];
	y[r] = s / a[r * n + r];
}

__global__ void haar(float *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (2 * i + 1 < n) {
		float a = data[2 * i], b = data[2 * i + 1];
		__syncthreads();
		data[i] = (a + b) * 0.70710678f;
		data[n / 2 + i] = (a - b) * 0.70710678f;
	}
}
}
