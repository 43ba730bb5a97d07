/* state.cu -- state-space models: the causal convolution before them, the scan over a sequence, the step of
 * one token. Tensors are [sequence][position][channel] of f32 (sm_75). */
#include "common.cuh"

enum { STATES = 16, TAPS = 4 };

__device__ inline float silu(float x)
{
	return x / (1 + __expf(-x));
}

/* Each channel has four taps over its own past. */
KERNEL conv1d(
	const float *x, const float *taps, const float *bias, float *out, int length, int channels, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = i / channels % length, c = i % channels;
	float sum;

	if (i >= count)
		return;
	sum = bias[c];
	for (int j = 0; j < TAPS; j++)
		if (t >= TAPS - 1 - j)
			sum += taps[c * TAPS + j] * x[i - (TAPS - 1 - j) * channels];
	out[i] = silu(sum);
}

/* h' = decay * h + in: two such steps are one. */
struct step {
	float decay, in;
};

__device__ inline step both(step first, step second)
{
	return step{ first.decay * second.decay, first.in * second.decay + second.in };
}

/* The steps of all threads before this one, of a block of 128, applied to h; h becomes the state behind all.
 */
__device__ inline float scan_before(step mine, float &h)
{
	__shared__ step of_warp[4];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	step sum = mine, before;
	float start = h;

	for (int d = 1; d < 32; d *= 2) {
		step other = { __shfl_up_sync(0xffffffff, sum.decay, d),
			__shfl_up_sync(0xffffffff, sum.in, d) };

		if (lane >= d)
			sum = both(other, sum);
	}
	__syncthreads();
	if (lane == 31)
		of_warp[warp] = sum;
	__syncthreads();
	before = step{ __shfl_up_sync(0xffffffff, sum.decay, 1), __shfl_up_sync(0xffffffff, sum.in, 1) };
	if (lane == 0)
		before = step{ 1, 0 };
	for (int w = 0; w < 4; w++) {
		h = h * of_warp[w].decay + of_warp[w].in;
		if (w + 1 == warp)
			start = h;
	}
	return start * before.decay + before.in;
}

enum { ITEMS = 4 };

/* h = exp(delta a) h + delta b x; y = c h + skip x. A block of 128 has a channel of a sequence; each thread
 * has four neighbouring positions of a part of 512. b and c are [sequence][position][16], a is [channel][16].
 */
KERNEL __launch_bounds__(128) selective_scan(const float *x, const float *delta, const float *a,
	const float *b, const float *c, const float *skip, float *y, int length, int channels)
{
	int channel = blockIdx.x;
	size_t sequence = (size_t)blockIdx.y * length;
	float h[STATES] = {};

	for (int part = 0; part < length; part += 128 * ITEMS) {
		int first = part + threadIdx.x * ITEMS;
		float in[ITEMS], width[ITEMS], out[ITEMS];

		for (int i = 0; i < ITEMS; i++) {
			size_t at = (sequence + first + i) * channels + channel;
			bool there = first + i < length;

			in[i] = there ? x[at] : 0;
			width[i] = there ? delta[at] : 0;
			out[i] = in[i] * skip[channel];
		}
		for (int s = 0; s < STATES; s++) {
			float rate = a[channel * STATES + s] * 1.4426950408889634f, state;
			step steps[ITEMS], all = { 1, 0 };

			for (int i = 0; i < ITEMS; i++) {
				size_t at = (sequence + min(first + i, length - 1)) * STATES + s;

				steps[i] = step{ exp2f(width[i] * rate), width[i] * b[at] * in[i] };
				all = both(all, steps[i]);
			}
			state = scan_before(all, h[s]);
			for (int i = 0; i < ITEMS; i++) {
				size_t at = (sequence + min(first + i, length - 1)) * STATES + s;

				state = steps[i].decay * state + steps[i].in;
				out[i] += c[at] * state;
			}
		}
		for (int i = 0; i < ITEMS; i++)
			if (first + i < length)
				y[(sequence + first + i) * channels + channel] = out[i];
	}
}

/* The same for one new token of each sequence, whose states [sequence][channel][16] are in memory. */
KERNEL state_update(float *h, const float *x, const float *delta, const float *a, const float *b,
	const float *c, const float *skip, float *y, int channels, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, sequence = i / channels, channel = i % channels;
	float out;

	if (i >= count)
		return;
	out = x[i] * skip[channel];
	for (int s = 0; s < STATES; s += 4) {
		float4 state = *(float4 *)&h[(size_t)i * STATES + s],
		       rate = *(const float4 *)&a[channel * STATES + s];
		float4 in = *(const float4 *)&b[sequence * STATES + s],
		       to = *(const float4 *)&c[sequence * STATES + s];

		state.x = __expf(delta[i] * rate.x) * state.x + delta[i] * in.x * x[i];
		state.y = __expf(delta[i] * rate.y) * state.y + delta[i] * in.y * x[i];
		state.z = __expf(delta[i] * rate.z) * state.z + delta[i] * in.z * x[i];
		state.w = __expf(delta[i] * rate.w) * state.w + delta[i] * in.w * x[i];
		out += state.x * to.x + state.y * to.y + state.z * to.z + state.w * to.w;
		*(float4 *)&h[(size_t)i * STATES + s] = state;
	}
	y[i] = out;
}
