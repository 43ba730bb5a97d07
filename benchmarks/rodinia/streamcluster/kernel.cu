/* streamcluster -- what a new centre at point x would gain: pgain() works out for each of n points whether x
 * is nearer than the centre it has, and how much is saved or, were its centre closed, lost.
 *
 * A thread has a point. The coordinates lie dimension by dimension, n points in each: the points' own loads
 * coalesce and stream; those of x are one word for all the lanes, and for all warps alike, soon after each
 * other. Where n is a multiple of 1024, a point's coordinates, and x's, all fall into one set of a 16 KB
 * cache. A point is 32 bytes, eight lines to a load of one of its fields; a thread stores to a row of
 * (centres + 1) words of its own. */
#include "cuda_kernel.h"

struct point {
	float weight;
	const float *unused; /* where the original has a host address */
	long long assigned;  /* to this point, a centre */
	float cost;          /* weight times the squared distance to it */
};

/* rank: of a point among the centres; work: zero before, a row for each point: what closing centre 0, 1 ...
 * loses, and last what x gains (negative); switches: zero before, 1 for points that x is nearer to */
extern "C" __global__ void pgain(const float *coordinate, const point *points, const int *rank,
	char *switches, float *work, int n, int dimensions, int centres, int x)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float distance = 0.0f;

	if (i >= n)
		return;
	for (int d = 0; d < dimensions; d++) {
		float apart = coordinate[d * n + i] - coordinate[d * n + x];
		distance = fmaf(apart, apart, distance);
	}
	float saved = fmaf(-distance, points[i].weight, points[i].cost);
	float *row = work + (long long)i * (centres + 1);
	if (saved > 0.0f) {
		switches[i] = 1;
		row[centres] -= saved;
	} else {
		row[rank[points[i].assigned]] += saved;
	}
}
