/* Lists, trees and sparse matrices, in the shapes of SHOC, Parboil and Rodinia. */
#include "samples.h"
#include <algorithm>

/* -- breadth-first search that stops by a flag in mapped host memory -- */

__global__ void bfs_level(const int *first, const int *edges, int *level, int depth, int n, int *changed)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= n || level[v] != depth)
		return;
	for (int e = first[v]; e < first[v + 1]; e++)
		if (atomicCAS(&level[edges[e]], -1, depth + 1) == -1)
			*changed = 1;
}

SAMPLE(bfs)
{
	const int n = 1000;
	std::vector<int> first(n + 1), edges, level(n, -1), queue;
	uint32_t seed = 9;
	int *changed, *mapped;

	for (int v = 0; v < n; v++) {
		first[v] = (int)edges.size();
		for (int k = draw(seed, 4); k >= 0; k--)
			edges.push_back(draw(seed, n));
	}
	first[n] = (int)edges.size();
	CUDA(cudaHostAlloc(&changed, sizeof(int), cudaHostAllocMapped));
	CUDA(cudaHostGetDevicePointer(&mapped, changed, 0));
	std::vector<int> start(n, -1);
	start[0] = 0;
	device_copy<int> dfirst(first), dedges(edges), dlevel(start);
	for (int depth = 0, more = 1; more; depth++) {
		*changed = 0;
		bfs_level<<<(n + 127) / 128, 128>>>(dfirst, dedges, dlevel, depth, n, mapped);
		CUDA(cudaDeviceSynchronize());
		more = *changed;
	}
	level[0] = 0;
	queue.push_back(0);
	for (size_t i = 0; i < queue.size(); i++)
		for (int e = first[queue[i]]; e < first[queue[i] + 1]; e++)
			if (level[edges[e]] < 0) {
				level[edges[e]] = level[queue[i]] + 1;
				queue.push_back(edges[e]);
			}
	CHECK(dlevel.host() == level);
	CUDA(cudaFreeHost(changed));
}

/* -- sparse matrix times vector, a warp for each row, the vector through a texture -- */

__global__ void spmv(const int *first, const int *column, const float *value, cudaTextureObject_t x, float *y, int n)
{
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;

	if (row >= n)
		return;
	for (int i = __ldg(first + row) + lane; i < __ldg(first + row + 1); i += 32)
		sum += value[i] * tex1Dfetch<float>(x, column[i]);
	for (int d = 16; d; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (!lane)
		y[row] = sum;
}

SAMPLE(spmv_texture)
{
	const int n = 200;
	std::vector<int> first(n + 1), column;
	std::vector<float> value, x = floats(n, 10);
	uint32_t seed = 11;

	for (int r = 0; r < n; r++) {
		first[r] = (int)column.size();
		for (int k = draw(seed, 70); k > 0; k--) {
			column.push_back(draw(seed, n));
			value.push_back(draw(seed, 100) / 50.0f - 1);
		}
	}
	first[n] = (int)column.size();
	device_copy<int> dfirst(first), dcolumn(column);
	device_copy<float> dvalue(value), dx(x), dy(n);
	cudaResourceDesc resource = {};
	cudaTextureDesc texture = {};
	cudaTextureObject_t object;
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = dx;
	resource.res.linear.desc = cudaCreateChannelDesc<float>();
	resource.res.linear.sizeInBytes = n * sizeof(float);
	texture.readMode = cudaReadModeElementType;
	CUDA(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
	spmv<<<(n * 32 + 127) / 128, 128>>>(dfirst, dcolumn, dvalue, object, dy, n);
	std::vector<float> y = dy.host();
	for (int r = 0; r < n; r++) {
		double sum = 0;
		for (int i = first[r]; i < first[r + 1]; i++)
			sum += (double)value[i] * x[column[i]];
		CHECK(near(y[r], sum));
	}
	CUDA(cudaDestroyTextureObject(object));
}

/* -- scan of many blocks: sums of blocks, scanned, added -- */

__global__ void scan_block(const unsigned *in, unsigned *out, unsigned *sums, int n)
{
	extern __shared__ unsigned s[];
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
	unsigned own = i < n ? in[i] : 0;

	s[t] = own;
	for (int d = 1; d < (int)blockDim.x; d *= 2) {
		__syncthreads();
		unsigned left = t >= d ? s[t - d] : 0;
		__syncthreads();
		s[t] += left;
	}
	if (i < n)
		out[i] = s[t] - own;
	if (sums && t == (int)blockDim.x - 1)
		sums[blockIdx.x] = s[t];
}

__global__ void scan_add(unsigned *out, const unsigned *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] += sums[blockIdx.x];
}

static void scan(unsigned *in, unsigned *out, int n)
{
	int blocks = (n + 255) / 256;
	device_copy<unsigned> sums(blocks), scanned(blocks);

	scan_block<<<blocks, 256, 256 * sizeof(unsigned)>>>(in, out, sums, n);
	if (blocks == 1)
		return;
	scan(sums, scanned, blocks);
	scan_add<<<blocks, 256>>>(out, scanned, n);
	CUDA(cudaDeviceSynchronize());
}

/* -- radix sort on top of it, four bits at a time -- */

__global__ void radix_count(const unsigned *keys, unsigned *counts, int n, int shift)
{
	__shared__ unsigned c[16];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (threadIdx.x < 16)
		c[threadIdx.x] = 0;
	__syncthreads();
	if (i < n)
		atomicAdd(&c[keys[i] >> shift & 15], 1);
	__syncthreads();
	if (threadIdx.x < 16)
		counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}

__global__ void radix_place(const unsigned *keys, unsigned *out, const unsigned *places, int n, int shift)
{
	__shared__ unsigned digits[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned key = i < n ? keys[i] : 0, digit = key >> shift & 15, before = 0;

	digits[threadIdx.x] = i < n ? digit : 16;
	__syncthreads();
	if (i >= n)
		return;
	for (unsigned t = 0; t < threadIdx.x; t++)
		before += digits[t] == digit;
	out[places[digit * gridDim.x + blockIdx.x] + before] = key;
}

SAMPLE(radix_sort)
{
	const int n = 3000, blocks = (n + 255) / 256;
	std::vector<unsigned> keys(n);
	uint32_t seed = 12;

	for (unsigned &k : keys)
		k = draw(seed, 1 << 20);
	device_copy<unsigned> a(keys), b(n), counts(16 * blocks), places(16 * blocks);
	unsigned *from = a, *to = b;
	for (int shift = 0; shift < 20; shift += 4) {
		radix_count<<<blocks, 256>>>(from, counts, n, shift);
		scan(counts, places, 16 * blocks);
		radix_place<<<blocks, 256>>>(from, to, places, n, shift);
		std::swap(from, to);
	}
	std::vector<unsigned> result(n);
	CUDA(cudaMemcpy(result.data(), from, n * 4, cudaMemcpyDeviceToHost));
	std::sort(keys.begin(), keys.end());
	CHECK(result == keys);
}

/* -- k-means: nearest centres, then sums by atomics on doubles and ints -- */

__global__ void nearest(const float2 *points, const float2 *centres, int *of, int n, int k, double *sums, int *counts)
{
	extern __shared__ float2 c[];
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float least = 1e30f;

	for (int j = threadIdx.x; j < k; j += blockDim.x)
		c[j] = centres[j];
	__syncthreads();
	if (i >= n)
		return;
	for (int j = 0; j < k; j++) {
		float dx = points[i].x - c[j].x, dy = points[i].y - c[j].y, d = dx * dx + dy * dy;
		if (d < least) {
			least = d;
			best = j;
		}
	}
	of[i] = best;
	atomicAdd(&sums[2 * best], (double)points[i].x);
	atomicAdd(&sums[2 * best + 1], (double)points[i].y);
	atomicAdd(&counts[best], 1);
}

SAMPLE(kmeans)
{
	const int n = 600, k = 5;
	std::vector<float2> points(n), centres(k);
	uint32_t seed = 13;

	for (int i = 0; i < n; i++)
		points[i] = make_float2(draw(seed, 100) / 10.0f + i % k * 30, draw(seed, 100) / 10.0f);
	for (int j = 0; j < k; j++)
		centres[j] = make_float2(j * 29.0f, 3);
	device_copy<float2> dp(points), dc(centres);
	device_copy<int> of(n);
	for (int round = 0; round < 3; round++) {
		device_copy<double> sums(2 * k);
		device_copy<int> counts(k);
		nearest<<<5, 128, k * sizeof(float2)>>>(dp, dc, of, n, k, sums, counts);
		std::vector<double> s = sums.host();
		std::vector<int> c = counts.host();
		for (int j = 0; j < k; j++) {
			CHECK(c[j] == n / k);
			centres[j] = make_float2((float)(s[2 * j] / c[j]), (float)(s[2 * j + 1] / c[j]));
		}
		CUDA(cudaMemcpy(dc, centres.data(), k * sizeof(float2), cudaMemcpyHostToDevice));
	}
	std::vector<int> result = of.host();
	for (int i = 0; i < n; i++)
		CHECK(result[i] == i % k);
}

/* -- Needleman and Wunsch, a diagonal of tiles for each launch -- */

__global__ void nw_diagonal(const char *a, const char *b, int *score, int n, int diagonal, int low)
{
	__shared__ int t[17][17];
	int bx = low + blockIdx.x, by = diagonal - bx, x = bx * 16 + threadIdx.x + 1, i = threadIdx.x;

	t[0][i + 1] = score[by * 16 * (n + 1) + x];
	t[i + 1][0] = score[(by * 16 + i + 1) * (n + 1) + bx * 16];
	if (!i)
		t[0][0] = score[by * 16 * (n + 1) + bx * 16];
	__syncthreads();
	for (int m = 0; m < 31; m++) {
		int y = m - i;
		if (y >= 0 && y < 16) {
			int match = a[bx * 16 + i] == b[by * 16 + y] ? 2 : -1;
			t[y + 1][i + 1] = max(t[y][i] + match, max(t[y][i + 1], t[y + 1][i]) - 1);
		}
		__syncthreads();
	}
	for (int y = 0; y < 16; y++)
		score[(by * 16 + y + 1) * (n + 1) + x] = t[y + 1][i + 1];
}

SAMPLE(needleman_wunsch)
{
	const int n = 64;
	std::vector<char> a(n), b(n);
	std::vector<int> score((n + 1) * (n + 1), 0), want;
	uint32_t seed = 14;

	for (int i = 0; i < n; i++) {
		a[i] = "ACGT"[draw(seed, 4)];
		b[i] = "ACGT"[draw(seed, 4)];
	}
	for (int i = 0; i <= n; i++)
		score[i] = score[i * (n + 1)] = -i;
	want = score;
	device_copy<char> da(a), db(b);
	device_copy<int> ds(score);
	for (int d = 0; d < 2 * (n / 16) - 1; d++) {
		int low = d < n / 16 ? 0 : d - n / 16 + 1, high = d < n / 16 ? d : n / 16 - 1;
		nw_diagonal<<<high - low + 1, 16>>>(da, db, ds, n, d, low);
	}
	for (int y = 1; y <= n; y++)
		for (int x = 1; x <= n; x++)
			want[y * (n + 1) + x] = std::max(want[(y - 1) * (n + 1) + x - 1] + (a[x - 1] == b[y - 1] ? 2 : -1),
				std::max(want[(y - 1) * (n + 1) + x], want[y * (n + 1) + x - 1]) - 1);
	CHECK(ds.host() == want);
}

/* -- histograms in shared memory, merged by atomics; MRI-like sums with batches in constant memory -- */

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
	__shared__ unsigned h[256];

	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		h[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&h[data[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		if (h[i])
			atomicAdd(&bins[i], h[i]);
}

SAMPLE(histogram_of_bytes)
{
	const int n = 20000;
	std::vector<unsigned char> data(n);
	std::vector<unsigned> want(256, 0);
	uint32_t seed = 15;

	for (unsigned char &d : data)
		want[d = (unsigned char)(draw(seed, 16) * draw(seed, 17))]++;
	device_copy<unsigned char> dd(data);
	device_copy<unsigned> bins(256);
	histogram<<<8, 192>>>(dd, bins, n);
	CHECK(bins.host() == want);
}

struct wave {
	float k, phase, weight;
};
__constant__ wave waves[64];

__global__ void add_waves(const float *x, float2 *sum, int n, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	float2 s = sum[i];
	for (int w = 0; w < count; w++) {
		float sine, cosine;
		sincosf(waves[w].k * x[i] + waves[w].phase, &sine, &cosine);
		s.x += waves[w].weight * cosine;
		s.y += waves[w].weight * sine;
	}
	sum[i] = s;
}

SAMPLE(waves_in_batches)
{
	const int n = 100, total = 150;
	std::vector<float> x = floats(n, 16), raw = floats(3 * total, 17);
	std::vector<wave> all(total);
	device_copy<float> dx(x);
	device_copy<float2> sum(n);

	for (int w = 0; w < total; w++)
		all[w] = { raw[3 * w] * 10, raw[3 * w + 1], raw[3 * w + 2] };
	for (int w = 0; w < total; w += 64) {
		int count = total - w < 64 ? total - w : 64;
		CUDA(cudaMemcpyToSymbol(waves, &all[w], count * sizeof(wave), 0, cudaMemcpyHostToDevice));
		add_waves<<<2, 64>>>(dx, sum, n, count);
	}
	std::vector<float2> r = sum.host();
	for (int i = 0; i < n; i++) {
		double re = 0, im = 0;
		for (const wave &w : all) {
			re += w.weight * cos((double)w.k * x[i] + w.phase);
			im += w.weight * sin((double)w.k * x[i] + w.phase);
		}
		CHECK(near(r[i].x, re) && near(r[i].y, im));
	}
}

/* -- FFT of 64 points in each block, in shared memory -- */

__global__ void fft64(float2 *data)
{
	__shared__ float2 s[64];
	int t = threadIdx.x;
	float2 *own = data + blockIdx.x * 64;

	s[__brev(2 * t) >> 26] = own[2 * t];
	s[__brev(2 * t + 1) >> 26] = own[2 * t + 1];
	for (int half = 1; half < 64; half *= 2) {
		__syncthreads();
		int k = t % half, i = t / half * 2 * half + k;
		float sine, cosine;
		sincospif(-(float)k / half, &sine, &cosine);
		float2 a = s[i], b = s[i + half];
		float2 c = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
		s[i] = make_float2(a.x + c.x, a.y + c.y);
		s[i + half] = make_float2(a.x - c.x, a.y - c.y);
	}
	__syncthreads();
	own[t] = s[t];
	own[t + 32] = s[t + 32];
}

SAMPLE(fft)
{
	const int batch = 6;
	std::vector<float> raw = floats(2 * 64 * batch, 18);
	std::vector<float2> in(64 * batch);

	for (int i = 0; i < 64 * batch; i++)
		in[i] = make_float2(raw[2 * i], raw[2 * i + 1]);
	device_copy<float2> d(in);
	fft64<<<batch, 32>>>(d);
	std::vector<float2> out = d.host();
	for (int b = 0; b < batch; b++)
		for (int k = 0; k < 64; k++) {
			double re = 0, im = 0;
			for (int j = 0; j < 64; j++) {
				double c = cos(-2 * M_PI * j * k / 64), s = sin(-2 * M_PI * j * k / 64);
				re += in[b * 64 + j].x * c - in[b * 64 + j].y * s;
				im += in[b * 64 + j].x * s + in[b * 64 + j].y * c;
			}
			CHECK(near(out[b * 64 + k].x, re, 1e-4) && near(out[b * 64 + k].y, im, 1e-4));
		}
}
