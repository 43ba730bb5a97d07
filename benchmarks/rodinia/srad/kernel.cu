/* srad -- speckle-reducing anisotropic diffusion of an image, version 2: srad_coefficient() works out the
 * four differences of each pixel to its neighbours and from them how much it may change, srad_update()
 * changes it.
 *
 * A CTA is 16 by 16 threads and has such a tile. A row of a tile is 64 bytes, and the rows are an image's
 * width apart: where that is a multiple of 4 KB, all 16 lines of a tile fall into one set of a 16 KB cache
 * (MRPB, Figure 3). Every thread loads its pixel and the four beside its tile in its row or column, into
 * shared memory: 5 KB of tiles and one for the result, six in all, as the original has. In srad_update() the
 * same with the coefficients of the pixel and of the tiles south and east, and each thread its own four
 * differences. Lines are shared with the CTAs to the left and right (half a line each), above and below.
 *
 * With UNSHARED each thread reads its neighbours themselves from global memory: each pixel five times, by
 * threads of the same CTA mostly, which a cache may catch. */
#include "cuda_kernel.h"

#define TILE 16

/* The derivatives come out in one order everywhere: north, south, west, east. */
struct around {
	float north, south, west, east;
};

/* How much a pixel may change, 0 to 1: here its value, d the differences, q0 the speckle of the whole image.
 */
static __forceinline__ __device__ float coefficient_of(float here, around d, float q0)
{
	float squares = fmaf(d.north, d.north, d.south * d.south);
	float g2 = fmaf(d.east, d.east, fmaf(d.west, d.west, squares)) / (here * here);
	float l = (d.north + d.south + d.west + d.east) / here;
	float den = fmaf(0.25f, l, 1.0f);
	float q = fmaf(0.5f, g2, -0.0625f * (l * l)) / (den * den);
	float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));

	return c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

/* The image has as many rows and columns as the grid has threads; beyond its edges it is as at them. */
extern "C" __global__ void srad_coefficient(const float *image, float *north, float *south, float *west,
	float *east, float *coefficient, int cols, int rows, float q0)
{
	int tx = threadIdx.x, ty = threadIdx.y, left = TILE * blockIdx.x, top = TILE * blockIdx.y;
	int at = cols * top + left + cols * ty + tx;
#ifdef UNSHARED
	int row = top + ty, col = left + tx;
	float here = image[at];
	around d = { image[row > 0 ? at - cols : at] - here, image[row < rows - 1 ? at + cols : at] - here,
		image[col > 0 ? at - 1 : at] - here, image[col < cols - 1 ? at + 1 : at] - here };
	float c = coefficient_of(here, d, q0);
#else
	__shared__ float tile[TILE][TILE], above[TILE][TILE], below[TILE][TILE], before[TILE][TILE],
		behind[TILE][TILE], result[TILE][TILE];

	tile[ty][tx] = image[at];
	above[ty][tx] = image[cols * max(top - 1, 0) + left + tx];
	below[ty][tx] = image[cols * min(top + TILE, rows - 1) + left + tx];
	before[ty][tx] = image[cols * (top + ty) + max(left - 1, 0)];
	behind[ty][tx] = image[cols * (top + ty) + min(left + TILE, cols - 1)];
	__syncthreads();
	float here = tile[ty][tx];
	around d = { (ty > 0 ? tile[ty - 1][tx] : above[ty][tx]) - here,
		(ty < TILE - 1 ? tile[ty + 1][tx] : below[ty][tx]) - here,
		(tx > 0 ? tile[ty][tx - 1] : before[ty][tx]) - here,
		(tx < TILE - 1 ? tile[ty][tx + 1] : behind[ty][tx]) - here };
	result[ty][tx] = coefficient_of(here, d, q0);
	__syncthreads();
	float c = result[ty][tx];
#endif
	coefficient[at] = c;
	north[at] = d.north;
	south[at] = d.south;
	west[at] = d.west;
	east[at] = d.east;
}

extern "C" __global__ void srad_update(float *image, const float *north, const float *south,
	const float *west, const float *east, const float *coefficient, int cols, int rows,
	float quarter_lambda)
{
	int tx = threadIdx.x, ty = threadIdx.y, left = TILE * blockIdx.x, top = TILE * blockIdx.y;
	int at = cols * top + left + cols * ty + tx;
#ifdef UNSHARED
	float here = image[at], c = coefficient[at];
	float c_south = coefficient[top + ty < rows - 1 ? at + cols : at];
	float c_east = coefficient[left + tx < cols - 1 ? at + 1 : at];
#else
	__shared__ float tile[TILE][TILE], coefficients[TILE][TILE], below[TILE][TILE], behind[TILE][TILE],
		result[TILE][TILE];

	tile[ty][tx] = image[at];
	coefficients[ty][tx] = coefficient[at];
	below[ty][tx] = coefficient[cols * min(top + TILE, rows - 1) + left + tx];
	behind[ty][tx] = coefficient[cols * (top + ty) + min(left + TILE, cols - 1)];
	__syncthreads();
	float here = tile[ty][tx], c = coefficients[ty][tx];
	float c_south = ty < TILE - 1 ? coefficients[ty + 1][tx] : below[ty][tx];
	float c_east = tx < TILE - 1 ? coefficients[ty][tx + 1] : behind[ty][tx];
#endif
	float divergence = fmaf(c, north[at], c_south * south[at]);
	divergence = fmaf(c_east, east[at], fmaf(c, west[at], divergence));
	float changed = fmaf(quarter_lambda, divergence, here);
#ifndef UNSHARED
	result[ty][tx] = changed;
	__syncthreads();
	changed = result[ty][tx];
#endif
	image[at] = changed;
}
