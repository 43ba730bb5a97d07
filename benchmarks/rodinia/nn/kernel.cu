/* nn -- nearest neighbours: how far each of n places is from one; one thread per place.
 *
 * A place is a pair of floats, read by one load of 8 bytes (two lines a warp), and gives one float: all
 * accesses coalesce, and nothing is read twice. Choosing the nearest is the host's work, as in Rodinia. */
#include "cuda_kernel.h"

extern "C" __global__ void nn_distance(
	const float2 *place, float *distance, int n, float latitude, float longitude)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	float2 p = place[i];
	float north = latitude - p.x, east = longitude - p.y;
	distance[i] = sqrtf(north * north + east * east);
}
