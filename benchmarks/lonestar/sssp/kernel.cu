/* sssp -- shortest ways from one node as LonestarGPU finds them without a worklist, after Bellman and Ford: a
 * thread per node, and every launch tries all edges of all nodes until a launch changes nothing.
 *
 * As bfs, and beside each edge its weight is read: two walks over a row in step, a line each, and a distance
 * anywhere. A distance only ever falls, by atomicMin, so the outcome is one however the threads meet.
 *
 *   edges of v: edge[row[v]] .. edge[row[v + 1] - 1], with weight[] beside them, 0 to 2^31 - 1
 *   distance[v]: UNREACHED (2^31 - 1), or the length of a way to v */
#include "cuda_kernel.h"

extern "C" __global__ void sssp_relax(
	int nodes, const int *row, const int *edge, const int *weight, int *distance, int *changed)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	bool has = false;

	if (v >= nodes)
		return;
	int end = row[v + 1];
	unsigned here = (unsigned)distance[v];
#pragma unroll 1
	for (int i = row[v]; i < end; i++) {
		int w = edge[i];
		/* below 2^32; no shorter than UNREACHED if this node is unreached or the way too long */
		unsigned next = here + (unsigned)weight[i];
		if (next < (unsigned)distance[w] && (int)next < atomicMin(&distance[w], (int)next))
			has = true;
	}
	if (has)
		*changed = 1;
}
