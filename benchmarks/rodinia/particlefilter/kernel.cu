/* particlefilter -- follows a bright disk through the frames of a video: particles are guesses of where it
 * is. For each frame likelihood() moves them and weighs how well each fits the picture, sum_weights() adds
 * the weights up, normalize() scales them, makes their running sum (one thread) and the points at which
 * find_index() then looks that up: particles are drawn anew, the heavier the more often.
 *
 * In likelihood() a thread has a particle, and a row of words, one for each pixel of the disk, that it fills
 * with the pixels' places and then reads again, twice. The rows are 4 * ones bytes apart, so that every
 * access touches nearly 32 lines, and each thread comes back to its line for 32 steps: only a cache that
 * holds a line for every thread keeps them. The pixels (bytes) lie around where the disk was: few lines, used
 * by all warps. In find_index() all lanes look through the running sums from the beginning, one word for all,
 * as far as the farthest of the warp must. */
#include "cuda_kernel.h"

#define MODEL static __forceinline__ __device__
#include "model.h"

#define CTA 512

/* The likelihood that the particle at (x, y) is the disk, from pixels of about 100 outside and 228 inside. */
static __forceinline__ __device__ float fit(const unsigned char *video, const int *row, int ones)
{
	float sum = 0.0f;

	for (int i = 0; i < ones; i++) {
		float dark = (float)((int)video[row[i]] - 100), bright = (float)((int)video[row[i]] - 228);
		sum += fmaf(dark, dark, -(bright * bright)) / BRIGHTNESS;
	}
	return sum / (float)ones;
}

/* disk: ones pairs of offsets (x, y); place: ones words for each particle; partial: a sum for each CTA */
extern "C" __global__ void likelihood(const float *from_x, const float *from_y, float *at_x, float *at_y,
	unsigned *state, float *weight, float *partial, int *place, const int *disk,
	const unsigned char *video, int particles, int ones, int side, int frames, int frame)
{
	__shared__ float sums[CTA];
	int i = blockIdx.x * blockDim.x + threadIdx.x, tid = threadIdx.x;
	float mine = 0.0f;

	if (i < particles) {
		unsigned s = state[i];
		int *row = place + i * ones, most = side * side * frames;
		float x = from_x[i] + fmaf(5.0f, noise(&s), 1.0f),
		      y = from_y[i] + fmaf(2.0f, noise(&s), -2.0f);
		at_x[i] = x;
		at_y[i] = y;
		state[i] = s;
		int px = (int)floorf(x + 0.5f), py = (int)floorf(y + 0.5f);
		for (int k = 0; k < ones; k++) {
			int p = ((px + disk[2 * k]) * side + py + disk[2 * k + 1]) * frames + frame;
			p = p < 0 ? -p : p;
			row[k] = p < most ? p : 0;
		}
		mine = exponential(fit(video, row, ones)) / (float)particles;
		weight[i] = mine;
	}
	sums[tid] = mine;
	__syncthreads();
	for (int half = CTA / 2; half > 0; half /= 2) {
		if (tid < half)
			sums[tid] += sums[tid + half];
		__syncthreads();
	}
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

/* One thread. The sum goes to partial[0]. */
extern "C" __global__ void sum_weights(float *partial, int ctas)
{
	float sum = 0.0f;

	if (blockIdx.x * blockDim.x + threadIdx.x != 0)
		return;
	for (int i = 0; i < ctas; i++)
		sum += partial[i];
	partial[0] = sum;
}

/* One thread makes the running sums once the weights are scaled, which takes a launch of its own. */
extern "C" __global__ void normalize(
	float *weight, const float *partial, float *draw, int particles, float first)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= particles)
		return;
	weight[i] = weight[i] / partial[0];
	draw[i] = ((float)i + first) / (float)particles;
}

extern "C" __global__ void running_sum(const float *weight, float *running, int particles)
{
	float sum = 0.0f;

	for (int i = 0; i < particles; i++)
		running[i] = sum += weight[i];
}

extern "C" __global__ void find_index(const float *at_x, const float *at_y, const float *running,
	const float *draw, float *to_x, float *to_y, int particles)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, found = 0;

	if (i >= particles)
		return;
	float u = draw[i];
	while (found < particles - 1 && running[found] < u)
		found++;
	to_x[i] = at_x[found];
	to_y[i] = at_y[found];
}
