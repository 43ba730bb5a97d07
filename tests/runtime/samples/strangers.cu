/* Programs as strangers write them: steps of training as in llm.c, lectures on attention, Rodinia's search in
 * a tree, video's bytes, and calls of cuda-samples. All were right when they were written. */
#include "samples.h"
#include <algorithm>
#include <cfloat>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct knode {
	int is_leaf, keys[17], next[17], count;
};
__global__ static void find_k(long height, const knode *nodes, const int *keys, int *answers)
{
	__shared__ int current, found;
	int tid = threadIdx.x, b = blockIdx.x;
	if (tid == 0) {
		current = 0;
		found = -1;
	}
	__syncthreads();
	for (int i = 0; i < height; i++) {
		const knode *n = &nodes[current];
		__syncthreads();
		if (tid < n->count && n->keys[tid] <= keys[b] &&
			(tid + 1 == n->count || n->keys[tid + 1] > keys[b]))
			current = n->next[tid];
		__syncthreads();
	}
	if (tid < nodes[current].count && nodes[current].keys[tid] == keys[b])
		found = nodes[current].next[tid];
	__syncthreads();
	if (tid == 0)
		answers[b] = found;
}
SAMPLE(search_in_a_b_tree)
{
	const int fan = 16, leaves = 16, n = fan * leaves;
	std::vector<knode> nodes(1 + leaves);
	memset(nodes.data(), 0, nodes.size() * sizeof(knode));
	nodes[0].count = leaves;
	for (int l = 0; l < leaves; l++) {
		nodes[0].keys[l] = 3 * l * fan;
		nodes[0].next[l] = 1 + l;
		nodes[1 + l].is_leaf = 1;
		nodes[1 + l].count = fan;
		for (int k = 0; k < fan; k++) {
			nodes[1 + l].keys[k] = 3 * (l * fan + k);
			nodes[1 + l].next[k] = 7 * (l * fan + k);
		}
	}
	auto keys = ints(64, 3 * n, 9);
	device_copy<knode> d(nodes);
	device_copy<int> k(keys), a(64);
	find_k<<<64, 32>>>(1, d, k, a);
	auto r = a.host();
	for (int i = 0; i < 64; i++)
		CHECK(r[i] == (keys[i] % 3 ? -1 : keys[i] / 3 * 7));
}

__global__ static void sad4(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned s = __vsadu4(a[i], b[i]), d = __vabsdiffu4(a[i], b[i]), m = __vmaxu4(a[i], b[i]),
		 av = __vavgu4(a[i], b[i]);
	out[4 * i] = s;
	out[4 * i + 1] = d;
	out[4 * i + 2] = m;
	out[4 * i + 3] = av + __usad(a[i], b[i], 5) + __byte_perm(a[i], b[i], 0x3715);
}
SAMPLE(differences_of_four_bytes)
{
	const int n = 200;
	uint32_t s = 77;
	std::vector<unsigned> a(n), b(n);
	for (int i = 0; i < n; i++) {
		a[i] = draw(s, 1 << 24) * 257u;
		b[i] = draw(s, 1 << 24) * 259u;
	}
	device_copy<unsigned> da(a), db(b), o(4 * n);
	sad4<<<2, 128>>>(da, db, o, n);
	auto r = o.host();
	for (int i = 0; i < n; i++) {
		unsigned sum = 0, d = 0, m = 0, av = 0, p = 0;
		const int sel[4] = { 5, 1, 7, 3 };
		for (int k = 0; k < 4; k++) {
			unsigned u = a[i] >> 8 * k & 255, v = b[i] >> 8 * k & 255, x = u > v ? u - v : v - u;
			sum += x;
			d |= x << 8 * k;
			m |= (u > v ? u : v) << 8 * k;
			av |= (u + v + 1) / 2 << 8 * k;
			unsigned q = sel[k] < 4 ? a[i] >> 8 * sel[k] & 255 : b[i] >> 8 * (sel[k] - 4) & 255;
			p |= q << 8 * k;
		}
		CHECK(r[4 * i] == sum && r[4 * i + 1] == d && r[4 * i + 2] == m);
		CHECK(r[4 * i + 3] == av + (a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]) + 5 + p);
	}
}
__global__ static void all_atomics(int *g)
{
	unsigned t = blockDim.x * blockIdx.x + threadIdx.x;
	atomicAdd(&g[0], 10);
	atomicSub(&g[1], 10);
	atomicExch(&g[2], (int)t);
	atomicMax(&g[3], (int)t);
	atomicMin(&g[4], (int)t);
	atomicInc((unsigned *)&g[5], 17);
	atomicDec((unsigned *)&g[6], 137);
	atomicCAS(&g[7], (int)t - 1, (int)t);
	atomicAnd(&g[8], 2 * t + 7);
	atomicOr(&g[9], 1 << (t % 31));
	atomicXor(&g[10], (int)t);
	atomicAdd_block(&g[11], 1);
	atomicAdd_system(&g[12], 2);
	atomicMin((long long *)&g[14], -(long long)t * 10000000000ll);
	atomicAdd((double *)&g[16], 0.5);
}
SAMPLE(every_atomic)
{
	std::vector<int> g(18, 0);
	g[8] = 0xff;
	g[6] = 5;
	device_copy<int> d(g);
	const int n = 64 * 64;
	all_atomics<<<64, 64>>>(d);
	g = d.host();
	int inc = 0, dec = 5, a = 0xff, o = 0, x = 0;
	for (int t = 0; t < n; t++) {
		inc = inc >= 17 ? 0 : inc + 1;
		dec = dec == 0 || dec > 137 ? 137 : dec - 1;
		a &= 2 * t + 7;
		o |= 1 << (t % 31);
		x ^= t;
	}
	long long m;
	double s;
	memcpy(&m, &g[14], 8);
	memcpy(&s, &g[16], 8);
	CHECK(g[0] == 10 * n && g[1] == -10 * n && g[2] >= 0 && g[2] < n && g[3] == n - 1 && g[4] == 0 &&
		g[5] == inc && g[6] == dec);
	CHECK(g[7] >= 0 && g[7] < n && g[8] == a && g[9] == o && g[10] == x && g[11] == n && g[12] == 2 * n &&
		m == -(n - 1) * 10000000000ll && s == n * 0.5);
}

__global__ static void group_reductions(const int *in, int *out)
{
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	auto tile = cg::tiled_partition<8>(block);
	int v = in[block.group_index().x * block.size() + block.thread_rank()];
	int s = cg::reduce(warp, v, cg::plus<int>()), m = cg::reduce(tile, v, cg::greater<int>()),
	    x = cg::reduce(warp, v, cg::bit_xor<int>());
	int in_scan = cg::inclusive_scan(tile, v), ex = cg::exclusive_scan(warp, v);
	auto odd = cg::coalesced_threads();
	int size = 0;
	if (v & 1) {
		auto c = cg::coalesced_threads();
		size = c.size() * 1000 + c.thread_rank();
	}
	auto lab = cg::labeled_partition(warp, v % 3 < 0 ? 0 : v % 3);
	int ls = cg::reduce(lab, v, cg::plus<int>());
	int *o = out + 7 * (block.group_index().x * block.size() + block.thread_rank());
	o[0] = s;
	o[1] = m;
	o[2] = x;
	o[3] = in_scan;
	o[4] = ex;
	o[5] = size;
	o[6] = ls;
}
SAMPLE(reductions_of_groups)
{
	const int n = 128;
	auto a = ints(n, 1000, 6);
	device_copy<int> i(a), o(7 * n);
	group_reductions<<<2, 64>>>(i, o);
	auto r = o.host();
	for (int t = 0; t < n; t++) {
		int w = t / 32 * 32, l = t / 8 * 8, s = 0, m = 0, x = 0, is = 0, ex = 0, cs = 0, cr = 0,
		    ls = 0;
		for (int k = w; k < w + 32; k++) {
			s += a[k];
			x ^= a[k];
			ex += k < t ? a[k] : 0;
			cs += a[k] & 1;
			cr += k < t && (a[k] & 1);
			ls += a[k] % 3 == a[t] % 3 ? a[k] : 0;
		}
		for (int k = l; k < l + 8; k++) {
			m = std::max(m, a[k]);
			is += k <= t ? a[k] : 0;
		}
		CHECK(r[7 * t] == s && r[7 * t + 1] == m && r[7 * t + 2] == x && r[7 * t + 3] == is &&
			r[7 * t + 4] == ex);
		CHECK(r[7 * t + 5] == (a[t] & 1 ? cs * 1000 + cr : 0) && r[7 * t + 6] == ls);
	}
}

/* Objects made by kernels; placement in shared memory; a stack of their own. */
struct shape {
	__device__ virtual int area() const = 0;
	__device__ virtual ~shape()
	{
	}
};
struct square : shape {
	int s;
	__device__ square(int s) : s(s)
	{
	}
	__device__ int area() const override
	{
		return s * s;
	}
};
struct oblong : shape {
	int w, h;
	__device__ oblong(int w, int h) : w(w), h(h)
	{
	}
	__device__ int area() const override
	{
		return w * h;
	}
};
template <typename T, int N> struct stack {
	T at[N];
	int top;
	__device__ stack() : top(0)
	{
	}
	__device__ void push(T v)
	{
		at[atomicAdd(&top, 1)] = v;
	}
};
__global__ static void make_shapes(shape **all, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		all[i] = i & 1 ? (shape *)new oblong(i, 2) : new square(i);
}
__global__ static void use_shapes(shape **all, int *sum, int n)
{
	__shared__ char room[sizeof(stack<int, 64>)] __attribute__((aligned(16)));
	__shared__ stack<int, 64> *s;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		s = new (room) stack<int, 64>;
	__syncthreads();
	if (i < n) {
		s->push(all[i]->area());
		delete all[i];
	}
	__syncthreads();
	if (threadIdx.x == 0)
		for (int k = 0; k < s->top; k++)
			atomicAdd(sum, s->at[k]);
}
SAMPLE(objects_made_by_kernels)
{
	const int n = 100;
	shape **a;
	device_copy<int> s(1);
	int want = 0;
	CUDA(cudaMalloc(&a, n * sizeof *a));
	make_shapes<<<2, 64>>>(a, n);
	use_shapes<<<2, 64>>>(a, s, n);
	for (int i = 0; i < n; i++)
		want += i & 1 ? 2 * i : i * i;
	CHECK(s.host()[0] == want);
	CUDA(cudaFree(a));
}
__global__ static void layernorm(
	float *out, float *mean, float *rstd, const float *in, const float *w, const float *b, int n, int c)
{
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	int i = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
	if (i >= n)
		return;
	const float *x = in + i * c;
	float s = 0;
	for (int k = warp.thread_rank(); k < c; k += warp.size())
		s += x[k];
	s = cg::reduce(warp, s, cg::plus<float>{});
	float m = s / c;
	s = 0;
	if (warp.thread_rank() == 0)
		__stcs(mean + i, m);
	for (int k = warp.thread_rank(); k < c; k += warp.size()) {
		float d = x[k] - m;
		s += d * d;
	}
	s = cg::reduce(warp, s, cg::plus<float>{});
	float r = rsqrtf(s / c + 1e-5f);
	if (warp.thread_rank() == 0)
		__stcs(rstd + i, r);
	for (int k = warp.thread_rank(); k < c; k += warp.size())
		__stcs(out + i * c + k, r * (__ldcs(x + k) - m) * w[k] + b[k]);
}
__global__ static void layernorm_back(float *dx, float *dw, float *db, const float *dout, const float *in,
	const float *w, const float *mean, const float *rstd, int n, int c)
{
	extern __shared__ float sh[];
	float *sb = sh, *sw = sh + c;
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int i = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
	for (int k = threadIdx.x; k < 2 * c; k += blockDim.x)
		sh[k] = 0;
	__syncthreads();
	if (i < n) {
		float a = 0, q = 0, m = mean[i], r = rstd[i];
		for (int k = warp.thread_rank(); k < c; k += 32) {
			float nb = (in[i * c + k] - m) * r, d = w[k] * dout[i * c + k];
			a += d;
			q += d * nb;
		}
		a = cg::reduce(warp, a, cg::plus<float>{}) / c;
		q = cg::reduce(warp, q, cg::plus<float>{}) / c;
		for (int k = warp.thread_rank(); k < c; k += 32) {
			float nb = (in[i * c + k] - m) * r, g = dout[i * c + k];
			atomicAdd(&sb[k], g);
			atomicAdd(&sw[k], nb * g);
			dx[i * c + k] += (w[k] * g - a - nb * q) * r;
		}
	}
	__syncthreads();
	for (int k = threadIdx.x; k < c; k += blockDim.x) {
		atomicAdd(&db[k], sb[k]);
		atomicAdd(&dw[k], sw[k]);
	}
}
SAMPLE(layer_norm_and_its_gradient)
{
	const int n = 12, c = 48;
	auto x = floats(n * c, 1), w = floats(c, 2), b = floats(c, 3), g = floats(n * c, 4);
	device_copy<float> dx(x), dw(w), db(b), dg(g), o(n * c), m(n), r(n), gx(n * c), gw(c), gb(c);
	layernorm<<<3, 128>>>(o, m, r, dx, dw, db, n, c);
	layernorm_back<<<3, 128, 2 * c * 4>>>(gx, gw, gb, dg, dx, dw, m, r, n, c);
	auto ro = o.host(), rx = gx.host(), rw = gw.host(), rb = gb.host();
	std::vector<double> W(c), B(c);
	for (int i = 0; i < n; i++) {
		double mu = 0, v = 0, a = 0, q = 0;
		for (int k = 0; k < c; k++)
			mu += x[i * c + k] / c;
		for (int k = 0; k < c; k++)
			v += (x[i * c + k] - mu) * (x[i * c + k] - mu) / c;
		double s = 1 / sqrt(v + 1e-5);
		for (int k = 0; k < c; k++) {
			double nb = (x[i * c + k] - mu) * s, d = w[k] * g[i * c + k];
			a += d / c;
			q += d * nb / c;
			W[k] += nb * g[i * c + k];
			B[k] += g[i * c + k];
			CHECK(near(ro[i * c + k], nb * w[k] + b[k], 1e-3));
		}
		for (int k = 0; k < c; k++) {
			double nb = (x[i * c + k] - mu) * s;
			CHECK(near(rx[i * c + k], (w[k] * g[i * c + k] - a - nb * q) * s, 1e-3));
		}
	}
	for (int k = 0; k < c; k++)
		CHECK(near(rw[k], W[k], 1e-3) && near(rb[k], B[k], 1e-3));
}

__global__ static void flash(
	const float *Q, const float *K, const float *V, float *O, float *L, int n, int d, float scale)
{
	extern __shared__ float s[];
	const int B = 16;
	float *q = s, *k = q + B * d, *v = k + B * d, *S = v + B * d;
	int t = threadIdx.x, row = blockIdx.x * B + t;
	float m = -INFINITY, l = 0, o[32];
	for (int x = 0; x < d; x++) {
		q[t * d + x] = Q[row * d + x];
		o[x] = 0;
	}
	for (int j = 0; j <= blockIdx.x; j++) {
		for (int x = 0; x < d; x++) {
			k[t * d + x] = K[(j * B + t) * d + x];
			v[t * d + x] = V[(j * B + t) * d + x];
		}
		__syncthreads();
		float mn = m;
		for (int y = 0; y < B && j * B + y <= row; y++) {
			float z = 0;
			for (int x = 0; x < d; x++)
				z += q[t * d + x] * k[y * d + x];
			S[t * B + y] = z * scale;
			mn = fmaxf(mn, z * scale);
		}
		float c = __expf(m - mn);
		l *= c;
		for (int x = 0; x < d; x++)
			o[x] *= c;
		for (int y = 0; y < B && j * B + y <= row; y++) {
			float p = __expf(S[t * B + y] - mn);
			l += p;
			for (int x = 0; x < d; x++)
				o[x] += p * v[y * d + x];
		}
		m = mn;
		__syncthreads();
	}
	for (int x = 0; x < d; x++)
		O[row * d + x] = o[x] / l;
	L[row] = m + logf(l);
}
__global__ static void flash_back(const float *Q, const float *K, const float *V, const float *O,
	const float *dO, const float *L, float *dQ, float *dK, float *dV, int n, int d, float scale)
{
	int j = blockIdx.x, lane = threadIdx.x; /* a column of keys for each warp */
	float dk[32] = {}, dv[32] = {};
	for (int i = j + lane; i < n; i += 32) {
		float z = 0, D = 0, dp = 0;
		for (int x = 0; x < d; x++) {
			z += Q[i * d + x] * K[j * d + x];
			D += dO[i * d + x] * O[i * d + x];
			dp += dO[i * d + x] * V[j * d + x];
		}
		float p = expf(z * scale - L[i]), ds = p * (dp - D) * scale;
		for (int x = 0; x < d; x++) {
			dv[x] += p * dO[i * d + x];
			dk[x] += ds * Q[i * d + x];
			atomicAdd(&dQ[i * d + x], ds * K[j * d + x]);
		}
	}
	for (int x = 0; x < d; x++)
		for (int o = 16; o; o >>= 1) {
			dk[x] += __shfl_down_sync(~0u, dk[x], o);
			dv[x] += __shfl_down_sync(~0u, dv[x], o);
		}
	if (!lane)
		for (int x = 0; x < d; x++) {
			dK[j * d + x] = dk[x];
			dV[j * d + x] = dv[x];
		}
}
SAMPLE(attention_and_its_gradient)
{
	const int n = 64, d = 32;
	const float sc = 0.18f;
	auto q = floats(n * d, 1), k = floats(n * d, 2), v = floats(n * d, 3), g = floats(n * d, 4);
	device_copy<float> dq(q), dk(k), dv(v), dg(g), o(n * d), L(n), gq(n * d), gk(n * d), gv(n * d);
	flash<<<n / 16, 16, (3 * 16 * d + 256) * 4>>>(dq, dk, dv, o, L, n, d, sc);
	flash_back<<<n, 32>>>(dq, dk, dv, o, dg, L, gq, gk, gv, n, d, sc);
	std::vector<double> P(n * n), Q(n * d), K(n * d), V(n * d);
	auto ro = o.host(), rq = gq.host(), rk = gk.host(), rv = gv.host();
	for (int i = 0; i < n; i++) {
		double s = 0, D = 0;
		for (int j = 0; j <= i; j++) {
			double z = 0;
			for (int x = 0; x < d; x++)
				z += q[i * d + x] * k[j * d + x];
			s += P[i * n + j] = exp(z * sc);
		}
		std::vector<double> O(d);
		for (int j = 0; j <= i; j++) {
			P[i * n + j] /= s;
			for (int x = 0; x < d; x++)
				O[x] += P[i * n + j] * v[j * d + x];
		}
		for (int x = 0; x < d; x++) {
			CHECK(near(ro[i * d + x], O[x], 1e-3));
			D += O[x] * g[i * d + x];
		}
		for (int j = 0; j <= i; j++) {
			double dp = 0;
			for (int x = 0; x < d; x++)
				dp += g[i * d + x] * v[j * d + x];
			double ds = P[i * n + j] * (dp - D) * sc;
			for (int x = 0; x < d; x++) {
				V[j * d + x] += P[i * n + j] * g[i * d + x];
				K[j * d + x] += ds * q[i * d + x];
				Q[i * d + x] += ds * k[j * d + x];
			}
		}
	}
	for (int i = 0; i < n * d; i++)
		CHECK(near(rq[i], Q[i], 1e-3) && near(rk[i], K[i], 1e-3) && near(rv[i], V[i], 1e-3));
}

__global__ static void encoder(
	float *o, const int *t, const float *wte, const float *wpe, int T, int C, int N)
{
	int i = (blockIdx.x * blockDim.x + threadIdx.x);
	if (i * 4 >= N * C)
		return;
	int r = i * 4 / C, c = i * 4 % C;
	float4 a = *(const float4 *)(wte + t[r] * C + c), b = *(const float4 *)(wpe + r % T * C + c);
	*(float4 *)(o + r * C + c) = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
template <bool TA, bool TB>
__global__ void mm(const float *a, const float *b, float *c, const float *bias, int M, int N, int K, bool add)
{
	__shared__ float s[16][17], t[16][17];
	int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * 16 + y, q = blockIdx.x * 16 + x;
	float z = 0;
	for (int k = 0; k < K; k += 16) {
		s[y][x] = r < M && k + x < K ? (TA ? a[(k + x) * M + r] : a[r * K + k + x]) : 0;
		t[y][x] = q < N && k + y < K ? (TB ? b[q * K + k + y] : b[(k + y) * N + q]) : 0;
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 16; i++)
			z += s[y][i] * t[i][x];
		__syncthreads();
	}
	if (r < M && q < N)
		c[r * N + q] = z + (bias ? bias[q] : 0) + (add ? c[r * N + q] : 0);
}
__global__ static void gelu(float *o, const float *i, int n)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k < n) {
		float x = i[k];
		o[k] = 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
	}
}
__global__ static void gelu_back(float *d, const float *i, const float *g, int n)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k < n) {
		float x = i[k], c = 0.044715f * x * x * x, a = 0.7978845608f * (x + c), t = tanhf(a),
		      h = coshf(a), s = 1 / (h * h);
		d[k] = g[k] * (0.5f * (1 + t) + x * 0.5f * s * 0.7978845608f * (1 + 3 * 0.044715f * x * x));
	}
}
__global__ static void classifier(float *logits, float *loss, const int *target, int V, float dl)
{
	__shared__ float red[32];
	int i = blockIdx.x;
	float *x = logits + i * V, m = -FLT_MAX, s = 0;
	for (int k = threadIdx.x; k < V; k += blockDim.x) {
		float v = x[k], o = m;
		m = fmaxf(m, v);
		s = s * expf(o - m) + expf(v - m);
	}
	auto all = [&](float v, bool mx) {
		for (int o = 16; o; o /= 2) {
			float w = __shfl_xor_sync(~0u, v, o);
			v = mx ? fmaxf(v, w) : v + w;
		}
		if (threadIdx.x % 32 == 0)
			red[threadIdx.x / 32] = v;
		__syncthreads();
		int nw = blockDim.x / 32;
		v = threadIdx.x % 32 < nw ? red[threadIdx.x % 32] : mx ? -FLT_MAX : 0;
		for (int o = 16; o; o /= 2) {
			float w = __shfl_xor_sync(~0u, v, o);
			v = mx ? fmaxf(v, w) : v + w;
		}
		__syncthreads();
		return v;
	};
	float M = all(m, true), S = all(s * expf(m - M), false);
	if (threadIdx.x == 0)
		loss[i] = -(x[target[i]] - M - logf(S));
	__syncthreads();
	for (int k = threadIdx.x; k < V; k += blockDim.x) {
		float p = expf(x[k] - M) / S;
		x[k] = (p - (k == target[i])) * dl;
	}
}
__global__ static void bias_back(float *db, const float *g, int n, int c)
{
	int k = blockIdx.x * 32 + threadIdx.x;
	__shared__ float s[8][32];
	float z = 0;
	for (int r = threadIdx.y; r < n; r += 8)
		z += k < c ? g[r * c + k] : 0;
	s[threadIdx.y][threadIdx.x] = z;
	__syncthreads();
	if (threadIdx.y == 0 && k < c) {
		for (int r = 1; r < 8; r++)
			z += s[r][threadIdx.x];
		db[k] += z;
	}
}
__global__ static void adamw(float *p, const float *g, float *m, float *v, int n, float lr, int t)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	m[i] = fmaf(0.9f, m[i], 0.1f * g[i]);
	v[i] = fmaf(0.95f, v[i], 0.05f * g[i] * g[i]);
	float mh = m[i] / (1 - powf(0.9f, t)), vh = v[i] / (1 - powf(0.95f, t));
	p[i] -= lr * (mh / (sqrtf(vh) + 1e-8f) + 0.01f * p[i]);
}
SAMPLE(training_steps_of_a_small_model)
{
	const int T = 16, N = 32, C = 32, H = 64, V = 50;
	auto wte = floats(V * C, 1), wpe = floats(T * C, 2), w1 = floats(C * H, 3), b1 = floats(H, 4),
	     w2 = floats(H * V, 5);
	auto tok = ints(N, V, 6), tgt = ints(N, V, 7);
	device_copy<float> dte(wte), dpe(wpe), d1(w1), db(b1), d2(w2), x(N * C), h(N * H), a(N * H),
		lg(N * V), ls(N), g2(H * V), ga(N * H), gh(N * H), g1(C * H), gb(H), m1(C * H), v1(C * H),
		m2(H * V), v2(H * V), mb(H), vb(H);
	device_copy<int> dt(tok), dg(tgt);
	double first = 0, last = 0;
	for (int step = 1; step <= 6; step++) {
		encoder<<<(N * C / 4 + 63) / 64, 64>>>(x, dt, dte, dpe, T, C, N);
		mm<false, false><<<dim3(4, 2), dim3(16, 16)>>>(x, d1, h, db, N, H, C, false);
		gelu<<<16, 128>>>(a, h, N * H);
		mm<false, false><<<dim3(4, 2), dim3(16, 16)>>>(a, d2, lg, NULL, N, V, H, false);
		classifier<<<N, 64>>>(lg, ls, dg, V, 1.0f / N);
		auto l = ls.host();
		double mean = 0;
		for (float y : l)
			mean += y / N;
		if (step == 1) {
			first = mean;
			double want = 0;
			for (int i = 0; i < N; i++) {
				double e[V], s = 0, A[H];
				for (int j = 0; j < H; j++) {
					double z = b1[j];
					for (int k = 0; k < C; k++)
						z += (wte[tok[i] * C + k] + wpe[i % T * C + k]) *
							w1[k * H + j];
					A[j] = 0.5 * z *
						(1 + tanh(0.7978845608 * (z + 0.044715 * z * z * z)));
				}
				for (int j = 0; j < V; j++) {
					double z = 0;
					for (int k = 0; k < H; k++)
						z += A[k] * w2[k * V + j];
					s += e[j] = exp(z);
				}
				want -= log(e[tgt[i]] / s) / N;
			}
			CHECK(near(mean, want, 1e-4));
		}
		last = mean;
		CUDA(cudaMemsetAsync(gb, 0, H * 4));
		mm<true, false><<<dim3(4, 4), dim3(16, 16)>>>(a, lg, g2, NULL, H, V, N, false);
		mm<false, true><<<dim3(4, 2), dim3(16, 16)>>>(lg, d2, ga, NULL, N, H, V, false);
		gelu_back<<<16, 128>>>(gh, h, ga, N * H);
		bias_back<<<2, dim3(32, 8)>>>(gb, gh, N, H);
		mm<true, false><<<dim3(4, 2), dim3(16, 16)>>>(x, gh, g1, NULL, C, H, N, false);
		adamw<<<16, 128>>>(d1, g1, m1, v1, C * H, 0.05f, step);
		adamw<<<1, 64>>>(db, gb, mb, vb, H, 0.05f, step);
		adamw<<<25, 128>>>(d2, g2, m2, v2, H * V, 0.05f, step);
	}
	CHECK(last < 0.6 * first);
}

__global__ static void q8(
	const int *a, const int *b, const float *sa, const float *sb, float *c, int M, int N, int K4)
{
	int r = blockIdx.y * 8 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x;
	int z = 0;
	for (int k = 0; k < K4; k++)
		z = __dp4a(a[r * K4 + k], b[q * K4 + k], z);
	c[r * N + q] = z * sa[r] * sb[q];
}
__global__ static void quantise(const float *x, char *q, float *s, int k)
{
	int r = blockIdx.x, t = threadIdx.x;
	float m = 0;
	for (int i = t; i < k; i += 32)
		m = fmaxf(m, fabsf(x[r * k + i]));
	for (int o = 16; o; o /= 2)
		m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
	for (int i = t; i < k; i += 32)
		q[r * k + i] = (char)__float2int_rn(x[r * k + i] / m * 127);
	if (!t)
		s[r] = m / 127;
}
SAMPLE(product_of_quantised_bytes)
{
	const int M = 16, N = 32, K = 64;
	auto a = floats(M * K, 1), b = floats(N * K, 2);
	device_copy<float> da(a), db(b), sa(M), sb(N), c(M * N);
	device_copy<char> qa(M * K), qb(N * K);
	quantise<<<M, 32>>>(da, qa, sa, K);
	quantise<<<N, 32>>>(db, qb, sb, K);
	q8<<<dim3(2, 2), dim3(16, 8)>>>((int *)(char *)qa, (int *)(char *)qb, sa, sb, c, M, N, K / 4);
	auto r = c.host();
	for (int i = 0; i < M; i++)
		for (int j = 0; j < N; j++) {
			double z = 0;
			for (int k = 0; k < K; k++)
				z += a[i * K + k] * b[j * K + k];
			CHECK(fabs(r[i * N + j] - z) < 0.05);
		}
}

__global__ static void top_k(const float *x, int n, int k, float *values, int *index)
{
	__shared__ unsigned hist[256], prefix, mask, want;
	__shared__ int got;
	int t = threadIdx.x;
	auto key = [](float f) {
		unsigned u = __float_as_uint(f);
		return u & 0x80000000 ? ~u : u | 0x80000000;
	};
	if (!t) {
		prefix = mask = 0;
		want = k;
		got = 0;
	}
	for (int sh = 24; sh >= 0; sh -= 8) {
		hist[t] = 0;
		__syncthreads();
		for (int i = t; i < n; i += 256) {
			unsigned u = key(x[i]);
			if ((u & mask) == prefix)
				atomicAdd(&hist[u >> sh & 255], 1);
		}
		__syncthreads();
		if (!t) {
			unsigned c = 0;
			int b = 255;
			while (c + hist[b] < want)
				c += hist[b--];
			want -= c;
			prefix |= (unsigned)b << sh;
			mask |= 255u << sh;
		}
		__syncthreads();
	}
	for (int i = t; i < n; i += 256) {
		unsigned u = key(x[i]);
		if (u >= prefix) {
			int p = atomicAdd(&got, 1);
			if (p < k) {
				values[p] = x[i];
				index[p] = i;
			}
		}
	}
}
SAMPLE(largest_by_digits)
{
	const int n = 3000, k = 10;
	auto x = floats(n, 3);
	for (int i = 0; i < n; i++)
		x[i] += i * 1e-6f;
	device_copy<float> d(x), v(k);
	device_copy<int> ix(k);
	top_k<<<1, 256>>>(d, n, k, v, ix);
	auto r = v.host();
	auto q = ix.host();
	for (int i = 0; i < k; i++)
		CHECK(x[q[i]] == r[i]);
	std::sort(r.begin(), r.end());
	std::sort(x.begin(), x.end());
	CHECK(std::equal(r.begin(), r.end(), x.end() - k));
}
