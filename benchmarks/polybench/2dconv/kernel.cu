/* 2dconv -- B = A convolved with 3 by 3 weights, inside the border, which stays as it is; a thread per
 * element, as in PolyBench/GPU.
 *
 * Nine loads, three rows by three columns, row by row. The lanes of a warp are neighbours in a row: a
 * load is one line, or two where it begins a word beside one. A row is needed by the warps of three rows,
 * eight of which are one CTA; the columns beside are in the same lines. With rows of a multiple of 4 KB all
 * rows of a CTA fall into the same one or two sets of a 16 KB L1. */
#include "cuda_kernel.h"

extern "C" __global__ void conv2d(const float *a, float *b, int ni, int nj)
{
	const float weight[3][3] = { { 0.2f, 0.5f, -0.8f }, { -0.3f, 0.6f, -0.9f }, { 0.4f, 0.7f, 0.1f } };
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < 1 || j < 1 || i >= ni - 1 || j >= nj - 1)
		return;
	float sum = 0.0f;
#pragma unroll
	for (int row = 0; row < 3; row++)
#pragma unroll
		for (int column = 0; column < 3; column++)
			sum = fmaf(weight[row][column], a[(i + row - 1) * nj + j + column - 1], sum);
	b[i * nj + j] = sum;
}
