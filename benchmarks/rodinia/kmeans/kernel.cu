/* kmeans -- which of some centres is the nearest to each point; a thread to a point.
 *
 * kmeans_invert, once: points come one after another and leave feature by feature. A warp reads words a point
 * apart, with 34 features 32 lines to a load, which serve the next loads, too, if they live that long; what
 * it writes coalesces. kmeans_assign, each iteration: for each centre all features of the point, so that a
 * warp reads the same lines, one for each feature, over again for each centre: 34 lines are 4 KB, and with
 * many warps the cache keeps none of them. Centres are in constant memory, the same word for the whole warp.
 *
 * With point_step = features and feature_step = 1 kmeans_assign reads the points as they came. */
#include "cuda_kernel.h"
#include "kmeans.h"

extern "C" __constant__ float kmeans_centre[KMEANS_CENTRES] = { 0 };

extern "C" __global__ void kmeans_invert(const float *in, float *out, int points, int features)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;

	if (p < points)
#pragma unroll 1
		for (int j = 0; j < features; j++)
			out[j * points + p] = in[p * features + j];
}

/* Feature j of point p: value[p * point_step + j * feature_step]. The first of equally near centres wins. */
extern "C" __global__ void kmeans_assign(const float *value, int points, int features, int clusters,
	int point_step, int feature_step, int *member_of)
{
	int p = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x, nearest = -1;
	float least = 0.0f;

	if (p >= points)
		return;
	for (int c = 0; c < clusters; c++) {
		float distance = 0.0f;
#pragma unroll 1
		for (int j = 0; j < features; j++) {
			float off =
				value[p * point_step + j * feature_step] - kmeans_centre[c * features + j];
			distance += off * off;
		}
		if (nearest < 0 || distance < least) {
			nearest = c;
			least = distance;
		}
	}
	member_of[p] = nearest;
}
