// Kernels on which the count of registers may be tuned: hashing, double precision, local arrays, calls, 64-bit integers.
extern "C" {

__global__ void fnv(const unsigned char *text, const int *starts, unsigned *hashes, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned h = 2166136261u;
	if (i >= n)
		return;
	for (int k = starts[i]; k < starts[i + 1]; k++)
		h = (h ^ text[k]) * 16777619u;
	hashes[i] = h;
}

__global__ void xorshift64(unsigned long long *state, unsigned long long *sum, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long x = state[i], s = 0;
	for (int r = 0; r < rounds; r++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		s += x * 2685821657736338717ull;
	}
	state[i] = x;
	sum[i] = s;
}

__global__ void histogram_private(const unsigned char *data, unsigned *bins, int n)
{
	__shared__ unsigned mine[256];
	mine[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		atomicAdd(&mine[data[i]], 1);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void nbody_double(const double *px, const double *py, const double *pz, double *ax, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double x = px[i], y = py[i], z = pz[i], a = 0;
	for (int j = 0; j < n; j++) {
		double dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
		double r = dx * dx + dy * dy + dz * dz + 1e-9;
		a += dx / (r * sqrt(r));
	}
	ax[i] = a;
}

__global__ void polynomial(const double *x, double *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		double v = x[i], s = 0.1;
#pragma unroll
		for (int k = 1; k < 12; k++)
			s = s * v + 1.0 / k;
		y[i] = s;
	}
}

__global__ void local_table(const int *in, int *out, int n)
{
	int table[32], i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < 32; k++)
		table[k] = in[i * 32 + k];
	int s = 0;
	for (int k = 0; k < n; k++)
		s += table[(s + k) & 31];
	out[i] = s;
}

__noinline__ __device__ float smooth(float a, float b, float c)
{
	return a * 0.3f + b * b - c / (1 + a * a);
}

__global__ void calls_twice(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float a = in[i], b = in[i + 1], c = in[i + 2];
		out[i] = smooth(a, b, c) + smooth(c, a, b) * b;
	}
}

__global__ void mandelbrot(unsigned char *image, int w, int h, float x0, float y0, float step)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k;
	float cr = x0 + x * step, ci = y0 + y * step, zr = 0, zi = 0;
	for (k = 0; k < 255 && zr * zr + zi * zi < 4; k++) {
		float t = zr * zr - zi * zi + cr;
		zi = 2 * zr * zi + ci;
		zr = t;
	}
	if (x < w && y < h)
		image[y * w + x] = k;
}

__global__ void gcds(const unsigned *a, const unsigned *b, unsigned *g, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned x = a[i], y = b[i];
	while (y) {
		unsigned t = x % y;
		x = y;
		y = t;
	}
	g[i] = x;
}

__global__ void waves(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = __sinf(in[i]) * __expf(-in[i]) + rsqrtf(in[i] + 2) + __logf(in[i] + 3);
}
}
