/* lps -- Jacobi iteration for Laplace's equation on a grid of nx by ny by nz points: each inner point becomes
 * the mean of its six neighbours, a border point stays.
 *
 * A CTA of 32x4 threads has a column of the grid, all nz planes of it. It keeps three planes of its tile and
 * a halo of one point around it in shared memory, in turn: to each step upwards every point is read once,
 * coalesced, and its neighbours come from shared memory. The halo is read again by the CTAs beside: rows
 * above and below coalesce, the points left and right are one word of a line each. Rows begin at lines (pitch
 * words apart). */
#include "cuda_kernel.h"

#define TILE_X 32
#define TILE_Y 4
#define ROW    (TILE_X + 2) /* words of a row of the tile with its halo */
#define PLANE  (ROW * (TILE_Y + 2))
#define AROUND (2 * (TILE_X + TILE_Y)) /* points of the halo that are neighbours of the tile */

extern "C" __global__ void laplace(float *out, const float *in, int nx, int ny, int nz, int pitch)
{
	__shared__ float tile[3 * PLANE];
	int t = threadIdx.y * TILE_X + threadIdx.x;
	int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
	int own = (threadIdx.y + 1) * ROW + threadIdx.x + 1; /* this thread's point in a plane of the tile */
	bool active = x < nx && y < ny;

	/* The halo: the rows above and below, then the columns left and right. */
	int hx = t < 2 * TILE_X ? t % TILE_X : (t & 1 ? TILE_X : -1);
	int hy = t < 2 * TILE_X ? (t < TILE_X ? -1 : TILE_Y) : (t - 2 * TILE_X) / 2;
	int halo = (hy + 1) * ROW + hx + 1;
	hx += blockIdx.x * TILE_X;
	hy += blockIdx.y * TILE_Y;
	bool fetches = t < AROUND && hx >= 0 && hx < nx && hy >= 0 && hy < ny;

	int plane = pitch * ny, at = y * pitch + x, halo_at = hy * pitch + hx;
	float *below = tile, *here = tile + PLANE, *above = tile + 2 * PLANE;

	if (active)
		above[own] = in[at];
	if (fetches)
		above[halo] = in[halo_at];
	for (int z = 0; z < nz; z++) {
		float *free = below;

		below = here;
		here = above;
		above = free;
		if (z + 1 < nz) {
			if (active)
				above[own] = in[at + plane];
			if (fetches)
				above[halo] = in[halo_at + plane];
		}
		__syncthreads();
		if (active) {
			float value = here[own];
			if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
				value = (here[own - 1] + here[own + 1] + here[own - ROW] + here[own + ROW] +
						below[own] + above[own]) *
					(1.0f / 6.0f);
			out[at] = value;
		}
		__syncthreads(); /* before the plane below is overwritten */
		at += plane;
		halo_at += plane;
	}
}
