/* tpacf -- two-point angular correlation: histograms of the angles between all pairs of points on the sky.
 *
 * CTA 0 takes the pairs of the observed points, CTAs 1 to sets those within each random set, the others those
 * between the observed points and each random set. 256 points at a time lie in shared memory, x, y and z
 * apart; each thread goes through them with a point of its own (coalesced, and read again for the next 256).
 * The bin is found by binary search among bounds in constant memory, where lanes part: up to 5 steps, an
 * address a lane. A bin has 128 counters in shared memory, two threads to one, raised by atomics; a lane's
 * counters all lie in its own bank, so that nothing conflicts. */
#include "cuda_kernel.h"

#define BINS     20 /* and one below, one above */
#define CTA      256
#define COUNTERS 128

extern "C" {
__constant__ float bound[BINS + 1]; /* falling: cosines */
}

/* 0: at least the first bound; k: below bound k - 1, at least bound k; BINS + 1: below all */
CUDA_INLINE int bin_of(float cosine)
{
	int low = -1, high = BINS + 1; /* cosine < bound[low], cosine >= bound[high] */

	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (cosine >= bound[middle])
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* Adds up the counters of each bin, into the first. */
CUDA_INLINE void add_up(unsigned counter[BINS + 2][COUNTERS])
{
	for (int half = COUNTERS / 2; half; half /= 2) {
		__syncthreads();
		for (int i = threadIdx.x; i < (BINS + 2) * half; i += CTA)
			counter[i / half][i % half] += counter[i / half][i % half + half];
	}
	__syncthreads();
}

/* x, y, z: the observed points, then each random set, `points` each. */
extern "C" __global__ void pair_histograms(
	const float *x, const float *y, const float *z, unsigned *histogram, int sets, int points)
{
	__shared__ unsigned counter[BINS + 2][COUNTERS];
	__shared__ float tile_x[CTA], tile_y[CTA], tile_z[CTA];
	int cta = blockIdx.x, thread = threadIdx.x;
	bool same = cta <= sets;
	int first = same ? cta * points : 0, second = same ? first : (cta - sets) * points;

	for (int i = thread; i < (BINS + 2) * COUNTERS; i += CTA)
		counter[i / COUNTERS][i % COUNTERS] = 0;
	for (int tile = 0; tile < points; tile += CTA) {
		int filled = min(CTA, points - tile);

		__syncthreads();
		if (thread < filled) {
			tile_x[thread] = x[first + tile + thread];
			tile_y[thread] = y[first + tile + thread];
			tile_z[thread] = z[first + tile + thread];
		}
		__syncthreads();
		for (int j = (same ? tile : 0) + thread; j < points; j += CTA) {
			float px = x[second + j], py = y[second + j], pz = z[second + j];
			for (int k = 0; k < filled; k++) {
				if (same && tile + k >= j)
					break; /* each pair once */
				float cosine = fmaf(pz, tile_z[k], fmaf(py, tile_y[k], px * tile_x[k]));
				atomicAdd(&counter[bin_of(cosine)][thread % COUNTERS], 1u);
			}
		}
	}
	add_up(counter);
	if (thread < BINS + 2)
		histogram[cta * (BINS + 2) + thread] = counter[thread][0];
}
