/* convseparable -- convolution of an image with a product of a row filter and a column filter, radius 8.
 *
 * Two kernels, the second on what the first wrote. A CTA reads a tile and a halo of one CTA's width on both
 * sides into shared memory, once; outside the image is zero. The seventeen taps are in constant memory, the
 * same for all lanes at a time. A CTA is 16 threads wide, so that a warp reads or writes half a line in each
 * of two rows; what the caches see again is the other half of a line, in the row kernel by the same warp at
 * once, in the column kernel by the CTA beside, and the halo, an eighth of a tile on either side. */
#include "cuda_kernel.h"

#define RADIUS 8
#define STEPS  8  /* results of a thread */
#define HALO   1  /* steps on either side, at least RADIUS wide */
#define ROW_X  16 /* CTA of the row kernel */
#define ROW_Y  4
#define COL_X  16 /* of the column kernel */
#define COL_Y  8

__constant__ float taps[2 * RADIUS + 1];

extern "C" __global__ void convolve_rows(float *out, const float *in, int width)
{
	__shared__ float tile[ROW_Y][(STEPS + 2 * HALO) * ROW_X];
	int tx = threadIdx.x, ty = threadIdx.y;
	int left = (blockIdx.x * STEPS - HALO) * ROW_X + tx; /* the column of this thread's first word */
	int row = (blockIdx.y * ROW_Y + ty) * width;

#pragma unroll
	for (int i = 0; i < STEPS + 2 * HALO; i++) {
		int x = left + i * ROW_X;
		tile[ty][tx + i * ROW_X] = x >= 0 && x < width ? in[row + x] : 0.0f;
	}
	__syncthreads();
#pragma unroll
	for (int i = HALO; i < STEPS + HALO; i++) {
		float sum = 0.0f;
#pragma unroll
		for (int j = -RADIUS; j <= RADIUS; j++)
			sum += taps[RADIUS - j] * tile[ty][tx + i * ROW_X + j];
		out[row + left + i * ROW_X] = sum;
	}
}

extern "C" __global__ void convolve_columns(float *out, const float *in, int width, int height)
{
	/* transposed and one word wider than needed: half a warp's words lie in different banks */
	__shared__ float tile[COL_X][(STEPS + 2 * HALO) * COL_Y + 1];
	int tx = threadIdx.x, ty = threadIdx.y;
	int top = (blockIdx.y * STEPS - HALO) * COL_Y + ty; /* the row of this thread's first word */
	int column = blockIdx.x * COL_X + tx;

#pragma unroll
	for (int i = 0; i < STEPS + 2 * HALO; i++) {
		int y = top + i * COL_Y;
		tile[tx][ty + i * COL_Y] = y >= 0 && y < height ? in[y * width + column] : 0.0f;
	}
	__syncthreads();
#pragma unroll
	for (int i = HALO; i < STEPS + HALO; i++) {
		float sum = 0.0f;
#pragma unroll
		for (int j = -RADIUS; j <= RADIUS; j++)
			sum += taps[RADIUS - j] * tile[tx][ty + i * COL_Y + j];
		out[(top + i * COL_Y) * width + column] = sum;
	}
}
