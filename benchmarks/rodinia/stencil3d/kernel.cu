/* stencil3d -- one time step of heat in a block of nx by ny by nz cells: each becomes a sum of itself, its
 * six neighbours, its power and its loss to the air. Beyond the faces it is as warm as at them.
 *
 * All in global memory. A CTA is 64 by 4 threads, each a column of cells along z: the cell, the one before
 * and the one behind it pass through registers, the four neighbours are loaded. Loads coalesce, but for west
 * and east, which touch a second line. A layer's lines are used by the rows above and below (two warps of
 * this CTA, or others), soon; rows are 4 nx bytes apart and layers 4 nx ny: powers of two put them into few
 * sets. */
#include "cuda_kernel.h"

/* conductances: to a neighbour in x, y, z, and to the air */
extern "C" __global__ void stencil3d(const float *power, const float *from, float *to, int nx, int ny, int nz,
	float cx, float cy, float cz, float air, float ambient, float step)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int at = y * nx + x, layer = nx * ny;

	if (x >= nx || y >= ny)
		return;
	int west = x > 0 ? -1 : 0, east = x < nx - 1 ? 1 : 0, north = y > 0 ? -nx : 0,
	    south = y < ny - 1 ? nx : 0;
	float self = 1.0f - 2.0f * (cx + cy + cz) - air;
	float before = from[at], here = before;

	for (int z = 0; z < nz; z++, at += layer) {
		float behind = z < nz - 1 ? from[at + layer] : here;
		float sum = fmaf(step, power[at], air * ambient);
		sum = fmaf(self, here, sum);
		sum = fmaf(cx, from[at + west] + from[at + east], sum);
		sum = fmaf(cy, from[at + north] + from[at + south], sum);
		to[at] = fmaf(cz, before + behind, sum);
		before = here;
		here = behind;
	}
}
