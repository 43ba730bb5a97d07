/* pathfinder -- the cheapest way down a wall: each step goes to one of the three cells below. Row by row, the
 * cost of a cell is its own plus the least of the three above; a launch does `height` rows (a pyramid).
 *
 * A CTA of 256 threads keeps a row of costs in shared memory. Of each pyramid it needs `height` cells more on
 * either side than it delivers (its ghost zone): they are worked out twice, by neighbouring CTAs, so that no
 * CTA waits for another. Every row of the wall is read once, coalesced, but for the ghost zones: a stream.
 *
 * With UNSHARED the two rows of a CTA lie in global memory, in a place of its own (scratch): each step stores
 * and loads them, coalesced but for the neighbours' words (one or two lines). A cache that drops a line when
 * it is stored to, as Fermi's L1 does, finds none of them. */
#include "cuda_kernel.h"

#define CTA 256

extern "C" __global__ void pathfinder(
	const int *wall, const int *from, int *to, int *scratch, int cols, int first, int height)
{
#ifdef UNSHARED
	int *above = scratch + blockIdx.x * (2 * CTA), *below = above + CTA;
#else
	__shared__ int above[CTA], below[CTA];
#endif
	int x = threadIdx.x, start = (int)blockIdx.x * (CTA - 2 * height) - height, col = start + x;
	bool inside = col >= 0 && col < cols;
	int low = max(0, -start), high = min(CTA - 1, cols - 1 - start); /* those inside */
	int left = max(x - 1, low), right = min(x + 1, high);
	bool mine = false;

	if (inside)
		above[x] = from[col];
	__syncthreads();
	for (int i = 0; i < height; i++) {
		/* what is right after this step gets narrower by one on either side, not at the wall's ends
		 */
		mine = inside && x >= i + 1 && x <= CTA - 2 - i;
		if (mine)
			below[x] = wall[(first + i) * cols + col] +
				   min(above[x], min(above[left], above[right]));
		if (i == height - 1)
			break;
		__syncthreads();
		if (mine)
			above[x] = below[x];
		__syncthreads();
	}
	if (mine)
		to[col] = below[x];
}
