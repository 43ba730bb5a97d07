// Kernels on which the count of registers may be tuned: bits, random numbers, physics, strings, geometry.
extern "C" {

__device__ unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

__global__ void chacha(const unsigned *key, unsigned *out)
{
	unsigned s[16], i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
	for (int k = 0; k < 16; k++)
		s[k] = k == 12 ? i : key[k];
	for (int r = 0; r < 10; r++) {
#pragma unroll
		for (int c = 0; c < 4; c++) {
			s[c] += s[c + 4]; s[c + 12] = rotate(s[c + 12] ^ s[c], 16);
			s[c + 8] += s[c + 12]; s[c + 4] = rotate(s[c + 4] ^ s[c + 8], 12);
			s[c] += s[c + 4]; s[c + 12] = rotate(s[c + 12] ^ s[c], 8);
			s[c + 8] += s[c + 12]; s[c + 4] = rotate(s[c + 4] ^ s[c + 8], 7);
		}
	}
#pragma unroll
	for (int k = 0; k < 16; k++)
		out[i * 16 + k] = s[k];
}

__global__ void popcounts(const unsigned long long *a, const unsigned long long *b, int *distance, int words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, d = 0;
	if (i >= n)
		return;
	for (int w = 0; w < words; w++)
		d += __popcll(a[(size_t)i * words + w] ^ b[w]);
	distance[i] = d;
}

__global__ void monte_carlo(unsigned *hits, unsigned seed, int rounds)
{
	unsigned x = seed + blockIdx.x * blockDim.x + threadIdx.x, h = 0;
	for (int r = 0; r < rounds; r++) {
		x = x * 1664525u + 1013904223u;
		float u = x * 2.3283064e-10f;
		x = x * 1664525u + 1013904223u;
		float v = x * 2.3283064e-10f;
		h += u * u + v * v < 1;
	}
	atomicAdd(hits, h);
}

__global__ void black_scholes(const float *s, const float *k, const float *t, float *call, float *put, float r, float v, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float root = sqrtf(t[i]), d1 = (__logf(s[i] / k[i]) + (r + 0.5f * v * v) * t[i]) / (v * root), d2 = d1 - v * root;
	float q = 1 / (1 + 0.2316419f * fabsf(d1)), w = 1 / (1 + 0.2316419f * fabsf(d2));
	float n1 = 0.39894228f * __expf(-0.5f * d1 * d1) * q * (0.31938153f + q * (-0.35656378f + q * (1.78147794f + q * (-1.82125598f + q * 1.33027443f))));
	float n2 = 0.39894228f * __expf(-0.5f * d2 * d2) * w * (0.31938153f + w * (-0.35656378f + w * (1.78147794f + w * (-1.82125598f + w * 1.33027443f))));
	if (d1 > 0) n1 = 1 - n1;
	if (d2 > 0) n2 = 1 - n2;
	float e = __expf(-r * t[i]);
	call[i] = s[i] * n1 - k[i] * e * n2;
	put[i] = k[i] * e * (1 - n2) - s[i] * (1 - n1);
}

__global__ void intersect(const float3 *a, const float3 *b, const float3 *c, const float3 *o, const float3 *d, float *t, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float3 v = a[i], p = b[i], q = c[i], from = o[i], to = d[i];
	float ex = p.x - v.x, ey = p.y - v.y, ez = p.z - v.z, fx = q.x - v.x, fy = q.y - v.y, fz = q.z - v.z;
	float hx = to.y * fz - to.z * fy, hy = to.z * fx - to.x * fz, hz = to.x * fy - to.y * fx;
	float det = ex * hx + ey * hy + ez * hz, inv = 1 / det, sx = from.x - v.x, sy = from.y - v.y, sz = from.z - v.z;
	float u = inv * (sx * hx + sy * hy + sz * hz), gx = sy * ez - sz * ey, gy = sz * ex - sx * ez, gz = sx * ey - sy * ex;
	float w = inv * (to.x * gx + to.y * gy + to.z * gz);
	t[i] = u < 0 || w < 0 || u + w > 1 ? -1 : inv * (fx * gx + fy * gy + fz * gz);
}

__global__ void lbm_cell(const float *f, float *g, int n, float omega)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float c[9], rho = 0, ux = 0, uy = 0;
	if (i >= n)
		return;
#pragma unroll
	for (int k = 0; k < 9; k++) {
		c[k] = f[k * n + i];
		rho += c[k];
	}
	ux = (c[1] + c[5] + c[8] - c[3] - c[6] - c[7]) / rho;
	uy = (c[2] + c[5] + c[6] - c[4] - c[7] - c[8]) / rho;
	float sq = 1.5f * (ux * ux + uy * uy);
#pragma unroll
	for (int k = 0; k < 9; k++) {
		float e = (k % 3 - 1) * ux + (k / 3 - 1) * uy;
		g[k * n + i] = c[k] + omega * (rho * (1 + 3 * e + 4.5f * e * e - sq) / 9 - c[k]);
	}
}

__global__ void find_word(const char *text, long size, const char *word, int length, unsigned long long *first)
{
	long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
	int k = 0;
	if (i + length > size)
		return;
	while (k < length && text[i + k] == word[k])
		k++;
	if (k == length)
		atomicMin(first, (unsigned long long)i);
}

__noinline__ __device__ double series(double x, int terms)
{
	double s = 1, t = 1;
	for (int k = 1; k < terms; k++) {
		t *= x / k;
		s += t;
	}
	return s;
}

__global__ void call_in_loop(const double *in, double *out, int n, int terms)
{
	double s = 0;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < n; k++)
		s += series(in[i * n + k], terms) * (k + 1);
	out[i] = s;
}

__global__ void quicksort_local(int *data, int per)
{
	int stack[64], top = 0;
	int *a = data + (blockIdx.x * blockDim.x + threadIdx.x) * per;
	stack[top++] = 0;
	stack[top++] = per - 1;
	while (top) {
		int hi = stack[--top], lo = stack[--top];
		if (lo >= hi)
			continue;
		int pivot = a[hi], i = lo;
		for (int j = lo; j < hi; j++)
			if (a[j] < pivot) {
				int t = a[i];
				a[i++] = a[j];
				a[j] = t;
			}
		a[hi] = a[i];
		a[i] = pivot;
		stack[top++] = lo;
		stack[top++] = i - 1;
		stack[top++] = i + 1;
		stack[top++] = hi;
	}
}

__global__ void complex_fft4(const float2 *in, float2 *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float2 a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n];
	float2 p = { a.x + c.x, a.y + c.y }, q = { a.x - c.x, a.y - c.y }, r = { b.x + d.x, b.y + d.y }, s = { b.y - d.y, d.x - b.x };
	out[4 * i] = { p.x + r.x, p.y + r.y };
	out[4 * i + 1] = { q.x + s.x, q.y + s.y };
	out[4 * i + 2] = { p.x - r.x, p.y - r.y };
	out[4 * i + 3] = { q.x - s.x, q.y - s.y };
}
}
