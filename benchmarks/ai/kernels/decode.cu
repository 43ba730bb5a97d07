/* decode.cu -- one new token of each sequence attends to all before it, whose keys and values lie in pages of
 * 16 positions: [page][head][16][128], f16 (sm_75). */
#include "common.cuh"

enum { HEAD = 128, PAGE = 16, WARPS = 4 };

struct four {
	float x[4];
};

__device__ inline four load_four(const u16 *p)
{
	uint2 bits = *(const uint2 *)p;

	return four{ { low_f16(bits.x), high_f16(bits.x), low_f16(bits.y), high_f16(bits.y) } };
}

/* Sums relative to the largest score so far. */
struct state {
	float most, total, sum[4];
};

/* The positions from `first` on, every fourth of which is this warp's. A lane has four elements of the head.
 */
template <int HEADS>
__device__ inline void attend(state (&s)[HEADS], const u16 *q, const u16 *k, const u16 *v, const int *pages,
	int head, int heads, int first, int last)
{
	const float scale = 0.08838834764f * 1.4426950408889634f;
	int lane = threadIdx.x % 32;
	four x[HEADS];

	for (int h = 0; h < HEADS; h++) {
		x[h] = load_four(q + h * HEAD + 4 * lane);
		s[h] = state{ -1e30f, 0, { 0, 0, 0, 0 } };
	}
	for (int t = first + threadIdx.x / 32; t < last; t += WARPS) {
		size_t at = (((size_t)pages[t / PAGE] * heads + head) * PAGE + t % PAGE) * HEAD + 4 * lane;
		four key = load_four(k + at), value = load_four(v + at);

		for (int h = 0; h < HEADS; h++) {
			float score = 0, most, factor, weight;

			for (int i = 0; i < 4; i++)
				score += x[h].x[i] * key.x[i];
			score = lanes<sum_op, 32>(score) * scale;
			most = fmaxf(s[h].most, score);
			factor = exp2f(s[h].most - most);
			weight = exp2f(score - most);
			s[h].most = most;
			s[h].total = s[h].total * factor + weight;
			for (int i = 0; i < 4; i++)
				s[h].sum[i] = s[h].sum[i] * factor + weight * value.x[i];
		}
	}
}

/* The sums of the warps for one head, by thread an element; all threads get `most` and `total`. */
struct joined {
	float most, total, sum;
};

__device__ inline joined join_warps(const state &s)
{
	__shared__ float sum[WARPS][HEAD], most[WARPS], total[WARPS];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	joined all = { -1e30f, 0, 0 };

	__syncthreads();
	for (int i = 0; i < 4; i++)
		sum[warp][4 * lane + i] = s.sum[i];
	most[warp] = s.most;
	total[warp] = s.total;
	__syncthreads();
	for (int w = 0; w < WARPS; w++)
		all.most = fmaxf(all.most, most[w]);
	for (int w = 0; w < WARPS; w++) {
		float factor = exp2f(most[w] - all.most);

		all.total += total[w] * factor;
		all.sum += sum[w][threadIdx.x] * factor;
	}
	return all;
}

/* A block has a head of keys, a sequence, and one of `gridDim.z` parts of its positions. With one part the
 * result goes to out, otherwise the sums go to `sums` and (most, total) to `state`. */
template <int HEADS>
__device__ inline void decode(const u16 *q, const u16 *k, const u16 *v, const int *pages, const int *lengths,
	u16 *out, float *sums, float2 *states, int most_pages)
{
	int head = blockIdx.x, heads = gridDim.x, sequence = blockIdx.y, parts = gridDim.z,
	    length = lengths[sequence];
	int each = (length + parts - 1) / parts, first = blockIdx.z * each;
	size_t row = ((size_t)sequence * heads + head) * HEADS;
	state s[HEADS];

	attend<HEADS>(s, q + row * HEAD, k, v, pages + (size_t)sequence * most_pages, head, heads, first,
		min(first + each, length));
	for (int h = 0; h < HEADS; h++) {
		joined all = join_warps(s[h]);
		size_t at = (row + h) * parts + blockIdx.z;

		if (parts == 1) {
			out[at * HEAD + threadIdx.x] = to_f16(all.sum / all.total);
		} else {
			sums[at * HEAD + threadIdx.x] = all.sum;
			if (threadIdx.x == 0)
				states[at] = make_float2(all.most, all.total);
		}
	}
}

KERNEL __launch_bounds__(128) decode_single(const u16 *q, const u16 *k, const u16 *v, const int *pages,
	const int *lengths, u16 *out, float *sums, float2 *states, int most_pages)
{
	decode<1>(q, k, v, pages, lengths, out, sums, states, most_pages);
}

KERNEL __launch_bounds__(128) decode_grouped(const u16 *q, const u16 *k, const u16 *v, const int *pages,
	const int *lengths, u16 *out, float *sums, float2 *states, int most_pages)
{
	decode<4>(q, k, v, pages, lengths, out, sums, states, most_pages);
}

/* Joins the parts of a row; a block has one. */
KERNEL __launch_bounds__(128) decode_join(const float *sums, const float2 *states, u16 *out, int parts)
{
	size_t row = blockIdx.x;
	float most = -1e30f, total = 0, sum = 0;

	for (int p = 0; p < parts; p++)
		most = fmaxf(most, states[row * parts + p].x);
	for (int p = 0; p < parts; p++) {
		float2 s = states[row * parts + p];
		float factor = exp2f(s.x - most);

		total += s.y * factor;
		sum += sums[(row * parts + p) * HEAD + threadIdx.x] * factor;
	}
	out[row * HEAD + threadIdx.x] = to_f16(sum / total);
}

/* New keys and values, [token][head][128], go to their places: `slot` counts positions of all pages. */
KERNEL kv_append(const uint4 *k, const uint4 *v, uint4 *pages_k, uint4 *pages_v, const int *slot, int heads)
{
	int token = blockIdx.x, at = slot[token];

	for (int i = threadIdx.x; i < heads * 16; i += blockDim.x) {
		size_t to = (((size_t)(at / PAGE) * heads + i / 16) * PAGE + at % PAGE) * 16 + i % 16;
		size_t from = (size_t)token * heads * 16 + i;

		pages_k[to] = k[from];
		pages_v[to] = v[from];
	}
}
