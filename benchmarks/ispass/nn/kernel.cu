/* nn -- a network that recognises handwritten digits: two layers of convolutions of 5x5 with stride 2 (29x29
 * pixels to 6 maps of 13x13 neurons, to some 50 maps of 5x5), two fully connected ones (to 100 neurons, to
 * 10).
 *
 * One kernel for each layer, a CTA for each map or neuron of each digit. All lanes of a CTA use the same
 * weight at a time, and every digit the same weights; the windows of neighbouring neurons overlap: nearly all
 * loads hit. The fully connected layers have CTAs of a single thread, as published: a load fetches a line for
 * one word, and the next 31 iterations find theirs in it, unless other CTAs have driven it out. */
#include "cuda_kernel.h"
#include "layers.h"

/* 1.7159 tanh(2 x / 3) */
CUDA_INLINE float activation(float x)
{
	return 1.7159f * (1.0f - 2.0f / (__expf(1.33333333f * x) + 1.0f));
}

/* weights: for each map a bias and the window's rows */
extern "C" __global__ void layer1(float *out, const float *in, const float *weights)
{
	int x = threadIdx.x, y = threadIdx.y;
	const float *w = weights + blockIdx.x * (1 + WINDOW * WINDOW);
	const float *window = in + blockIdx.y * INPUT * INPUT + 2 * y * INPUT + 2 * x;
	float sum = *w++;

	for (int j = 0; j < WINDOW; j++)
		for (int i = 0; i < WINDOW; i++)
			sum += window[j * INPUT + i] * *w++;
	out[((blockIdx.y * MAPS1 + blockIdx.x) * SIDE1 + y) * SIDE1 + x] = activation(sum);
}

/* weights: for each map a bias, and for each place of the window a word for each map of the layer before */
extern "C" __global__ void layer2(float *out, const float *in, const float *weights)
{
	int x = threadIdx.x, y = threadIdx.y;
	const float *w = weights + blockIdx.x * (1 + WINDOW * WINDOW * MAPS1);
	const float *window = in + blockIdx.y * MAPS1 * SIDE1 * SIDE1 + 2 * y * SIDE1 + 2 * x;
	float sum = *w++;

	for (int j = 0; j < WINDOW; j++)
		for (int i = 0; i < WINDOW; i++)
			for (int map = 0; map < MAPS1; map++)
				sum += window[(map * SIDE1 + j) * SIDE1 + i] * *w++;
	out[((blockIdx.y * gridDim.x + blockIdx.x) * SIDE2 + y) * SIDE2 + x] = activation(sum);
}

CUDA_INLINE void connected(float *out, const float *in, const float *weights, int inputs)
{
	const float *w = weights + blockIdx.x * (1 + inputs);
	float sum = *w++;

	in += blockIdx.y * inputs;
	for (int i = 0; i < inputs; i++)
		sum += in[i] * w[i];
	out[blockIdx.y * gridDim.x + blockIdx.x] = activation(sum);
}

/* weights: for each neuron a bias, and a word for each neuron of the layer before */
extern "C" __global__ void layer3(float *out, const float *in, const float *weights, int inputs)
{
	connected(out, in, weights, inputs);
}

extern "C" __global__ void layer4(float *out, const float *in, const float *weights, int inputs)
{
	connected(out, in, weights, inputs);
}
