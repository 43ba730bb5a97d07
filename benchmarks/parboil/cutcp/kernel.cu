/* cutcp -- the Coulomb potential of atoms within a cutoff, at the points of a lattice 0.5 apart.
 *
 * Atoms lie in bins, cubes with edges of 4 and room for 8 atoms of 16 bytes: a bin is one line of 128 bytes.
 * A CTA of 8x2x8 threads makes a region of 8x8x8 points, as large as a bin, four points in y a thread. It
 * goes through the bins within reach (a list of offsets in constant memory), 32 at a time: a warp copies a
 * bin to shared memory, one coalesced line, then every thread takes every atom: broadcasts. Neighbouring CTAs
 * copy mostly the same bins, so that the caches serve them again; a launch makes a layer of regions in z. */
#include "cuda_kernel.h"

#define MOST_NEIGHBOURS 343
#define CACHED          32 /* bins */
#define DEPTH           8  /* atoms of a bin */
#define SPACING         0.5f

extern "C" {
__constant__ int neighbour[MOST_NEIGHBOURS];
}

/* What an atom of charge q at squared distance r2 adds. */
CUDA_INLINE float potential(float q, float r2, float cutoff2, float inverse_cutoff2)
{
	float s = fmaf(-r2, inverse_cutoff2, 1.0f);

	return r2 < cutoff2 ? q * rsqrtf(r2) * s * s : 0.0f;
}

/* The bin of region (x, y, z) is origin + x + y bins_x + z bins_xy. */
extern "C" __global__ void cutoff_potential(const float *bins, float *lattice, int origin, int bins_x,
	int bins_xy, int neighbours, float cutoff2, float inverse_cutoff2, int region_z)
{
	__shared__ float4 cache[CACHED * DEPTH];
	int thread = (threadIdx.z * 2 + threadIdx.y) * 8 + threadIdx.x, lane = thread % 32,
	    warp = thread / 32;
	int bin = origin + blockIdx.x + blockIdx.y * bins_x + region_z * bins_xy;
	int ix = blockIdx.x * 8 + threadIdx.x, iy = blockIdx.y * 8 + threadIdx.y,
	    iz = region_z * 8 + threadIdx.z;
	float x = ix * SPACING, y = iy * SPACING, z = iz * SPACING;
	float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

	for (int first = 0; first < neighbours; first += CACHED) {
		int count = min(CACHED, neighbours - first);

		__syncthreads();
		for (int n = warp; n < count; n += 4)
			((float *)cache)[n * 32 + lane] = bins[(bin + neighbour[first + n]) * 32 + lane];
		__syncthreads();
		for (int n = 0; n < count; n++) {
			for (int i = 0; i < DEPTH; i++) {
				float4 atom = cache[n * DEPTH + i];
				float dx = atom.x - x, dy = atom.y - y, dz = atom.z - z;
				float dxz2 = fmaf(dz, dz, dx * dx);

				if (atom.w == 0.0f)
					break; /* the bin has no more */
#pragma unroll
				for (int k = 0; k < 4; k++) {
					float d = dy - k * 2 * SPACING, r2 = fmaf(d, d, dxz2);
					sum[k] += potential(atom.w, r2, cutoff2, inverse_cutoff2);
				}
			}
		}
	}
	int row = gridDim.x * 8, plane = row * gridDim.y * 8;
#pragma unroll
	for (int k = 0; k < 4; k++)
		lattice[iz * plane + (iy + 2 * k) * row + ix] = sum[k];
}
