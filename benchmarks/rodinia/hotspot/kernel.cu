/* hotspot -- temperatures of a chip: `steps` steps of a five-point stencil with a source in each cell; a
 * thread to a cell, the pyramid of Rodinia.
 *
 * A CTA of 16 x 16 threads loads its tile of temperatures and powers once, and does all steps in shared
 * memory; each step, the ring of cells whose neighbours are not known any more is one cell wider, so that
 * tiles overlap by 2 x steps cells and only the middle is stored. A warp loads two rows of 64 bytes. What
 * neighbouring CTAs load twice, the halo, is the only reuse in global memory. */
#include "cuda_kernel.h"
#include "hotspot.h"
#include "../scratch.h"

static __device__ bool within(int i, int first, int last)
{
	return i >= first && i <= last;
}

extern "C" __global__ void hotspot(const float *power, const float *from, float *to, int rows, int columns,
	int steps, hotspot_flow f SCRATCH_PARAMETER)
{
	const int T = HOTSPOT_TILE;
	SCRATCH(float, HOTSPOT_SCRATCH, tile);
	float *now = tile, *next = tile + T * T, *source = tile + 2 * T * T;
	int tx = threadIdx.x, ty = threadIdx.y, stored = T - 2 * steps, own = T * ty + tx;
	int top = stored * blockIdx.y - steps, left = stored * blockIdx.x - steps;
	int row = top + ty, column = left + tx, cell = row * columns + column;
	bool inside = within(row, 0, rows - 1) && within(column, 0, columns - 1), known = false;

	if (inside) {
		now[own] = from[cell];
		source[own] = power[cell];
	}
	__syncthreads();

	/* at the chip's edge a cell is its own neighbour */
	int north = T * max(ty - 1, max(0, -top)) + tx, south = T * min(ty + 1, min(T, rows - top) - 1) + tx;
	int west = T * ty + max(tx - 1, max(0, -left)),
	    east = T * ty + min(tx + 1, min(T, columns - left) - 1);
	for (int s = 1;; s++) {
		known = inside && within(tx, s, T - 1 - s) && within(ty, s, T - 1 - s);
		if (known) {
			float t = now[own];
			next[own] =
				t + f.step * (source[own] + (now[south] + now[north] - 2.0f * t) * f.along_y +
						     (now[east] + now[west] - 2.0f * t) * f.along_x +
						     (f.ambient - t) * f.out);
		}
		__syncthreads();
		if (s == steps)
			break;
		if (known)
			now[own] = next[own];
		__syncthreads();
	}
	if (known)
		to[cell] = next[own];
}
