/* backprop -- one training step of a neural network with one hidden layer: the two kernels between a wide
 * input layer and 16 hidden units.
 *
 * A CTA of 16 x 16 threads has the weights of 16 inputs, one each: row = input, column = hidden unit. The
 * matrix has a row and a column more, number 0, for the bias, so that a row is 17 floats, and the two rows of
 * a warp lie in two or three lines. Each weight is read once (and in backprop_adjust written, with its last
 * change beside it); the inputs, one for each row, and the deltas, the same for all CTAs, are what is reused.
 *
 * backprop_forward multiplies weights and inputs in a tile in shared memory and adds up its 16 rows in a
 * tree, with a barrier a step; as published, the tile then goes back over the weights, which the host must
 * restore, and its first row, the CTA's sums, is stored by the threads of column 0, two to a warp. */
#include "cuda_kernel.h"
#include "backprop.h"
#include "../scratch.h"

/* partial: 16 sums for each CTA */
extern "C" __global__ void backprop_forward(
	const float *input, float *weight, float *partial SCRATCH_PARAMETER)
{
	SCRATCH(float, BACKPROP_SCRATCH, tile);
	float *in = tile + 16 * 16;
	int column = threadIdx.x, row = threadIdx.y, i = 16 * blockIdx.y + row + 1;
	float *w = weight + i * BACKPROP_STRIDE + column + 1, *own = tile + 16 * row + column;

	if (column == 0)
		in[row] = input[i];
	__syncthreads();
	*own = *w;
	__syncthreads();
	*own *= in[row];
	__syncthreads();
	for (int half = 1; half < 16; half *= 2) {
		if (row % (2 * half) == 0)
			*own += own[16 * half];
		__syncthreads();
	}
	*w = *own;
	__syncthreads();
	if (column == 0)
		partial[16 * blockIdx.y + row] = tile[row];
}

/* change: what was added to each weight last time. delta[1 .. 16]: the hidden units' errors. */
extern "C" __global__ void backprop_adjust(
	const float *delta, const float *input, float *weight, float *change)
{
	int column = threadIdx.x + 1, row = 16 * blockIdx.y + threadIdx.y + 1;
	int at = row * BACKPROP_STRIDE + column;

	weight[at] += BACKPROP_RATE * delta[column] * input[row] + BACKPROP_MOMENTUM * change[at];
	change[at] = BACKPROP_RATE * delta[column] * input[row] + BACKPROP_MOMENTUM * change[at];
	__syncthreads();
	if (threadIdx.y == 0 && blockIdx.y == 0) {
		weight[column] += BACKPROP_RATE * delta[column] + BACKPROP_MOMENTUM * change[column];
		change[column] = BACKPROP_RATE * delta[column] + BACKPROP_MOMENTUM * change[column];
	}
}
